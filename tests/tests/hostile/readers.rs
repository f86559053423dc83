//! Everything that can be made of a file: values, what is in them, typed states.

use std::collections::BTreeMap;

use npcodec::dtype::{
    Datetime64, Float8E4M3Fn, Generic, LongDouble, Nanoseconds, Seconds, Text, Timedelta64, Void,
};
use npcodec::half::bf16;
use npcodec::ndarray::{Array1, ArrayD, IxDyn};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use npcodec::{
    Checkpoint, ReadOptions, RestoreOwned, Strictness, Structured, Value, decode, encode,
    from_slice, from_slice_with, to_vec, uncompress,
};
use npcodec_tests::replay::{Compressed, Plain, Prioritized, ReplayBuffer, Uniform};
use serde::de::DeserializeOwned;

/// A type of states, as what is done with a file; false if it is refused.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// Reads the file.
    pub(crate) once: fn(&[u8]) -> bool,
    /// Reads it by each of the ways there are, writes it, loads it in place.
    pub(crate) every_way: fn(&[u8]) -> bool,
}

/// Reads the file as a value, and writes the value.
pub(crate) fn value(bytes: &[u8]) -> bool {
    let theirs = rmp_serde::from_slice::<Value<'_>>(bytes).is_ok();
    let Ok(value) = decode(bytes) else {
        return false;
    };
    assert!(theirs);
    assert!(encode(&value).unwrap().len() <= bytes.len());
    true
}

/// Makes Rust arrays of what a value has of them, and says how many could be made.
pub(crate) fn open(value: &Value<'_>) -> usize {
    match value {
        Value::List(items) => items.iter().map(open).sum(),
        Value::Map(map) => map.values().map(open).sum(),
        Value::Integer(integer) => {
            let _ = integer.to_bigint();
            0
        }
        Value::Array(array) => {
            let mut made = [
                array.to_array::<f32, IxDyn>().is_ok(),
                array.to_array::<bool, IxDyn>().is_ok(),
                array.to_array::<String, IxDyn>().is_ok(),
                array.to_array::<Vec<u8>, IxDyn>().is_ok(),
                array.to_array::<Dated, IxDyn>().is_ok(),
                array.view::<u8, IxDyn>().is_ok(),
            ]
            .map(usize::from)
            .iter()
            .sum();
            if let Ok(inside) = uncompress(array) {
                made += 1 + open(&Value::Array(inside));
            }
            made
        }
        _ => 0,
    }
}

#[derive(Checkpoint, Debug)]
struct X<T> {
    x: T,
}

#[derive(Checkpoint, Debug)]
struct Cast<T> {
    #[checkpoint(cast = "lossy")]
    x: ArrayD<T>,
}

#[derive(Checkpoint, Debug)]
struct Record<T> {
    #[checkpoint(compress)]
    x: T,
}

#[derive(Checkpoint, Debug)]
struct Scalar<T> {
    #[checkpoint(scalar)]
    x: T,
}

#[derive(Checkpoint, Debug)]
struct Tree {
    a: (i64, f64, bool, (), String, Vec<u8>),
    b: Branch,
    e: Nothing,
    #[checkpoint(flatten)]
    numbered: BTreeMap<i64, String>,
    f: (i64, Vec<i64>),
}

#[derive(Checkpoint, Debug)]
struct Branch {
    c: ArrayD<f32>,
    d: Vec<i64>,
}

#[derive(Checkpoint, Debug)]
struct Nothing {}

#[derive(Structured, Clone, Debug)]
struct Mixed {
    string: Text<1>,
    int: i32,
    float: f32,
}

#[derive(Structured, Clone, Debug)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Structured, Clone, Debug)]
struct Nested {
    p: Point,
    m: [[u8; 3]; 2],
}

#[derive(Structured, Clone, Debug)]
#[structured(align)]
struct Aligned {
    a: i8,
    b: f64,
}

#[derive(Structured, Clone, Debug)]
struct Titled {
    n: i32,
}

#[derive(Structured, Clone, Debug)]
struct Quoted {
    #[structured(rename = "a'b")]
    apostrophe: i32,
    #[structured(rename = "é \"c\"\\")]
    others: i16,
}

#[derive(Structured, Clone, Debug)]
struct Pair {
    a: i32,
    b: f64,
}

#[derive(Structured, Clone, Debug)]
struct Dated {
    f: bool,
    t: Datetime64<Seconds>,
}

#[derive(Structured, Clone, Debug)]
struct One {
    a: [i32; 1],
}

fn once<T: RestoreOwned>(bytes: &[u8]) -> bool {
    from_slice::<T>(bytes).is_ok()
}

fn every_way<T>(bytes: &[u8]) -> bool
where
    T: Checkpoint + RestoreOwned + DeserializeOwned,
{
    let theirs = rmp_serde::from_slice::<T>(bytes).is_ok();
    let Ok(mut state) = from_slice::<T>(bytes) else {
        let lenient = ReadOptions::new().strictness(Strictness::SkipMismatched);
        let _ = from_slice_with::<T>(bytes, &lenient);
        return false;
    };
    assert!(theirs);
    assert!(to_vec(&state).is_ok());
    if let Ok(Value::Map(dict)) = decode(bytes) {
        assert!(state.load_state_dict(&dict, Strictness::Lenient).is_ok());
    }
    true
}

macro_rules! readers {
    ($($type:ty),* $(,)?) => {
        &[$(Reader { once: once::<$type>, every_way: every_way::<$type> }),*]
    };
}

/// Types such that every vector is read by one of them.
pub(crate) const STATES: &[Reader] = readers![
    Cast<f64>,
    Cast<Complex<f32>>,
    X<ArrayD<bf16>>,
    X<ArrayD<Float8E4M3Fn>>,
    X<ArrayD<LongDouble>>,
    X<ArrayD<bool>>,
    X<ArrayD<String>>,
    X<ArrayD<Vec<u8>>>,
    X<ArrayD<Void<4>>>,
    X<ArrayD<Datetime64<Nanoseconds>>>,
    X<ArrayD<Timedelta64<Seconds, 25>>>,
    X<ArrayD<Timedelta64<Generic>>>,
    X<ArrayD<Mixed>>,
    X<Array1<Nested>>,
    X<Array1<Aligned>>,
    X<Array1<Titled>>,
    X<Array1<Quoted>>,
    X<ArrayD<Pair>>,
    X<Array1<Dated>>,
    X<Array1<One>>,
    Record<ArrayD<u8>>,
    Record<ArrayD<bool>>,
    Record<ArrayD<i16>>,
    Record<ArrayD<i32>>,
    Record<ArrayD<i64>>,
    Record<ArrayD<f32>>,
    Record<ArrayD<f64>>,
    Scalar<f32>,
    X<BigInt>,
    X<u128>,
    X<f64>,
    X<Vec<ArrayD<f32>>>,
    X<Tree>,
    ReplayBuffer<Compressed, Uniform>,
    ReplayBuffer<Plain, Uniform>,
    ReplayBuffer<Compressed, Prioritized>,
];
