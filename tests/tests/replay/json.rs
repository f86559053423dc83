//! The values of the recordings.

use std::path::PathBuf;

use npcodec::replay::Pcg64;
use serde_json::Value as Json;

/// Reads a file of `tests/data/replay`.
pub(crate) fn file(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/replay"));
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn read(name: &str) -> Json {
    serde_json::from_slice(&file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn list(value: &Json) -> &[Json] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is no list"))
}

/// An integer, as a number or as text.
pub(crate) fn integer<T: std::str::FromStr>(value: &Json) -> T {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let Ok(integer) = text.parse() else {
        panic!("{value} is no integer");
    };
    integer
}

/// A float, as the digits of its bits.
pub(crate) fn float(value: &Json) -> f64 {
    let text = value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no float"));
    f64::from_bits(u64::from_str_radix(text, 16).unwrap())
}

pub(crate) fn floats(value: &Json) -> Vec<f64> {
    list(value).iter().map(float).collect()
}

/// The bits of a float, as a recording has them.
pub(crate) fn bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

pub(crate) fn pcg64(value: &Json) -> Pcg64 {
    let mut generator = Pcg64::seeded(0);
    generator.state = integer(&value["state"]);
    generator.inc = integer(&value["inc"]);
    generator.has_uint32 = integer::<u8>(&value["has_uint32"]) == 1;
    generator.uinteger = integer(&value["uinteger"]);
    generator
}
