//! What msgpack-numpy cannot hold, found before anything is written.

use super::read::is_carried;
use crate::dtype::{DType, Record};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::limits;
use crate::path::{Place, excerpt};
use crate::state::{Key, StateDict, Value};

/// Returns every leaf that msgpack-numpy cannot hold, in the order of the value.
///
/// # Errors
/// [`TooDeep`](ErrorKind::TooDeep).
pub(crate) fn unsupported(value: &Value<'_>, raw: bool) -> Result<Vec<UnsupportedLeaf>, Error> {
    let mut check = Check {
        raw,
        leaves: Vec::new(),
    };
    check.value(value, Place::Root, limits::DEPTH)?;
    Ok(check.leaves)
}

struct Check {
    raw: bool,
    leaves: Vec<UnsupportedLeaf>,
}

impl Check {
    fn refuse(&mut self, place: Place<'_>, found: impl Into<String>, reason: &str) {
        let leaf = UnsupportedLeaf::new(place.path(), found, reason);
        self.leaves.push(leaf);
    }

    fn value(&mut self, value: &Value<'_>, place: Place<'_>, levels: usize) -> Result<(), Error> {
        match value {
            Value::Integer(Integer::Long(_)) => self.refuse(
                place,
                "an integer of more than 64 bits",
                "MessagePack's integers have 64 bits",
            ),
            Value::String(text) => self.length(place, "a string", text.len()),
            Value::Bytes(bytes) => self.length(place, "bytes", bytes.len()),
            Value::Array(array) => self.array(array, place),
            Value::Extension(code, bytes) => {
                self.length(place, "an extension", bytes.len());
                if !is_carried(*code, bytes.len()) {
                    let found = format!("an extension of the code {code}");
                    let reason = "Python has the codes from 0 to 127, and timestamps";
                    self.refuse(place, found, reason);
                }
            }
            Value::List(items) => {
                let levels = below(place, levels)?;
                self.count(place, "a list", items.len());
                for (index, item) in items.iter().enumerate() {
                    self.value(item, Place::Index(&place, index as i128), levels)?;
                }
            }
            Value::Map(map) => {
                let levels = below(place, levels)?;
                self.count(place, "a map", map.len());
                self.keys(map, place);
                for (key, value) in map {
                    let place = match key {
                        Key::String(text) => Place::Key(&place, text),
                        Key::Integer(index) => Place::Index(&place, *index),
                    };
                    self.value(value, place, levels)?;
                }
            }
            Value::Nil
            | Value::Bool(_)
            | Value::Integer(_)
            | Value::Float32(_)
            | Value::Float64(_)
            | Value::Complex(_) => {}
        }
        Ok(())
    }

    fn length(&mut self, place: Place<'_>, found: &str, bytes: usize) {
        if bytes > limits::LONGEST {
            let found = format!("{found} of {bytes} bytes");
            self.refuse(place, found, "a MessagePack value has at most 4294967295");
        }
    }

    fn count(&mut self, place: Place<'_>, found: &str, count: usize) {
        if count > limits::LONGEST {
            let found = format!("{found} of {count}");
            self.refuse(place, found, "MessagePack has at most 4294967295 items");
        }
    }

    fn keys(&mut self, map: &StateDict<'_>, place: Place<'_>) {
        for key in map.keys() {
            match key {
                Key::String(text) => self.length(place, "a key", text.len()),
                Key::Integer(value) if matches!(Integer::from(*value), Integer::Long(_)) => {
                    let reason = "MessagePack's integers have 64 bits";
                    self.refuse(place, "a map with an integer key of more", reason);
                }
                Key::Integer(_) => {}
            }
        }
        if self.raw {
            for key in ["nd", "complex"]
                .into_iter()
                .filter(|key| map.contains_key(*key))
            {
                let reason =
                    "Python would take it for an encoded value, as keys are not bytes here";
                self.refuse(place, format!("a map with the key `{key}`"), reason);
            }
        }
    }

    fn array(&mut self, array: &NumpyEncoding<'_>, place: Place<'_>) {
        let found = || format!("array of dtype {}", excerpt(array.dtype_text()));
        if let Some(reason) = refusal(array.dtype()) {
            self.refuse(place, found(), reason);
        }
        self.length(place, "an array", array.data().len());
    }
}

fn below(place: Place<'_>, levels: usize) -> Result<usize, Error> {
    let limit = limits::DEPTH;
    levels.checked_sub(1).ok_or_else(|| {
        let error = Error::from(ErrorKind::TooDeep { limit });
        error.under(&place.path())
    })
}

/// Says why msgpack-numpy cannot hold a dtype, if it cannot.
fn refusal(dtype: &DType) -> Option<&'static str> {
    match dtype {
        DType::Ml(_) => Some("msgpack-numpy loses the type (convert to float32)"),
        DType::Record(record) => fields_refusal(record),
        _ => None,
    }
}

fn fields_refusal(record: &Record) -> Option<&'static str> {
    let mut end = 0;
    for field in record.fields() {
        if field.offset() < end {
            return Some(
                "NumPy has no description of fields that are not in the order of their offsets",
            );
        }
        if field.title().is_some() {
            return Some("msgpack-numpy writes titles of fields, and cannot read them");
        }
        if let Some(reason) = refusal(field.dtype()) {
            return Some(reason);
        }
        end = field.offset().saturating_add(field.size());
    }
    None
}
