//! What a format cannot hold, found before anything is written.

use crate::encoding::{Integer, NumpyEncoding};
use crate::error::UnsupportedLeaf;
use crate::limits;
use crate::path::Place;
use crate::state::{Key, StateDict, Value};

/// What a format holds of the values that MessagePack leaves open.
pub(in crate::formats) trait Rules {
    /// Says why integers of more than 64 bits cannot be held, if they cannot.
    fn long_integers(&self) -> Option<&'static str>;

    /// Says why an extension of so many bytes cannot be held, if it cannot.
    fn extension(&self, code: i8, length: usize) -> Option<&'static str>;

    /// Refuses an array; `in_list` says that it is somewhere inside of a list.
    fn array(&self, array: &NumpyEncoding<'_>, in_list: bool, refused: &mut Refused<'_, '_>);

    /// Refuses a map for its keys.
    fn keys(&self, map: &StateDict<'_>, in_list: bool, refused: &mut Refused<'_, '_>);

    /// Returns true if lists are lists in the file.
    fn keeps_lists(&self) -> bool {
        true
    }
}

/// What is refused at a place.
pub(in crate::formats) struct Refused<'l, 'p> {
    leaves: &'l mut Vec<UnsupportedLeaf>,
    place: Place<'p>,
}

impl<'l, 'p> Refused<'l, 'p> {
    #[cfg(feature = "flax")]
    pub(in crate::formats) fn new(leaves: &'l mut Vec<UnsupportedLeaf>, place: Place<'p>) -> Self {
        Self { leaves, place }
    }

    /// Adds what was found here, and why it cannot be held.
    pub(in crate::formats) fn add(&mut self, found: impl Into<String>, reason: &str) {
        let leaf = UnsupportedLeaf::new(self.place.path(), found, reason);
        self.leaves.push(leaf);
    }

    /// Refuses what is longer than MessagePack can say.
    pub(in crate::formats) fn length(&mut self, what: &str, bytes: usize) {
        if bytes > limits::LONGEST {
            let found = format!("{what} of {bytes} bytes");
            self.add(found, "a MessagePack value has at most 4294967295");
        }
    }

    /// Refuses what has more parts than MessagePack can say.
    pub(in crate::formats) fn count(&mut self, what: &str, count: usize) {
        if count > limits::LONGEST {
            let found = format!("{what} of {count}");
            self.add(found, "MessagePack has at most 4294967295 items");
        }
    }

    /// Refuses lists and maps inside of as many as there may be.
    pub(in crate::formats) fn depth(&mut self, found: &str) {
        let reason = format!("values nest in {} levels at the most", limits::DEPTH);
        self.add(found, &reason);
    }

    /// Refuses integer keys that MessagePack has no integers for.
    #[cfg(feature = "msgpack-numpy")]
    pub(in crate::formats) fn long_keys(&mut self, map: &StateDict<'_>) {
        if map.keys().any(is_long) {
            self.long_key();
        }
    }

    /// Refuses a map for an integer key that MessagePack has no integer for.
    pub(in crate::formats) fn long_key(&mut self) {
        let reason = "MessagePack's integers have 64 bits";
        self.add("a map with an integer key of more", reason);
    }
}

/// Returns true for an integer key of more than 64 bits.
pub(in crate::formats) fn is_long(key: &Key<'_>) -> bool {
    match key {
        Key::Integer(value) => matches!(Integer::from(*value), Integer::Long(_)),
        Key::String(_) => false,
    }
}

/// Refuses what a format cannot hold of a value that has no parts; `in_list` says that it is somewhere
/// inside of a list.
#[cfg(feature = "flax")]
pub(in crate::formats) fn leaf(
    value: &Value<'_>,
    rules: &impl Rules,
    refused: Refused<'_, '_>,
    in_list: bool,
) {
    let Refused { leaves, place } = refused;
    Check { rules, leaves }.value(value, place, in_list, 0);
}

/// Returns every leaf that a format cannot hold, in the order of the value.
pub(in crate::formats) fn unsupported(
    value: &Value<'_>,
    rules: &impl Rules,
) -> Vec<UnsupportedLeaf> {
    let mut leaves = Vec::new();
    let mut check = Check {
        rules,
        leaves: &mut leaves,
    };
    check.value(value, Place::Root, false, limits::DEPTH);
    leaves
}

struct Check<'c, R> {
    rules: &'c R,
    leaves: &'c mut Vec<UnsupportedLeaf>,
}

impl<R: Rules> Check<'_, R> {
    fn value(&mut self, value: &Value<'_>, place: Place<'_>, in_list: bool, levels: usize) {
        let mut refused = Refused {
            leaves: self.leaves,
            place,
        };
        match value {
            Value::Integer(Integer::Long(_)) => {
                if let Some(reason) = self.rules.long_integers() {
                    refused.add("an integer of more than 64 bits", reason);
                }
            }
            Value::String(text) => refused.length("a string", text.len()),
            Value::Bytes(bytes) => refused.length("bytes", bytes.len()),
            Value::Array(array) => self.rules.array(array, in_list, &mut refused),
            Value::Extension(code, bytes) => {
                refused.length("an extension", bytes.len());
                if let Some(reason) = self.rules.extension(*code, bytes.len()) {
                    refused.add(format!("an extension of the code {code}"), reason);
                }
            }
            Value::List(_) | Value::Map(_) if levels == 0 => refused.depth(value.kind()),
            Value::List(items) => {
                refused.count("a list", items.len());
                let in_list = in_list || self.rules.keeps_lists();
                for (index, item) in items.iter().enumerate() {
                    let place = Place::Index(&place, index as i128);
                    self.value(item, place, in_list, levels - 1);
                }
            }
            Value::Map(map) => {
                refused.count("a map", map.len());
                for key in map.keys().filter_map(Key::as_str) {
                    refused.length("a key", key.len());
                }
                self.rules.keys(map, in_list, &mut refused);
                for (key, value) in map {
                    let place = match key {
                        Key::String(text) => Place::Key(&place, text),
                        Key::Integer(index) => Place::Index(&place, *index),
                    };
                    self.value(value, place, in_list, levels - 1);
                }
            }
            Value::Nil
            | Value::Bool(_)
            | Value::Integer(_)
            | Value::Float32(_)
            | Value::Float64(_)
            | Value::Complex(_) => {}
        }
    }
}
