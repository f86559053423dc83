//! Flax's extensions: arrays, complex numbers, NumPy's scalars.

use std::borrow::Cow;

use num_complex::Complex;

use super::chunks::joined;
use super::{ARRAY, COMPLEX, FORMAT, MARKER, SCALAR, TIMESTAMP};
use crate::dtype::DType;
use crate::encoding::NumpyEncoding;
use crate::error::Error;
use crate::file::Token;
use crate::formats::msgpack::{Dialect, Dimensions, Reader};
use crate::state::Value;

/// How Flax uses MessagePack.
pub(super) struct Flax;

impl<'a> Dialect<'a> for Flax {
    fn extension(
        &self,
        reader: &mut Reader<'a>,
        code: i8,
        length: usize,
    ) -> Result<Value<'a>, Error> {
        match code {
            ARRAY | SCALAR => {
                let mut part = reader.part(length)?;
                let array = array(&mut part)?;
                part.finish()?;
                if code == ARRAY {
                    return Ok(Value::Array(array));
                }
                if !array.shape().is_empty() {
                    return Err(fault("a scalar", format!("{array}")));
                }
                Ok(Value::Array(array.into_scalar()))
            }
            COMPLEX => {
                let mut part = reader.part(length)?;
                let value = complex(&mut part)?;
                part.finish()?;
                Ok(Value::Complex(value))
            }
            _ if is_carried(code, length) => {
                let bytes = reader.payload(length)?;
                Ok(Value::Extension(code, Cow::Borrowed(bytes)))
            }
            _ => Err(fault(
                "an extension with a code from 0 to 127, or a timestamp of 4, 8 or 12 bytes",
                format!("the code {code} with {length} bytes"),
            )),
        }
    }

    fn map(
        &self,
        reader: &mut Reader<'a>,
        count: usize,
        in_list: bool,
    ) -> Result<Value<'a>, Error> {
        let dict = reader.entries(count, self, in_list)?;
        if !in_list && dict.contains_key(MARKER) {
            return joined(dict).map(Value::Array);
        }
        Ok(Value::Map(dict))
    }
}

/// Returns true for the extensions that are none of Flax's and pass through it.
pub(super) fn is_carried(code: i8, length: usize) -> bool {
    match code {
        ARRAY | COMPLEX | SCALAR => false,
        TIMESTAMP => matches!(length, 4 | 8 | 12),
        _ => code >= 0,
    }
}

/// Reads shape, name of the dtype and bytes.
fn array<'a>(reader: &mut Reader<'a>) -> Result<NumpyEncoding<'a>, Error> {
    match reader.next()? {
        Token::List(3) => {}
        Token::List(count) => {
            return Err(fault(
                "a list of shape, dtype and bytes",
                format!("a list of {count}"),
            ));
        }
        other => {
            return Err(fault("a list of shape, dtype and bytes", other.describe()));
        }
    }
    let dimensions = if reader.is_next(|marker| marker == rmp::Marker::Null.to_u8())? {
        reader.next()?;
        Dimensions::flat()
    } else {
        Dimensions::read(reader, FORMAT)?
    };
    let name = match reader.next()? {
        Token::Text(length) => reader.text(length)?,
        Token::Bytes(length) => {
            let bytes = reader.payload(length)?;
            let text = std::str::from_utf8(bytes);
            Cow::Borrowed(text.map_err(|_| fault("the name of a dtype", "other bytes"))?)
        }
        other => return Err(fault("the name of a dtype", other.describe())),
    };
    let dtype = DType::from_plain_name(&name)?;
    let data = match reader.next()? {
        Token::Bytes(length) => reader.payload(length)?,
        // Python takes a text for its bytes here, and only one that is UTF-8.
        Token::Text(length) => match reader.text(length)? {
            Cow::Borrowed(text) => text.as_bytes(),
            Cow::Owned(_) => &[],
        },
        other => return Err(fault("the bytes of an array", other.describe())),
    };
    let itemsize = dtype.itemsize();
    if itemsize == 0 {
        return Err(fault("items that have bytes", format!("the dtype {dtype}")));
    }
    let shape = dimensions.shape(data.len(), itemsize, FORMAT)?;
    NumpyEncoding::of_shape(shape, Cow::Borrowed(data), dtype, None)
}

/// Reads two numbers.
fn complex(reader: &mut Reader<'_>) -> Result<Complex<f64>, Error> {
    match reader.next()? {
        Token::List(2) => {}
        other => {
            let found = match other {
                Token::List(count) => format!("a list of {count}"),
                other => other.describe().to_owned(),
            };
            return Err(fault("a list of two numbers", found));
        }
    }
    let re = number(reader)?;
    Ok(Complex::new(re, number(reader)?))
}

/// Reads a float, or an integer that one holds exactly.
fn number(reader: &mut Reader<'_>) -> Result<f64, Error> {
    const EXACT: u64 = 1 << 53;
    match reader.next()? {
        Token::Float64(value) => Ok(value),
        Token::Float32(value) => Ok(value.into()),
        Token::Unsigned(value) if value <= EXACT => Ok(value as f64),
        Token::Signed(value) if value.unsigned_abs() <= EXACT => Ok(value as f64),
        other => Err(fault("a float", other.describe())),
    }
}

/// Makes the error of something that Flax does not write, and that is not taken for what it writes.
#[cold]
pub(super) fn fault(expected: impl Into<String>, found: impl std::fmt::Display) -> Error {
    super::super::fault::fault(FORMAT, expected, found)
}
