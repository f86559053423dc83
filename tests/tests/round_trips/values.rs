//! Trees without a type: whatever a file can hold.

use npcodec::dtype::Order;
use npcodec::{Integer, Key, LongIntegerEncoding, NumpyEncoding, StateDict, Value, decode, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

use super::dtypes::dtype;
use super::items::stream;

/// So many cases, the same in every run; PROPTEST_CASES makes more of them.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let given = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: given.map_or(cases, |cases| cases.parse().unwrap()),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

/// An array of any dtype with any payload, whose items need not be values.
fn array() -> impl Strategy<Value = NumpyEncoding<'static>> {
    let order = select(vec![None, Some(Order::C), Some(Order::F)]);
    (vec(0..4usize, 0..5), dtype(), order, any::<u64>()).prop_map(|(shape, dtype, order, seed)| {
        let length = shape.iter().product::<usize>() * dtype.itemsize();
        let mut bits = stream(seed);
        let data: Vec<u8> = (0..length).map(|_| bits() as u8).collect();
        NumpyEncoding::from_dtype(shape, data, dtype, order).unwrap()
    })
}

fn integer() -> impl Strategy<Value = Integer<'static>> {
    prop_oneof![
        any::<i8>().prop_map(|value| i64::from(value).into()),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<i128>().prop_map(Into::into),
        "-?[0-9]{1,60}".prop_map(|text| Integer::Long(LongIntegerEncoding::new(text).unwrap())),
    ]
}

fn key() -> impl Strategy<Value = Key<'static>> {
    prop_oneof![
        ".{0,6}".prop_map(Key::from),
        any::<i64>().prop_map(Key::from),
        any::<u64>().prop_map(Key::from),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = Value<'static>> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        integer().prop_map(Value::Integer),
        any::<u32>().prop_map(|bits| Value::Float32(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| Value::Float64(f64::from_bits(bits))),
        (0..1u64 << 52).prop_map(|bits| Value::Float64(f64::from_bits(0x7ff0 << 48 | bits))),
        ".{0,40}".prop_map(Value::from),
        vec(any::<u8>(), 0..300).prop_map(Value::from),
        (any::<i8>(), vec(any::<u8>(), 0..20))
            .prop_map(|(code, bytes)| Value::Extension(code, bytes.into())),
        array().prop_map(Value::Array),
    ];
    leaf.prop_recursive(5, 40, 20, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..20).prop_map(Value::List),
            vec((key(), inner), 0..20)
                .prop_map(|entries| Value::Map(entries.into_iter().collect::<StateDict<'_>>())),
        ]
    })
}

/// Compares by bits: a NaN is itself, and -0 is not 0.
fn same(one: &Value<'_>, other: &Value<'_>) -> bool {
    match (one, other) {
        (Value::Float32(one), Value::Float32(other)) => one.to_bits() == other.to_bits(),
        (Value::Float64(one), Value::Float64(other)) => one.to_bits() == other.to_bits(),
        (Value::List(ones), Value::List(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Map(ones), Value::Map(others)) => {
            ones.len() == others.len()
                && ones
                    .iter()
                    .zip(others)
                    .all(|(one, other)| one.0 == other.0 && same(one.1, other.1))
        }
        _ => one == other,
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_tree(value in value()) {
        let bytes = encode(&value).unwrap();
        prop_assert_eq!(&rmp_serde::to_vec(&value).unwrap(), &bytes);
        let read = decode(&bytes).unwrap();
        prop_assert!(same(&read, &value), "{:?} is not {:?}", read, value);
        prop_assert_eq!(encode(&read).unwrap(), &bytes[..]);
        let theirs: Value<'_> = rmp_serde::from_slice(&bytes).unwrap();
        prop_assert!(same(&theirs, &value), "{:?} is not {:?}", theirs, value);
        prop_assert!(same(&read.into_owned(), &value));
    }
}
