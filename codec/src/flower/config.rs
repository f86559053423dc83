//! The record of settings: numbers, texts, bytes, and lists of them.

use super::typed_dict::{TypedDict, record};

/// A value of a [`ConfigRecord`]: what Flower allows there.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ConfigValue {
    /// A bool.
    Bool(bool),
}

/// A map of names to settings, as Flower's `ConfigRecord`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigRecord(TypedDict<ConfigValue>);

record!(ConfigRecord, ConfigValue);
