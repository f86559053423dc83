//! Saving and restoring in the native mode, for impls by hand.

use serde::de::Deserializer;

use crate::checkpoint::mode::Native;
use crate::checkpoint::{Context, Ref, Restore, Save, Sink};
use crate::state::Value;

pub(super) fn save<'a, T: Save, S: Sink<'a>>(value: &'a T, sink: S) -> Result<S::Ok, S::Error> {
    value.save(sink)
}

/// Refers to a part that is an entry or an item.
pub(super) fn part<T: Save>(value: &T) -> Ref<'_, T, Native> {
    Ref::new(value)
}

pub(super) fn restore<'de, T: Restore<'de>, D: Deserializer<'de>>(
    deserializer: D,
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    T::restore(deserializer, cx)
}

/// Restores a part of a value that has been read; what is wrong with it goes into the report.
pub(super) fn restore_value<'de, T: Restore<'de>>(
    value: Value<'de>,
    cx: &Context<'_>,
) -> Option<T> {
    T::restore(value, cx).unwrap_or_else(|error| {
        cx.refuse(error);
        None
    })
}
