//! Writing values as they are.

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Key, StateDict, Value};
use crate::encoding::Integer;
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::path::Place;

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        At {
            value: self,
            place: Place::Root,
        }
        .serialize(serializer)
    }
}

impl Serialize for StateDict<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(self, Place::Root, serializer)
    }
}

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::String(text) => serializer.serialize_str(text),
            Self::Integer(value) => match Integer::from(*value) {
                Integer::Signed(value) => serializer.serialize_i64(value),
                Integer::Unsigned(value) => serializer.serialize_u64(value),
                Integer::Long(text) => {
                    let found = text.as_str().to_owned();
                    Err(S::Error::custom(ErrorKind::KeyType { found }))
                }
            },
        }
    }
}

/// Serializes a value that stands at a place.
struct At<'v> {
    value: &'v Value<'v>,
    place: Place<'v>,
}

impl At<'_> {
    fn check<E: serde::ser::Error>(&self, checked: Result<(), ErrorKind>) -> Result<(), E> {
        checked.map_err(|kind| fault(self.place, kind))
    }
}

fn fault<E: serde::ser::Error>(place: Place<'_>, kind: ErrorKind) -> E {
    E::custom(Error::from(kind).under(&place.path()))
}

impl Serialize for At<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Nil => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Integer(Integer::Signed(value)) => serializer.serialize_i64(*value),
            Value::Integer(Integer::Unsigned(value)) => serializer.serialize_u64(*value),
            Value::Integer(Integer::Long(text)) => text.serialize(serializer),
            Value::Float32(value) => serializer.serialize_f32(*value),
            Value::Float64(value) => serializer.serialize_f64(*value),
            Value::Complex(_) => {
                let found = "a complex number";
                let kind = ErrorKind::NotRepresentable { found };
                Err(fault(self.place, kind))
            }
            Value::String(text) => {
                self.check(check_length(text.len()))?;
                serializer.serialize_str(text)
            }
            Value::Bytes(bytes) => {
                self.check(check_length(bytes.len()))?;
                serializer.serialize_bytes(bytes)
            }
            Value::List(items) => {
                self.check(check_count(items.len()))?;
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for (position, value) in items.iter().enumerate() {
                    list.serialize_element(&At {
                        value,
                        place: Place::Index(&self.place, position as i128),
                    })?;
                }
                list.end()
            }
            Value::Map(map) => serialize_map(map, self.place, serializer),
            Value::Array(array) => {
                self.check(check_array(array))?;
                array.serialize(serializer)
            }
            Value::Extension(code, bytes) => {
                self.check(check_length(bytes.len()))?;
                serialize_extension(*code, bytes, serializer)
            }
        }
    }
}

fn serialize_map<S: Serializer>(
    map: &StateDict<'_>,
    place: Place<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    check_count(map.len()).map_err(|kind| fault(place, kind))?;
    let mut entries = serializer.serialize_map(Some(map.len()))?;
    for (key, value) in map.iter() {
        check_key(key).map_err(|kind| fault(place, kind))?;
        let place = match key {
            Key::String(text) => Place::Key(&place, text),
            Key::Integer(value) => Place::Index(&place, *value),
        };
        let value = At { value, place };
        entries.serialize_entry(key, &value)?;
    }
    entries.end()
}

fn check_key(key: &Key<'_>) -> Result<(), ErrorKind> {
    match key {
        Key::String(text) => check_length(text.len()),
        Key::Integer(value) => match Integer::from(*value) {
            Integer::Long(text) => {
                let found = text.as_str().to_owned();
                Err(ErrorKind::KeyType { found })
            }
            _ => Ok(()),
        },
    }
}

/// Writes an extension in the form that rmp-serde takes for one.
pub(crate) fn serialize_extension<S: Serializer>(
    code: i8,
    bytes: &[u8],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let content = (code, crate::encoding::Bytes(bytes));
    serializer.serialize_newtype_struct(rmp_serde::MSGPACK_EXT_STRUCT_NAME, &content)
}

/// A MessagePack length has 32 bits, and rmp-serde wraps longer ones without a word.
pub(crate) fn check_length(bytes: usize) -> Result<(), ErrorKind> {
    if bytes > limits::LONGEST {
        return Err(ErrorKind::TooLong { bytes });
    }
    Ok(())
}

/// The same of the entries of a list or map.
pub(crate) fn check_count(count: usize) -> Result<(), ErrorKind> {
    if count > limits::LONGEST {
        return Err(ErrorKind::TooMany { count });
    }
    Ok(())
}

pub(crate) fn check_array(array: &NumpyEncoding<'_>) -> Result<(), ErrorKind> {
    check_length(array.data().len())
}
