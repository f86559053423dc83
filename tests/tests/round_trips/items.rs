//! Items of every type that arrays are made of, out of random bits, and compared by their bits.

use npcodec::dtype::{
    Attoseconds, Bytes, Datetime64, Element, Float8, Float8Format, LongDouble, Text, Timedelta64,
    TimedeltaUnit, Void,
};
use npcodec::half::{bf16, f16};
use npcodec::num_complex::Complex;
use npcodec::{ArrayElement, Structured};

/// An item that any bits make.
pub(crate) trait Item: ArrayElement + std::fmt::Debug {
    fn item(bits: u128) -> Self;

    /// Returns what tells the item from all others; NaNs are told apart, and so are zeros.
    fn bits(&self) -> Vec<u8>;
}

/// An item whose bits are those that are written.
fn written<T: Element>(item: &T) -> Vec<u8> {
    let mut bytes = vec![0; T::SIZE];
    item.write(&mut bytes);
    bytes
}

macro_rules! items {
    ($([$($generics:tt)*] $type:ty: $bits:ident => $item:expr;)*) => {$(
        impl<$($generics)*> Item for $type {
            fn item($bits: u128) -> Self {
                $item
            }

            fn bits(&self) -> Vec<u8> {
                written(self)
            }
        }
    )*};
}

items! {
    [] bool: bits => bits % 2 == 1;
    [] i8: bits => bits as i8;
    [] i16: bits => bits as i16;
    [] i32: bits => bits as i32;
    [] i64: bits => bits as i64;
    [] u8: bits => bits as u8;
    [] u16: bits => bits as u16;
    [] u32: bits => bits as u32;
    [] u64: bits => bits as u64;
    [] f16: bits => f16::from_bits(bits as u16);
    [] bf16: bits => bf16::from_bits(bits as u16);
    [] f32: bits => f32::from_bits(bits as u32);
    [] f64: bits => f64::from_bits(bits as u64);
    [] Complex<f32>: bits => Complex::new(Item::item(bits), Item::item(bits >> 32));
    [] Complex<f64>: bits => Complex::new(Item::item(bits), Item::item(bits >> 64));
    [] LongDouble: bits => LongDouble::from_le_bytes(bits.to_le_bytes());
    [F: Float8Format] Float8<F>: bits => Float8::from_bits(bits as u8);
    [U: TimedeltaUnit, const N: u32] Datetime64<U, N>: bits => Datetime64::new(bits as i64);
    [U: TimedeltaUnit, const N: u32] Timedelta64<U, N>: bits => Timedelta64::new(bits as i64);
    [const N: usize] Bytes<N>: bits => array(bits).into();
    [const N: usize] Void<N>: bits => Void(array(bits));
    [const N: usize] Text<N>: bits => Text::from_text(&text(bits, N)).unwrap();
    [] Row: bits => Row {
        flag: Item::item(bits >> 7),
        point: Point { x: Item::item(bits), y: Item::item(bits >> 40) },
        block: [[bits as i16; 3], [(bits >> 16) as i16; 3]],
        name: Item::item(bits >> 9),
        at: Item::item(bits >> 11),
    };
    [] Padded: bits => Padded {
        small: bits as i8,
        large: Item::item(bits),
        raw: Item::item(bits >> 30),
    };
}

impl Item for String {
    fn item(bits: u128) -> Self {
        text(bits, 4)
    }

    fn bits(&self) -> Vec<u8> {
        self.clone().into_bytes()
    }
}

impl Item for Vec<u8> {
    fn item(bits: u128) -> Self {
        text(bits, 5).into_bytes()
    }

    fn bits(&self) -> Vec<u8> {
        self.clone()
    }
}

#[derive(Structured, Clone, Debug)]
pub(crate) struct Point {
    x: f32,
    y: bf16,
}

#[derive(Structured, Clone, Debug)]
pub(crate) struct Row {
    flag: bool,
    point: Point,
    block: [[i16; 3]; 2],
    name: Text<3>,
    #[structured(rename = "it's \"é\"\\")]
    at: Datetime64<Attoseconds, 3>,
}

#[derive(Structured, Clone, Debug)]
#[structured(align)]
pub(crate) struct Padded {
    small: i8,
    large: Complex<f64>,
    raw: Void<3>,
}

fn array<const N: usize>(bits: u128) -> [u8; N] {
    std::array::from_fn(|place| (bits >> (8 * (place % 16))) as u8)
}

/// A text of at most so many characters, which does not end with NUL.
fn text(bits: u128, most: usize) -> String {
    let length = (bits % (most as u128 + 1)) as usize;
    let characters = ['a', '\0', 'é', '漢', '\u{10ffff}', ' '];
    let character =
        |place: usize| characters[(bits >> (8 * place + 8)) as usize % characters.len()];
    let text: String = (0..length).map(character).collect();
    text.trim_end_matches('\0').to_owned()
}

/// Random bits, and the patterns at the ends of the ranges in between.
pub(crate) fn stream(mut seed: u64) -> impl FnMut() -> u128 {
    let mut next = move || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    move || match next() % 8 {
        0 => 0,
        1 => u128::MAX,
        // The sign bits alone; NaNs with payloads.
        2 => 0x8000_0000_8000_0000_8080_8080_8080_8000,
        3 => 0x7ff4_0000_0000_0001_7ff4_0000_7fa0_7c01,
        _ => u128::from(next()) << 64 | u128::from(next()),
    }
}
