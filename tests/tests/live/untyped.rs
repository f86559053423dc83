//! Values that are no arrays.

use npcodec::num_bigint::BigInt;
use npcodec::{Checkpoint, Value};
use npcodec_tests::facts::{Fact, hex};
use serde_json::{Value as Json, json};

use super::python_writes::Vector;

#[derive(Checkpoint)]
struct Integers {
    x: Vec<BigInt>,
}

/// Reads the value as the type that it is in Rust.
pub(super) fn check(vector: &Vector<'_>) -> &'static str {
    let value = vector.value.clone();
    let (kind, found) = match value {
        Value::Nil => ("nil", <()>::from_value(value).map(|()| json!(null))),
        Value::Bool(_) => ("bools", bool::from_value(value).map(|b| json!(b))),
        Value::Integer(_) => ("integers", BigInt::from_value(value).map(|n| n.json())),
        Value::Float64(_) => ("floats", f64::from_value(value).map(|x| x.json())),
        Value::String(_) => ("texts", String::from_value(value).map(|text| json!(text))),
        Value::Bytes(_) => (
            "byte strings",
            Vec::<u8>::from_value(value).map(|b| hex(&b)),
        ),
        Value::List(items) if items.is_empty() => ("empty lists", Ok(json!([]))),
        Value::Map(map) if map.is_empty() => ("empty maps", Ok(json!({}))),
        other => panic!("{}: {other:?}", vector.facts),
    };
    let found: Json = found.unwrap_or_else(|error| panic!("{}: {error}", vector.facts));
    vector.expect("value", &found, &vector.facts["values"]);
    if kind == "integers" && vector.facts["name"] == "integers" {
        let state: Integers = rmp_serde::from_slice(vector.bytes).unwrap();
        let index = vector.facts["path"][1].as_u64().unwrap() as usize;
        vector.expect("field", &state.x[index].json(), &vector.facts["values"]);
        assert_eq!(rmp_serde::to_vec(&state).unwrap(), vector.bytes);
        narrow(&state.x[index], vector.value);
    }
    kind
}

/// Each of Rust's integers takes the value if it fits, and refuses it if not.
fn narrow(expected: &BigInt, value: &Value<'_>) {
    macro_rules! each {
        ($($type:ty),*) => {$(
            let found = <$type>::from_value(value.clone());
            match <$type>::try_from(expected.clone()) {
                Ok(expected) => assert_eq!(found.unwrap(), expected),
                Err(_) => assert!(found.is_err(), "{expected} as {}", stringify!($type)),
            }
        )*};
    }
    each!(
        i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
    );
}
