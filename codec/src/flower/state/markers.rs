//! The entries of a record that say what its other entries cannot: nil, maps, long integers.

use std::borrow::Cow;

use crate::error::Error;
use crate::flower::protobuf::{fault, under};
use crate::flower::{ConfigRecord, ConfigValue};
use crate::state::Value;

/// What is said of the paths in a list under a key of its own. No path begins with a dot, so that no
/// part of a state has such a key.
#[derive(Debug, Default)]
pub(super) struct Markers<'r> {
    /// Places of nil.
    pub(super) nil: Vec<Cow<'r, str>>,
    /// Maps without entries, and maps with integer keys, whose paths are those of a list.
    pub(super) maps: Vec<Cow<'r, str>>,
    /// Integers of more than 64 bits, which stand as decimal texts.
    pub(super) integers: Vec<Cow<'r, str>>,
}

const NIL: &str = ".nil";
const MAPS: &str = ".map";
const INTEGERS: &str = ".integer";

impl<'r> Markers<'r> {
    /// Adds a list to a record for each kind of paths that there are.
    pub(super) fn write(&self, config: &mut ConfigRecord) {
        for (key, paths) in [
            (NIL, &self.nil),
            (MAPS, &self.maps),
            (INTEGERS, &self.integers),
        ] {
            if !paths.is_empty() {
                let paths: Vec<_> = paths.iter().map(|path| path.to_string()).collect();
                config.insert(key, paths);
            }
        }
    }

    /// Finds the lists of a record.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) for one that is no list of texts.
    pub(super) fn read(config: &'r ConfigRecord) -> Result<Self, Error> {
        let paths = |key| match config.get(key) {
            None | Some(ConfigValue::BoolList(_)) => Ok(Vec::new()),
            Some(ConfigValue::StrList(paths)) => Ok(paths
                .iter()
                .map(|path| Cow::Borrowed(path.as_str()))
                .collect()),
            Some(other) => Err(under(
                fault("a list of paths", Value::from(other).kind()),
                key,
            )),
        };
        Ok(Self {
            nil: paths(NIL)?,
            maps: paths(MAPS)?,
            integers: paths(INTEGERS)?,
        })
    }
}

/// Returns true for the keys of such lists.
pub(super) fn is_marker(key: &str) -> bool {
    matches!(key, NIL | MAPS | INTEGERS)
}
