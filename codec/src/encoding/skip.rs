//! Reading past values, no deeper than the stack allows.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::error::ErrorKind;
use crate::limits;

/// Reads past a value that may hold this many levels of lists and maps.
///
/// serde's `IgnoredAny` goes as deep as the format lets it, which is deeper than small stacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skip(usize);

impl Skip {
    /// Allows what a whole file may hold.
    pub(crate) const fn anything() -> Self {
        Self(limits::DEPTH)
    }

    /// Allows as many levels.
    pub(crate) fn levels(levels: usize) -> Self {
        Self(levels)
    }

    /// Returns what is allowed to the items of a list or map.
    ///
    /// # Errors
    /// If the list or map is not.
    pub(crate) fn inside<E: serde::de::Error>(self) -> Result<Self, E> {
        let limit = limits::DEPTH;
        let levels = self.0.checked_sub(1);
        levels
            .map(Self)
            .ok_or_else(|| E::custom(ErrorKind::TooDeep { limit }))
    }

    /// Reads past the rest of a list; returns how many items there were.
    pub(crate) fn items<'de, A: SeqAccess<'de>>(self, seq: &mut A) -> Result<usize, A::Error> {
        let mut count = 0;
        while seq.next_element_seed(self)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    /// Reads past the rest of a map; returns how many entries there were.
    pub(crate) fn entries<'de, A: MapAccess<'de>>(self, map: &mut A) -> Result<usize, A::Error> {
        let mut count = 0;
        while map.next_entry_seed(self, self)?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_ignored_any(self)
    }
}

impl<'de> Visitor<'de> for Skip {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i128<E>(self, _: i128) -> Result<(), E> {
        Ok(())
    }

    fn visit_u128<E>(self, _: u128) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        self.deserialize(inner)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<(), D::Error> {
        // An extension is a pair of its code and its bytes, and no level of its own.
        Self(self.0.max(1)).deserialize(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.inside()?.items(&mut seq).map(drop)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.inside()?.entries(&mut map).map(drop)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<(), A::Error> {
        let inside = self.inside()?;
        data.variant_seed(inside)?.1.newtype_variant_seed(inside)
    }
}
