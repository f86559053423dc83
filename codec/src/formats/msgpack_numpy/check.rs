//! What msgpack-numpy cannot hold, found before anything is written.

use super::WriteOptions;
use super::descr::{self, Entry};
use super::read::is_carried;
use crate::dtype::{DType, Record};
use crate::encoding::NumpyEncoding;
use crate::formats::msgpack::{Refused, Rules};
use crate::path::excerpt;
use crate::state::StateDict;

impl Rules for WriteOptions {
    fn long_integers(&self) -> Option<&'static str> {
        Some("MessagePack's integers have 64 bits")
    }

    fn extension(&self, code: i8, length: usize) -> Option<&'static str> {
        const REASON: &str = "Python has the codes from 0 to 127, and timestamps";
        (!is_carried(code, length)).then_some(REASON)
    }

    fn array(&self, array: &NumpyEncoding<'_>, _: bool, refused: &mut Refused<'_, '_>) {
        if let Some(reason) = refusal(array.dtype()) {
            let found = format!("array of dtype {}", excerpt(array.dtype_text()));
            refused.add(found, reason);
        }
        refused.length("an array", array.data().len());
    }

    fn keys(&self, map: &StateDict<'_>, _: bool, refused: &mut Refused<'_, '_>) {
        refused.long_keys(map);
        let marks = ["nd", "complex"].into_iter();
        for key in marks.filter(|key| self.raw && map.contains_key(*key)) {
            let reason = "Python would take it for an encoded value, as keys are not bytes here";
            refused.add(format!("a map with the key `{key}`"), reason);
        }
    }
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
    names_padding_twice(record)
        .then_some("Python names its padding like one of its fields, and cannot read it")
}

/// Returns true if NumPy, which names what has no name `f0`, `f1` and so on by its position, has a name
/// twice then.
fn names_padding_twice(record: &Record) -> bool {
    let entries = descr::entries(record);
    let names_padding = |name: &str| {
        let position = position(name).and_then(|position| entries.get(position));
        matches!(position, Some(Entry::Padding(_)))
    };
    record
        .fields()
        .iter()
        .any(|field| names_padding(field.name()))
}

/// Returns the position for which NumPy has a name.
fn position(name: &str) -> Option<usize> {
    let digits = name.strip_prefix('f')?;
    let position = digits.parse().ok()?;
    let is_plain = digits == "0" || digits.starts_with(|first| matches!(first, '1'..='9'));
    is_plain.then_some(position)
}
