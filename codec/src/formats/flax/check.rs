//! What Flax cannot hold, found before anything is written.

use std::borrow::Cow;

use super::options::LONGEST;
use super::read::is_carried;
use super::{Form, MARKER, WriteOptions};
use crate::dtype::{ByteOrder, DType, Number};
use crate::encoding::NumpyEncoding;
use crate::formats::msgpack::{Refused, Rules, is_long};
use crate::path::excerpt;
use crate::state::{Key, StateDict};

impl Rules for WriteOptions {
    fn long_integers(&self) -> Option<&'static str> {
        const REASON: &str =
            "Flax's integers have 64 bits (`long_integers` writes Dopamine's map of a text)";
        (!self.long_integers).then_some(REASON)
    }

    fn extension(&self, code: i8, length: usize) -> Option<&'static str> {
        match code {
            _ if is_carried(code, length) => None,
            1..=3 => Some("Flax would read an array or number (which `Value` has too)"),
            _ => Some("Flax has the codes from 0 to 127, and timestamps"),
        }
    }

    fn array(&self, array: &NumpyEncoding<'_>, in_list: bool, refused: &mut Refused<'_, '_>) {
        let text = || array.dtype_text().into();
        refuse_array(array.dtype(), text, array.data().len(), in_list, refused);
    }

    fn keys(&self, map: &StateDict<'_>, in_list: bool, refused: &mut Refused<'_, '_>) {
        let mut keys = Keys::default();
        map.keys().for_each(|key| keys.note(key, self));
        keys.refuse(self, in_list, refused);
    }

    fn keeps_lists(&self) -> bool {
        self.form != Form::ToBytes
    }
}

/// Refuses an array for its dtype or its length.
pub(super) fn refuse_array<'t>(
    dtype: &DType,
    text: impl FnOnce() -> Cow<'t, str>,
    bytes: usize,
    in_list: bool,
    refused: &mut Refused<'_, '_>,
) {
    if let Some(reason) = refusal(dtype) {
        refused.add(format!("array of dtype {}", excerpt(&text())), reason);
    } else if in_list && bytes > LONGEST {
        let reason = "Flax splits no array inside of a list, and an extension has 4 GiB";
        refused.add(format!("array of {bytes} bytes"), reason);
    }
}

/// What there is to know of the keys of a map.
#[derive(Debug, Default)]
pub(super) struct Keys {
    integers: Vec<i128>,
    /// The texts that are integers as Flax writes them.
    numerals: Vec<i128>,
    texts: bool,
    long: bool,
    marker: bool,
}

impl Keys {
    pub(super) fn note(&mut self, key: &Key<'_>, options: &WriteOptions) {
        match key {
            Key::Integer(value) => {
                self.long |= is_long(key);
                self.integers.push(*value);
            }
            Key::String(text) => {
                self.texts = true;
                self.marker |= text == MARKER;
                if options.form == Form::ToBytes {
                    self.numerals.extend(numeral(text));
                }
            }
        }
    }

    /// Refuses the map of these keys.
    pub(super) fn refuse(
        mut self,
        options: &WriteOptions,
        in_list: bool,
        refused: &mut Refused<'_, '_>,
    ) {
        match options.form {
            Form::ToBytes => {
                self.numerals.sort_unstable();
                for value in &self.integers {
                    if self.numerals.binary_search(value).is_ok() {
                        let found = format!("the keys {value} and \"{value}\"");
                        let reason = "Flax turns keys into texts, here into equal ones";
                        refused.add(found, reason);
                    }
                }
            }
            Form::Serialize | Form::SerializeInPlace if self.long => refused.long_key(),
            Form::Serialize | Form::SerializeInPlace => {}
        }
        if options.form == Form::Serialize && self.texts && !self.integers.is_empty() {
            let reason = "Flax sorts keys, and these do not compare (another `Form` keeps them)";
            refused.add("a map with texts and integers for keys", reason);
        }
        if !in_list && self.marker {
            let reason = "Flax takes a map with this key for an array in chunks";
            refused.add(format!("a map with the key `{MARKER}`"), reason);
        }
    }
}

/// Returns the integer of which a text is the one form that Flax writes.
fn numeral(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let value: i128 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
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
