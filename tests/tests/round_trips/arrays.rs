//! Arrays of every element, shape and memory layout.

use npcodec::checkpoint::RestoreOwned;
use npcodec::dtype::{
    Attoseconds, Bytes, Datetime64, Days, Float8E3M4, Float8E4M3, Float8E4M3B11Fnuz, Float8E4M3Fn,
    Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float8E8M0Fnu, Generic, LongDouble, Nanoseconds,
    Text, Timedelta64, Void, Weeks,
};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{ArrayD, IxDyn};
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, NumpyEncoding, decode, encode, from_slice, to_vec};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::items::{Item, Padded, Row, stream};
use super::layouts::{Layout, layout};

/// What every derived state is.
pub(crate) trait State: Checkpoint + RestoreOwned + Serialize + DeserializeOwned {}

impl<T: Checkpoint + RestoreOwned + Serialize + DeserializeOwned> State for T {}

/// Writes a state by every writer, and reads it by every reader.
pub(crate) fn again<S: State>(state: &S) -> [S; 3] {
    let bytes = to_vec(state).unwrap();
    assert_eq!(rmp_serde::to_vec(state).unwrap(), bytes);
    assert_eq!(encode(&state.to_value().unwrap()).unwrap(), bytes);
    assert_eq!(encode(&decode(&bytes).unwrap()).unwrap(), bytes);
    [
        from_slice(&bytes).unwrap(),
        rmp_serde::from_slice(&bytes).unwrap(),
        S::from_value(decode(&bytes).unwrap()).unwrap(),
    ]
}

/// Returns an array in what can be compared: its shape and the bits of each item.
pub(crate) fn facts<T: Item>(array: &ArrayD<T>) -> (&[usize], Vec<Vec<u8>>) {
    (array.shape(), array.iter().map(T::bits).collect())
}

#[derive(Checkpoint, Debug)]
struct Field<T> {
    x: ArrayD<T>,
}

fn check<T: Item>(layout: &Layout, seed: u64)
where
    Field<T>: State,
{
    let mut bits = stream(seed);
    let x = layout.array(|| T::item(bits()));
    let state = Field { x };
    for read in again(&state) {
        assert_eq!(facts(&read.x), facts(&state.x));
        // What was read once is as good as what was made here.
        assert_eq!(facts(&again(&read)[0].x), facts(&state.x));
    }
}

/// Turns the bytes of every number around, and says so.
fn check_big_endian<T: Item>(layout: &Layout, seed: u64, size: usize) {
    let mut bits = stream(seed);
    let array = layout.array(|| T::item(bits()));
    let little = NumpyEncoding::from_array(array.view()).unwrap();
    let data: Vec<u8> = little
        .data()
        .chunks(size)
        .flat_map(|number| number.iter().rev())
        .copied()
        .collect();
    let text = little.dtype_text().replace('<', ">");
    assert_ne!(text, little.dtype_text());
    let big = NumpyEncoding::new(little.shape().to_vec(), data, text, little.order()).unwrap();
    assert_eq!(facts(&big.to_array::<T, IxDyn>().unwrap()), facts(&array));
}

macro_rules! check_all {
    ($layout:ident, $seed:ident: $($type:ty),* $(,)?) => {
        $(check::<$type>(&$layout, $seed);)*
    };
}

proptest! {
    #![proptest_config(super::values::config(64))]

    #[test]
    fn numbers(layout in layout(), seed: u64) {
        check_all!(layout, seed:
            bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64,
            Complex<f32>, Complex<f64>, LongDouble, Float8E3M4, Float8E4M3, Float8E4M3B11Fnuz,
            Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float8E8M0Fnu,
        );
    }

    #[test]
    fn numbers_of_the_other_byte_order(layout in layout(), seed: u64) {
        check_big_endian::<i16>(&layout, seed, 2);
        check_big_endian::<u32>(&layout, seed, 4);
        check_big_endian::<i64>(&layout, seed, 8);
        check_big_endian::<f16>(&layout, seed, 2);
        check_big_endian::<f32>(&layout, seed, 4);
        check_big_endian::<f64>(&layout, seed, 8);
        check_big_endian::<Complex<f32>>(&layout, seed, 4);
        check_big_endian::<Complex<f64>>(&layout, seed, 8);
        check_big_endian::<LongDouble>(&layout, seed, 16);
        check_big_endian::<Datetime64<Nanoseconds>>(&layout, seed, 8);
        check_big_endian::<Text<4>>(&layout, seed, 4);
    }

    #[test]
    fn everything_else(layout in layout(), seed: u64) {
        check_all!(layout, seed:
            Datetime64<Nanoseconds>, Datetime64<Days, 25>, Timedelta64<Generic>, Timedelta64<Weeks>,
            Timedelta64<Attoseconds, 2_147_483_647>, Bytes<1>, Bytes<5>, Void<4>, Void<7>, Text<1>,
            Text<4>, String, Vec<u8>, Row, Padded,
        );
    }
}
