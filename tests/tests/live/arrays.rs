//! Files of arrays, with NumPy and safetensors themselves as writers and as readers.

use std::path::Path;

use npcodec::dtype::DType;
use npcodec::formats::{
    Conversion, Format, WriteOptions, npz, read_value, write_file, write_value,
};
use npcodec::{Durability, StateDict, Value};
use npcodec_tests::arrays::{ArrayFile, stated};
use npcodec_tests::python::{Python, Scratch};
use serde_json::{Value as Json, json};

/// What NumPy or safetensors are to find in a file.
fn entry(file: &str, dict: &StateDict<'_>) -> Json {
    let kept = file.ends_with(".safetensors");
    let arrays = dict.iter().filter_map(|(key, value)| {
        let array = value.as_array()?;
        let mut entry = stated(key.as_str()?, array);
        match kept {
            true if entry["order"] == "F" => entry["order"] = json!("C"),
            true => {}
            false => entry["dtype"] = json!(numpy(array.dtype())),
        }
        Some(entry)
    });
    let metadata = dict.get("__metadata__").and_then(Value::as_map).map(|map| {
        let entries = map.iter();
        let entries =
            entries.map(|(key, text)| (key.as_str().unwrap().to_owned(), json!(text.as_str())));
        Json::Object(entries.collect())
    });
    json!({ "file": file, "arrays": arrays.collect::<Vec<_>>(), "metadata": metadata })
}

/// The text of a dtype that NumPy has read: opaque bytes have no order there.
fn numpy(dtype: &DType) -> String {
    dtype.descr().unwrap().replace("[('', '<V", "[('', '|V")
}

fn write(directory: &Path, file: &str, format: Format, dict: &StateDict<'_>) -> StateDict<'static> {
    let options = WriteOptions::new()
        .allow(Conversion::ALL)
        .durability(Durability::Renamed);
    write_file(directory.join(file), format, dict, &options)
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    let (value, _) = npcodec::formats::convert(format, &Value::Map(dict.clone()), &options)
        .map(|(value, list)| (value.into_owned(), list))
        .unwrap();
    match value {
        Value::Map(dict) => dict,
        other => panic!("{other:?}"),
    }
}

#[test]
fn numpy_and_safetensors_write_and_read_the_same_arrays() {
    let Some(python) = Python::find("numpy_and_safetensors_write_and_read_the_same_arrays") else {
        return;
    };
    let scratch = Scratch::new("arrays");
    let directory = scratch.path();
    python.live("arrays_write", directory);
    let mut manifest = Vec::new();
    for file in ArrayFile::below(directory) {
        let name = &file.name;
        let (format, value) =
            read_value(&file.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        file.check(&value);
        let dict = match &value {
            Value::Map(map) => map.borrowed(),
            array => [("", array.clone())].into_iter().collect(),
        };
        // Written again, it is the file that Python wrote, but for what zlib compresses.
        let options = WriteOptions::new().deflate(name.contains("compressed"));
        let (bytes, converted) = write_value(format, &value, &options).unwrap();
        assert!(converted.is_empty(), "{name}");
        let again = format!("again-{}", name.replace('/', "-"));
        std::fs::write(directory.join(&again), bytes).unwrap();
        let mut entry = entry(&again, &dict);
        if !name.contains("compressed") {
            entry["same_as"] = json!(name);
        }
        manifest.push(entry);
        if format == Format::Npy {
            continue;
        }
        // From each archive one of the other format, as far as that has the types.
        let (other, ending) = match format {
            Format::Npz => (Format::Safetensors, "safetensors"),
            _ => (Format::Npz, "npz"),
        };
        let mut dict = dict;
        let keys: Vec<_> = dict.keys().map(|key| key.borrowed().into_owned()).collect();
        for key in keys {
            let one = dict.get(&key).unwrap().clone();
            let alone = Value::Map([(key.clone(), one)].into_iter().collect());
            let options = WriteOptions::new().allow(Conversion::ALL).separator("/");
            if write_value(other, &alone, &options).is_err() {
                dict.remove(&key);
            }
        }
        if let Some(Value::Map(_)) = dict.get("__metadata__") {
            dict.remove("__metadata__");
        }
        let file = format!("from-{}.{ending}", name.replace('/', "-"));
        let written = write(directory, &file, other, &dict);
        manifest.push(self::entry(&file, &written));
    }
    let text = Json::Array(manifest).to_string();
    std::fs::write(directory.join("manifest.json"), text).unwrap();
    python.live("arrays_check", directory);
}

#[test]
fn numpy_reads_what_is_compressed_here() {
    let Some(python) = Python::find("numpy_reads_what_is_compressed_here") else {
        return;
    };
    let scratch = Scratch::new("deflated");
    let files = ArrayFile::all();
    let everything = files
        .iter()
        .find(|file| file.name == "npz/everything.npz")
        .unwrap();
    let value = npz::from_slice(&everything.bytes).unwrap();
    let mut manifest = Vec::new();
    // Often enough that a slip in one kind of block would be seen.
    for round in 0..4 {
        let file = format!("deflated-{round}.npz");
        let options = npz::WriteOptions::new().deflate(true);
        let mut dict = value.as_map().unwrap().borrowed();
        let long: Vec<u8> = (0..200_000u32)
            .map(|at| (at.wrapping_mul(at) >> (4 * round)) as u8)
            .collect();
        let long = npcodec::NumpyEncoding::new(vec![long.len()], long, "'|u1'", None).unwrap();
        dict.insert("long", long);
        let bytes = npz::to_vec_with(&Value::Map(dict.borrowed()), &options).unwrap();
        std::fs::write(scratch.path().join(&file), bytes).unwrap();
        manifest.push(entry(&file, &dict));
    }
    let text = Json::Array(manifest).to_string();
    std::fs::write(scratch.path().join("manifest.json"), text).unwrap();
    python.live("arrays_check", scratch.path());
}
