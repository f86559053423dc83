//! Fields of plain serde types, and fields with an adapter.

use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::context::Context;
use super::mode::{SerdeForm, With};
use super::sink::{SaveOnce, Sink};
use super::value_serializer::{self, ValueSerializer};
use super::{Restore, Save};
use crate::error::Error;
use crate::state::{Indexed, Value};

/// How an adapter writes a field; the derive implements it for `#[checkpoint(with = "...")]`.
pub trait SaveWith<T: ?Sized> {
    /// Writes the value.
    ///
    /// # Errors
    /// Those of the serializer and of the adapter.
    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>;
}

/// How an adapter reads a field; the derive implements it for `#[checkpoint(with = "...")]`.
pub trait RestoreWith<'de, T> {
    /// Reads a value.
    ///
    /// # Errors
    /// Those of the deserializer and of the adapter.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

fn save<'a, S: Sink<'a>>(value: Result<Value<'static>, Error>, sink: S) -> Result<S::Ok, S::Error> {
    match value {
        Ok(value) => value.save_once(sink),
        Err(error) => Err(sink.fault(error)),
    }
}

/// Reads the input whole first, so that what a type refuses is one line of the report.
fn restore<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    cx: &Context<'_>,
    read: impl FnOnce(Value<'de>, bool) -> Result<T, Error>,
) -> Result<Option<T>, D::Error> {
    let value = cx.raw_seed().deserialize(deserializer)?;
    Ok(match read(value, cx.lists_are_maps()) {
        Ok(value) => Some(value),
        Err(error) => {
            cx.refuse(error);
            None
        }
    })
}

impl<T: Serialize + ?Sized> Save<SerdeForm> for T {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        save(value_serializer::to_value(self), sink)
    }
}

impl<'de, T: Deserialize<'de>> Restore<'de, SerdeForm> for T {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        restore(d, cx, |value, indexed| match indexed {
            true => T::deserialize(Indexed(value)),
            false => T::deserialize(value),
        })
    }
}

impl<A: SaveWith<T>, T: ?Sized> Save<With<A>> for T {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        save(A::serialize(self, ValueSerializer::default()), sink)
    }
}

impl<'de, A: RestoreWith<'de, T>, T> Restore<'de, With<A>> for T {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        restore(d, cx, |value, indexed| match indexed {
            true => A::deserialize(Indexed(value)),
            false => A::deserialize(value),
        })
    }
}
