//! What the index says, as Rust values.

use npcodec::dtype::{
    Bytes, Datetime64, Float8, Float8Format, LongDouble, Text, Timedelta64, TimedeltaUnit, Void,
};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{Array, Dimension};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use serde_json::Value as Json;

/// A type that can be read from the index, by rules that know nothing of the wire.
pub trait Fact: Sized {
    /// The items of arrays are in one flat list, as the rows of record arrays are.
    const FLAT: bool = false;

    /// Reads the value. Panics if it is another one.
    fn fact(json: &Json) -> Self;

    /// Reads several values: a list of them.
    fn facts(json: &Json) -> Vec<Self> {
        let items = json
            .as_array()
            .unwrap_or_else(|| panic!("{json} is no list"));
        items.iter().map(Self::fact).collect()
    }

    /// Returns true if the values are the same: NaN is NaN, and -0 is not 0.
    fn same(&self, other: &Self) -> bool;
}

/// Returns the digits of an integer: a number, or `{"int": "..."}` where JSON has no such number.
///
/// # Panics
/// If it is neither.
#[must_use]
pub fn digits(json: &Json) -> String {
    match json {
        Json::Number(number) => number.to_string(),
        other => other["int"]
            .as_str()
            .unwrap_or_else(|| panic!("{other} is no integer"))
            .to_owned(),
    }
}

/// Returns the bytes of `{"hex": "..."}`.
///
/// # Panics
/// If it is something else.
#[must_use]
pub fn hex(json: &Json) -> Vec<u8> {
    let text = json["hex"]
        .as_str()
        .unwrap_or_else(|| panic!("{json} is no hex"));
    assert!(text.len() % 2 == 0, "half a byte in {text}");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits"))
        .collect()
}

/// Returns a float, or what JSON has as a text in its place.
///
/// # Panics
/// If it is neither.
#[must_use]
pub fn float(json: &Json) -> f64 {
    match json {
        Json::Number(number) => number.to_string().parse().expect("a float"),
        Json::String(text) if matches!(&**text, "nan" | "inf" | "-inf") => {
            text.parse().expect("a float")
        }
        other => panic!("{other} is no float"),
    }
}

macro_rules! facts {
    ($($type:ty: |$json:ident| $fact:expr;)*) => {$(
        impl Fact for $type {
            fn fact($json: &Json) -> Self {
                $fact
            }

            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

facts! {
    bool: |json| json.as_bool().unwrap_or_else(|| panic!("{json} is no bool"));
    (): |json| assert!(json.is_null(), "{json} is not null");
    String: |json| json.as_str().unwrap_or_else(|| panic!("{json} is no text")).to_owned();
}

macro_rules! integers {
    ($($type:ty),*) => {
        facts! {$(
            $type: |json| digits(json).parse().unwrap_or_else(|_| panic!("{json} does not fit"));
        )*}
    };
}

integers!(i8, i16, i32, i64, i128, u16, u32, u64, u128, usize, BigInt);

/// Several bytes can be a byte string: `{"hex": "..."}`.
impl Fact for u8 {
    fn fact(json: &Json) -> Self {
        digits(json)
            .parse()
            .unwrap_or_else(|_| panic!("{json} does not fit"))
    }

    fn facts(json: &Json) -> Vec<Self> {
        match json {
            Json::Array(items) => items.iter().map(Self::fact).collect(),
            json => hex(json),
        }
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

macro_rules! floats {
    ($($type:ty: $from:expr, $to:expr;)*) => {$(
        impl Fact for $type {
            fn fact(json: &Json) -> Self {
                let stated = float(json);
                let value: $type = $from(stated);
                let back: f64 = $to(value);
                assert!(back.to_bits() == stated.to_bits() || stated.is_nan(), "{json} rounds");
                value
            }

            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}

#[allow(clippy::cast_possible_truncation)]
fn narrow(value: f64) -> f32 {
    value as f32
}

floats! {
    f16: f16::from_f64, f16::to_f64;
    bf16: bf16::from_f64, bf16::to_f64;
    f32: narrow, f64::from;
    f64: std::convert::identity, std::convert::identity;
}

impl Fact for LongDouble {
    fn fact(json: &Json) -> Self {
        Self::from_f64(float(json))
    }

    fn same(&self, other: &Self) -> bool {
        // The six bytes after the value are whatever they were.
        self.to_le_bytes()[..10] == other.to_le_bytes()[..10]
    }
}

impl<T: Fact> Fact for Complex<T> {
    fn fact(json: &Json) -> Self {
        assert_eq!(
            json.as_array().map(Vec::len),
            Some(2),
            "{json} is no complex number"
        );
        Self::new(T::fact(&json[0]), T::fact(&json[1]))
    }

    fn same(&self, other: &Self) -> bool {
        self.re.same(&other.re) && self.im.same(&other.im)
    }
}

/// The index has the bits of these where it says what Python's decoder makes of them.
impl<F: Float8Format> Fact for Float8<F> {
    fn fact(json: &Json) -> Self {
        let bits = hex(&json["f0"]);
        assert_eq!(bits.len(), 1, "{json} is not one byte");
        Self::from_bits(bits[0])
    }

    fn same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl<const N: usize> Fact for Void<N> {
    fn fact(json: &Json) -> Self {
        Self(
            hex(json)
                .try_into()
                .unwrap_or_else(|_| panic!("{json} is not {N} bytes")),
        )
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<const N: usize> Fact for Bytes<N> {
    fn fact(json: &Json) -> Self {
        Self::from_slice(&hex(json)).unwrap_or_else(|| panic!("{json} is too long"))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<const N: usize> Fact for Text<N> {
    fn fact(json: &Json) -> Self {
        Self::from_text(&String::fact(json)).unwrap_or_else(|| panic!("{json} is too long"))
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<U: TimedeltaUnit, const M: u32> Fact for Datetime64<U, M> {
    fn fact(json: &Json) -> Self {
        Self::new(i64::fact(json))
    }

    fn same(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl<U: TimedeltaUnit, const M: u32> Fact for Timedelta64<U, M> {
    fn fact(json: &Json) -> Self {
        Self::new(i64::fact(json))
    }

    fn same(&self, other: &Self) -> bool {
        self.count == other.count
    }
}

impl<T: Fact, const N: usize> Fact for [T; N] {
    fn fact(json: &Json) -> Self {
        let items = <Vec<T>>::fact(json);
        items
            .try_into()
            .unwrap_or_else(|_| panic!("{json} has not {N} items"))
    }

    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(one, other)| one.same(other))
    }
}

impl<T: Fact> Fact for Vec<T> {
    fn fact(json: &Json) -> Self {
        T::facts(json)
    }

    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(one, other)| one.same(other))
    }
}

/// Arrays are read by [`crate::vector::array`], which knows their shape.
impl<T: Fact, D: Dimension> Fact for Array<T, D> {
    fn fact(json: &Json) -> Self {
        panic!("the shape of {json} is not known")
    }

    fn same(&self, other: &Self) -> bool {
        self.shape() == other.shape() && self.iter().zip(other).all(|(one, other)| one.same(other))
    }
}
