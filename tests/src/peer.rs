//! The files that Flax and msgpack-numpy wrote, and what their indexes say that Python read from them.

use std::path::PathBuf;

use npcodec::dtype::DType;
use npcodec::num_complex::Complex;
use npcodec::{Key, NumpyEncoding, StateDict, Value};
use serde_json::Value as Json;

use crate::fact;

/// One entry of an index, and the bytes that it is about.
#[derive(Debug, Clone)]
pub struct Case {
    /// The name of the entry.
    pub name: String,
    /// The bytes, where there are any.
    pub bytes: Option<Vec<u8>>,
    /// What became of them: `valid`, `decode_error`, `encode_error`, ...
    pub kind: String,
    /// The Python expression that made the bytes.
    pub expression: String,
    /// The entry.
    pub entry: Json,
}

impl Case {
    /// Reads the index of `tests/data/FORMAT` and its files.
    ///
    /// # Panics
    /// If a file is missing, or not what the index says.
    #[must_use]
    pub fn all(format: &str) -> Vec<Self> {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data")).join(format);
        let read = |file: &str| {
            std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
        };
        let index: Json = serde_json::from_slice(&read("index.json")).expect("index.json");
        let cases = index["cases"].as_array().expect("a list of cases");
        let case = |entry: &Json| {
            let text = |key: &str| entry[key].as_str().map(str::to_owned);
            let hex = entry.get("hex").map(|_| fact::hex(entry));
            let file = text("file").map(|file| read(&file));
            if let (Some(hex), Some(file)) = (&hex, &file) {
                assert_eq!(hex, file, "{entry}");
            }
            Self {
                name: text("case").expect("a name"),
                bytes: file.or(hex),
                kind: text("kind").expect("a kind"),
                expression: text("expr").unwrap_or_default(),
                entry: entry.clone(),
            }
        };
        cases.iter().map(case).collect()
    }

    /// Returns the value that Python read.
    #[must_use]
    pub fn expected(&self) -> Value<'static> {
        value(&self.entry["expected"])
    }
}

fn text<'j>(json: &'j Json, key: &str) -> &'j str {
    json[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {json}"))
}

fn items(json: &Json) -> Vec<Value<'static>> {
    let items = json["items"].as_array().expect("items");
    items.iter().map(value).collect()
}

/// Returns a value that Python had, as an index describes it.
///
/// # Panics
/// If no `Value` is like it.
#[must_use]
pub fn value(json: &Json) -> Value<'static> {
    match text(json, "type") {
        "none" => Value::Nil,
        "bool" => json["value"].as_bool().expect("a bool").into(),
        "int" => text(json, "value")
            .parse::<i128>()
            .expect("an integer")
            .into(),
        "float" => float(json).into(),
        "complex" => Value::Complex(Complex::new(float(&json["re"]), float(&json["im"]))),
        "str" => text(json, "value").to_owned().into(),
        "bytes" => fact::hex(json).into(),
        "list" | "tuple" => items(json).into(),
        "dict" => {
            let entries = json["items"].as_array().expect("items").iter();
            let entries = entries.map(|entry| {
                let key = match value(&entry[0]) {
                    Value::String(text) => Key::from(text.into_owned()),
                    Value::Integer(key) => Key::Integer(key.to_i128().expect("a key")),
                    other => panic!("{other:?} is no key"),
                };
                (key, value(&entry[1]))
            });
            Value::Map(entries.collect::<StateDict<'_>>())
        }
        "ndarray" => Value::Array(array(json)),
        "npscalar" => Value::Array(array(json).into_scalar()),
        "ext" => {
            let code = json["code"].as_i64().expect("a code");
            Value::Extension(i8::try_from(code).expect("a code"), fact::hex(json).into())
        }
        other => panic!("{other} is no type of a value"),
    }
}

fn float(json: &Json) -> f64 {
    let bits = u64::from_str_radix(text(json, "bits"), 16).expect("bits");
    f64::from_bits(bits)
}

fn array(json: &Json) -> NumpyEncoding<'static> {
    let dtype = &json["dtype"];
    let text = match (dtype.get("text"), dtype.get("descr")) {
        (Some(text), _) => text.as_str().expect("a text").to_owned(),
        (None, Some(descr)) => fields(descr),
        (None, None) => match text(dtype, "str") {
            code if code.contains('V') || code == "<f1" => format!("'{}'", text(dtype, "name")),
            code => format!("'{code}'"),
        },
    };
    let shape = json.get("shape").map_or_else(Vec::new, |shape| {
        serde_json::from_value(shape.clone()).expect("a shape")
    });
    let dtype: DType = text
        .parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    NumpyEncoding::from_dtype(shape, fact::hex(json), dtype, None).expect("an array")
}

/// Returns the Python text of a list of fields.
fn fields(descr: &Json) -> String {
    let field = |field: &Json| {
        let name = field[0].as_str().expect("a name");
        let dtype = match &field[1] {
            Json::String(code) => format!("'{code}'"),
            nested => fields(nested),
        };
        match field.get(2) {
            Some(shape) => {
                let lengths: Vec<String> = shape
                    .as_array()
                    .expect("a shape")
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                format!("('{name}', {dtype}, ({},))", lengths.join(", "))
            }
            None => format!("('{name}', {dtype})"),
        }
    };
    let fields: Vec<String> = descr
        .as_array()
        .expect("fields")
        .iter()
        .map(field)
        .collect();
    format!("[{}]", fields.join(", "))
}

/// Returns true if two values are the same in every bit, but for those of a complex NaN.
#[must_use]
pub fn same(one: &Value<'_>, other: &Value<'_>) -> bool {
    let bits = |a: f64, b: f64| a.to_bits() == b.to_bits();
    match (one, other) {
        (Value::Float64(a), Value::Float64(b)) => bits(*a, *b),
        // Python has no floats of 32 bits.
        (Value::Float32(a), Value::Float64(b)) => bits(f64::from(*a), *b),
        (Value::Complex(a), Value::Complex(b)) => {
            let number = |a: f64, b: f64| bits(a, b) || a.is_nan() && b.is_nan();
            number(a.re, b.re) && number(a.im, b.im)
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        (one, other) => one == other,
    }
}
