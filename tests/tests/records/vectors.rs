//! The vectors of `tests/data/flower`, which flwr wrote.

use std::path::PathBuf;

use npcodec::flower::{ConfigRecord, ConfigValue, MetricRecord, MetricValue};
use serde_json::Value as Json;

/// Reads a file of the vectors.
pub fn read(file: &str) -> Vec<u8> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/flower"));
    std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns a list of the index: `cases`, `invalid`, `quirks`, `constructor_errors`.
pub fn list(name: &str) -> Vec<Json> {
    let index: Json = serde_json::from_slice(&read("index.json")).unwrap();
    index[name].as_array().unwrap().clone()
}

/// Returns the cases that hold an object of a class.
pub fn of_class(class: &str) -> Vec<Json> {
    let mut cases = list("cases");
    cases.retain(|case| case["class"] == class);
    assert!(!cases.is_empty());
    cases
}

/// Returns what follows the head of a deflated object.
pub fn body(file: &str) -> Vec<u8> {
    let bytes = read(file);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap();
    bytes[end + 1..].to_vec()
}

/// Returns the bytes of hexadecimal digits.
pub fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn bytes(value: &Json) -> Vec<u8> {
    hex(value["bytes_hex"].as_str().unwrap())
}

fn float(value: &Json) -> f64 {
    value.as_f64().unwrap()
}

fn items<T>(value: &Json, item: impl Fn(&Json) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(item).collect()
}

/// Makes the record that a case states.
pub fn config(case: &Json) -> ConfigRecord {
    let entry = |entry: &Json| {
        let text = |value: &Json| value.as_str().unwrap().to_owned();
        let (key, value) = (text(&entry[0]), &entry[2]);
        let value: ConfigValue = match entry[1].as_str().unwrap() {
            "bool" => value.as_bool().unwrap().into(),
            "int" => match value.as_i64() {
                Some(value) => value.into(),
                None => value.as_u64().unwrap().into(),
            },
            "float" => float(value).into(),
            "str" => text(value).into(),
            "bytes" => bytes(value).into(),
            "list[]" => Vec::<String>::new().into(),
            "list[bool]" => items(value, |item| item.as_bool().unwrap()).into(),
            "list[int]" if value.as_array().unwrap().iter().all(Json::is_i64) => {
                items(value, |item| item.as_i64().unwrap()).into()
            }
            "list[int]" => items(value, |item| item.as_u64().unwrap()).into(),
            "list[float]" => items(value, float).into(),
            "list[str]" => items(value, text).into(),
            "list[bytes]" => items(value, bytes).into(),
            other => panic!("{other}"),
        };
        (key, value)
    };
    items(&case["items"], entry).into_iter().collect()
}

/// Makes the record that a case states.
pub fn metrics(case: &Json) -> MetricRecord {
    let entry = |entry: &Json| {
        let (key, value) = (entry[0].as_str().unwrap().to_owned(), &entry[2]);
        let value: MetricValue = match entry[1].as_str().unwrap() {
            "int" => value.as_i64().unwrap().into(),
            "float" => float(value).into(),
            other => panic!("{other}"),
        };
        (key, value)
    };
    items(&case["items"], entry).into_iter().collect()
}
