//! What is no array: integers of every size, a native float, a tree, a list of arrays.

use std::collections::BTreeMap;

use npcodec::Checkpoint;
use npcodec::ndarray::Array1;
use npcodec::num_bigint::BigInt;
use npcodec_tests::fact::{Fact, digits};
use npcodec_tests::vector::{Vector, array};

use crate::check::{Form, X, both, holders};

/// A field that says what integers are by default.
#[derive(Checkpoint, Debug)]
struct Integer<T> {
    #[checkpoint(integer)]
    x: T,
}

holders!(Integer);

/// Reads the integer into each type that has room for it, and into none that has not.
macro_rules! integers {
    ($vector:ident: $($type:ty),*) => {{
        let text = digits(&$vector.entry["values"]);
        $(match text.parse::<$type>() {
            Ok(value) => {
                both::<X<$type>>($vector, value.clone(), Form::File);
                both::<Integer<$type>>($vector, value, Form::File);
            }
            Err(_) => {
                let error = rmp_serde::from_slice::<X<$type>>(&$vector.bytes).unwrap_err();
                assert!(error.to_string().contains("x: "), "{error}");
            }
        })*
    }};
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
    c: Array1<f32>,
    d: Vec<i64>,
}

#[derive(Checkpoint, Debug)]
struct Nothing {}

fn tree(vector: &Vector) {
    let facts = &vector.entry["values"];
    assert_eq!(facts.as_object().map(serde_json::Map::len), Some(5));
    let state: X<Tree> = rmp_serde::from_slice(&vector.bytes).unwrap();
    let Tree {
        a,
        b,
        e: Nothing {},
        numbered,
        f,
    } = &state.x;
    let list = &facts["a"];
    assert_eq!(a.0, i64::fact(&list[0]));
    assert_eq!(a.1, f64::fact(&list[1]));
    assert_eq!(a.2, bool::fact(&list[2]));
    <()>::fact(&list[3]);
    assert_eq!(a.4, String::fact(&list[4]));
    assert_eq!(a.5, <Vec<u8>>::fact(&list[5]));
    let c: Array1<f32> = array(&facts["b"]["c"], &[3]);
    assert_eq!(b.c, c);
    assert_eq!(b.d, <Vec<i64>>::fact(&facts["b"]["d"]));
    assert_eq!(facts["e"].as_object().map(serde_json::Map::len), Some(0));
    assert_eq!(numbered, &BTreeMap::from([(7, String::fact(&facts["7"]))]));
    assert_eq!(f.0, i64::fact(&facts["f"][0]));
    assert_eq!(f.1, <Vec<i64>>::fact(&facts["f"][1]));
    assert_eq!(rmp_serde::to_vec(&state).unwrap(), vector.bytes);
}

pub(crate) fn check(vector: &Vector) -> bool {
    match &*vector.name {
        "float64_scalar_is_native" => {
            both::<X<f64>>(vector, f64::fact(&vector.entry["values"]), Form::File);
        }
        "int_0" | "int_neg1" | "int_2e31" | "int_2e32" | "int_i64_min" | "int_u64_max"
        | "int_over_u64" | "int_under_i64" | "int_u128_max" | "int_i128_min" | "int_300_digits"
        | "int_seed" => {
            integers!(vector: i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, usize, BigInt);
        }
        "tree" => tree(vector),
        "list_of_arrays" => {
            let lists = vector.entry["values"].as_array().unwrap();
            let expected: Vec<Array1<f32>> = lists
                .iter()
                .map(|list| array(list, &[list.as_array().unwrap().len()]))
                .collect();
            assert_eq!(expected.len(), 4);
            both::<X<Vec<Array1<f32>>>>(vector, expected, Form::File);
        }
        _ => return false,
    }
    true
}
