//! From the widest numbers to each type: exactly, or rounded to nearest.

use half::{bf16, f16};
use num_complex::Complex;

use super::source::Wide;

/// A type that numbers convert to; none where the value would change, or is out of range.
pub(super) trait Convert: Sized {
    fn convert(wide: Wide, lossy: bool) -> Option<Self>;
}

/// Returns the integer that a number is.
pub(super) fn integer(wide: Wide, lossy: bool) -> Option<i128> {
    match wide {
        Wide::Int(value) => Some(value),
        Wide::Rounded(_) if !lossy => None,
        Wide::Float(value) | Wide::Rounded(value) => {
            let whole = value.trunc();
            // What passes i128 saturates, and so it stays out of range of every smaller type.
            #[allow(clippy::cast_possible_truncation)]
            (value.is_finite() && (lossy || whole == value)).then_some(whole as i128)
        }
        Wide::Complex(..) => None,
    }
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Convert for $type {
            fn convert(wide: Wide, lossy: bool) -> Option<Self> {
                Self::try_from(integer(wide, lossy)?).ok()
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// A floating point format that `f64` contains.
trait Narrow: Copy {
    /// Rounds to nearest, ties to even.
    fn round(value: f64) -> Self;
    fn round_int(value: i128) -> Self;
    fn widen(self) -> f64;
}

fn same(left: f64, right: f64) -> bool {
    left == right || left.is_nan() && right.is_nan()
}

fn narrow<T: Narrow>(wide: Wide, lossy: bool) -> Option<T> {
    match wide {
        Wide::Int(value) => {
            let rounded = T::round_int(value);
            let back = rounded.widen();
            // Integers of 64 bits at most: what is finite here comes back without saturating.
            #[allow(clippy::cast_possible_truncation)]
            let kept = lossy || back as i128 == value;
            (back.is_finite() && kept).then_some(rounded)
        }
        Wide::Float(value) => {
            let rounded = T::round(value);
            (lossy || same(rounded.widen(), value)).then_some(rounded)
        }
        Wide::Rounded(value) => lossy.then(|| T::round(value)),
        Wide::Complex(..) => None,
    }
}

/// Rounds to `f32` such that rounding once more, to fewer digits, gives the nearest value.
///
/// An inexact value gets an odd last bit, and so it never looks like a tie.
fn odd(rounded: f32, excess: bool, inexact: bool) -> f32 {
    let toward_zero = rounded.to_bits().wrapping_sub(u32::from(excess));
    f32::from_bits(toward_zero | u32::from(inexact))
}

/// Rounds to `f32`, and keeps what there is room for of the bits of a NaN, which the language need not.
fn round_float(value: f64) -> f32 {
    if !value.is_nan() {
        #[allow(clippy::cast_possible_truncation)]
        return value as f32;
    }
    let bits = value.to_bits();
    #[allow(clippy::cast_possible_truncation)]
    let (sign, mantissa) = (
        (bits >> 32) as u32 & 1 << 31,
        (bits >> 29) as u32 & 0x007f_ffff,
    );
    let mantissa = if mantissa == 0 { 1 << 22 } else { mantissa };
    f32::from_bits(sign | 0x7f80_0000 | mantissa)
}

fn odd_float(value: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation)]
    let rounded = value as f32;
    let back = f64::from(rounded);
    odd(rounded, back.abs() > value.abs(), !same(back, value))
}

fn odd_int(value: i128) -> f32 {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    let (rounded, back) = (value as f32, (value as f32) as i128);
    odd(
        rounded,
        back.unsigned_abs() > value.unsigned_abs(),
        back != value,
    )
}

macro_rules! narrow {
    ($($type:ty: $round:expr, $round_int:expr, $widen:expr;)*) => {$(
        impl Narrow for $type {
            fn round(value: f64) -> Self {
                $round(value)
            }
            fn round_int(value: i128) -> Self {
                $round_int(value)
            }
            fn widen(self) -> f64 {
                $widen(self)
            }
        }

        impl Convert for $type {
            fn convert(wide: Wide, lossy: bool) -> Option<Self> {
                narrow(wide, lossy)
            }
        }
    )*};
}

narrow! {
    f16: |value| f16::from_f32(odd_float(value)), |value| f16::from_f32(odd_int(value)), f16::to_f64;
    bf16: |value| bf16::from_f32(odd_float(value)), |value| bf16::from_f32(odd_int(value)), bf16::to_f64;
    f32: round_float, |value: i128| value as f32, f64::from;
    f64: |value| value, |value: i128| value as f64, |value| value;
}

impl<T: Narrow> Convert for Complex<T> {
    fn convert(wide: Wide, lossy: bool) -> Option<Self> {
        let (re, im) = match wide {
            Wide::Complex(re, im) => (Wide::Float(re), im),
            real => (real, 0.0),
        };
        Some(Self::new(
            narrow(re, lossy)?,
            narrow(Wide::Float(im), lossy)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float<T: Convert>(value: f64, lossy: bool) -> Option<T> {
        T::convert(Wide::Float(value), lossy)
    }

    #[test]
    fn safe_conversions_keep_the_value_or_refuse() {
        assert_eq!(float::<f32>(0.1, false), None);
        assert_eq!(float::<f32>(0.5, false), Some(0.5));
        assert!(float::<f32>(f64::NAN, false).is_some_and(f32::is_nan));
        for (wide, bits) in [
            (0x7ff0_0000_2000_0000, 0x7f80_0001),
            (0xfff8_0000_0000_0000, 0xffc0_0000),
            (0x7ff0_0000_0000_0001, 0x7fc0_0000),
        ] {
            let narrow = float::<f32>(f64::from_bits(wide), false);
            assert_eq!(narrow.map(f32::to_bits), Some(bits));
        }
        assert_eq!(float::<f32>(f64::INFINITY, false), Some(f32::INFINITY));
        assert_eq!(float::<f32>(1e300, false), None);
        assert_eq!(float::<u8>(255.0, false), Some(255));
        assert_eq!(float::<u8>(256.0, false), None);
        assert_eq!(float::<i32>(1.5, false), None);
        assert_eq!(f64::convert(Wide::Int((1 << 53) + 1), false), None);
        assert_eq!(f64::convert(Wide::Int(i128::from(u64::MAX)), false), None);
        assert_eq!(
            f64::convert(Wide::Int(-(1 << 63)), false),
            Some(-(2f64.powi(63)))
        );
        assert_eq!(u8::convert(Wide::Int(-1), false), None);
        assert_eq!(f64::convert(Wide::Complex(1.0, 0.0), true), None);
        assert_eq!(f64::convert(Wide::Rounded(1.0), false), None);
    }

    #[test]
    fn lossy_conversions_round_once_and_stay_in_range() {
        assert_eq!(float::<f32>(0.1, true), Some(0.1));
        assert_eq!(float::<i32>(-1.9, true), Some(-1));
        assert_eq!(float::<i64>(f64::NAN, true), None);
        assert_eq!(float::<i64>(9.3e18, true), None);
        assert_eq!(f16::convert(Wide::Int(70_000), true), None);
        // A hair above the tie between 1 and 1 + 2^-10 rounds up; by way of f32 it would be a tie.
        let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(float::<f16>(above, true).map(f16::to_bits), Some(0x3c01));
        assert_eq!(float::<f16>(-above, true).map(f16::to_bits), Some(0xbc01));
        let above = 1.0 + 2f64.powi(-8) + 2f64.powi(-40);
        assert_eq!(float::<bf16>(above, true).map(bf16::to_bits), Some(0x3f81));
        assert_eq!(
            float::<bf16>(2.0 - above, true).map(bf16::to_bits),
            Some(0x3f7f)
        );
        assert_eq!(float::<f16>(1e300, true), Some(f16::INFINITY));
        assert_eq!(float::<f16>(1e-300, true), Some(f16::ZERO));
        // 2^62 + 2^54 is a tie of bf16, one more is not.
        let tie = (1_i128 << 62) + (1 << 54);
        let bits = |value| bf16::convert(Wide::Int(value), true).map(bf16::to_bits);
        assert_eq!((bits(tie), bits(tie + 1)), (Some(0x5e80), Some(0x5e81)));
    }
}
