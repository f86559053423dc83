//! What a file holds, without a target type.

use std::borrow::Cow;

use num_complex::Complex;

use super::StateDict;
use crate::encoding::{Integer, NumpyEncoding, Source};
use crate::error::Error;

/// A value of a checkpoint, borrowed from its source where it can be.
///
/// Reading and writing a `Value` changes nothing: dtype texts, payloads, padding and order labels
/// pass through as they are, keys keep their order.
///
/// ```
/// use npcodec::{StateDict, Value};
///
/// let bytes = [0x82, 0xa1, b'a', 0x01, 0x07, 0xc0]; // {"a": 1, 7: None}
/// let value: Value = rmp_serde::from_slice(&bytes)?;
/// assert_eq!(value.as_map().and_then(|map| map.get("a")), Some(&Value::from(1)));
/// assert_eq!(rmp_serde::to_vec(&value)?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Python's `None`.
    Nil,
    /// A bool.
    Bool(bool),
    /// An integer of any size.
    Integer(Integer<'a>),
    /// A float of 32 bits.
    Float32(f32),
    /// A float of 64 bits, Python's `float`.
    Float64(f64),
    /// A complex number, which no MessagePack file holds as such: a hook must take it.
    Complex(Complex<f64>),
    /// A text.
    String(Cow<'a, str>),
    /// A byte string.
    Bytes(Cow<'a, [u8]>),
    /// A list; Python's tuples are lists here.
    List(Vec<Value<'a>>),
    /// A map with string and integer keys.
    Map(StateDict<'a>),
    /// A NumPy array.
    Array(NumpyEncoding<'a>),
    /// A MessagePack extension with its type code.
    Extension(i8, Cow<'a, [u8]>),
}

impl<'a> Value<'a> {
    /// Returns the map if the value is one.
    #[must_use]
    pub fn as_map(&self) -> Option<&StateDict<'a>> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the list if the value is one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value<'a>]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the array if the value is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&NumpyEncoding<'a>> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Returns the integer if the value is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<&Integer<'a>> {
        match self {
            Self::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// Returns the text if the value is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the bytes if the value is a byte string.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the same value, borrowing texts and payloads from this one.
    #[must_use]
    pub fn borrowed(&self) -> Value<'_> {
        match self {
            Self::Nil => Value::Nil,
            Self::Bool(value) => Value::Bool(*value),
            Self::Integer(integer) => Value::Integer(integer.borrowed()),
            Self::Float32(value) => Value::Float32(*value),
            Self::Float64(value) => Value::Float64(*value),
            Self::Complex(value) => Value::Complex(*value),
            Self::String(text) => Value::String(Cow::Borrowed(text)),
            Self::Bytes(bytes) => Value::Bytes(Cow::Borrowed(bytes)),
            Self::List(items) => Value::List(items.iter().map(Value::borrowed).collect()),
            Self::Map(map) => Value::Map(map.borrowed()),
            Self::Array(array) => Value::Array(array.borrowed()),
            Self::Extension(code, bytes) => Value::Extension(*code, Cow::Borrowed(bytes)),
        }
    }

    /// Returns the same value with its own texts and payloads.
    #[must_use]
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Nil => Value::Nil,
            Self::Bool(value) => Value::Bool(value),
            Self::Integer(integer) => Value::Integer(integer.into_owned()),
            Self::Float32(value) => Value::Float32(value),
            Self::Float64(value) => Value::Float64(value),
            Self::Complex(value) => Value::Complex(value),
            Self::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Self::Bytes(bytes) => Value::Bytes(Cow::Owned(bytes.into_owned())),
            Self::List(items) => Value::List(items.into_iter().map(Value::into_owned).collect()),
            Self::Map(map) => Value::Map(map.into_owned()),
            Self::Array(array) => Value::Array(array.into_owned()),
            Self::Extension(code, bytes) => Value::Extension(code, Cow::Owned(bytes.into_owned())),
        }
    }

    /// Returns the same value with the payloads that are still in a source.
    pub(crate) fn loaded(self, source: Option<&dyn Source>) -> Result<Self, Error> {
        Ok(match self {
            Self::Array(array) => Self::Array(array.loaded(source)?),
            Self::List(items) => {
                let items = items.into_iter().map(|item| item.loaded(source));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Self::Map(map) => {
                let entries = map
                    .into_iter()
                    .map(|(key, value)| Ok((key, value.loaded(source)?)));
                Self::Map(entries.collect::<Result<_, Error>>()?)
            }
            other => other,
        })
    }

    /// Says what kind of value this is, for errors.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "a bool",
            Self::Integer(_) => "an integer",
            Self::Float32(_) | Self::Float64(_) => "a float",
            Self::Complex(_) => "a complex number",
            Self::String(_) => "a string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Array(_) => "an array",
            Self::Extension(..) => "an extension",
        }
    }
}

macro_rules! from {
    ($($from:ty => |$value:ident| $made:expr),* $(,)?) => {
        $(impl<'a> From<$from> for Value<'a> {
            fn from($value: $from) -> Self {
                $made
            }
        })*
    };
}

from! {
    bool => |value| Value::Bool(value),
    i32 => |value| Value::Integer(i64::from(value).into()),
    i64 => |value| Value::Integer(value.into()),
    u64 => |value| Value::Integer(value.into()),
    i128 => |value| Value::Integer(value.into()),
    u128 => |value| Value::Integer(value.into()),
    f32 => |value| Value::Float32(value),
    f64 => |value| Value::Float64(value),
    &'a str => |value| Value::String(Cow::Borrowed(value)),
    String => |value| Value::String(Cow::Owned(value)),
    &'a [u8] => |value| Value::Bytes(Cow::Borrowed(value)),
    Vec<u8> => |value| Value::Bytes(Cow::Owned(value)),
    Vec<Value<'a>> => |value| Value::List(value),
    StateDict<'a> => |value| Value::Map(value),
    NumpyEncoding<'a> => |value| Value::Array(value),
    Integer<'a> => |value| Value::Integer(value),
}
