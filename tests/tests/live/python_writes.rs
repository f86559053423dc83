//! What Dopamine writes is read here, as types and as values, and written to the same bytes.

use std::collections::BTreeMap;
use std::path::Path;

use npcodec::{Key, Value};
use npcodec_tests::facts::same;
use npcodec_tests::python::{Python, Scratch, say};
use serde_json::Value as Json;

use super::{training, typed, untyped};

/// A value in a file of Python's, and what Python says of it.
pub(super) struct Vector<'v> {
    pub(super) facts: &'v Json,
    pub(super) bytes: &'v [u8],
    pub(super) value: &'v Value<'v>,
}

impl Vector<'_> {
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.facts[key].as_str()
    }

    pub(super) fn shape(&self) -> Vec<usize> {
        serde_json::from_value(self.facts["shape"].clone()).unwrap()
    }

    /// Whether the file holds the value under `x` and nothing else.
    pub(super) fn is_field(&self) -> bool {
        self.facts["path"] == serde_json::json!(["x"])
    }

    #[track_caller]
    pub(super) fn expect(&self, what: &str, found: &Json, expected: &Json) {
        let (name, path) = (&self.facts["name"], &self.facts["path"]);
        assert!(
            same(found, expected),
            "{name} {path}, {what}: found {found}, expected {expected}"
        );
    }
}

/// Goes down a path of keys and positions.
fn walk<'v>(value: &'v Value<'v>, path: &Json) -> &'v Value<'v> {
    path.as_array().unwrap().iter().fold(value, |value, step| {
        let found = match (value, step) {
            (Value::Map(map), Json::String(key)) => map.get(key.as_str()),
            (Value::Map(map), step) => map.get(&Key::from(step.as_i64().unwrap())),
            (Value::List(items), step) => items.get(step.as_u64().unwrap() as usize),
            _ => None,
        };
        found.unwrap_or_else(|| panic!("nothing at {path}"))
    })
}

#[test]
fn python_writes_rust_restores() {
    let Some(python) = Python::find("python_writes_rust_restores") else {
        return;
    };
    let scratch = Scratch::new("python-writes");
    python.live("python_writes", scratch.path());
    let expected = std::fs::read(scratch.path().join("expected.json")).unwrap();
    let expected: Json = serde_json::from_slice(&expected).unwrap();
    let vectors = expected["vectors"].as_array().unwrap();
    let mut files = BTreeMap::<&str, Vec<&Json>>::new();
    for facts in vectors {
        let file = facts["file"].as_str().unwrap();
        files.entry(file).or_default().push(facts);
    }

    let mut answered = BTreeMap::<&str, usize>::new();
    for (file, vectors) in &files {
        for kind in one_file(&scratch.path().join(file), vectors) {
            *answered.entry(kind).or_default() += 1;
        }
    }
    let total: usize = answered.values().sum();
    let kinds: Vec<_> = answered
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    say(&format!(
        "python_writes_rust_restores: {total} values of {} in {} files restored: {}",
        vectors.len(),
        files.len(),
        kinds.join(", ")
    ));
    assert_eq!(total, vectors.len());
}

/// Checks the values of a file and returns in which way each was restored.
fn one_file(path: &Path, vectors: &[&Json]) -> Vec<&'static str> {
    let bytes = std::fs::read(path).unwrap();
    let name = &vectors[0]["name"];
    let value = npcodec::decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let again = npcodec::encode(&value).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(again == bytes, "{name}: written again it differs");
    let read: Value<'_> = rmp_serde::from_slice(&bytes).unwrap();
    assert_eq!(rmp_serde::to_vec(&read).unwrap(), bytes, "{name}");

    if name == "training_state" {
        training::check(&bytes);
    }
    let restored = vectors.iter().map(|facts| {
        let vector = Vector {
            facts,
            bytes: &bytes,
            value: walk(&value, &facts["path"]),
        };
        if vector.facts.get("wire_dtype").is_some() {
            typed::check(&vector)
        } else {
            untyped::check(&vector)
        }
    });
    restored.collect()
}
