//! The attributes that choose an encoding, with any content.

use std::collections::BTreeMap;

use npcodec::Checkpoint;
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{ArcArray, Array1, ArrayD, IxDyn};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use proptest::prelude::*;

use super::arrays::{State, again, facts};
use super::items::{Item, Padded, Row, stream};
use super::layouts::{Layout, layout};

#[derive(Checkpoint, Debug)]
struct Records<T> {
    #[checkpoint(compress)]
    x: ArrayD<T>,
    #[checkpoint(compress)]
    list: Vec<Option<ArrayD<T>>>,
    #[checkpoint(compress)]
    map: BTreeMap<i64, Box<ArrayD<T>>>,
}

fn compressed<T: Item>(layout: &Layout, seed: u64)
where
    Records<T>: State,
{
    let mut bits = stream(seed);
    let mut array = || layout.array(|| T::item(bits()));
    let state = Records {
        x: array(),
        list: vec![None, Some(array())],
        map: BTreeMap::from([(-1, Box::new(array()))]),
    };
    for read in again(&state) {
        assert_eq!(facts(&read.x), facts(&state.x));
        let ([None, Some(read_one)], [_, Some(one)]) = (&read.list[..], &state.list[..]) else {
            panic!("{:?}", read.list);
        };
        assert_eq!(facts(read_one), facts(one));
        assert_eq!(facts(&read.map[&-1]), facts(&state.map[&-1]));
    }
}

#[derive(Checkpoint, Debug)]
struct Arrays<T> {
    #[checkpoint(scalar)]
    one: T,
    #[checkpoint(scalar)]
    some: Vec<Option<T>>,
    #[checkpoint(array)]
    list: Vec<T>,
    #[checkpoint(array)]
    block: [[T; 3]; 2],
    #[checkpoint(array)]
    rows: Option<Vec<[T; 2]>>,
    plain: [T; 2],
}

fn arrays<T: Item>(count: usize, seed: u64)
where
    Arrays<T>: State,
{
    let mut bits = stream(seed);
    let mut item = || T::item(bits());
    let state = Arrays {
        one: item(),
        some: vec![Some(item()), None, Some(item())],
        list: (0..count).map(|_| item()).collect(),
        block: [[item(), item(), item()], [item(), item(), item()]],
        rows: (count % 2 == 0).then(|| (0..count).map(|_| [item(), item()]).collect()),
        plain: [item(), item()],
    };
    let facts = |state: &Arrays<T>| {
        let some = state.some.iter().map(|item| item.as_ref().map(T::bits));
        let rows = state.rows.as_ref().map(|rows| rows.as_flattened());
        (
            [
                std::slice::from_ref(&state.one),
                &state.list,
                state.block.as_flattened(),
                &state.plain,
            ]
            .map(|items| items.iter().map(T::bits).collect::<Vec<_>>()),
            some.collect::<Vec<_>>(),
            rows.map(|rows| rows.iter().map(T::bits).collect::<Vec<_>>()),
        )
    };
    for read in again(&state) {
        assert_eq!(facts(&read), facts(&state));
    }
}

#[derive(Checkpoint, Debug)]
struct Vector<T> {
    #[checkpoint(array)]
    list: Vec<T>,
}

fn vectors<T: Item>(count: usize, seed: u64)
where
    Vector<T>: State,
{
    let mut bits = stream(seed);
    let list = (0..count).map(|_| T::item(bits())).collect();
    let state = Vector { list };
    let facts = |state: &Vector<T>| state.list.iter().map(T::bits).collect::<Vec<_>>();
    for read in again(&state) {
        assert_eq!(facts(&read), facts(&state));
    }
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Others {
    #[checkpoint(width = 6)]
    wide: ArrayD<String>,
    #[checkpoint(width = 4)]
    list: Vec<String>,
    #[checkpoint(integer)]
    integers: (i128, u128, BTreeMap<String, i8>),
    #[checkpoint(integer)]
    big: BigInt,
    #[checkpoint(cast)]
    safe: ArrayD<i64>,
    #[checkpoint(cast = "lossy")]
    lossy: Array1<u16>,
    shared: ArcArray<i32, IxDyn>,
    #[checkpoint(serde)]
    plain: (Option<u8>, String),
    #[checkpoint(rename = "odd key \n", alias = "other")]
    renamed: Option<bool>,
    #[checkpoint(flatten)]
    rest: BTreeMap<i64, u8>,
}

/// Under whose `F` labels there are rows: what they write themselves must be none of those.
#[derive(Checkpoint, Debug, PartialEq)]
struct RowMajor {
    #[checkpoint(fortran = "row_major")]
    x: ArrayD<i32>,
    #[checkpoint(fortran = "row_major")]
    deep: Vec<Option<Inside>>,
    tuple: InTuple,
    case: InCase,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Inside {
    texts: ArrayD<String>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct InTuple(u8, #[checkpoint(fortran = "row_major")] ArrayD<bool>);

#[derive(Checkpoint, Debug, PartialEq)]
enum InCase {
    One(#[checkpoint(fortran = "row_major")] ArrayD<u8>),
}

#[derive(Checkpoint, Debug)]
struct One {
    #[checkpoint(scalar)]
    row: Row,
}

proptest! {
    #![proptest_config(super::values::config(48))]

    #[test]
    fn compress(layout in layout(), seed: u64) {
        macro_rules! each {
            ($($type:ty),*) => { $(compressed::<$type>(&layout, seed);)* };
        }
        each!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, Complex<f32>, Complex<f64>);
    }

    #[test]
    fn scalar_and_array(count in 0..5usize, seed: u64) {
        macro_rules! each {
            ($($type:ty),*) => { $(arrays::<$type>(count, seed);)* };
        }
        each!(bool, i8, i64, u16, u64, f16, bf16, f32, f64, Complex<f32>);
        vectors::<String>(count, seed);
        vectors::<Padded>(count, seed);
    }

    #[test]
    fn the_others(layout in layout(), seed: u64, integers: (i128, u128, i8), digits in "-?[1-9][0-9]{0,99}") {
        let mut bits = stream(seed);
        let state = Others {
            wide: layout.array(|| Item::item(bits())),
            list: (0..3).map(|_| Item::item(bits())).collect(),
            integers: (integers.0, integers.1, [(String::item(seed.into()), integers.2)].into()),
            big: digits.parse().unwrap(),
            safe: layout.array(|| Item::item(bits())),
            lossy: (0..3).map(|_| Item::item(bits())).collect(),
            shared: layout.array(|| Item::item(bits())).into_shared(),
            plain: ((seed % 3 == 0).then_some(7), Item::item(bits())),
            renamed: (seed % 2 == 0).then_some(true),
            rest: [(-5, 6), (seed as i64 | 1, 7)].into(),
        };
        for read in again(&state) {
            prop_assert_eq!(&read, &state);
        }
    }

    #[test]
    fn row_major(layout in layout(), seed: u64) {
        let mut bits = stream(seed);
        let state = RowMajor {
            x: layout.array(|| Item::item(bits())),
            deep: vec![None, Some(Inside { texts: layout.array(|| Item::item(bits())) })],
            tuple: InTuple(7, layout.array(|| Item::item(bits()))),
            case: InCase::One(layout.array(|| Item::item(bits()))),
        };
        for read in again(&state) {
            prop_assert_eq!(&read, &state);
        }
    }

    #[test]
    fn rows(seed: u64) {
        let mut bits = stream(seed);
        let state = One { row: Item::item(bits()) };
        for read in again(&state) {
            prop_assert_eq!(read.row.bits(), state.row.bits());
        }
    }
}
