//! The header of a file: JSON that says of each tensor what it is and where.

use std::fmt;

use ::safetensors::Dtype;
use ::safetensors::tensor::{Metadata, TensorInfo};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::fault::fault;
use super::METADATA;
use crate::encoding::no_memory;
use crate::error::{Error, ErrorKind};
use crate::file::check;

/// The longest header that the library reads.
const MOST: usize = 100_000_000;

/// The bytes of the length before the header, of which the header is a multiple.
const WORD: usize = size_of::<u64>();

/// The header, in the order of the file.
#[derive(Default)]
pub(super) struct Header {
    pub(super) metadata: Option<Vec<(String, String)>>,
    pub(super) tensors: Vec<(String, TensorInfo)>,
}

/// As the library has it, but that nothing else may stand beside it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Info {
    dtype: Dtype,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Header {
    /// Reads the header of a file; returns it with the bytes behind it.
    ///
    /// # Errors
    /// [`Format`](ErrorKind::Format), [`Truncated`](ErrorKind::Truncated) and
    /// [`Limit`](ErrorKind::Limit).
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let short = |needed| ErrorKind::Truncated {
            needed,
            found: bytes.len(),
        };
        let (length, rest) = bytes.split_first_chunk().ok_or_else(|| short(WORD))?;
        let claimed = u64::from_le_bytes(*length);
        let length = usize::try_from(claimed).unwrap_or(usize::MAX);
        check("bytes of header", length, MOST)?;
        let (text, data) = rest
            .split_at_checked(length)
            .ok_or_else(|| short(WORD + length))?;
        let header: Self = serde_json::from_slice(text).map_err(|error| {
            let offset = match error.line() {
                1 => error.column().saturating_sub(1),
                _ => 0,
            };
            fault(super::NAME, "a header of tensors", error).at((WORD + offset) as u64)
        })?;
        header.check(data.len())?;
        Ok((header, data))
    }

    /// Checks that the tensors fill the bytes without holes, as the library does.
    fn check(&self, length: usize) -> Result<(), Error> {
        let mut in_order = self.tensors.clone();
        in_order.sort_by_key(|(_, info)| info.data_offsets);
        let metadata = Metadata::new(None, in_order)
            .map_err(|error| fault(super::NAME, "tensors without holes and overlaps", error))?;
        if metadata.data_len() == length {
            return Ok(());
        }
        let expected = format!("tensors of {length} bytes");
        Err(fault(super::NAME, expected, metadata.data_len()))
    }

    /// Returns the length and the header as they stand in a file, filled up to a multiple of 8.
    ///
    /// # Errors
    /// [`Limit`](ErrorKind::Limit) for a header that the library would not read.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; WORD];
        serde_json::to_writer(&mut bytes, self)
            .map_err(|error| fault(super::NAME, "names that JSON can hold", error))?;
        let length = (bytes.len() - WORD).next_multiple_of(WORD);
        check("bytes of header", length, MOST)?;
        bytes
            .try_reserve(WORD)
            .map_err(|_| no_memory(bytes.len() + WORD))?;
        bytes.resize(WORD + length, b' ');
        bytes[..WORD].copy_from_slice(&(length as u64).to_le_bytes());
        Ok(bytes)
    }
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of names to tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let (mut header, mut seen) = (Header::default(), false);
                while let Some(name) = map.next_key::<String>()? {
                    if name == METADATA {
                        // As in the library, null is a map that is not there.
                        let texts: Option<Texts> = map.next_value()?;
                        if std::mem::replace(&mut seen, true) {
                            return Err(A::Error::custom("`__metadata__` occurs twice"));
                        }
                        header.metadata = texts.map(|Texts(texts)| texts);
                        continue;
                    }
                    let Info {
                        dtype,
                        shape,
                        data_offsets,
                    } = map.next_value()?;
                    let info = TensorInfo {
                        dtype,
                        shape,
                        data_offsets,
                    };
                    header.tensors.push((name, info));
                }
                Ok(header)
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(texts) = &self.metadata {
            map.serialize_entry(METADATA, &Borrowed(texts))?;
        }
        for (name, info) in &self.tensors {
            map.serialize_entry(name, info)?;
        }
        map.end()
    }
}

/// A map of texts in the order of the file.
struct Texts(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    texts.push(entry);
                }
                Ok(Texts(texts))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

struct Borrowed<'t>(&'t [(String, String)]);

impl Serialize for Borrowed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, text)| (key, text)))
    }
}
