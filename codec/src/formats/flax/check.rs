//! What Flax cannot hold, found before anything is written.

use super::options::LONGEST;
use super::read::is_carried;
use super::{Form, MARKER, WriteOptions};
use crate::dtype::{ByteOrder, DType, Number};
use crate::encoding::NumpyEncoding;
use crate::formats::msgpack::{Refused, Rules};
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
        if let Some(reason) = refusal(array.dtype()) {
            let found = format!("array of dtype {}", excerpt(array.dtype_text()));
            refused.add(found, reason);
        } else if in_list && array.data().len() > LONGEST {
            let found = format!("array of {} bytes", array.data().len());
            let reason = "Flax splits no array inside of a list, and an extension has 4 GiB";
            refused.add(found, reason);
        }
    }

    fn keys(&self, map: &StateDict<'_>, in_list: bool, refused: &mut Refused<'_, '_>) {
        let integers = || {
            map.keys().filter_map(|key| match key {
                Key::Integer(value) => Some(value),
                Key::String(_) => None,
            })
        };
        match self.form {
            Form::ToBytes => {
                for value in integers().filter(|value| map.contains_key(&*value.to_string())) {
                    let found = format!("the keys {value} and \"{value}\"");
                    let reason = "Flax turns keys into texts, here into equal ones";
                    refused.add(found, reason);
                }
            }
            Form::Serialize | Form::SerializeInPlace => refused.long_keys(map),
        }
        let count = integers().count();
        if self.form == Form::Serialize && count != 0 && count != map.len() {
            let reason = "Flax sorts keys, and these do not compare (another `Form` keeps them)";
            refused.add("a map with texts and integers for keys", reason);
        }
        if !in_list && map.contains_key(MARKER) {
            let reason = "Flax takes a map with this key for an array in chunks";
            refused.add(format!("a map with the key `{MARKER}`"), reason);
        }
    }

    fn keeps_lists(&self) -> bool {
        self.form != Form::ToBytes
    }
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
