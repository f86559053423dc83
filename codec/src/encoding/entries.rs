//! The entries of a map that may be an encoding: read in any order, then checked together.

use serde::de::MapAccess;

use super::chunk_parts::{self, Found, FoundSeed};
use super::part::{Part, PartSeed};
use super::part_key::{PartKey, PartKeySeed};
use super::parts::{Encoded, Parts, wrong};
use super::{LongIntegerEncoding, Skip};

/// What stands in a map that may be an encoding, of which nothing has been checked.
#[derive(Debug, Default)]
pub(crate) struct Entries<'de> {
    parts: Parts<'de>,
    integer: Option<Part<'de>>,
    chunks: Option<Found<'de>>,
    axis: Option<Found<'de>>,
    length: usize,
    /// True if there is an entry that no encoding has.
    other: bool,
}

impl<'de> Entries<'de> {
    /// Reads a map to its end.
    pub(crate) fn read<A: MapAccess<'de>>(
        mut map: A,
        inside: Skip,
        stored: bool,
        chunked: bool,
    ) -> Result<Self, A::Error> {
        let mut entries = Self::default();
        while let Some(key) = map.next_key_seed(PartKeySeed(inside))? {
            entries.length += 1;
            if chunked && matches!(key, PartKey::Chunks | PartKey::Axis) {
                let list = key == PartKey::Chunks;
                let found = map.next_value_seed(FoundSeed {
                    inside,
                    list,
                    stored,
                })?;
                let slot = match list {
                    true => &mut entries.chunks,
                    false => &mut entries.axis,
                };
                entries.other |= slot.replace(found).is_some();
                continue;
            }
            let stored = stored && key == PartKey::Data;
            let part = map.next_value_seed(PartSeed::new(inside).stored(stored))?;
            match key {
                PartKey::Integer if entries.integer.is_none() => entries.integer = Some(part),
                key => entries.other |= !entries.parts.set(key, part),
            }
        }
        Ok(entries)
    }

    /// Says what the map is.
    pub(crate) fn check(self) -> Encoded<'de> {
        let Self { parts, length, .. } = self;
        let other = match (self.chunks, self.axis) {
            (None, None) => self.other,
            (Some(chunks), Some(axis)) if length == 2 => {
                let joined = chunk_parts::build(chunks, axis);
                return joined.map_or_else(Encoded::Faulty, Encoded::Array);
            }
            _ => true,
        };
        match self.integer {
            _ if other => Encoded::Map,
            Some(Part::Text(text)) if length == 1 => {
                let integer = LongIntegerEncoding::new(text);
                integer.map_or_else(Encoded::Faulty, Encoded::Integer)
            }
            Some(part) if length == 1 => Encoded::Faulty(wrong("integer", "a decimal text", &part)),
            None if parts.are_those_of_an_array() => {
                parts.build().map_or_else(Encoded::Faulty, Encoded::Array)
            }
            _ => Encoded::Map,
        }
    }
}
