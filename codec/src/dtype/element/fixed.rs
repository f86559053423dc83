//! Byte strings and opaque bytes of a fixed length.

use std::fmt;
use std::ops::Deref;

use super::{Cast, Element, InvalidItem, ReaderError};
use crate::dtype::{ByteOrder, DType};

/// A byte string of at most `N` bytes, NUL-padded: `S` of NumPy.
///
/// NULs at its end are padding, as they are for NumPy; those inside are kept. Files have to hold the
/// very length: `Bytes<8>` is `|S8` and does not read `|S5`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes<const N: usize>([u8; N]);

impl<const N: usize> Bytes<N> {
    /// Takes a string; none if it is longer than `N` bytes.
    #[must_use]
    pub fn from_slice(string: &[u8]) -> Option<Self> {
        let mut padded = [0; N];
        padded.get_mut(..string.len())?.copy_from_slice(string);
        Some(Self(padded))
    }

    /// Returns the string, without the NULs at its end.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let length = self.0.iter().rposition(|&byte| byte != 0);
        let length = length.map_or(0, |last| last.saturating_add(1));
        self.0.get(..length).unwrap_or_default()
    }

    /// Returns all `N` bytes.
    #[must_use]
    pub fn padded(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Default for Bytes<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> From<[u8; N]> for Bytes<N> {
    fn from(padded: [u8; N]) -> Self {
        Self(padded)
    }
}

impl<const N: usize> Deref for Bytes<N> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<const N: usize> fmt::Debug for Bytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.as_bytes().escape_ascii())
    }
}

/// `N` bytes that mean nothing to NumPy: `V`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Void<const N: usize>(
    /// The bytes.
    pub [u8; N],
);

impl<const N: usize> Default for Void<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> From<[u8; N]> for Void<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

impl<const N: usize> fmt::Debug for Void<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Void(b\"{}\")", self.0.escape_ascii())
    }
}

macro_rules! fixed {
    ($type:ident: $own:expr, $same:pat => $length:expr) => {
        impl<const N: usize> Element for $type<N> {
            type Reader = ();

            const SIZE: usize = N;

            fn dtype() -> DType {
                $own
            }

            fn reader(dtype: &DType, _cast: Cast) -> Result<(), ReaderError> {
                match dtype {
                    $same if $length == N => Ok(()),
                    _ => Err(ReaderError::dtype(&Self::dtype(), dtype, None)),
                }
            }

            fn read((): &(), item: &[u8]) -> Result<Self, InvalidItem> {
                let bytes = item.try_into();
                bytes
                    .map(Self)
                    .map_err(|_| InvalidItem::of_size(item.len(), N))
            }

            fn write(&self, item: &mut [u8]) {
                if item.len() == N {
                    item.copy_from_slice(&self.0);
                }
            }

            fn accepts_all((): &()) -> bool {
                true
            }
        }
    };
}

fixed!(Bytes: DType::Bytes(N), DType::Bytes(length) => *length);
fixed!(Void: DType::Void(N, ByteOrder::NotApplicable), DType::Void(length, _) => *length);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trailing_nuls_are_padding() {
        let bytes = Bytes::from(*b"a\0b\0\0");
        assert_eq!(bytes.as_bytes(), b"a\0b");
        assert_eq!(format!("{bytes:?}"), r#"b"a\x00b""#);
        assert_eq!(Bytes::from_slice(b"a\0b"), Some(bytes));
        assert_eq!(<Bytes<2>>::from_slice(b"a\0b"), None);
        assert_eq!(<Bytes<0>>::default().as_bytes(), b"");
    }

    #[test]
    fn lengths_are_part_of_the_type() {
        assert!(<Bytes<3>>::reader(&DType::Bytes(3), Cast::Exact).is_ok());
        let error = <Bytes<3>>::reader(&DType::Bytes(2), Cast::Lossy).unwrap_err();
        assert_eq!(error.to_string(), "expected dtype `|S3`, found `|S2`");
        assert!(<Void<2>>::reader(&DType::Void(2, ByteOrder::Little), Cast::Exact).is_ok());
    }
}
