//! Maps that are arrays, scalars and complex numbers.

use std::borrow::Cow;

use super::parts::{Data, Parts, Type};
use super::{FORMAT, descr, fault};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};
use crate::file::Token;
use crate::formats::msgpack::{Dialect, Dimensions, Reader};
use crate::path::excerpt;
use crate::state::{StateDict, Value};

/// How msgpack-numpy uses MessagePack.
pub(super) struct MsgpackNumpy {
    /// True for files in which texts are bytes.
    pub(super) raw: bool,
}

impl<'a> Dialect<'a> for MsgpackNumpy {
    fn text(&self, reader: &mut Reader<'a>, length: usize) -> Result<Value<'a>, Error> {
        if self.raw {
            let bytes = reader.payload(length)?;
            return Ok(Value::Bytes(Cow::Borrowed(bytes)));
        }
        reader.text(length).map(Value::String)
    }

    fn extension(
        &self,
        reader: &mut Reader<'a>,
        code: i8,
        length: usize,
    ) -> Result<Value<'a>, Error> {
        if !is_carried(code, length) {
            let found = format!("the code {code} with {length} bytes");
            return Err(fault(
                "an extension with a code from 0 to 127, or a timestamp of 4, 8 or 12 bytes",
                found,
            ));
        }
        let bytes = reader.payload(length)?;
        Ok(Value::Extension(code, Cow::Borrowed(bytes)))
    }

    fn map(
        &self,
        reader: &mut Reader<'a>,
        count: usize,
        in_list: bool,
    ) -> Result<Value<'a>, Error> {
        if reader.is_next(|marker| matches!(marker, 0xc4..=0xc6))? && count > 0 {
            return self.encoded(reader, count);
        }
        let dict = reader.entries(count, self, in_list)?;
        match self.raw {
            true => recognised(dict),
            false => Ok(Value::Map(dict)),
        }
    }
}

/// Returns true for the extensions that Python's msgpack has.
pub(super) fn is_carried(code: i8, length: usize) -> bool {
    code >= 0 || code == -1 && matches!(length, 4 | 8 | 12)
}

impl MsgpackNumpy {
    /// Reads a map whose keys are byte strings.
    fn encoded<'a>(&self, reader: &mut Reader<'a>, count: usize) -> Result<Value<'a>, Error> {
        let (mut parts, mut other) = (Parts::default(), None);
        for _ in 0..count {
            let start = reader.offset();
            let key = match reader.next()? {
                Token::Bytes(length) => reader.payload(length)?,
                token => {
                    let found = format!("{} among bytes", token.describe());
                    return Err(Error::from(ErrorKind::KeyType { found }).at(start));
                }
            };
            let first = match key {
                b"nd" => set(&mut parts.nd, flag(reader)?),
                b"complex" => {
                    // Python does not look at what it is.
                    self.pass(reader)?;
                    set(&mut parts.complex, ())
                }
                b"type" => set(&mut parts.dtype, self.dtype(reader)?),
                b"kind" => set(&mut parts.kind, kind(reader)?),
                b"shape" => set(&mut parts.shape, Dimensions::read(reader, FORMAT)?),
                b"data" => set(&mut parts.data, data(reader)?),
                _ => {
                    self.pass(reader)?;
                    other.get_or_insert((key, start));
                    true
                }
            };
            if !first {
                let key = String::from_utf8_lossy(key).into_owned();
                return Err(Error::from(ErrorKind::RepeatedKey { key }).at(start));
            }
        }
        match other {
            Some((key, start)) if parts.are_of_a_value() => {
                let key = String::from_utf8_lossy(key);
                let found = format!("the key `{}`", excerpt(&key));
                Err(fault("an encoded value and nothing else", found).at(start))
            }
            None if parts.are_of_a_value() => parts.build(),
            _ => {
                let found = "bytes, and no `nd` or `complex` among them".to_owned();
                Err(ErrorKind::KeyType { found }.into())
            }
        }
    }

    /// Reads past a value.
    fn pass(&self, reader: &mut Reader<'_>) -> Result<(), Error> {
        reader.value(self, true).map(drop)
    }

    fn dtype(&self, reader: &mut Reader<'_>) -> Result<Type, Error> {
        let dtype = match reader.value(self, true)? {
            Value::List(fields) => {
                let dtype = descr::dtype(&Value::List(fields))?;
                return Ok(Type {
                    dtype,
                    is_list: true,
                });
            }
            code => descr::dtype(&code)?,
        };
        let is_list = false;
        Ok(Type { dtype, is_list })
    }
}

/// Keeps a part; false if it was there before.
fn set<T>(slot: &mut Option<T>, part: T) -> bool {
    slot.replace(part).is_none()
}

fn flag(reader: &mut Reader<'_>) -> Result<bool, Error> {
    match reader.next()? {
        Token::Bool(value) => Ok(value),
        other => Err(fault("true or false under `nd`", other.describe())),
    }
}

fn kind<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], Error> {
    match reader.next()? {
        Token::Bytes(length) | Token::Text(length) => reader.payload(length),
        other => Err(fault("bytes under `kind`", other.describe())),
    }
}

fn data<'a>(reader: &mut Reader<'a>) -> Result<Data<'a>, Error> {
    match reader.next()? {
        Token::Bytes(length) => reader.payload(length).map(Data::Bytes),
        Token::Text(length) => reader.payload(length).map(Data::Text),
        other => Err(fault("bytes under `data`", other.describe())),
    }
}

/// Turns a map of a raw file into the value that it encodes, and leaves any other map as it is.
///
/// As in Python, a map without one of the parts that it needs is a map.
fn recognised(dict: StateDict<'_>) -> Result<Value<'_>, Error> {
    let has = |key: &str| dict.contains_key(key);
    let is_array = has("nd") && has("type") && has("data");
    let is_number = has("complex") && has("data");
    if !is_number && !is_array || dict.get("nd") == Some(&Value::Bool(true)) && !has("shape") {
        return Ok(Value::Map(dict));
    }
    let mut parts = Parts::default();
    for (key, value) in dict {
        match (key.as_str(), value) {
            (Some("nd"), Value::Bool(nd)) => parts.nd = Some(nd),
            (Some("complex"), _) => parts.complex = Some(()),
            (Some("type"), value) => {
                let is_list = matches!(value, Value::List(_));
                let dtype: DType = descr::dtype(&value)?;
                parts.dtype = Some(Type { dtype, is_list });
            }
            (Some("kind"), Value::Bytes(Cow::Borrowed(kind))) => parts.kind = Some(kind),
            (Some("shape"), value) => parts.shape = Some(Dimensions::of(&value, FORMAT)?),
            (Some("data"), Value::Bytes(Cow::Borrowed(data))) => {
                parts.data = Some(Data::Bytes(data));
            }
            (_, value) => {
                let found = format!("{} under the key {key}", value.kind());
                return Err(fault("an encoded value and nothing else", found));
            }
        }
    }
    parts.build()
}
