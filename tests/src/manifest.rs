//! What Python is to find in the files that Rust wrote.

use std::fmt::Debug;
use std::path::Path;

use npcodec::checkpoint::{RestoreOwned, Save, deserialize, serialize};
use npcodec::ndarray::{ArrayView, Dimension};
use npcodec::{Checkpoint, Value};
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::facts::{Fact, nested_items};

/// The files of a directory and what they hold, for `live.py check_rust`.
#[derive(Debug)]
pub struct Manifest<'d> {
    directory: &'d Path,
    entries: Vec<Json>,
    files: usize,
}

impl<'d> Manifest<'d> {
    /// Starts without files.
    pub fn new(directory: &'d Path) -> Self {
        Self {
            directory,
            entries: Vec::new(),
            files: 0,
        }
    }

    /// Writes a state into a file of its own, whose entries are then added.
    ///
    /// # Panics
    /// If the state cannot be written, or if its value gives other bytes than itself.
    pub fn save<T: Save + Serialize>(&mut self, name: &str, state: &T) -> File<'_> {
        let bytes = rmp_serde::to_vec(state).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.saved(name, state, bytes)
    }

    /// Writes a state that is no struct: serde knows nothing of arrays.
    ///
    /// # Panics
    /// As [`Manifest::save`].
    pub fn save_top<T: Save>(&mut self, name: &str, state: &T) -> File<'_> {
        let bytes = top(state).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.saved(name, state, bytes)
    }

    fn saved<T: Save>(&mut self, name: &str, state: &T, bytes: Vec<u8>) -> File<'_> {
        let value = state
            .to_value()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = rmp_serde::to_vec(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(again == bytes, "{name}: the value gives other bytes");
        if let Value::Map(_) = value {
            let dict = state.to_state_dict().map(|dict| rmp_serde::to_vec(&dict));
            let dict = dict.ok().and_then(Result::ok);
            assert!(dict.as_ref() == Some(&bytes), "{name}: the dict differs");
        }
        let read = npcodec::decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, value, "{name}: the file gives another value");

        let file = format!("{:04}_{name}.msgpack", self.files);
        self.files += 1;
        std::fs::write(self.directory.join(&file), &bytes)
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let entries = &mut self.entries;
        File {
            name: file,
            bytes,
            entries,
        }
    }

    /// Writes the manifest and returns how many entries it has.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn finish(self) -> usize {
        let count = self.entries.len();
        let text = Json::Array(self.entries).to_string();
        std::fs::write(self.directory.join("manifest.json"), text)
            .unwrap_or_else(|error| panic!("manifest.json: {error}"));
        count
    }
}

/// A file that was written.
#[derive(Debug)]
pub struct File<'m> {
    name: String,
    bytes: Vec<u8>,
    entries: &'m mut Vec<Json>,
}

impl File<'_> {
    /// Checks that Rust reads the file as the state that it was, and writes that to the same bytes.
    ///
    /// # Panics
    /// If it does not.
    pub fn restores<T: RestoreOwned + Save + PartialEq + Debug>(&mut self, state: &T) -> &mut Self {
        let name = &self.name;
        let mut deserializer = rmp_serde::Deserializer::from_read_ref(&self.bytes);
        let read: T =
            deserialize(&mut deserializer).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(&read, state, "{name}");
        let again = top(&read).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(again == self.bytes, "{name}: written again it differs");
        self
    }

    /// Returns what was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Says of a path, a list of keys and positions, that an array is there.
    pub fn array<T: Fact, D: Dimension>(
        &mut self,
        path: Json,
        dtype: &str,
        order: Option<&str>,
        items: ArrayView<'_, T, D>,
    ) -> &mut Self {
        let (shape, values) = (extents(&items), nested_items(items));
        self.values(path, dtype, &shape, order, values)
    }

    /// Says of a path that a compressed record is there, and what it gives.
    pub fn compressed<T: Fact, D: Dimension>(
        &mut self,
        path: Json,
        dtype: &str,
        order: Option<&str>,
        items: ArrayView<'_, T, D>,
    ) -> &mut Self {
        let (shape, values) = (extents(&items), nested_items(items));
        self.entry(json!({
            "path": path, "dtype": dtype, "shape": shape, "order": order, "values": values,
            "compressed": true,
        }))
    }

    /// Says of a path that an array is there, with the JSON of its items.
    pub fn values(
        &mut self,
        path: Json,
        dtype: &str,
        shape: &[usize],
        order: Option<&str>,
        values: Json,
    ) -> &mut Self {
        self.entry(json!({
            "path": path, "dtype": dtype, "shape": shape, "order": order, "values": values,
        }))
    }

    /// Says of a path that a 0-d array is there: what `scalar` makes of a number.
    pub fn zero_d<T: Fact>(&mut self, path: Json, dtype: &str, item: &T) -> &mut Self {
        self.values(path, dtype, &[], None, item.item())
    }

    /// Says of a path what is there, if it is no array.
    pub fn plain(&mut self, path: Json, value: Json) -> &mut Self {
        self.entry(json!({ "path": path, "scalar": value }))
    }

    fn entry(&mut self, mut entry: Json) -> &mut Self {
        entry["file"] = json!(self.name);
        self.entries.push(entry);
        self
    }
}

fn top<T: Save>(state: &T) -> Result<Vec<u8>, rmp_serde::encode::Error> {
    let mut bytes = Vec::new();
    serialize(state, &mut rmp_serde::Serializer::new(&mut bytes))?;
    Ok(bytes)
}

fn extents<T, D: Dimension>(items: &ArrayView<'_, T, D>) -> Vec<usize> {
    items.shape().to_vec()
}

/// Returns the JSON of a map, whose order counts.
pub fn map<K: Into<Json>>(entries: impl IntoIterator<Item = (K, Json)>) -> Json {
    let pairs: Vec<_> = entries
        .into_iter()
        .map(|(key, value)| json!([key.into(), value]))
        .collect();
    json!({ "map": pairs })
}
