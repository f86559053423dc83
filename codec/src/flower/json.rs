//! The JSON of bodies: written as Python's `json.dumps` writes it, read in any layout.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, IgnoredAny, MapAccess, Visitor};

use super::ObjectId;
use super::protobuf::FORMAT;
use crate::error::{Error, ErrorKind};
use crate::limits::cautious;
use crate::path::excerpt;
use crate::state::Key;

/// Puts a text in quotes at the end of `json`: ASCII only, with the escapes that Python chooses.
pub(super) fn text(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            ' '..='~' => json.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    json.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    json.push('"');
}

/// Puts a list of numbers at the end of `json`: `[2, 3]`.
pub(super) fn list(json: &mut String, numbers: &[usize]) {
    json.push('[');
    for (position, number) in numbers.iter().enumerate() {
        if position > 0 {
            json.push_str(", ");
        }
        json.push_str(&number.to_string());
    }
    json.push(']');
}

/// Makes the body of a record: `{"w": "c6eb..."}`.
pub(super) fn entries<'k>(entries: impl IntoIterator<Item = (&'k str, ObjectId)>) -> String {
    let mut json = "{".to_owned();
    for (position, (key, id)) in entries.into_iter().enumerate() {
        if position > 0 {
            json.push_str(", ");
        }
        text(&mut json, key);
        json.push_str(&format!(": \"{id}\""));
    }
    json.push('}');
    json
}

/// Reads the body of a record: its keys and ids in their order.
///
/// # Errors
/// [`ErrorKind::Format`], and [`ErrorKind::RepeatedKey`], since one of the two would be lost.
pub(super) fn read_entries(body: &[u8]) -> Result<Vec<(String, ObjectId)>, Error> {
    let Entries(entries) = read(body)?;
    let mut keys = std::collections::HashSet::new();
    match entries.iter().find(|(key, _)| !keys.insert(key.as_str())) {
        Some((key, _)) => {
            let key = Key::from(key.as_str()).to_string();
            Err(ErrorKind::RepeatedKey { key }.into())
        }
        None => Ok(entries),
    }
}

/// The body of an array.
#[derive(Debug)]
pub(super) struct ArrayBody {
    pub(super) dtype: String,
    pub(super) shape: Vec<usize>,
    pub(super) stype: String,
    pub(super) chunks: Vec<usize>,
}

/// Reads the body of an array; keys that are not known are passed over, as flwr does it.
///
/// # Errors
/// [`ErrorKind::Format`], also for a key that occurs twice.
pub(super) fn read_array(body: &[u8]) -> Result<ArrayBody, Error> {
    read(body)
}

fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        ErrorKind::Format {
            format: FORMAT,
            expected: "a body of JSON".to_owned(),
            found: excerpt(&error.to_string()).into_owned(),
        }
        .into()
    })
}

/// The entries of a map, in their order.
struct Entries<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Map<V> {
            type Value = Entries<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of texts to object ids")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut entries = cautious(None);
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Map(PhantomData))
    }
}

/// Fills the place of a field once.
struct Once<'f, T>(&'f mut Option<T>, &'static str);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Once<'_, T> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.0.replace(T::deserialize(deserializer)?) {
            Some(_) => Err(serde::de::Error::duplicate_field(self.1)),
            None => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for ArrayBody {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map;

        impl<'de> Visitor<'de> for Map {
            type Value = ArrayBody;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of dtype, shape, stype and arraychunk_ids")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<ArrayBody, M::Error> {
                let (mut dtype, mut shape, mut stype, mut chunks) = (None, None, None, None);
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "dtype" => map.next_value_seed(Once(&mut dtype, "dtype"))?,
                        "shape" => map.next_value_seed(Once(&mut shape, "shape"))?,
                        "stype" => map.next_value_seed(Once(&mut stype, "stype"))?,
                        "arraychunk_ids" => {
                            map.next_value_seed(Once(&mut chunks, "arraychunk_ids"))?;
                        }
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                let missing = <M::Error as serde::de::Error>::missing_field;
                Ok(ArrayBody {
                    dtype: dtype.ok_or_else(|| missing("dtype"))?,
                    shape: shape.ok_or_else(|| missing("shape"))?,
                    stype: stype.ok_or_else(|| missing("stype"))?,
                    chunks: chunks.ok_or_else(|| missing("arraychunk_ids"))?,
                })
            }
        }

        deserializer.deserialize_map(Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_as_python_does_it() {
        let mut json = String::new();
        text(
            &mut json,
            "a/\"\\\u{8}\u{c}\n\r\t\0\x1f~\x7f\u{e9}\u{2028}\u{1f600}",
        );
        // json.dumps of the same text, in Python 3.11.
        let python = r#""a/\"\\\b\f\n\r\t\u0000\u001f~\u007f\u00e9\u2028\ud83d\ude00""#;
        assert_eq!(json, python);
    }

    #[test]
    fn what_is_no_body_is_refused() {
        let said = |body: &str| {
            read_entries(body.as_bytes())
                .map(drop)
                .unwrap_err()
                .to_string()
        };
        let deep = "[".repeat(100_000);
        for body in [
            "",
            "[]",
            "{",
            "{}x",
            "{\"a\": 1}",
            "{\"\\ud800\": \"\"}",
            deep.as_str(),
        ] {
            assert!(
                said(body).starts_with("flower: expected a body of JSON, found "),
                "{body}"
            );
        }
        let id = ObjectId::of(b"");
        let twice = format!("{{\"w\": \"{id}\", \"\\u0077\": \"{id}\"}}");
        assert_eq!(said(&twice), "key \"w\" occurs twice");
    }
}
