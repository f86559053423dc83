//! Values of records as the values of states, and out of them as Rust types.

use std::borrow::Cow;

use super::{ConfigRecord, ConfigValue, MetricRecord, MetricValue};
use crate::checkpoint::{ReadOptions, Restore, Shared, from_deserializer};
use crate::error::Error;
use crate::path::{Path, Segment};
use crate::state::Value;

impl<'v> From<&'v ConfigValue> for Value<'v> {
    fn from(value: &'v ConfigValue) -> Self {
        match value {
            ConfigValue::Bool(value) => Self::Bool(*value),
            ConfigValue::Int(value) => Self::Integer((*value).into()),
            ConfigValue::Uint(value) => Self::Integer((*value).into()),
            ConfigValue::Float(value) => Self::Float64(*value),
            ConfigValue::Str(text) => Self::String(Cow::Borrowed(text)),
            ConfigValue::Bytes(bytes) => Self::Bytes(Cow::Borrowed(bytes)),
            ConfigValue::BoolList(items) => list(items),
            ConfigValue::IntList(items) => list(items),
            ConfigValue::UintList(items) => list(items),
            ConfigValue::FloatList(items) => list(items),
            ConfigValue::StrList(items) => {
                Self::List(items.iter().map(|text| text.as_str().into()).collect())
            }
            ConfigValue::BytesList(items) => {
                Self::List(items.iter().map(|bytes| bytes.as_slice().into()).collect())
            }
        }
    }
}

impl<'v> From<&'v MetricValue> for Value<'v> {
    fn from(value: &'v MetricValue) -> Self {
        match value {
            MetricValue::Int(value) => Self::Integer((*value).into()),
            MetricValue::Uint(value) => Self::Integer((*value).into()),
            MetricValue::Float(value) => Self::Float64(*value),
            MetricValue::IntList(items) => list(items),
            MetricValue::UintList(items) => list(items),
            MetricValue::FloatList(items) => list(items),
        }
    }
}

fn list<'v, T: Copy + Into<Value<'v>>>(items: &[T]) -> Value<'v> {
    Value::List(items.iter().map(|&item| item.into()).collect())
}

/// Reads the value under a key as a field of a state would be read.
fn read<'v, T: Restore<'v>>(key: &str, value: Option<Value<'v>>) -> Result<T, Error> {
    let entries = value.map(|value| (key.to_owned(), value));
    let dict = Value::Map(entries.into_iter().collect());
    let path = Path::root().join(Segment::Key(key.to_owned()));
    let options = ReadOptions::new().at(path);
    from_deserializer(dict, Shared::new(&options)).map(|(value, _)| value)
}

impl ConfigRecord {
    /// Returns the value under a key as a Rust type, by the rules of a field of a state: every form
    /// that keeps the number is taken, none that would change it.
    ///
    /// # Errors
    /// [`ErrorKind::Report`](crate::ErrorKind::Report) if the key is missing, or its value does not fit.
    pub fn read<'v, T: Restore<'v>>(&'v self, key: &str) -> Result<T, Error> {
        read(key, self.get(key).map(Value::from))
    }
}

impl MetricRecord {
    /// Returns the value under a key as a Rust type, by the rules of a field of a state: every form
    /// that keeps the number is taken, none that would change it.
    ///
    /// # Errors
    /// [`ErrorKind::Report`](crate::ErrorKind::Report) if the key is missing, or its value does not fit.
    pub fn read<'v, T: Restore<'v>>(&'v self, key: &str) -> Result<T, Error> {
        read(key, self.get(key).map(Value::from))
    }
}
