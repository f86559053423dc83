//! The numbers a file may hold, loaded one by one into something wide enough for all of them.

use half::{bf16, f16};

use super::InvalidItem;
use super::float8;
use super::long_double::LongDouble;
use crate::dtype::{ByteOrder, DType, MlType, Number};

/// A number as it stands in a file, without any loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wide {
    Int(i128),
    Float(f64),
    /// A long double that no `f64` equals, and the nearest `f64`.
    Rounded(f64),
    Complex(f64, f64),
}

/// The kind and byte order of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    kind: Kind,
    big: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number(Number),
    Ml(MlType),
}

/// Which values a kind of number has, as far as conversions are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// Integers of so many bits beside the sign.
    Int { signed: bool, bits: u32 },
    /// Binary floating point: digits, and the exponents of its smallest and largest bits.
    Float { digits: u32, low: i32, high: i32 },
    /// Two of one floating point format.
    Complex { digits: u32, low: i32, high: i32 },
}

const F16: (u32, i32, i32) = (11, -24, 15);
const BF16: (u32, i32, i32) = (8, -133, 127);
const F32: (u32, i32, i32) = (24, -149, 127);
const F64: (u32, i32, i32) = (53, -1074, 1023);

fn float((digits, low, high): (u32, i32, i32)) -> Range {
    Range::Float { digits, low, high }
}

fn complex((digits, low, high): (u32, i32, i32)) -> Range {
    Range::Complex { digits, low, high }
}

impl Range {
    /// Returns the range of a dtype of numbers; none if it is not one that converts.
    pub(super) fn of(dtype: &DType) -> Option<Self> {
        let int = |signed, bits| Self::Int { signed, bits };
        Some(match dtype {
            DType::Number(number, _) => match number {
                Number::Bool => int(false, 1),
                Number::Int8 => int(true, 7),
                Number::Int16 => int(true, 15),
                Number::Int32 => int(true, 31),
                Number::Int64 => int(true, 63),
                Number::UInt8 => int(false, 8),
                Number::UInt16 => int(false, 16),
                Number::UInt32 => int(false, 32),
                Number::UInt64 => int(false, 64),
                Number::Float16 => float(F16),
                Number::Float32 => float(F32),
                Number::Float64 => float(F64),
                Number::LongDouble(_) => float((64, -16_445, 16_383)),
                Number::Complex64 => complex(F32),
                Number::Complex128 => complex(F64),
                Number::ComplexLongDouble(_) => return None,
            },
            DType::Ml(MlType::BFloat16) => float(BF16),
            DType::Ml(ml) => float(float8::range(*ml)?),
            _ => return None,
        })
    }

    /// Returns true if every value of this range is one of `target`.
    pub(super) fn fits(self, target: Self) -> bool {
        match (self, target) {
            (
                Self::Int { signed, bits },
                Self::Int {
                    signed: target_signed,
                    bits: target_bits,
                },
            ) => bits <= target_bits && (target_signed || !signed),
            (
                Self::Int { bits, .. },
                Self::Float { digits, high, .. } | Self::Complex { digits, high, .. },
            ) => bits <= digits && i64::from(bits) <= i64::from(high),
            (
                Self::Float { digits, low, high },
                Self::Float {
                    digits: target_digits,
                    low: target_low,
                    high: target_high,
                }
                | Self::Complex {
                    digits: target_digits,
                    low: target_low,
                    high: target_high,
                },
            )
            | (
                Self::Complex { digits, low, high },
                Self::Complex {
                    digits: target_digits,
                    low: target_low,
                    high: target_high,
                },
            ) => digits <= target_digits && low >= target_low && high <= target_high,
            (Self::Float { .. }, Self::Int { .. }) | (Self::Complex { .. }, _) => false,
        }
    }

    /// Returns which cast would turn values of this range into `target`.
    pub(super) fn hint(self, target: Self) -> Option<&'static str> {
        match (self, target) {
            _ if self.fits(target) => Some("`cast` allows it"),
            (Self::Complex { .. }, Self::Int { .. } | Self::Float { .. }) => None,
            (Self::Int { .. }, Self::Int { .. }) => Some("`cast` allows it for values in range"),
            _ => Some("`cast = \"lossy\"` allows it, and `cast` where no value changes"),
        }
    }

    pub(super) fn is_complex(self) -> bool {
        matches!(self, Self::Complex { .. })
    }
}

