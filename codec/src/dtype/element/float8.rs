//! The eight-bit floats of ml_dtypes.

use std::fmt;
use std::marker::PhantomData;

use super::sealed::Sealed;
use super::{Cast, Element, InvalidItem, ReaderError};
use crate::dtype::{DType, MlType};

/// What the bits of a format mean.
struct Layout {
    /// Digits after the point.
    fraction: u32,
    bias: i32,
    special: Special,
}

enum Special {
    /// As in IEEE 754: the largest exponent is infinity and NaN.
    Ieee,
    /// All bits set is NaN, and there is no infinity.
    Finite,
    /// What would be -0 is the only NaN.
    NegativeZero,
    /// Nothing but an exponent: no sign, no zero, and one NaN.
    Exponent,
}

fn layout(ml: MlType) -> Option<Layout> {
    let (fraction, bias, special) = match ml {
        MlType::Float8E3M4 => (4, 3, Special::Ieee),
        MlType::Float8E4M3 => (3, 7, Special::Ieee),
        MlType::Float8E4M3B11Fnuz => (3, 11, Special::NegativeZero),
        MlType::Float8E4M3Fn => (3, 7, Special::Finite),
        MlType::Float8E4M3Fnuz => (3, 8, Special::NegativeZero),
        MlType::Float8E5M2 => (2, 15, Special::Ieee),
        MlType::Float8E5M2Fnuz => (2, 16, Special::NegativeZero),
        MlType::Float8E8M0Fnu => (0, 127, Special::Exponent),
        _ => return None,
    };
    Some(Layout {
        fraction,
        bias,
        special,
    })
}

/// Returns the digits and the exponents of the smallest and the largest bit.
pub(super) fn range(ml: MlType) -> Option<(u32, i32, i32)> {
    let Layout {
        fraction,
        bias,
        special,
    } = layout(ml)?;
    let (digits, steps) = (fraction.saturating_add(1), i32::try_from(fraction).ok()?);
    let (low, most) = match special {
        Special::Exponent => (0, 254),
        _ => (1 - steps, (1_i32 << (7 - fraction)) - 1),
    };
    Some((digits, low - bias, most - bias))
}

/// Returns the value of a code; none for types that are no eight-bit floats.
pub(super) fn decode(ml: MlType, bits: u8) -> Option<f32> {
    let Layout {
        fraction,
        bias,
        special,
    } = layout(ml)?;
    if matches!(special, Special::Exponent) {
        let value = power(i32::from(bits) - bias);
        return Some(if bits == 0xff {
            f32::NAN
        } else {
            narrow(value)
        });
    }
    let magnitude = bits & 0x7f;
    let exponent = magnitude >> fraction;
    let digits = magnitude & !(0x7f << fraction);
    let top = 0x7f >> fraction;
    let nan = match special {
        Special::Ieee if exponent == top && digits == 0 => {
            return Some(signed(bits, f32::INFINITY));
        }
        Special::Ieee => exponent == top,
        Special::Finite => magnitude == 0x7f,
        Special::NegativeZero | Special::Exponent => bits == 0x80,
    };
    if nan {
        return Some(signed(bits, f32::NAN));
    }
    let leading = if exponent == 0 { 0 } else { 1_u8 << fraction };
    let steps = i32::try_from(fraction).ok()?;
    let scale = power(i32::from(exponent.max(1)) - bias - steps);
    Some(signed(bits, narrow(f64::from(leading | digits) * scale)))
}

fn signed(bits: u8, value: f32) -> f32 {
    if bits < 0x80 { value } else { -value }
}

/// Returns 2 to a small power, exactly.
fn power(exponent: i32) -> f64 {
    2_f64.powi(exponent)
}

#[allow(clippy::cast_possible_truncation)]
fn narrow(exact: f64) -> f32 {
    exact as f32
}

/// A format of eight-bit floats; one marker each.
pub trait Float8Format:
    Sealed + Copy + Eq + std::hash::Hash + fmt::Debug + Send + Sync + 'static
{
    /// The type's name in ml_dtypes.
    const TYPE: MlType;
}

/// An eight-bit float of ml_dtypes, kept as its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Float8<F> {
    bits: u8,
    format: PhantomData<F>,
}

impl<F: Float8Format> Float8<F> {
    /// Makes the value that has these bits.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self {
            bits,
            format: PhantomData,
        }
    }

    /// Returns the bits.
    #[must_use]
    pub const fn to_bits(self) -> u8 {
        self.bits
    }

    /// Returns the value, which every `f32` can hold.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        decode(F::TYPE, self.bits).unwrap_or(f32::NAN)
    }
}

