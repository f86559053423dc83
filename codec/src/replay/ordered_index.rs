//! A map from keys to indices that keeps the order in which its keys came, as Python's dicts do.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::de::Deserializer;

use super::sampler::ReplayItemId;
use super::wire;
use crate::checkpoint::{Context, MapSink, Restore, Save, Sink};
use crate::encoding::Integer;
use crate::state::{Key, Value};

/// Where each key is. Removing one takes no longer than finding it: every entry has a number, and
/// only who writes the map sorts by it.
#[derive(Debug, Clone, Default)]
pub(super) struct OrderedIndex {
    entries: HashMap<ReplayItemId, Entry>,
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    index: usize,
    number: u64,
}

impl OrderedIndex {
    pub(super) fn get(&self, key: ReplayItemId) -> Option<usize> {
        self.entries.get(&key).map(|entry| entry.index)
    }

    /// Sets the index of a key, which keeps its place if it is there.
    pub(super) fn insert(&mut self, key: ReplayItemId, index: usize) {
        let number = self.next;
        let entry = self.entries.entry(key).or_insert(Entry { index, number });
        entry.index = index;
        self.next += u64::from(entry.number == number);
    }

    pub(super) fn remove(&mut self, key: ReplayItemId) -> bool {
        self.entries.remove(&key).is_some()
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Returns the keys and their indices in the order of the keys.
    fn in_order(&self) -> Vec<(ReplayItemId, usize)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_unstable_by_key(|(_, entry)| entry.number);
        let pair = |(key, entry): (&ReplayItemId, &Entry)| (*key, entry.index);
        entries.into_iter().map(pair).collect()
    }
}

/// By what is in a file: the numbers of two maps differ with what was removed from them.
impl PartialEq for OrderedIndex {
    fn eq(&self, other: &Self) -> bool {
        self.in_order() == other.in_order()
    }
}

impl Save for OrderedIndex {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map_of_different(self.entries.len())?;
        for (key, index) in self.in_order() {
            let index = Value::Integer(Integer::from(index as u64));
            map.entry(Key::Integer(i128::from(key)), index)?;
        }
        map.end()
    }
}

impl<'de> Restore<'de> for OrderedIndex {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let entries: Option<IndexMap<ReplayItemId, usize>> = wire::restore(d, cx)?;
        Ok(entries.map(|entries| {
            let mut index = Self::default();
            for (key, at) in entries {
                index.insert(key, at);
            }
            index
        }))
    }
}
