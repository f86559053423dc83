//! The settings of a run and of a node.

use std::collections::BTreeMap;

use super::protobuf::message::{ConfigEntry, Scalar, ScalarKind};
use super::protobuf::{fault, under};
use crate::error::{Error, ErrorKind};
use crate::state::Key;

/// The settings of a run or a node, in the order of their names.
pub type UserConfig = BTreeMap<String, UserConfigValue>;

/// A setting of a run or a node.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum UserConfigValue {
    /// A bool.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Str(String),
}

macro_rules! from {
    ($($from:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$from> for UserConfigValue {
            fn from($value: $from) -> Self {
                $made
            }
        })*
    };
}

from! {
    bool => |value| Self::Bool(value);
    i32 => |value| Self::Int(value.into());
    i64 => |value| Self::Int(value);
    f64 => |value| Self::Float(value);
    &str => |text| Self::Str(text.to_owned());
    String => |text| Self::Str(text);
}

/// Returns the entries of a map in the order of the deterministic form of Python's protobuf: by the
/// bytes of their keys, whose end ranks above every byte.
pub(super) fn entries(config: &UserConfig) -> Vec<ConfigEntry> {
    let ranks = |key: &str| key.bytes().map(u16::from).chain([256]).collect::<Vec<_>>();
    let mut sorted: Vec<_> = config.iter().collect();
    sorted.sort_by_cached_key(|(key, _)| ranks(key));
    let entries = sorted.into_iter().map(|(key, value)| ConfigEntry {
        key: Some(key.clone()),
        value: Some(Scalar {
            scalar: Some(match value {
                UserConfigValue::Bool(value) => ScalarKind::Bool(*value),
                UserConfigValue::Int(value) => ScalarKind::Sint64(*value),
                UserConfigValue::Float(value) => ScalarKind::Double(*value),
                UserConfigValue::Str(text) => ScalarKind::String(text.clone()),
            }),
        }),
    });
    entries.collect()
}

/// Takes the settings out of the entries of a map.
///
/// # Errors
/// [`ErrorKind::Format`] for a value that is none of Flower's, [`ErrorKind::RepeatedKey`].
pub(super) fn config(entries: Vec<ConfigEntry>) -> Result<UserConfig, Error> {
    let mut config = UserConfig::new();
    for entry in entries {
        let key = entry.key.unwrap_or_default();
        let value = value(entry.value).map_err(|error| under(error, &key))?;
        if config.contains_key(&key) {
            let key = Key::from(key).to_string();
            return Err(ErrorKind::RepeatedKey { key }.into());
        }
        config.insert(key, value);
    }
    Ok(config)
}

fn value(scalar: Option<Scalar>) -> Result<UserConfigValue, Error> {
    let found = match scalar.and_then(|scalar| scalar.scalar) {
        Some(ScalarKind::Bool(value)) => return Ok(value.into()),
        Some(ScalarKind::Sint64(value)) => return Ok(value.into()),
        Some(ScalarKind::Double(value)) => return Ok(value.into()),
        Some(ScalarKind::String(text)) => return Ok(text.into()),
        Some(ScalarKind::Uint64(value)) => match i64::try_from(value) {
            Ok(value) => return Ok(value.into()),
            Err(_) => format!("the integer {value}"),
        },
        Some(ScalarKind::Bytes(_)) => "bytes".to_owned(),
        None => "none".to_owned(),
    };
    Err(fault(
        "a bool, an integer of 64 bits, a float or a text",
        &found,
    ))
}
