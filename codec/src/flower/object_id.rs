//! The name of an object: the SHA-256 of its bytes.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _, Unexpected, Visitor};
use sha2::{Digest, Sha256};

use crate::error::{Error, FlowerError};
use crate::path::excerpt;

/// The id of an object: SHA-256 over the whole of what the object deflates to.
///
/// Printed and parsed as 64 lower-case hexadecimal digits, and nothing else: what flwr's own test of an
/// id lets pass beside them (`0x`, upper case, blanks) no object has for its id.
///
/// ```
/// use npcodec::flower::ObjectId;
///
/// let id = ObjectId::of(b"RecordDict  2\0{}");
/// let text = "a5fc9cb09319dc373f7a8f11a799fd0d90c359120fd6241c230de34a4f93be3e";
/// assert_eq!(id.to_string(), text);
/// assert_eq!(text.parse::<ObjectId>()?, id);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId([u8; 32]);

impl ObjectId {
    /// Hashes the bytes of an object.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self::of_parts([content])
    }

    /// Hashes bytes that lie in several places.
    pub(super) fn of_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// Returns the 32 bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lower-case hexadecimal digits.
    pub(super) fn from_hex(text: &[u8]) -> Option<Self> {
        let digits: &[u8; 64] = text.try_into().ok()?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let &[high, low] = pair else { return None };
            *byte = digit(high)? << 4 | digit(low)?;
        }
        Some(Self(bytes))
    }
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}

impl From<[u8; 32]> for ObjectId {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl FromStr for ObjectId {
    type Err = Error;

    /// # Errors
    /// [`FlowerError::ObjectId`].
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_hex(text.as_bytes()).ok_or_else(|| {
            let text = excerpt(text).into_owned();
            FlowerError::ObjectId { text }.into()
        })
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ObjectId({self})")
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Hex;

        impl Visitor<'_> for Hex {
            type Value = ObjectId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object id of 64 lower-case hexadecimal digits")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ObjectId, E> {
                let id = ObjectId::from_hex(text.as_bytes());
                id.ok_or_else(|| E::invalid_value(Unexpected::Str(&excerpt(text)), &self))
            }
        }

        deserializer.deserialize_str(Hex).map_err(D::Error::custom)
    }
}
