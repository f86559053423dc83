//! The long double of x87 machines: ten bytes of value in sixteen.

use std::fmt;

use super::source::Wide;
use super::{Cast, Element, InvalidItem, ReaderError};
use crate::dtype::{ByteOrder, DType, Number};

/// `float128` of NumPy on x86: an 80-bit number in sixteen bytes, of which the last six are padding.
///
/// Python leaves in the padding what was there before; here it is zero. Equality is that of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LongDouble([u8; 16]);

const BIAS: i32 = 16_383;
const TOP_EXPONENT: u16 = 0x7fff;

impl LongDouble {
    /// Makes the value that has these bytes, least significant first.
    #[must_use]
    pub const fn from_le_bytes([a, b, c, d, e, f, g, h, i, j, ..]: [u8; 16]) -> Self {
        Self([a, b, c, d, e, f, g, h, i, j, 0, 0, 0, 0, 0, 0])
    }

    /// Returns the bytes, least significant first.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 16] {
        self.0
    }

    pub(super) fn from_x87([a, b, c, d, e, f, g, h, i, j]: [u8; 10]) -> Self {
        Self([a, b, c, d, e, f, g, h, i, j, 0, 0, 0, 0, 0, 0])
    }

    /// Makes the value that an `f64` is, which is exact.
    #[must_use]
    pub fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        let fraction = bits & ((1 << 52) - 1);
        let (exponent, significand) = match (bits >> 52) & 0x7ff {
            0 if fraction == 0 => (0, 0),
            0 => {
                let shift = fraction.leading_zeros();
                // The smallest bit of an f64 is 2^-1074, and bit 63 the leading one of x87.
                let leading = 63_u16.saturating_sub(shift as u16);
                (16_383 - 1074 + leading, fraction << shift)
            }
            0x7ff => (TOP_EXPONENT, 1 << 63 | fraction << 11),
            exponent => (exponent as u16 + 16_383 - 1023, 1 << 63 | fraction << 11),
        };
        let [a, b, c, d, e, f, g, h] = u64::to_le_bytes(significand);
        let [i, j] = u16::to_le_bytes(sign | exponent);
        Self::from_x87([a, b, c, d, e, f, g, h, i, j])
    }

    /// Returns the nearest `f64`.
    ///
    /// Only for bytes of x86: other machines have other numbers of the same size.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self.wide() {
            Wide::Float(value) | Wide::Rounded(value) => value,
            Wide::Int(_) | Wide::Complex(..) => f64::NAN,
        }
    }

    pub(super) fn wide(self) -> Wide {
        let [a, b, c, d, e, f, g, h, i, j, ..] = self.0;
        let significand = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let head = u16::from_le_bytes([i, j]);
        let signed = |value: f64| if head >> 15 == 0 { value } else { -value };
        let exponent = head & TOP_EXPONENT;
        let (magnitude, exact) = match exponent {
            TOP_EXPONENT if significand << 1 == 0 => (f64::INFINITY, true),
            TOP_EXPONENT => (f64::NAN, true),
            // Without its leading one a number is none, for every x87 since the 80387.
            1.. if significand >> 63 == 0 => (f64::NAN, true),
            _ => scaled(significand, i32::from(exponent.max(1)) - BIAS - 63),
        };
        match exact {
            true => Wide::Float(signed(magnitude)),
            false => Wide::Rounded(signed(magnitude)),
        }
    }
}

/// Returns the `f64` nearest to an integer times a power of two, and whether it is the same.
fn scaled(significand: u64, exponent: i32) -> (f64, bool) {
    // The last bit that an f64 has beside a leading one at bit 63.
    let last = (exponent + 11).max(-1074);
    if last > 1023 - 52 {
        return (f64::INFINITY, false);
    }
    let shift = (last - exponent).unsigned_abs();
    let kept = significand.checked_shr(shift).unwrap_or(0);
    let rest = u128::from(significand) - kept.checked_shl(shift).map_or(0, u128::from);
    let half = 1_u128
        .checked_shl(shift.saturating_sub(1))
        .unwrap_or(u128::MAX);
    let up = rest > half || rest == half && kept & 1 == 1;
    let rounded = kept.saturating_add(u64::from(up));
    #[allow(clippy::cast_precision_loss)]
    let value = rounded as f64 * power(last);
    (value, rest == 0)
}

