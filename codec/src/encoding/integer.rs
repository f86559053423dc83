//! Integers of any size: native up to 64 bits, decimal text beyond.

use std::borrow::Cow;
use std::fmt;

use num_bigint::{BigInt, BigUint};

use crate::error::{Error, ErrorKind};
use crate::limits;

/// An integer beyond 64 bits in its wire form, `{"integer": "<decimal>"}`.
///
/// The text is ASCII `-?[0-9]+` of at most 4,300 digits, which is as much as Python turns into an
/// integer; it is kept as it was found.
///
/// ```
/// use npcodec::LongIntegerEncoding;
///
/// let long = LongIntegerEncoding::new("18446744073709551616")?;
/// assert_eq!(long.to_bigint(), npcodec::num_bigint::BigInt::from(1u128 << 64));
/// assert!(LongIntegerEncoding::new("0x10").is_err());
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LongIntegerEncoding<'a>(Cow<'a, str>);

impl<'a> LongIntegerEncoding<'a> {
    /// Checks that a text is a decimal integer.
    ///
    /// # Errors
    /// [`ErrorKind::LongInteger`] for any other text.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, Error> {
        let text = text.into();
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let decimal = (1..=limits::DIGITS).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if decimal {
            Ok(Self(text))
        } else {
            let text = text.into_owned();
            Err(ErrorKind::LongInteger { text }.into())
        }
    }

    /// Returns the decimal text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the integer.
    #[must_use]
    pub fn to_bigint(&self) -> BigInt {
        // Cannot fail: the constructor has checked the text.
        self.0.parse().unwrap_or_default()
    }

    /// Returns the same integer, borrowing from this one.
    #[must_use]
    pub fn borrowed(&self) -> LongIntegerEncoding<'_> {
        LongIntegerEncoding(Cow::Borrowed(&self.0))
    }

    /// Returns the same integer with its own text.
    #[must_use]
    pub fn into_owned(self) -> LongIntegerEncoding<'static> {
        LongIntegerEncoding(Cow::Owned(self.0.into_owned()))
    }

    pub(crate) fn into_text(self) -> Cow<'a, str> {
        self.0
    }

    /// Parses into one of Rust's integers, without work for a text that is too long for any.
    fn parse<T: std::str::FromStr>(&self) -> Option<T> {
        let negative = self.0.starts_with('-');
        let digits = self.0.trim_start_matches(['-', '0']);
        // u128::MAX has 39 digits; leading zeros are legal and rare.
        if digits.len() > 39 {
            return None;
        }
        match (negative, digits) {
            (_, "") => "0".parse().ok(),
            (false, _) => digits.parse().ok(),
            (true, _) => format!("-{digits}").parse().ok(),
        }
    }
}

/// An integer of any size, as files hold it.
///
/// `From` gives the native form wherever the number fits 64 bits, signed or unsigned, and the decimal
/// form beyond, which is what Dopamine writes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Integer<'a> {
    /// A native integer below 2^63.
    Signed(i64),
    /// A native integer from 2^63 up.
    Unsigned(u64),
    /// A decimal text.
    Long(LongIntegerEncoding<'a>),
}

impl Integer<'_> {
    /// Returns the integer as a big one.
    #[must_use]
    pub fn to_bigint(&self) -> BigInt {
        match self {
            Self::Signed(value) => BigInt::from(*value),
            Self::Unsigned(value) => BigInt::from(*value),
            Self::Long(text) => text.to_bigint(),
        }
    }

    /// Returns the integer if it fits an `i128`.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Self::Signed(value) => Some(i128::from(*value)),
            Self::Unsigned(value) => Some(i128::from(*value)),
            Self::Long(text) => text.parse(),
        }
    }

    /// Returns the integer if it fits a `u128`.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        match self {
            Self::Signed(value) => u128::try_from(*value).ok(),
            Self::Unsigned(value) => Some(u128::from(*value)),
            Self::Long(text) => text.parse(),
        }
    }

    /// Returns the same integer, borrowing from this one.
    #[must_use]
    pub fn borrowed(&self) -> Integer<'_> {
        match self {
            Self::Signed(value) => Integer::Signed(*value),
            Self::Unsigned(value) => Integer::Unsigned(*value),
            Self::Long(text) => Integer::Long(text.borrowed()),
        }
    }

    /// Returns the same integer with its own text.
    #[must_use]
    pub fn into_owned(self) -> Integer<'static> {
        match self {
            Self::Signed(value) => Integer::Signed(value),
            Self::Unsigned(value) => Integer::Unsigned(value),
            Self::Long(text) => Integer::Long(text.into_owned()),
        }
    }
}

