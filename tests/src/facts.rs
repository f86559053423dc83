//! Rust values as the JSON in which the tests and Python tell each other what an array holds.
//!
//! `tests/data/README.md` says what JSON lacks and how it is written.

use npcodec::dtype::{Bytes, Datetime64, Float8, Float8Format, LongDouble, Timedelta64, Void};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{ArrayView, Axis, Dimension, IxDyn};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use serde_json::{Value as Json, json};

/// A value whose JSON is known without the codec.
pub trait Fact {
    /// Returns the JSON of the value.
    fn json(&self) -> Json;

    /// Returns the JSON of an item of an array: NumPy gives opaque bytes a column of their own.
    fn item(&self) -> Json {
        self.json()
    }
}

/// Returns the JSON of an integer; only up to 53 bits is it a number.
pub fn integer(value: impl Into<BigInt>) -> Json {
    let value = value.into();
    match i64::try_from(&value) {
        Ok(small) if small.unsigned_abs() < 1 << 53 => json!(small),
        _ => json!({ "int": value.to_string() }),
    }
}

/// Returns the JSON of a float.
pub fn float(value: f64) -> Json {
    if value.is_nan() {
        json!("nan")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        json!(value)
    }
}

/// Returns the JSON of bytes.
pub fn hex(bytes: &[u8]) -> Json {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "hex": digits })
}

/// Returns the nested lists of an array.
pub fn nested<T: Fact, D: Dimension>(array: ArrayView<'_, T, D>) -> Json {
    lists(array.into_dyn(), &T::json)
}

/// Returns the nested lists of an array as Python's decoder gives it.
pub fn nested_items<T: Fact, D: Dimension>(array: ArrayView<'_, T, D>) -> Json {
    lists(array.into_dyn(), &T::item)
}

fn lists<T>(array: ArrayView<'_, T, IxDyn>, json: &dyn Fn(&T) -> Json) -> Json {
    match array.first() {
        Some(item) if array.ndim() == 0 => json(item),
        _ => array
            .axis_iter(Axis(0))
            .map(|part| lists(part, json))
            .collect(),
    }
}

/// Compares JSON: the kinds of numbers count, the ways of writing them do not.
pub fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, l)| right.get(key).is_some_and(|r| same(l, r)))
        }
        (Json::Number(left), Json::Number(right)) => {
            let floats = (left.is_f64(), right.is_f64());
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            left == right || floats == (true, true) && bits(left) == bits(right)
        }
        _ => left == right,
    }
}

macro_rules! facts {
    ($($type:ty => |$value:ident| $json:expr;)*) => {$(
        impl Fact for $type {
            fn json(&self) -> Json {
                let $value = self;
                $json
            }
        }
    )*};
}

facts! {
    bool => |value| json!(value);
    i8 => |value| integer(*value);
    i16 => |value| integer(*value);
    i32 => |value| integer(*value);
    i64 => |value| integer(*value);
    i128 => |value| integer(*value);
    u8 => |value| integer(*value);
    u16 => |value| integer(*value);
    u32 => |value| integer(*value);
    u64 => |value| integer(*value);
    u128 => |value| integer(*value);
    BigInt => |value| integer(value.clone());
    f16 => |value| float(value.to_f64());
    bf16 => |value| float(value.to_f64());
    f32 => |value| float(f64::from(*value));
    f64 => |value| float(*value);
    Complex<f32> => |value| json!([value.re.json(), value.im.json()]);
    Complex<f64> => |value| json!([value.re.json(), value.im.json()]);
    LongDouble => |value| float(value.to_f64());
    String => |value| json!(value);
    Vec<u8> => |value| hex(value);
}

impl<F: Float8Format> Fact for Float8<F> {
    fn json(&self) -> Json {
        self.to_f32().json()
    }
}

impl<const N: usize> Fact for Bytes<N> {
    fn json(&self) -> Json {
        hex(self.as_bytes())
    }
}

impl<const N: usize> Fact for Void<N> {
    fn json(&self) -> Json {
        hex(&self.0)
    }

    fn item(&self) -> Json {
        json!({ "f0": self.json() })
    }
}

impl<U, const MULTIPLE: u32> Fact for Datetime64<U, MULTIPLE> {
    fn json(&self) -> Json {
        integer(self.count)
    }
}

impl<U, const MULTIPLE: u32> Fact for Timedelta64<U, MULTIPLE> {
    fn json(&self) -> Json {
        integer(self.count)
    }
}

impl<T: Fact, const N: usize> Fact for [T; N] {
    fn json(&self) -> Json {
        self.iter().map(T::json).collect()
    }
}

/// Defines a row of a structured array and its JSON.
#[macro_export]
macro_rules! row {
    ($(#[$meta:meta])* struct $row:ident { $($field:ident: $type:ty => $name:literal,)* }) => {
        #[derive(Clone, Debug, PartialEq, npcodec::Structured)]
        $(#[$meta])*
        pub(crate) struct $row {
            $(#[structured(rename = $name)] pub(crate) $field: $type,)*
        }

        impl $crate::facts::Fact for $row {
            fn json(&self) -> serde_json::Value {
                let mut map = serde_json::Map::new();
                $(map.insert($name.to_owned(), $crate::facts::Fact::json(&self.$field));)*
                serde_json::Value::Object(map)
            }
        }
    };
}
