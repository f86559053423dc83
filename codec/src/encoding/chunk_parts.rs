//! What stands in a map of chunks, read for what it is.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::chunks::{fault, join};
use super::{Encoded, NumpyEncoding, Skip};
use crate::error::{Error, ErrorKind};

/// What stands under `chunks` or `axis`.
#[derive(Debug)]
pub(super) enum Found<'a> {
    Arrays(Vec<NumpyEncoding<'a>>),
    Array(NumpyEncoding<'a>),
    Axis(usize),
    Faulty(Error),
    /// Anything else, described.
    Other(String),
}

/// Makes the array of the two entries of a map.
pub(super) fn build<'a>(chunks: Found<'a>, axis: Found<'a>) -> Result<NumpyEncoding<'a>, Error> {
    let chunks = match chunks {
        Found::Arrays(chunks) => chunks,
        Found::Faulty(error) => return Err(error),
        found => return Err(fault("a list of arrays", found.describe())),
    };
    match axis {
        Found::Axis(axis) => join(chunks, axis),
        found => Err(ErrorKind::Encoding {
            key: "axis",
            expected: "the number of an axis",
            found: found.describe(),
        }
        .into()),
    }
}

impl Found<'_> {
    fn describe(&self) -> String {
        match self {
            Self::Arrays(_) => "a list".to_owned(),
            Self::Array(array) => array.to_string(),
            Self::Axis(axis) => axis.to_string(),
            Self::Faulty(error) => error.to_string(),
            Self::Other(what) => what.clone(),
        }
    }
}

/// Reads what stands under `chunks` or `axis`, or one of the chunks.
#[derive(Clone, Copy)]
pub(super) struct FoundSeed {
    pub(super) inside: Skip,
    /// True for a value whose items are to be arrays.
    pub(super) list: bool,
    /// True if the payloads of the arrays may stay in their source.
    pub(super) stored: bool,
}

impl<'de> DeserializeSeed<'de> for FoundSeed {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FoundSeed {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of an array in chunks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let inside = self.inside.inside()?;
        if !self.list {
            inside.items(&mut seq)?;
            return Ok(Found::Other("a list".to_owned()));
        }
        let mut arrays = Vec::new();
        let item = Self {
            inside,
            list: false,
            stored: self.stored,
        };
        while let Some(found) = seq.next_element_seed(item)? {
            let error = match found {
                Found::Array(array) => {
                    arrays.push(array);
                    continue;
                }
                Found::Faulty(error) => error,
                other => fault("a list of arrays", other.describe()),
            };
            inside.items(&mut seq)?;
            return Ok(Found::Faulty(error));
        }
        Ok(Found::Arrays(arrays))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(
            match Encoded::whole(map, self.inside.inside()?, self.stored)? {
                Encoded::Array(array) => Found::Array(array),
                Encoded::Faulty(error) => Found::Faulty(error),
                other => Found::Other(other.to_string()),
            },
        )
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Found::Other(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(usize::try_from(value).map_or_else(|_| Found::Other(value.to_string()), Found::Axis))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(usize::try_from(value).map_or_else(|_| Found::Other(value.to_string()), Found::Axis))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Found::Other(format!("float {value}")))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Found::Other("a string".to_owned()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Found::Other(format!("{} bytes", bytes.len())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Found::Other("nil".to_owned()))
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Found::Other("nil".to_owned()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        self.inside.deserialize(inner)?;
        Ok(Found::Other("an extension".to_owned()))
    }
}
