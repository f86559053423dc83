//! The leaves of elements, as the recordings have them.

use std::fmt::Write;

use npcodec::ndarray::{Array, ArrayView, Dimension};
use npcodec::replay::{PythonNumber, Stack};
use npcodec::{ArrayElement, NumpyEncoding};
use serde_json::{Value as Json, json};

use crate::json::{bits, float, integer};

pub(crate) trait Leaf: Sized {
    fn read(json: &Json) -> Self;
    fn json(&self) -> Json;
}

impl Leaf for bool {
    fn read(json: &Json) -> Self {
        json.as_bool().unwrap()
    }

    fn json(&self) -> Json {
        (*self).into()
    }
}

impl Leaf for i64 {
    fn read(json: &Json) -> Self {
        integer(json)
    }

    fn json(&self) -> Json {
        (*self).into()
    }
}

impl Leaf for f64 {
    fn read(json: &Json) -> Self {
        float(json)
    }

    fn json(&self) -> Json {
        bits(*self).into()
    }
}

impl Leaf for PythonNumber {
    fn read(json: &Json) -> Self {
        match json {
            Json::String(_) => Self::Float(float(json)),
            _ => Self::Integer(integer(json)),
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Integer(value) => value.json(),
            Self::Float(value) => value.json(),
        }
    }
}

impl<T: ArrayElement, D: Dimension> Leaf for Array<T, D>
where
    Self: Stack<Item = T, Dim = D>,
{
    fn read(json: &Json) -> Self {
        let shape = json["shape"].as_array().unwrap().iter().map(integer);
        let hex = json["hex"].as_str().unwrap();
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let data: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
        let dtype = format!("'{}'", json["np"].as_str().unwrap());
        let array = NumpyEncoding::new(shape.collect(), data, dtype, None).unwrap();
        array.to_array().unwrap()
    }

    fn json(&self) -> Json {
        array(self.as_view())
    }
}

pub(crate) fn array<T: ArrayElement, D: Dimension>(array: ArrayView<'_, T, D>) -> Json {
    let standard = array.as_standard_layout();
    let encoding = NumpyEncoding::from_array(standard.view()).unwrap();
    let hex = encoding.data().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    });
    let dtype = encoding.dtype_text().trim_matches('\'');
    json!({"np": dtype, "shape": encoding.shape(), "hex": hex})
}