impl fmt::Display for Integer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signed(value) => write!(f, "{value}"),
            Self::Unsigned(value) => write!(f, "{value}"),
            Self::Long(text) => f.write_str(text.as_str()),
        }
    }
}

impl From<i64> for Integer<'_> {
    fn from(value: i64) -> Self {
        Self::Signed(value)
    }
}

impl From<u64> for Integer<'_> {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Self::Unsigned(value), Self::Signed)
    }
}

impl From<i128> for Integer<'_> {
    fn from(value: i128) -> Self {
        if let Ok(value) = i64::try_from(value) {
            Self::Signed(value)
        } else if let Ok(value) = u64::try_from(value) {
            Self::Unsigned(value)
        } else {
            Self::Long(LongIntegerEncoding(Cow::Owned(value.to_string())))
        }
    }
}

impl From<u128> for Integer<'_> {
    fn from(value: u128) -> Self {
        match u64::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => Self::Long(LongIntegerEncoding(Cow::Owned(value.to_string()))),
        }
    }
}

/// # Errors
/// [`ErrorKind::LongInteger`] for a number of more than 4,300 digits.
impl TryFrom<&BigInt> for Integer<'_> {
    type Error = Error;

    fn try_from(value: &BigInt) -> Result<Self, Error> {
        if let Ok(value) = i128::try_from(value) {
            return Ok(value.into());
        }
        // A digit is more than three bits: no text is made of a number that is far too long.
        if value.bits() > 4 * limits::DIGITS as u64 {
            let text = format!("an integer of {} bits", value.bits());
            return Err(ErrorKind::LongInteger { text }.into());
        }
        LongIntegerEncoding::new(value.to_string()).map(Self::Long)
    }
}

/// # Errors
/// [`ErrorKind::LongInteger`] for a number of more than 4,300 digits.
impl TryFrom<&BigUint> for Integer<'_> {
    type Error = Error;

    fn try_from(value: &BigUint) -> Result<Self, Error> {
        Self::try_from(&BigInt::from(value.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_decimal_text_of_a_bounded_length_is_an_integer() {
        for text in ["0", "-1", "007", &"9".repeat(4300)] {
            assert!(LongIntegerEncoding::new(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "-",
            "+1",
            " 1",
            "1_000",
            "0x10",
            "1.0",
            "١",
            &"9".repeat(4301),
        ] {
            assert!(LongIntegerEncoding::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn integers_are_native_up_to_64_bits_and_text_beyond() {
        assert_eq!(Integer::from(u64::MAX as i128), Integer::Unsigned(u64::MAX));
        assert_eq!(Integer::from(i64::MIN as i128), Integer::Signed(i64::MIN));
        let over = Integer::from(1u128 << 64);
        assert_eq!(over.to_string(), "18446744073709551616");
        assert!(matches!(over, Integer::Long(_)));
        assert_eq!(over.to_u128(), Some(1 << 64));
        assert_eq!(Integer::from(i128::MIN).to_i128(), Some(i128::MIN));
        assert_eq!(Integer::from(u128::MAX).to_i128(), None);
        let huge = BigInt::from(1) << 1_000_000;
        let error = Integer::try_from(&huge).map_err(|error: Error| error.to_string());
        assert!(error.is_err_and(|text| text.contains("an integer of 1000001 bits")));
        let zeros = LongIntegerEncoding::new("0".repeat(100) + "7").map(Integer::Long);
        assert_eq!(zeros.ok().and_then(|zeros| zeros.to_u128()), Some(7));
        let long = |text: &'static str| LongIntegerEncoding::new(text).map(Integer::Long).unwrap();
        assert_eq!(long("-0").to_u128(), Some(0));
        assert_eq!(long("-007").to_i128(), Some(-7));
        assert_eq!(long("-7").to_u128(), None);
    }
}
