//! What draws the keys of a sample.

use super::faults::Faults;
use super::generator::Generator;
use crate::checkpoint::{RestoreOwned, Save};
use crate::error::Error;

/// The key of an element in a replay buffer: how many were added before it.
pub type ReplayItemId = i64;

/// What a sampler drew.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SampleMetadata {
    /// The keys, of which some may be equal.
    pub keys: Vec<ReplayItemId>,
    /// With what probability each was drawn, where the sampler has priorities.
    pub probabilities: Option<Vec<f64>>,
}

/// New priorities, in the type that they are computed in.
///
/// NumPy raises an array to the exponent in the array's own type, so that priorities of 32 bits
/// give other sums than the same numbers as 64 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Priorities<'p> {
    /// Of 64 bits.
    F64(&'p [f64]),
    /// Of 32 bits.
    F32(&'p [f32]),
}

impl<'p> From<&'p [f64]> for Priorities<'p> {
    fn from(priorities: &'p [f64]) -> Self {
        Self::F64(priorities)
    }
}

impl<'p> From<&'p [f32]> for Priorities<'p> {
    fn from(priorities: &'p [f32]) -> Self {
        Self::F32(priorities)
    }
}

impl<'p> From<&'p Vec<f64>> for Priorities<'p> {
    fn from(priorities: &'p Vec<f64>) -> Self {
        Self::F64(priorities)
    }
}

impl<'p> From<&'p Vec<f32>> for Priorities<'p> {
    fn from(priorities: &'p Vec<f32>) -> Self {
        Self::F32(priorities)
    }
}

/// A sampling distribution over keys.
///
/// [`Save`] writes what Dopamine's `to_state_dict` gives; [`resume`](Self::resume) goes on with what
/// was written. What a sampler is made with is in no file.
pub trait SamplingDistribution: Save {
    /// What comes with a key that is added: `()`, or a priority.
    type Priority: Clone;
    /// What the file holds.
    type State: RestoreOwned;

    /// Adds a key.
    ///
    /// # Errors
    /// Those of the priority.
    fn add(&mut self, key: ReplayItemId, priority: Self::Priority) -> Result<(), Error>;

    /// Removes a key.
    ///
    /// # Errors
    /// [`UnknownKey`](crate::ReplayError::UnknownKey), and
    /// [`StaleIndex`](crate::ReplayError::StaleIndex) if another key would go.
    fn remove(&mut self, key: ReplayItemId) -> Result<(), Error>;

    /// Checks that so many keys can be added and so many removed: first one add after the other, and
    /// then an add and a removal by turns. The oldest are those of the removed keys that are there
    /// already; the others are among the added.
    ///
    /// # Errors
    /// What [`add`](Self::add) and [`remove`](Self::remove) would refuse.
    fn check(
        &self,
        added: usize,
        priority: &Self::Priority,
        removed: usize,
        oldest: &[ReplayItemId],
    ) -> Result<(), Error>;

    /// Gives keys new priorities; nothing for samplers that have none.
    ///
    /// # Errors
    /// Those of the priorities, and [`UnknownKey`](crate::ReplayError::UnknownKey).
    fn update(&mut self, keys: &[ReplayItemId], priorities: Priorities<'_>) -> Result<(), Error>;

    /// Draws keys.
    ///
    /// # Errors
    /// [`NoKeys`](crate::ReplayError::NoKeys), [`SampleSize`](crate::ReplayError::SampleSize),
    /// [`LargeKey`](crate::ReplayError::LargeKey), those of the generator, and where there are
    /// priorities [`Drift`](crate::ReplayError::Drift) and
    /// [`ZeroProbability`](crate::ReplayError::ZeroProbability), the first also for no keys where
    /// Dopamine's faults are followed.
    fn sample(&mut self, size: usize) -> Result<SampleMetadata, Error>;

    /// Removes all keys; the generator stays.
    fn clear(&mut self);

    /// Returns how many keys there are.
    fn len(&self) -> usize;

    /// Returns true if there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the generator.
    fn generator(&self) -> &Generator;

    /// Returns the generator, to draw from it or to replace it.
    fn generator_mut(&mut self) -> &mut Generator;

    /// Returns what is done where Dopamine goes wrong.
    fn faults(&self) -> Faults;

    /// Sets what is done where Dopamine goes wrong.
    fn set_faults(&mut self, faults: Faults);

    /// Checks that a state from a file is one of a sampler made as this one was.
    ///
    /// # Errors
    /// [`Configuration`](crate::ReplayError::Configuration), which names both sides.
    fn fits(&self, state: &Self::State) -> Result<(), Error>;

    /// Goes on with a state that [`fits`](Self::fits).
    fn set_state(&mut self, state: Self::State);

    /// Goes on with the state from a file.
    ///
    /// # Errors
    /// Those of [`fits`](Self::fits); nothing is changed then.
    fn resume(&mut self, state: Self::State) -> Result<(), Error> {
        self.fits(&state)?;
        self.set_state(state);
        Ok(())
    }

    /// Returns the keys that a state holds.
    fn keys(state: &Self::State) -> &[ReplayItemId];
}
