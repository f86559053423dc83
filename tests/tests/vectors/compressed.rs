//! Arrays in Snappy records, and the records themselves.

use npcodec::dtype::{Bytes, PlainElement};
use npcodec::ndarray::{Array, Array0, Dimension, Ix1, Ix2, Ix3};
use npcodec::{Checkpoint, Structured, uncompress};
use npcodec_tests::fact::Fact;
use npcodec_tests::vector::Vector;
use serde_json::Value as Json;

use crate::check::{Form, X, both, holders, reads};

#[derive(Checkpoint, Debug)]
struct Compressed<T> {
    #[checkpoint(compress)]
    x: T,
}

holders!(Compressed);

/// The record as NumPy has it: `N` bytes of Snappy, `K` axes, the dtype.
#[derive(Debug, Clone, PartialEq, Structured)]
struct Record<const N: usize, const K: usize> {
    data: [u8; N],
    shape: [i32; K],
    dtype: Bytes<3>,
}

impl<const N: usize, const K: usize> Fact for Record<N, K> {
    fn fact(json: &Json) -> Self {
        Self {
            data: Fact::fact(&json["data"]),
            shape: Fact::fact(&json["shape"]),
            dtype: Fact::fact(&json["dtype"]),
        }
    }

    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

/// Checks the array inside, and the record around it.
macro_rules! check {
    ($vector:ident: $type:ty, $axes:ty, $bytes:literal, $rank:literal) => {{
        inside::<$type, $axes>($vector);
        let record: Array0<Record<$bytes, $rank>> = $vector.array("values", "shape");
        both::<X<Array0<Record<$bytes, $rank>>>>($vector, record, Form::File);
    }};
}

fn inside<T, D: Dimension>(vector: &Vector)
where
    T: Fact + PlainElement + std::fmt::Debug,
{
    let Vector { name, bytes, entry } = vector;
    let expected: Array<T, D> = vector.array("uncompressed_values", "uncompressed_shape");
    let read = reads::<Compressed<Array<T, D>>>(vector, &expected);

    let untyped = npcodec::decode(bytes).unwrap();
    let record = untyped.as_map().and_then(|map| map.get("x")).unwrap();
    let array = uncompress(record.as_array().unwrap()).unwrap();
    let dtype = entry["uncompressed_dtype"].as_str().unwrap();
    assert_eq!(array.dtype_text(), format!("'{dtype}'"), "{name}");
    assert_eq!(
        array.shape(),
        <Vec<usize>>::fact(&entry["uncompressed_shape"]),
        "{name}"
    );
    assert!(array.to_array::<T, D>().unwrap().same(&expected), "{name}");

    let written = rmp_serde::to_vec(&read).unwrap();
    let stated = rmp_serde::to_vec(&Compressed {
        x: expected.clone(),
    })
    .unwrap();
    assert_eq!(written, stated, "{name}");
    // Python's Snappy and Rust's find the same matches in blocks as small as these.
    let little = T::dtype().text();
    assert_eq!(&written == bytes, little == format!("'{dtype}'"), "{name}");
    let again: Compressed<Array<T, D>> = rmp_serde::from_slice(&written).unwrap();
    assert!(again.x.same(&expected), "{name}");
}

pub(crate) fn check(vector: &Vector) -> bool {
    let v = vector;
    match &*v.name {
        "compressed_u1_6x6x4" => check!(v: u8, Ix3, 148, 3),
        "compressed_f4_3x2" => check!(v: f32, Ix2, 26, 2),
        "compressed_i8_5" => check!(v: i64, Ix1, 32, 1),
        "compressed_b1_9" => check!(v: bool, Ix1, 11, 1),
        "compressed_f8_1" => check!(v: f64, Ix1, 10, 1),
        "compressed_u1_0x3" => check!(v: u8, Ix2, 1, 2),
        "compressed_i2_4" => check!(v: i16, Ix1, 10, 1),
        "compressed_F" => check!(v: i32, Ix2, 50, 2),
        _ => return false,
    }
    true
}
