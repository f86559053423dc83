//! The keys of a sampler: a list to draw from, and where in it each key is.

use npcodec_derive::Checkpoint;

use super::faults::Faults;
use super::generator::Generator;
use super::ordered_index::OrderedIndex;
use super::pcg64::Pcg64;
use super::sampler::ReplayItemId;
use crate::error::{Error, ReplayError};

/// What every sampler has in a file: its keys and its generator.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
#[checkpoint(crate = "crate")]
pub struct SamplerState {
    pub(super) key_by_index: Vec<ReplayItemId>,
    pub(super) index_by_key: OrderedIndex,
    pub(super) rng_state: Generator,
}

impl SamplerState {
    pub(super) fn new(rng_state: Generator) -> Self {
        Self {
            key_by_index: Vec::new(),
            index_by_key: OrderedIndex::default(),
            rng_state,
        }
    }

    /// Returns the keys in the order of their indices.
    #[must_use]
    pub fn keys(&self) -> &[ReplayItemId] {
        &self.key_by_index
    }

    /// Returns the index under which the sampler looks for a key.
    #[must_use]
    pub fn index(&self, key: ReplayItemId) -> Option<usize> {
        self.index_by_key.get(key)
    }

    pub(super) fn known(&self, key: ReplayItemId) -> Result<usize, Error> {
        let index = self.index_by_key.get(key);
        index.ok_or_else(|| ReplayError::UnknownKey { key }.into())
    }

    pub(super) fn add(&mut self, key: ReplayItemId) {
        self.index_by_key.insert(key, self.key_by_index.len());
        self.key_by_index.push(key);
    }

    /// Checks that removing keys will remove these.
    pub(super) fn check_removal(&self, removed: &[ReplayItemId]) -> Result<(), Error> {
        removed.iter().try_for_each(|&key| {
            let found = self.key_by_index.get(self.known(key)?);
            if found == Some(&key) {
                return Ok(());
            }
            Err(ReplayError::StaleIndex { key }.into())
        })
    }

    /// Removes a key: the last one of the list takes its place.
    pub(super) fn remove(&mut self, key: ReplayItemId, faults: Faults) -> Result<(), Error> {
        if faults == Faults::Refuse {
            self.check_removal(&[key])?;
        }
        let index = self.known(key)?;
        let stale = || Error::from(ReplayError::StaleIndex { key });
        let last = self.key_by_index.len().checked_sub(1).ok_or_else(stale)?;
        if index > last {
            return Err(stale());
        }
        self.key_by_index.swap(index, last);
        // With a stale index neither of these two is the key.
        self.index_by_key.insert(self.key_by_index[index], index);
        let gone = self.key_by_index.pop().ok_or_else(stale)?;
        if !self.index_by_key.remove(gone) {
            return Err(ReplayError::UnknownKey { key: gone }.into());
        }
        Ok(())
    }

    pub(super) fn reindex(&mut self) {
        self.index_by_key.clear();
        for (index, key) in self.key_by_index.iter().enumerate() {
            self.index_by_key.insert(*key, index);
        }
    }

    pub(super) fn clear(&mut self) {
        self.key_by_index.clear();
        self.index_by_key.clear();
    }

    pub(super) fn check_size(&self, size: usize) -> Result<(), Error> {
        match (self.key_by_index.len(), size) {
            (0, _) => Err(ReplayError::NoKeys.into()),
            (count, 0) => Err(ReplayError::SampleSize { size, count }.into()),
            _ => Ok(()),
        }
    }

    /// Draws from the generator, which is as it was if that fails and faults are refused.
    pub(super) fn drawing<T>(
        &mut self,
        faults: Faults,
        draw: impl FnOnce(&mut Pcg64, &[ReplayItemId]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let generator = self.rng_state.pcg64()?;
        let before = generator.clone();
        let drawn = draw(generator, &self.key_by_index);
        if drawn.is_err() && faults == Faults::Refuse {
            *generator = before;
        }
        drawn
    }

    /// Draws keys evenly.
    pub(super) fn uniform(&mut self, size: usize, faults: Faults) -> Result<Vec<i64>, Error> {
        self.check_size(size)?;
        self.drawing(faults, |generator, keys| {
            let high = keys.len() as u64;
            let draw = |_| generator.integers(high).map(|index| keys[index as usize]);
            let drawn = (0..size).map(draw).collect::<Result<Vec<_>, _>>()?;
            given_out(drawn)
        })
    }
}

/// Checks that keys are what Dopamine can give out.
pub(super) fn given_out(keys: Vec<ReplayItemId>) -> Result<Vec<ReplayItemId>, Error> {
    match keys.iter().find(|key| i32::try_from(**key).is_err()) {
        Some(&key) => Err(ReplayError::LargeKey { key }.into()),
        None => Ok(keys),
    }
}
