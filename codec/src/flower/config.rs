//! The record of settings: numbers, texts, bytes, and lists of them.

use super::number;
use super::protobuf::values::{self, BytesList, ConfigKind, ConfigRecordValue};
use super::protobuf::{decode, fault};
use super::typed_dict::{TypedDict, record};
use super::walk::Origin;
use crate::error::Error;
use prost::Message;

/// A value of a [`ConfigRecord`]: what Flower allows there.
///
/// `From` makes one of Rust's numbers, texts, bytes and vectors of them; a `Vec<u8>` is Python's
/// `bytes`. Two are equal if Flower could not tell them apart: `Uint(1)` is `Int(1)`, and an empty list
/// is one of any kind.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ConfigValue {
    /// A bool.
    Bool(bool),
    /// An integer of 64 bits with a sign.
    Int(i64),
    /// An integer, of 2^63 or more; a smaller one is written and read as [`Int`](Self::Int).
    Uint(u64),
    /// A float of 64 bits, the only ones that Flower has.
    Float(f64),
    /// A text.
    Str(String),
    /// A byte string.
    Bytes(Vec<u8>),
    /// A list of bools, and what an empty list is read as.
    BoolList(Vec<bool>),
    /// A list of integers.
    IntList(Vec<i64>),
    /// A list of integers, one of which is 2^63 or more; others are written and read as
    /// [`IntList`](Self::IntList).
    UintList(Vec<u64>),
    /// A list of floats.
    FloatList(Vec<f64>),
    /// A list of texts.
    StrList(Vec<String>),
    /// A list of byte strings.
    BytesList(Vec<Vec<u8>>),
}

impl ConfigValue {
    /// Returns the number of bytes that Flower counts: 1 for a bool, 8 for a number, the characters
    /// of a text, the bytes of a byte string, the sum of a list.
    #[must_use]
    pub fn count_bytes(&self) -> u64 {
        match self {
            Self::Bool(_) => 1,
            Self::Int(_) | Self::Uint(_) | Self::Float(_) => 8,
            Self::Str(text) => characters(text),
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::BoolList(items) => items.len() as u64,
            Self::IntList(items) => 8 * items.len() as u64,
            Self::UintList(items) => 8 * items.len() as u64,
            Self::FloatList(items) => 8 * items.len() as u64,
            Self::StrList(items) => items.iter().map(|text| characters(text)).sum(),
            Self::BytesList(items) => items.iter().map(|bytes| bytes.len() as u64).sum(),
        }
    }

    /// Returns the message of the value. A list without items has no type in Python, and becomes one
    /// of bools.
    pub(super) fn kind(&self) -> ConfigKind {
        match self {
            Self::Bool(value) => ConfigKind::Bool(*value),
            Self::Int(value) => ConfigKind::Sint64(*value),
            Self::Uint(value) => match i64::try_from(*value) {
                Ok(value) => ConfigKind::Sint64(value),
                Err(_) => ConfigKind::Uint64(*value),
            },
            Self::Float(value) => ConfigKind::Double(*value),
            Self::Str(text) => ConfigKind::String(text.clone()),
            Self::Bytes(bytes) => ConfigKind::Bytes(bytes.clone()),
            _ if self.is_empty_list() => ConfigKind::BoolList(values::BoolList::default()),
            Self::BoolList(items) => ConfigKind::BoolList(items[..].into()),
            Self::IntList(items) => ConfigKind::SintList(items[..].into()),
            Self::UintList(items) => match number::signed(items) {
                Some(items) => ConfigKind::SintList(items[..].into()),
                None => ConfigKind::UintList(items[..].into()),
            },
            Self::FloatList(items) => ConfigKind::DoubleList(items[..].into()),
            Self::StrList(items) => ConfigKind::StringList(items[..].into()),
            Self::BytesList(items) => ConfigKind::BytesList(BytesList {
                vals: items.clone(),
            }),
        }
    }

    /// Takes the value out of its message, in the form that it would be written in.
    pub(super) fn of(message: Option<ConfigRecordValue>) -> Result<Self, Error> {
        let Some(kind) = message.and_then(|message| message.value) else {
            return Err(fault(
                "a value of a ConfigRecord",
                "none, or one of a kind that is not known",
            ));
        };
        Ok(match kind {
            ConfigKind::Double(value) => Self::Float(value),
            ConfigKind::Sint64(value) => Self::Int(value),
            ConfigKind::Uint64(value) => value.into(),
            ConfigKind::Bool(value) => Self::Bool(value),
            ConfigKind::String(text) => Self::Str(text),
            ConfigKind::Bytes(bytes) => Self::Bytes(bytes),
            ConfigKind::DoubleList(list) => Self::FloatList(list.vals).canonical(),
            ConfigKind::SintList(list) => Self::IntList(list.vals).canonical(),
            ConfigKind::UintList(list) => list.vals.into(),
            ConfigKind::BoolList(list) => Self::BoolList(list.vals),
            ConfigKind::StringList(list) => Self::StrList(list.vals).canonical(),
            ConfigKind::BytesList(list) => Self::BytesList(list.vals).canonical(),
        })
    }