/// Returns 2 to a power from -1074 to 1023, exactly.
fn power(exponent: i32) -> f64 {
    let bits = match u64::try_from(exponent + 1023) {
        Ok(biased @ 1..) => biased << 52,
        _ => 1 << (exponent + 1074).clamp(0, 51),
    };
    f64::from_bits(bits)
}

impl fmt::Debug for LongDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_f64(), f)
    }
}

/// In which order the bytes of a long double lie.
#[derive(Debug, Clone, Copy)]
pub struct LongDoubleReader {
    big: bool,
}

impl Element for LongDouble {
    type Reader = LongDoubleReader;

    const SIZE: usize = 16;
    const ALIGN: usize = 16;

    fn dtype() -> DType {
        DType::Number(Number::LongDouble(16), ByteOrder::Little)
    }

    fn reader(dtype: &DType, _cast: Cast) -> Result<LongDoubleReader, ReaderError> {
        match dtype {
            DType::Number(Number::LongDouble(16), order) => Ok(LongDoubleReader {
                big: *order == ByteOrder::Big,
            }),
            _ => Err(ReaderError::dtype(&Self::dtype(), dtype, None)),
        }
    }

    fn read(reader: &LongDoubleReader, item: &[u8]) -> Result<Self, InvalidItem> {
        let mut bytes =
            <[u8; 16]>::try_from(item).map_err(|_| InvalidItem::of_size(item.len(), 16))?;
        if reader.big {
            bytes.reverse();
        }
        Ok(Self::from_le_bytes(bytes))
    }

    fn write(&self, item: &mut [u8]) {
        if item.len() == self.0.len() {
            item.copy_from_slice(&self.0);
        }
    }

    fn accepts_all(_reader: &LongDoubleReader) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_hex(hex: &str) -> LongDouble {
        let digits = u128::from_str_radix(hex, 16).unwrap();
        let [.., a, b, c, d, e, f, g, h, i, j] = digits.to_be_bytes();
        LongDouble::from_x87([a, b, c, d, e, f, g, h, i, j])
    }

    /// The ten bytes of `numpy.longdouble` values, and the bits of `float()` of them.
    #[test]
    fn values_are_those_of_numpy() {
        for (hex, bits) in [
            ("00000000000000c0ff3f", 1.5_f64.to_bits()),
            ("000000000000009000c0", (-2.25_f64).to_bits()),
            ("cdccccccccccccccfb3f", 0.1_f64.to_bits()),
            ("a4f8cb1621c223acfb7f", f64::INFINITY.to_bits()),
            ("628e2763060000000000", 0),
            ("0000000000000080ff7f", f64::INFINITY.to_bits()),
            ("0000000000000080ffff", f64::NEG_INFINITY.to_bits()),
            ("a37e5831875b4493f93b", 0x1268_8b70_e62b),
            ("affbfffffffffffffe43", 0x7fef_ffff_ffff_ffff),
            ("00040000000000803440", 9_007_199_254_740_992_f64.to_bits()),
        ] {
            assert_eq!(from_hex(hex).to_f64().to_bits(), bits, "{hex}");
        }
        assert!(from_hex("00000000000000c0ff7f").to_f64().is_nan());
    }

    #[test]
    fn every_f64_comes_back() {
        for value in [
            0.0,
            -0.0,
            1.0,
            -0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1e-310,
        ] {
            let long = LongDouble::from_f64(value);
            assert_eq!(long.wide(), Wide::Float(value));
            assert_eq!(long.to_f64().to_bits(), value.to_bits());
        }
        assert!(LongDouble::from_f64(f64::NAN).to_f64().is_nan());
        assert_eq!(from_hex("cdccccccccccccccfb3f").wide(), Wide::Rounded(0.1));
    }
}
