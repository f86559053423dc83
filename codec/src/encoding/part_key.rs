//! The keys of encodings, told apart without keeping their text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Skip;

/// A key of a map that may be an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKey {
    Shape,
    Data,
    Dtype,
    Order,
    Pad,
    Integer,
    Chunks,
    Axis,
    Other,
}

impl PartKey {
    pub(crate) fn of(key: &str) -> Self {
        match key {
            "shape" => Self::Shape,
            "data" => Self::Data,
            "dtype" => Self::Dtype,
            "order" => Self::Order,
            "pad" => Self::Pad,
            "integer" => Self::Integer,
            "chunks" => Self::Chunks,
            "axis" => Self::Axis,
            _ => Self::Other,
        }
    }

    /// Returns true for the five keys that the map of an array may have.
    pub(crate) fn is_of_array(self) -> bool {
        matches!(
            self,
            Self::Shape | Self::Data | Self::Dtype | Self::Order | Self::Pad
        )
    }
}

/// Reads a key, past what can be none.
pub(super) struct PartKeySeed(pub(super) Skip);

impl<'de> DeserializeSeed<'de> for PartKeySeed {
    type Value = PartKey;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<PartKey, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PartKeySeed {
    type Value = PartKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<PartKey, E> {
        Ok(PartKey::of(key))
    }

    fn visit_unit<E>(self) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_none<E>(self) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<PartKey, D::Error> {
        self.deserialize(inner)
    }

    fn visit_bool<E>(self, _: bool) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_i128<E>(self, _: i128) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_u128<E>(self, _: u128) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<PartKey, E> {
        Ok(PartKey::Other)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<PartKey, D::Error> {
        self.0.visit_newtype_struct(inner).map(|()| PartKey::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<PartKey, A::Error> {
        self.0.visit_seq(seq).map(|()| PartKey::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PartKey, A::Error> {
        self.0.visit_map(map).map(|()| PartKey::Other)
    }
}