    fn is_empty_list(&self) -> bool {
        match self {
            Self::BoolList(items) => items.is_empty(),
            Self::IntList(items) => items.is_empty(),
            Self::UintList(items) => items.is_empty(),
            Self::FloatList(items) => items.is_empty(),
            Self::StrList(items) => items.is_empty(),
            Self::BytesList(items) => items.is_empty(),
            _ => false,
        }
    }

    fn canonical(self) -> Self {
        match self {
            list if list.is_empty_list() => Self::BoolList(Vec::new()),
            other => other,
        }
    }
}

/// Counts as Python's `len` does.
pub(super) fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

impl PartialEq for ConfigValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::Int(a), Self::Uint(b)) | (Self::Uint(b), Self::Int(a)) => {
                u64::try_from(*a) == Ok(*b)
            }
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::BoolList(a), Self::BoolList(b)) => a == b,
            (Self::IntList(a), Self::IntList(b)) => a == b,
            (Self::UintList(a), Self::UintList(b)) => a == b,
            (Self::IntList(a), Self::UintList(b)) | (Self::UintList(b), Self::IntList(a)) => {
                number::signed(b).as_ref() == Some(a)
            }
            (Self::FloatList(a), Self::FloatList(b)) => a == b,
            (Self::StrList(a), Self::StrList(b)) => a == b,
            (Self::BytesList(a), Self::BytesList(b)) => a == b,
            (a, b) => a.is_empty_list() && b.is_empty_list(),
        }
    }
}

number::from!(ConfigValue);

macro_rules! from {
    ($($from:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$from> for ConfigValue {
            fn from($value: $from) -> Self {
                $made
            }
        })*
    };
}

from! {
    bool => |value| Self::Bool(value);
    &str => |text| Self::Str(text.to_owned());
    String => |text| Self::Str(text);
    &[u8] => |bytes| Self::Bytes(bytes.to_vec());
    Vec<u8> => |bytes| Self::Bytes(bytes);
    Vec<bool> => |items| Self::BoolList(items);
    Vec<String> => |items| Self::StrList(items);
    Vec<&str> => |items| Self::StrList(items.into_iter().map(str::to_owned).collect());
    Vec<Vec<u8>> => |items| Self::BytesList(items);
}

/// A map of names to settings, as Flower's `ConfigRecord`.
///
/// ```
/// use npcodec::flower::{ConfigRecord, ConfigValue};
///
/// let mut config = ConfigRecord::new();
/// config.insert("lr", 0.5);
/// config.insert("on", true);
/// assert_eq!(config.to_protobuf(), b"\x0a\x0f\x0a\x02lr\x12\x09\x09\0\0\0\0\0\0\xe0?\x0a\x08\x0a\x02on\x12\x02 \x01");
/// assert_eq!(ConfigRecord::from_protobuf(&config.to_protobuf())?, config);
/// assert_eq!(config.read::<f32>("lr")?, 0.5);
/// assert!(config.read::<u64>("on").is_err());
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigRecord(pub(super) TypedDict<ConfigValue>, pub(super) Origin);

record!(ConfigRecord, ConfigValue);

impl ConfigRecord {
    /// Returns the number of bytes that Flower counts: those of the values and the characters of the
    /// keys.
    ///
    /// Empty texts, byte strings and lists count as nothing, where flwr 1.42's own `count_bytes` raises.
    #[must_use]
    pub fn count_bytes(&self) -> u64 {
        let entries = self.iter();
        entries
            .map(|(key, value)| characters(key) + value.count_bytes())
            .sum()
    }

    /// Returns the protobuf message, which is also the body of the deflated object.
    ///
    /// The bytes are those of flwr 1.42: integers as `sint64`, as `uint64` from 2^63 up; a list
    /// without items as one of bools.
    #[must_use]
    pub fn to_protobuf(&self) -> Vec<u8> {
        self.message().encode_to_vec()
    }

    /// Reads the protobuf message of a record. Fields that are not known are passed over, as Flower
    /// does.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) for bytes that are no such message, and for a
    /// key without a value or with one of a kind that is not known;
    /// [`ErrorKind::RepeatedKey`](crate::ErrorKind::RepeatedKey), where flwr keeps the last value.
    pub fn from_protobuf(bytes: &[u8]) -> Result<Self, Error> {
        Self::of(decode(bytes, "ConfigRecord")?)
    }
}
