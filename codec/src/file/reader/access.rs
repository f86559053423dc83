//! What a visitor is given of lists, maps, variants and extensions.

use serde::de::value::BorrowedBytesDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::Level;
use crate::error::Error;
use crate::state::all_taken;

/// The items of a list, or the entries of a map, that are still to come.
pub(super) struct Items<'r, 'de> {
    level: Level<'r, 'de>,
    left: usize,
    count: usize,
}

impl<'r, 'de> Items<'r, 'de> {
    pub(super) fn new(level: Level<'r, 'de>, count: usize) -> Self {
        Self {
            level,
            left: count,
            count,
        }
    }

    fn left(&self, bytes_each: usize) -> Option<usize> {
        let possible = self.level.0.tokens.rest().len() / bytes_each;
        Some(self.left.min(possible))
    }

    /// Refuses a visitor that stopped before the end.
    pub(super) fn end(&self, items: &str, list: &str) -> Result<(), Error> {
        all_taken(items, list, self.count, Some(self.left))
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
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

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left > 0 {
            self.level.0.check_key()?;
        }
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
pub(super) struct Variant<'r, 'de>(pub(super) Level<'r, 'de>);

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = self.0.0.value(seed)?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
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
    pub(super) bytes: Option<&'de [u8]>,
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
        let bytes = self.bytes.take().map(BorrowedBytesDeserializer::new);
        bytes.map(|bytes| seed.deserialize(bytes)).transpose()
    }
}