fn load<const N: usize>(item: &[u8], big: bool) -> Option<[u8; N]> {
    let mut bytes = <[u8; N]>::try_from(item).ok()?;
    if big {
        bytes.reverse();
    }
    Some(bytes)
}

impl Source {
    /// Returns how the numbers of a dtype are loaded; none if it is not one that converts.
    pub(super) fn of(dtype: &DType) -> Option<Self> {
        Range::of(dtype)?;
        let (kind, order) = match dtype {
            DType::Number(number, order) => (Kind::Number(*number), *order),
            DType::Ml(ml) => (Kind::Ml(*ml), ByteOrder::Little),
            _ => return None,
        };
        let big = order == ByteOrder::Big;
        Some(Self { kind, big })
    }

    /// Returns true if every item is a number.
    pub(super) fn accepts_all(self) -> bool {
        self.kind != Kind::Number(Number::Bool)
    }

    /// Loads one number.
    pub(super) fn load(self, item: &[u8]) -> Result<Wide, InvalidItem> {
        if !self.accepts_all() && !matches!(item, [0 | 1]) {
            return Err(not_bool(item));
        }
        self.wide(item)
            .ok_or_else(|| InvalidItem::new(format!("{} bytes", item.len()), "one number"))
    }

    fn wide(self, item: &[u8]) -> Option<Wide> {
        let big = self.big;
        let number = match self.kind {
            Kind::Ml(MlType::BFloat16) => {
                let value = bf16::from_le_bytes(load(item, big)?);
                return Some(Wide::Float(value.to_f64()));
            }
            Kind::Ml(ml) => {
                let [bits] = load(item, big)?;
                return float8::decode(ml, bits).map(|value| Wide::Float(value.into()));
            }
            Kind::Number(number) => number,
        };
        Some(match number {
            Number::Bool | Number::UInt8 => Wide::Int(u8::from_le_bytes(load(item, big)?).into()),
            Number::UInt16 => Wide::Int(u16::from_le_bytes(load(item, big)?).into()),
            Number::UInt32 => Wide::Int(u32::from_le_bytes(load(item, big)?).into()),
            Number::UInt64 => Wide::Int(u64::from_le_bytes(load(item, big)?).into()),
            Number::Int8 => Wide::Int(i8::from_le_bytes(load(item, big)?).into()),
            Number::Int16 => Wide::Int(i16::from_le_bytes(load(item, big)?).into()),
            Number::Int32 => Wide::Int(i32::from_le_bytes(load(item, big)?).into()),
            Number::Int64 => Wide::Int(i64::from_le_bytes(load(item, big)?).into()),
            Number::Float16 => Wide::Float(f16::from_le_bytes(load(item, big)?).to_f64()),
            Number::Float32 => Wide::Float(f32::from_le_bytes(load(item, big)?).into()),
            Number::Float64 => Wide::Float(f64::from_le_bytes(load(item, big)?)),
            Number::LongDouble(12) => {
                let [bytes @ .., _, _]: [u8; 12] = load(item, big)?;
                LongDouble::from_x87(bytes).wide()
            }
            Number::LongDouble(_) => LongDouble::from_le_bytes(load(item, big)?).wide(),
            Number::Complex64 => {
                let (re, im) = item.split_at_checked(4)?;
                let part = |bytes| Some(f32::from_le_bytes(load(bytes, big)?).into());
                Wide::Complex(part(re)?, part(im)?)
            }
            Number::Complex128 => {
                let (re, im) = item.split_at_checked(8)?;
                let part = |bytes| Some(f64::from_le_bytes(load(bytes, big)?));
                Wide::Complex(part(re)?, part(im)?)
            }
            Number::ComplexLongDouble(_) => return None,
        })
    }
}

/// Returns the error for an item that is no bool.
pub(super) fn not_bool(item: &[u8]) -> InvalidItem {
    match item {
        [byte] => InvalidItem::new(format!("bool of byte {byte}"), "0 or 1"),
        _ => InvalidItem::of_size(item.len(), 1),
    }
}

impl std::fmt::Display for Wide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Rounded(value) => write!(f, "about {value:?}"),
            Self::Complex(re, im) => write!(f, "{re:?}{im:+?}j"),
        }
    }
}
