//! What a visitor is given of lists, maps, variants and extensions.

use std::borrow::Cow;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::{Input, Level};
use crate::error::Error;
use crate::state::all_taken;

/// The items of a list, or the entries of a map, that are still to come.
pub(super) struct Items<'r, I> {
    level: Level<'r, I>,
    left: usize,
    count: usize,
}

impl<'r, 'de, I: Input<'de>> Items<'r, I> {
    pub(super) fn new(level: Level<'r, I>, count: usize) -> Self {
        Self {
            level,
            left: count,
            count,
        }
    }

    fn left(&self, bytes_each: usize) -> Option<usize> {
        let left = self.level.0.tokens.left();
        let bytes = left.map_or(usize::MAX, |left| {
            usize::try_from(left).unwrap_or(usize::MAX)
        });
        Some(self.left.min(bytes / bytes_each))
    }

    /// Refuses a visitor that stopped before the end.
    pub(super) fn end(&self, items: &str, list: &str) -> Result<(), Error> {
        all_taken(items, list, self.count, Some(self.left))
    }
}

impl<'de, I: Input<'de>> SeqAccess<'de> for Items<'_, I> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        self.level.0.value(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        self.left(1)
    }
}

impl<'de, I: Input<'de>> MapAccess<'de> for Items<'_, I> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.level.0.at_key = self.left > 0;
        self.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.level.0.value(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.left(2)
    }
}

/// The name and the content of a variant: a map of one entry.
pub(super) struct Variant<'r, I>(pub(super) Level<'r, I>);

impl<'de, I: Input<'de>> EnumAccess<'de> for Variant<'_, I> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = self.0.0.value(seed)?;
        Ok((name, self))
    }
}

impl<'de, I: Input<'de>> VariantAccess<'de> for Variant<'_, I> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Deserialize::deserialize(&mut *self.0.0)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        self.0.0.value(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.0.deserialize_any(visitor)
    }
}

/// The code and the bytes of an extension, which rmp-serde hands over as a pair.
pub(super) struct ExtensionParts<'de> {
    pub(super) code: Option<i8>,
    pub(super) bytes: Option<Cow<'de, [u8]>>,
}

impl<'de> SeqAccess<'de> for ExtensionParts<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if let Some(code) = self.code.take() {
            return seed.deserialize(code.into_deserializer()).map(Some);
        }
        let bytes = self.bytes.take();
        bytes
            .map(|bytes| seed.deserialize(Payload(bytes)))
            .transpose()
    }
}

/// Bytes, borrowed where they can be.
struct Payload<'de>(Cow<'de, [u8]>);

impl<'de> Deserializer<'de> for Payload<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        map struct identifier ignored_any option unit_struct newtype_struct seq tuple tuple_struct
        enum
    }
}
