//! States of nested containers.

use std::collections::{BTreeMap, HashMap, VecDeque};

use npcodec::Checkpoint;
use proptest::collection::{btree_map, hash_map, vec, vec_deque};
use proptest::option;
use proptest::prelude::*;

use super::arrays::again;

#[derive(Checkpoint, Debug, PartialEq, Clone)]
enum Step {
    Start,
    At(u64),
    Move(i8, String),
    Named { x: Option<u16>, inner: Vec<Step> },
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct State {
    small: (i8, i16, i32, i64, u8, u16, u32, u64),
    wide: (i128, u128),
    other: (bool, char, ()),
    texts: Vec<Option<String>>,
    bytes: (Vec<u8>, [u8; 3]),
    maps: BTreeMap<i64, HashMap<String, VecDeque<u32>>>,
    keys: HashMap<u64, Option<bool>>,
    step: Step,
    inner: Option<Box<State>>,
}

fn step() -> impl Strategy<Value = Step> {
    let leaf = prop_oneof![
        Just(Step::Start),
        any::<u64>().prop_map(Step::At),
        (any::<i8>(), ".{0,5}").prop_map(|(by, name)| Step::Move(by, name)),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        (option::of(any::<u16>()), vec(inner, 0..3)).prop_map(|(x, inner)| Step::Named { x, inner })
    })
}

fn state() -> impl Strategy<Value = State> {
    // The names that would make an integer or an array of a map are refused; these are no names.
    let maps = hash_map("[a-z]{0,3}", vec_deque(any::<u32>(), 0..3), 0..3);
    let leaf = (
        any::<(i8, i16, i32, i64, u8, u16, u32, u64)>(),
        any::<(i128, u128)>(),
        any::<(bool, char, ())>(),
        vec(option::of(".{0,40}"), 0..4),
        any::<(Vec<u8>, [u8; 3])>(),
        btree_map(any::<i64>(), maps, 0..3),
        hash_map(any::<u64>(), option::of(any::<bool>()), 0..20),
        step(),
    );
    let leaf = leaf.prop_map(
        |(small, wide, other, texts, bytes, maps, keys, step)| State {
            small,
            wide,
            other,
            texts,
            bytes,
            maps,
            keys,
            step,
            inner: None,
        },
    );
    let leaf = leaf.boxed();
    (leaf.clone(), option::of(leaf)).prop_map(|(state, inner)| State {
        inner: inner.map(Box::new),
        ..state
    })
}

#[derive(Checkpoint, Debug)]
struct Floats {
    single: f32,
    double: f64,
    list: Vec<f32>,
    some: Option<f64>,
}

proptest! {
    #![proptest_config(super::values::config(100))]

    #[test]
    fn containers(state in state()) {
        for read in again(&state) {
            prop_assert_eq!(&read, &state);
        }
    }

    #[test]
    fn floats_keep_their_bits(single: u32, double: u64, nan in 0..1u64 << 52) {
        for double in [double, 0x7ff0 << 48 | nan, 0xfff0 << 48 | nan] {
            for single in [single, 0x7f80_0000 | (nan as u32 & 0x7f_ffff)] {
                let state = Floats {
                    single: f32::from_bits(single),
                    double: f64::from_bits(double),
                    list: vec![f32::from_bits(single ^ 1), -0.0],
                    some: Some(f64::from_bits(double ^ 1)),
                };
                let bits = |state: &Floats| {
                    let list: Vec<_> = state.list.iter().map(|item| item.to_bits()).collect();
                    (state.single.to_bits(), state.double.to_bits(), list, state.some.map(f64::to_bits))
                };
                for read in again(&state) {
                    prop_assert_eq!(bits(&read), bits(&state));
                }
            }
        }
    }
}
