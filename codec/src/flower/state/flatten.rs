//! The tree of a state, taken apart into the entries of records.

use super::leaf::list;
use super::markers::Markers;
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::flower::number::widen;
use crate::flower::{ConfigRecord, ConfigValue};
use crate::limits;
use crate::path::{Path, Place};
use crate::state::{Key, Value};

/// The leaves of a state, each under the text of its path.
#[derive(Debug, Default)]
pub(super) struct Leaves<'a> {
    /// The arrays, which borrow what they borrowed before.
    pub(super) arrays: Vec<(Path, NumpyEncoding<'a>)>,
    /// Everything else that is a value of a record.
    pub(super) config: ConfigRecord,
    /// What is none.
    pub(super) markers: Markers<'static>,
    /// What neither kind of record has a form for.
    pub(super) unsupported: Vec<UnsupportedLeaf>,
}

/// Takes a state apart.
///
/// # Errors
/// [`ErrorKind::TooDeep`].
pub(super) fn leaves(state: Value<'_>) -> Result<Leaves<'_>, Error> {
    let mut leaves = Leaves::default();
    leaves.add(state, Place::Root, limits::DEPTH)?;
    Ok(leaves)
}

impl<'a> Leaves<'a> {
    fn add(&mut self, value: Value<'a>, place: Place<'_>, levels: usize) -> Result<(), Error> {
        match value {
            Value::Array(array) => self.arrays.push((place.path(), array)),
            Value::List(items) => match list(&items) {
                Some(list) => self.setting(place, list),
                None => {
                    let levels = inner(levels, place)?;
                    for (index, item) in items.into_iter().enumerate() {
                        self.add(item, Place::Index(&place, index as i128), levels)?;
                    }
                }
            },
            Value::Map(map) => {
                let levels = inner(levels, place)?;
                let is_marked =
                    map.is_empty() || map.keys().any(|key| matches!(key, Key::Integer(_)));
                if is_marked {
                    self.markers.maps.push(text(place).into());
                }
                for (key, value) in map {
                    let place = match &key {
                        Key::String(key) => Place::Key(&place, key),
                        Key::Integer(key) => Place::Index(&place, *key),
                    };
                    self.add(value, place, levels)?;
                }
            }
            Value::Nil => self.markers.nil.push(text(place).into()),
            Value::Bool(value) => self.setting(place, value),
            Value::Integer(Integer::Signed(value)) => self.setting(place, value),
            Value::Integer(Integer::Unsigned(value)) => self.setting(place, value),
            Value::Integer(Integer::Long(integer)) => {
                self.markers.integers.push(text(place).into());
                self.setting(place, integer.as_str());
            }
            Value::Float32(value) => self.setting(place, widen(value)),
            Value::Float64(value) => self.setting(place, value),
            Value::String(text) => self.setting(place, text.into_owned()),
            Value::Bytes(bytes) => self.setting(place, bytes.into_owned()),
            Value::Complex(_) => {
                let reason = "numbers are integers and floats (a 0-d array can be complex)";
                self.refuse(place, "a complex number", reason);
            }
            Value::Extension(code, _) => {
                let found = format!("a MessagePack extension of code {code}");
                self.refuse(place, &found, "it has no such type");
            }
        }
        Ok(())
    }

    fn setting(&mut self, place: Place<'_>, value: impl Into<ConfigValue>) {
        self.config.insert(text(place), value);
    }

    fn refuse(&mut self, place: Place<'_>, found: &str, reason: &str) {
        let leaf = UnsupportedLeaf::new(place.path(), found, reason);
        self.unsupported.push(leaf);
    }
}

fn text(place: Place<'_>) -> String {
    place.path().to_string()
}

fn inner(levels: usize, place: Place<'_>) -> Result<usize, Error> {
    let limit = limits::DEPTH;
    let error = || Error::from(ErrorKind::TooDeep { limit }).under(&place.path());
    levels.checked_sub(1).ok_or_else(error)
}