impl<F: Float8Format> From<Float8<F>> for f32 {
    fn from(value: Float8<F>) -> Self {
        value.to_f32()
    }
}

impl<F: Float8Format> fmt::Debug for Float8<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_f32(), f)
    }
}

impl<F: Float8Format> Element for Float8<F> {
    type Reader = ();

    const SIZE: usize = 1;

    fn dtype() -> DType {
        DType::Ml(F::TYPE)
    }

    fn reader(dtype: &DType, _cast: Cast) -> Result<(), ReaderError> {
        match dtype {
            DType::Ml(ml) if *ml == F::TYPE => Ok(()),
            // What NumPy calls such a type in its own dtype texts.
            DType::Void(1, _) => Ok(()),
            _ => Err(ReaderError::dtype(&Self::dtype(), dtype, None)),
        }
    }

    fn read((): &(), item: &[u8]) -> Result<Self, InvalidItem> {
        match item {
            [bits] => Ok(Self::from_bits(*bits)),
            _ => Err(InvalidItem::of_size(item.len(), 1)),
        }
    }

    fn write(&self, item: &mut [u8]) {
        if let [byte] = item {
            *byte = self.bits;
        }
    }

    fn accepts_all((): &()) -> bool {
        true
    }
}

macro_rules! formats {
    ($($format:ident, $alias:ident, $name:literal;)*) => {$(
        #[doc = concat!("The format of `", $name, "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $format;

        #[doc = concat!("`", $name, "` of ml_dtypes.")]
        pub type $alias = Float8<$format>;

        impl Sealed for $format {}

        impl Float8Format for $format {
            const TYPE: MlType = MlType::$alias;
        }
    )*};
}

formats! {
    E3M4, Float8E3M4, "float8_e3m4";
    E4M3, Float8E4M3, "float8_e4m3";
    E4M3B11Fnuz, Float8E4M3B11Fnuz, "float8_e4m3b11fnuz";
    E4M3Fn, Float8E4M3Fn, "float8_e4m3fn";
    E4M3Fnuz, Float8E4M3Fnuz, "float8_e4m3fnuz";
    E5M2, Float8E5M2, "float8_e5m2";
    E5M2Fnuz, Float8E5M2Fnuz, "float8_e5m2fnuz";
    E8M0Fnu, Float8E8M0Fnu, "float8_e8m0fnu";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `float32` of each code, as ml_dtypes 0.6.0 converts it.
    const FACTS: &str = include_str!("facts/float8.txt");

    fn matches_facts<F: Float8Format>(name: &str) {
        let line = FACTS
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let facts: Vec<&str> = line.unwrap().split(' ').collect();
        assert_eq!(facts.len(), 256);
        for (bits, fact) in (0..=255).zip(facts) {
            let value = <Float8<F>>::from_bits(bits).to_f32();
            let found = match value.is_nan() {
                true => "nan".to_owned(),
                false => format!("{:08x}", value.to_bits()),
            };
            assert_eq!(found, fact, "{name} {bits:#x}");
        }
    }

    #[test]
    fn every_code_has_the_value_of_ml_dtypes() {
        matches_facts::<E3M4>("float8_e3m4");
        matches_facts::<E4M3>("float8_e4m3");
        matches_facts::<E4M3B11Fnuz>("float8_e4m3b11fnuz");
        matches_facts::<E4M3Fn>("float8_e4m3fn");
        matches_facts::<E4M3Fnuz>("float8_e4m3fnuz");
        matches_facts::<E5M2>("float8_e5m2");
        matches_facts::<E5M2Fnuz>("float8_e5m2fnuz");
        matches_facts::<E8M0Fnu>("float8_e8m0fnu");
    }

    #[test]
    fn ranges_contain_every_value() {
        for ml in [
            MlType::Float8E3M4,
            MlType::Float8E5M2Fnuz,
            MlType::Float8E8M0Fnu,
        ] {
            let (digits, low, high) = range(ml).unwrap();
            for value in (0..=255)
                .filter_map(|bits| decode(ml, bits))
                .filter(|v| v.is_finite())
            {
                let magnitude = f64::from(value).abs();
                assert!(magnitude < power(high + 1));
                let scaled = magnitude / power(low);
                assert_eq!(scaled.fract(), 0.0, "{value}");
                assert!(digits <= 5);
            }
        }
    }
}
