//! What stands under one key of an encoding, read for what it is.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Extents, PAYLOAD_TOKEN, Skip, Span};
use crate::limits;

/// What stands under one key of an encoding.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    Bytes(Cow<'a, [u8]>),
    /// Bytes that are still in their source.
    Stored(Span),
    Text(Cow<'a, str>),
    Shape(Extents),
    /// Anything else, described.
    Other(String),
}

impl Part<'_> {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Self::Stored(span) => format!("{} bytes", span.length),
            Self::Text(_) => "a string".to_owned(),
            Self::Shape(_) => "a list".to_owned(),
            Self::Other(what) => what.clone(),
        }
    }
}

/// Reads a part, past what has no place in one.
#[derive(Clone, Copy)]
pub(super) struct PartSeed {
    skip: Skip,
    /// True for a payload that may stay in its source.
    stored: bool,
}

impl PartSeed {
    pub(super) fn new(skip: Skip) -> Self {
        let stored = false;
        Self { skip, stored }
    }

    pub(super) fn stored(self, stored: bool) -> Self {
        Self { stored, ..self }
    }
}

impl<'de> DeserializeSeed<'de> for PartSeed {
    type Value = Part<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Part<'de>, D::Error> {
        if self.stored {
            return deserializer.deserialize_newtype_struct(PAYLOAD_TOKEN, self);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PartSeed {
    type Value = Part<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of an encoded array")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Part::Bytes(Cow::Borrowed(bytes)))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Part::Bytes(Cow::Owned(bytes.to_vec())))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(Part::Bytes(Cow::Owned(bytes)))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Part::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Part::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Part::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let inside = LengthSeed(self.skip.inside()?);
        let mut shape = Extents::new();
        let mut other = None;
        while let Some(length) = seq.next_element_seed(inside)? {
            match length {
                Ok(length) if shape.len() <= limits::DIMENSIONS => shape.push(length),
                Ok(_) => {}
                Err(what) => drop(other.get_or_insert(what)),
            }
        }
        Ok(match other {
            None => Part::Shape(shape),
            Some(what) => Part::Other(format!("a list that holds {what}")),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        self.skip.inside()?.entries(&mut map)?;
        Ok(Part::Other("a map".to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Part::Other(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Part::Other(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Part::Other(value.to_string()))
    }

    /// A payload that stays in its source.
    fn visit_i128<E>(self, packed: i128) -> Result<Self::Value, E> {
        Ok(match Span::unpack(packed) {
            Some(span) if self.stored => Part::Stored(span),
            _ => Part::Other(packed.to_string()),
        })
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Part::Other(value.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Part::Other("nil".to_owned()))
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Part::Other("nil".to_owned()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        if self.stored {
            return self.stored(false).deserialize(inner);
        }
        self.skip.deserialize(inner)?;
        Ok(Part::Other("an extension".to_owned()))
    }
}

/// Reads the length of one axis; an error says what stands in its place.
#[derive(Clone, Copy)]
struct LengthSeed(Skip);

type Length = Result<usize, String>;

impl<'de> DeserializeSeed<'de> for LengthSeed {
    type Value = Length;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Length, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for LengthSeed {
    type Value = Length;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the length of an axis")
    }

    fn visit_u64<E>(self, value: u64) -> Result<Length, E> {
        Ok(usize::try_from(value).map_err(|_| value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Length, E> {
        Ok(usize::try_from(value).map_err(|_| value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Length, E> {
        Ok(Err(value.to_string()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Length, E> {
        Ok(Err(value.to_string()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Length, E> {
        Ok(Err("a string".to_owned()))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Length, E> {
        Ok(Err("bytes".to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Length, E> {
        Ok(Err("nil".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Length, A::Error> {
        self.0.inside()?.items(&mut seq)?;
        Ok(Err("a list".to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Length, A::Error> {
        self.0.inside()?.entries(&mut map)?;
        Ok(Err("a map".to_owned()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Length, D::Error> {
        self.0.deserialize(inner)?;
        Ok(Err("an extension".to_owned()))
    }
}
