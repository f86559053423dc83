//! What Flax cannot hold, found before anything is written.

use super::options::LONGEST;
use super::read::is_carried;
use super::{Form, MARKER, WriteOptions};
use crate::dtype::{ByteOrder, DType, Number};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::limits;
use crate::path::{Place, excerpt};
use crate::state::{Key, StateDict, Value};

/// Returns every leaf that Flax cannot hold, in the order of the value.
///
/// # Errors
/// [`TooDeep`](ErrorKind::TooDeep).
pub(crate) fn unsupported(
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<Vec<UnsupportedLeaf>, Error> {
    let mut check = Check {
        options,
        leaves: Vec::new(),
    };
    check.value(value, Place::Root, false, limits::DEPTH)?;
    Ok(check.leaves)
}

struct Check<'o> {
    options: &'o WriteOptions,
    leaves: Vec<UnsupportedLeaf>,
}

impl Check<'_> {
    fn refuse(&mut self, place: Place<'_>, found: impl Into<String>, reason: &str) {
        let leaf = UnsupportedLeaf::new(place.path(), found, reason);
        self.leaves.push(leaf);
    }

    fn value(
        &mut self,
        value: &Value<'_>,
        place: Place<'_>,
        in_list: bool,
        levels: usize,
    ) -> Result<(), Error> {
        match value {
            Value::Integer(Integer::Long(_)) if !self.options.long_integers => self.refuse(
                place,
                "an integer of more than 64 bits",
                "Flax's integers have 64 bits (`long_integers` writes Dopamine's map of a text)",
            ),
            Value::String(text) => self.length(place, "a string", text.len()),
            Value::Bytes(bytes) => self.length(place, "bytes", bytes.len()),
            Value::Array(array) => self.array(array, place, in_list),
            Value::Extension(code, bytes) => {
                self.length(place, "an extension", bytes.len());
                if !is_carried(*code, bytes.len()) {
                    let found = format!("an extension of the code {code}");
                    let reason = match code {
                        1..=3 => "Flax would read an array or number (which `Value` has too)",
                        _ => "Flax has the codes from 0 to 127, and timestamps",
                    };
                    self.refuse(place, found, reason);
                }
            }
            Value::List(items) => {
                let levels = below(place, levels)?;
                self.count(place, "a list", items.len());
                let in_list = in_list || self.options.form != Form::ToBytes;
                for (index, item) in items.iter().enumerate() {
                    self.value(item, Place::Index(&place, index as i128), in_list, levels)?;
                }
            }
            Value::Map(map) => {
                let levels = below(place, levels)?;
                self.count(place, "a map", map.len());
                self.keys(map, place, in_list);
                for (key, value) in map {
                    let place = match key {
                        Key::String(text) => Place::Key(&place, text),
                        Key::Integer(index) => Place::Index(&place, *index),
                    };
                    self.value(value, place, in_list, levels)?;
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

    fn keys(&mut self, map: &StateDict<'_>, place: Place<'_>, in_list: bool) {
        let (mut texts, mut integers, mut long) = (false, false, false);
        for key in map.keys() {
            match key {
                Key::String(text) => {
                    texts = true;
                    self.length(place, "a key", text.len());
                }
                Key::Integer(value) => {
                    integers = true;
                    long |= matches!(Integer::from(*value), Integer::Long(_));
                    let same = || map.contains_key(value.to_string().as_str());
                    if self.options.form == Form::ToBytes && same() {
                        let found = format!("the keys {value} and \"{value}\"");
                        self.refuse(
                            place,
                            found,
                            "Flax turns keys into texts, here into equal ones",
                        );
                    }
                }
            }
        }
        if self.options.form == Form::Serialize && texts && integers {
            let reason = "Flax sorts keys, and these do not compare (another `Form` keeps them)";
            self.refuse(place, "a map with texts and integers for keys", reason);
        }
        if self.options.form != Form::ToBytes && long {
            let reason = "MessagePack's integers have 64 bits";
            self.refuse(place, "a map with an integer key of more", reason);
        }
        if !in_list && map.contains_key(MARKER) {
            let reason = "Flax takes a map with this key for an array in chunks";
            self.refuse(place, format!("a map with the key `{MARKER}`"), reason);
        }
    }

    fn array(&mut self, array: &NumpyEncoding<'_>, place: Place<'_>, in_list: bool) {
        if let Some(reason) = refusal(array.dtype()) {
            let found = format!("array of dtype {}", excerpt(array.dtype_text()));
            return self.refuse(place, found, reason);
        }
        if in_list && array.data().len() > LONGEST {
            let found = format!("array of {} bytes", array.data().len());
            let reason = "Flax splits no array inside of a list, and an extension has 4 GiB";
            self.refuse(place, found, reason);
        }
    }
}

fn below(place: Place<'_>, levels: usize) -> Result<usize, Error> {
    let limit = limits::DEPTH;
    levels.checked_sub(1).ok_or_else(|| {
        let error = Error::from(ErrorKind::TooDeep { limit });
        error.under(&place.path())
    })
}

/// Says why Flax cannot hold a dtype, if it cannot.
fn refusal(dtype: &DType) -> Option<&'static str> {
    const UNREADABLE: &str = "Flax writes such arrays, and cannot read them";
    match dtype {
        DType::Number(Number::LongDouble(_) | Number::ComplexLongDouble(_), _) => {
            Some("long doubles differ from machine to machine (convert to float64)")
        }
        _ if dtype.byte_order() == ByteOrder::Big => {
            Some("Flax drops the byte order (convert to little-endian)")
        }
        DType::Unicode(..) | DType::Bytes(_) | DType::Void(..) | DType::Record(_) => {
            Some(UNREADABLE)
        }
        DType::Number(..) | DType::Ml(_) | DType::Datetime(..) | DType::Timedelta(..) => None,
    }
}
