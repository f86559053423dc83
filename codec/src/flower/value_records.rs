//! What the records of values have in common: they are messages of items, are read as the fields of states
//! are, and are objects without children.

use std::borrow::Cow;

use super::object::{Inflatable, Object, sealed};
use super::protobuf::{collect, values};
use super::walk::{Origin, Walk};
use super::{Class, ConfigRecord, ConfigValue, MetricRecord, MetricValue, ObjectId};
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

macro_rules! records {
    ($($record:ident: $value:ident, $item:ident, $message:ident;)*) => {$(
        impl $record {
            /// Returns the protobuf message.
            pub(super) fn message(&self) -> values::$record {
                let items = self.iter().map(|(key, value)| values::$item {
                    key: key.to_owned(),
                    value: Some(values::$message { value: Some(value.kind()) }),
                });
                values::$record { items: items.collect() }
            }

            /// Takes the values out of a protobuf message.
            pub(super) fn of(message: values::$record) -> Result<Self, Error> {
                let items = message.items.into_iter();
                let items = items.map(|item| (item.key, $value::of(item.value)));
                collect(items).map(|dict| Self(dict, Origin::default()))
            }

            /// Returns the value under a key as a Rust type, by the rules of a field of a state: every form
            /// that keeps the number is taken, none that would change it.
            ///
            /// # Errors
            /// [`ErrorKind::Report`](crate::ErrorKind::Report) if the key is missing, or its value does
            /// not fit.
            pub fn read<'v, T: Restore<'v>>(&'v self, key: &str) -> Result<T, Error> {
                read(key, self.get(key).map(Value::from))
            }

            /// Returns what the message in a body would be written as.
            fn canonical(body: &[u8]) -> Option<Vec<u8>> {
                Self::from_protobuf(body).ok().map(|record| record.to_protobuf())
            }
        }

        impl sealed::Sealed for $record {}

        impl<'a> Inflatable<'a> for $record {
            const CLASS: Class = Class::$record;

            fn known_id(&self) -> Option<ObjectId> {
                self.1.found()?;
                let found = self.1.of_body(&self.to_protobuf(), Self::canonical);
                found.map(|found| found.id)
            }

            fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
                walk.leaf(Self::CLASS, &self.1, self.to_protobuf(), Self::canonical)
            }

            fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
                Vec::new()
            }
        }
    )*};
}

records! {
    ConfigRecord: ConfigValue, ConfigItem, ConfigRecordValue;
    MetricRecord: MetricValue, MetricItem, MetricRecordValue;
}
