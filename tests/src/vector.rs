//! The MessagePack files that Python wrote, and what their index says they hold.

use std::path::PathBuf;

use npcodec::ndarray::{Array, Dimension, IxDyn};
use serde_json::Value as Json;

use crate::fact::Fact;

/// One file and its entry in the index.
#[derive(Debug, Clone)]
pub struct Vector {
    /// The name of the entry.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The entry.
    pub entry: Json,
}

impl Vector {
    /// Reads every vector of `tests/data/dopamine`.
    ///
    /// # Panics
    /// If files are missing or are not what the README beside them says.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/dopamine"));
        let read = |file: &str| {
            std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        let index: Json = serde_json::from_slice(&read("index.json")).expect("index.json");
        let entries = index["vectors"].as_array().expect("a list of vectors");
        entries
            .iter()
            .map(|entry| Self {
                name: entry["name"].as_str().expect("a name").to_owned(),
                bytes: read(entry["file"].as_str().expect("a file")),
                entry: entry.clone(),
            })
            .collect()
    }

    /// Returns the array that the entry states under two of its keys.
    #[must_use]
    pub fn array<T: Fact, D: Dimension>(&self, values: &str, shape: &str) -> Array<T, D> {
        let shape: Vec<usize> = Fact::fact(&self.entry[shape]);
        array(&self.entry[values], &shape)
    }
}

/// Makes an array of nested lists, or of the flat list in which the index has rows.
///
/// # Panics
/// If there are more or fewer items than the shape has.
#[must_use]
pub fn array<T: Fact, D: Dimension>(values: &Json, shape: &[usize]) -> Array<T, D> {
    let depth = if T::FLAT {
        shape.len().min(1)
    } else {
        shape.len()
    };
    let mut level = vec![values];
    for (axis, &length) in shape[..depth].iter().enumerate() {
        level = level
            .into_iter()
            .flat_map(|list| {
                let items = list
                    .as_array()
                    .unwrap_or_else(|| panic!("{list} is no list"));
                // An array without items ends at the axis that has none.
                assert!(T::FLAT || items.len() == length, "axis {axis} of {values}");
                items
            })
            .collect();
    }
    let items = level.into_iter().map(T::fact).collect();
    Array::from_shape_vec(IxDyn(shape), items)
        .expect("as many items as the shape has")
        .into_dimensionality()
        .expect("as many axes as the shape has")
}

impl Vector {
    /// Returns the same vector once for each thing that its entry states of the value, with that
    /// one thing changed; and which one it is.
    ///
    /// # Panics
    /// Never: the things are found before they are changed.
    #[must_use]
    pub fn altered(&self) -> Vec<(String, Self)> {
        const STATED: [&str; 7] = [
            "values",
            "uncompressed_values",
            "add_count",
            "keys",
            "elements",
            "rng_state",
            "next_raw_u64",
        ];
        let mut places = Vec::new();
        for key in STATED {
            if let Some(value) = self.entry.get(key) {
                leaves(value, &format!("/{key}"), &mut places);
            }
        }
        let alter = |place: String| {
            let mut vector = self.clone();
            change(vector.entry.pointer_mut(&place).expect("a leaf"));
            (place, vector)
        };
        places.into_iter().map(alter).collect()
    }
}

fn leaves(value: &Json, place: &str, places: &mut Vec<String>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{place}/{index}"), places);
            }
        }
        Json::Object(entries) => {
            for (key, item) in entries {
                leaves(item, &format!("{place}/{}", escaped(key)), places);
            }
        }
        _ => places.push(place.to_owned()),
    }
}

/// Makes another value of the same kind.
fn change(leaf: &mut Json) {
    *leaf = match leaf {
        Json::Null => Json::Bool(false),
        Json::Bool(value) => Json::Bool(!*value),
        Json::Number(number) if number.is_f64() => {
            Json::from(0.25 - number.as_f64().unwrap_or(0.0))
        }
        Json::Number(number) if number.to_string() == "0" => Json::from(1),
        Json::Number(_) => Json::from(0),
        Json::String(text) if text.starts_with('1') => Json::from(text.replacen('1', "2", 1)),
        Json::String(text) if text.is_empty() => Json::from("1"),
        Json::String(text) => Json::from(text.replacen(|_: char| true, "1", 1)),
        Json::Array(_) | Json::Object(_) => return,
    };
}
