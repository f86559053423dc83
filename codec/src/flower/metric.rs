//! The record of measurements: numbers, and lists of them.

use super::config::characters;
use super::number;
use super::protobuf::values::{DoubleList, MetricKind, MetricRecordValue};
use super::protobuf::{decode, fault};
use super::typed_dict::{TypedDict, record};
use super::walk::Origin;
use crate::error::Error;
use prost::Message;

/// A value of a [`MetricRecord`]: a number or a list of numbers. Flower allows no bools here.
///
/// `From` makes one of Rust's numbers and vectors of them. Two are equal if Flower could not tell them
/// apart: `Uint(1)` is `Int(1)`, and an empty list is one of any kind.
///
/// ```compile_fail,E0277
/// npcodec::flower::MetricValue::from(true);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum MetricValue {
    /// An integer of 64 bits with a sign.
    Int(i64),
    /// An integer, of 2^63 or more; a smaller one is written and read as [`Int`](Self::Int).
    Uint(u64),
    /// A float of 64 bits, the only ones that Flower has.
    Float(f64),
    /// A list of integers.
    IntList(Vec<i64>),
    /// A list of integers, one of which is 2^63 or more; others are written and read as
    /// [`IntList`](Self::IntList).
    UintList(Vec<u64>),
    /// A list of floats, and what an empty list is read as.
    FloatList(Vec<f64>),
}

impl MetricValue {
    /// Returns the number of bytes that Flower counts: 8 for each number.
    #[must_use]
    pub fn count_bytes(&self) -> u64 {
        8 * match self {
            Self::Int(_) | Self::Uint(_) | Self::Float(_) => 1,
            Self::IntList(items) => items.len() as u64,
            Self::UintList(items) => items.len() as u64,
            Self::FloatList(items) => items.len() as u64,
        }
    }

    /// Returns the message of the value. A list without items has no type in Python, and becomes one
    /// of floats.
    pub(super) fn kind(&self) -> MetricKind {
        match self {
            Self::Int(value) => MetricKind::Sint64(*value),
            Self::Uint(value) => match i64::try_from(*value) {
                Ok(value) => MetricKind::Sint64(value),
                Err(_) => MetricKind::Uint64(*value),
            },
            Self::Float(value) => MetricKind::Double(*value),
            _ if self.is_empty_list() => MetricKind::DoubleList(DoubleList::default()),
            Self::IntList(items) => MetricKind::SintList(items[..].into()),
            Self::UintList(items) => match number::signed(items) {
                Some(items) => MetricKind::SintList(items[..].into()),
                None => MetricKind::UintList(items[..].into()),
            },
            Self::FloatList(items) => MetricKind::DoubleList(items[..].into()),
        }
    }

    /// Takes the value out of its message, in the form that it would be written in.
    pub(super) fn of(message: Option<MetricRecordValue>) -> Result<Self, Error> {
        let Some(kind) = message.and_then(|message| message.value) else {
            return Err(fault(
                "a value of a MetricRecord",
                "none, or one of a kind that is not known",
            ));
        };
        Ok(match kind {
            MetricKind::Double(value) => Self::Float(value),
            MetricKind::Sint64(value) => Self::Int(value),
            MetricKind::Uint64(value) => value.into(),
            MetricKind::DoubleList(list) => Self::FloatList(list.vals),
            MetricKind::SintList(list) => Self::IntList(list.vals).canonical(),
            MetricKind::UintList(list) => list.vals.into(),
        })
    }

    fn is_empty_list(&self) -> bool {
        match self {
            Self::IntList(items) => items.is_empty(),
            Self::UintList(items) => items.is_empty(),
            Self::FloatList(items) => items.is_empty(),
            _ => false,
        }
    }

    fn canonical(self) -> Self {
        match self {
            list if list.is_empty_list() => Self::FloatList(Vec::new()),
            other => other,
        }
    }
}

impl PartialEq for MetricValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::Int(a), Self::Uint(b)) | (Self::Uint(b), Self::Int(a)) => {
                u64::try_from(*a) == Ok(*b)
            }
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::IntList(a), Self::IntList(b)) => a == b,
            (Self::UintList(a), Self::UintList(b)) => a == b,
            (Self::IntList(a), Self::UintList(b)) | (Self::UintList(b), Self::IntList(a)) => {
                number::signed(b).as_ref() == Some(a)
            }
            (Self::FloatList(a), Self::FloatList(b)) => a == b,
            (a, b) => a.is_empty_list() && b.is_empty_list(),
        }
    }
}

number::from!(MetricValue);

/// A map of names to measurements, as Flower's `MetricRecord`.
///
/// ```
/// use npcodec::flower::MetricRecord;
///
/// let mut metrics = MetricRecord::new();
/// metrics.insert("loss", 0.25);
/// metrics.insert("num-examples", 10);
/// assert_eq!(MetricRecord::from_protobuf(&metrics.to_protobuf())?, metrics);
/// assert_eq!(metrics.read::<u64>("num-examples")?, 10);
/// assert_eq!(metrics.count_bytes(), 32);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetricRecord(pub(super) TypedDict<MetricValue>, pub(super) Origin);

record!(MetricRecord, MetricValue);

impl MetricRecord {
    /// Returns the number of bytes that Flower counts: 8 for each number, and the characters of the
    /// keys.
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
    /// without items as one of floats.
    #[must_use]
    pub fn to_protobuf(&self) -> Vec<u8> {
        self.message().encode_to_vec()
    }

    /// Reads the protobuf message of a record. Fields that are not known are passed over, as Flower
    /// does.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) for bytes that are no such message, and for a
    /// key without a value or with one of a kind that is not known, a bool among them;
    /// [`ErrorKind::RepeatedKey`](crate::ErrorKind::RepeatedKey), where flwr keeps the last value.
    pub fn from_protobuf(bytes: &[u8]) -> Result<Self, Error> {
        Self::of(decode(bytes, "MetricRecord")?)
    }
}
