//! The files of arrays that NumPy and safetensors wrote, and what their indices say they hold.

use std::path::{Path, PathBuf};

use npcodec::dtype::Order;
use npcodec::{NumpyEncoding, Value};
use serde_json::{Value as Json, json};

use crate::facts;

/// A file and its entry in the index.
#[derive(Debug, Clone)]
pub struct ArrayFile {
    /// The folder and the name: `npz/names.npz`.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The entry.
    pub entry: Json,
}

/// The folders of `tests/data` that have an index of arrays.
pub const FOLDERS: [&str; 3] = ["npy", "npz", "safetensors"];

impl ArrayFile {
    /// Reads every file of `tests/data`.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Self::below(&PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data")))
    }

    /// Reads every file of a directory in which `arrays.py` wrote.
    ///
    /// # Panics
    /// If files are missing or are not what `tests/data/README.md` says.
    #[must_use]
    pub fn below(directory: &Path) -> Vec<Self> {
        let read = |file: &str| {
            std::fs::read(directory.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        let mut files = Vec::new();
        for folder in FOLDERS {
            let index: Json =
                serde_json::from_slice(&read(&format!("{folder}/index.json"))).expect("JSON");
            for entry in index["files"].as_array().expect("a list of files") {
                let name = format!("{folder}/{}", entry["file"].as_str().expect("a name"));
                files.push(Self {
                    bytes: read(&name),
                    name,
                    entry: entry.clone(),
                });
            }
        }
        files
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// Checks that a value is what the index says, names and their order included.
    ///
    /// # Panics
    /// If it is not.
    pub fn check(&self, value: &Value<'_>) {
        let name = &self.name;
        let expected = self.entry["arrays"].as_array().expect("a list of arrays");
        let mut found: Vec<Json> = Vec::new();
        match value {
            Value::Array(array) => found.push(stated("", array)),
            Value::Map(map) => {
                for (key, value) in map {
                    let key = key.as_str().expect("a text");
                    match value {
                        Value::Array(array) => found.push(stated(key, array)),
                        texts => assert_eq!(texts_of(texts), self.entry["metadata"], "{name}"),
                    }
                }
            }
            other => panic!("{name}: {other:?}"),
        }
        let mut expected = expected.clone();
        if self.folder() == "safetensors" {
            // It sorts its arrays.
            for list in [&mut found, &mut expected] {
                list.sort_by_key(|entry| entry["name"].to_string());
            }
        }
        let count = found.len();
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                facts::same(found, &own(expected)),
                "{name}: {found}, expected {expected}"
            );
        }
        assert_eq!(count, expected.len(), "{name}");
    }
}

/// Returns the entry with the dtype as it is printed here: NumPy's has padding as fields.
fn own(entry: &Json) -> Json {
    let mut entry = entry.clone();
    let text = entry["dtype"].as_str().expect("a text");
    let dtype: npcodec::dtype::DType = text.parse().unwrap_or_else(|error| panic!("{error}"));
    entry["dtype"] = json!(dtype.text());
    entry
}

/// Says of an array what the index says.
#[must_use]
pub fn stated(name: &str, array: &NumpyEncoding<'_>) -> Json {
    let rows = facts::hex(&array.row_major())["hex"].take();
    let order = array.order().map(Order::as_str);
    json!({
        "name": name, "dtype": array.dtype().text(), "shape": array.shape(), "order": order, "rows": rows,
    })
}

fn texts_of(value: &Value<'_>) -> Json {
    let entries = value.as_map().expect("a map of texts").iter();
    let entries = entries.map(|(key, value)| {
        let text = value.as_str().expect("a text");
        (key.as_str().expect("a text").to_owned(), json!(text))
    });
    Json::Object(entries.collect())
}
