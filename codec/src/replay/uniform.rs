//! The sampler that draws evenly.

use super::faults::Faults;
use super::generator::Generator;
use super::keys::SamplerState;
use super::sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
use super::wire;
use crate::checkpoint::{Save, Sink};
use crate::error::Error;

/// Dopamine's `UniformSamplingDistribution`: every key is as likely, and may come more than once.
#[derive(Debug, Clone, PartialEq)]
pub struct UniformSampling {
    pub(super) state: SamplerState,
    pub(super) faults: Faults,
}

impl UniformSampling {
    /// Makes a sampler without keys.
    #[must_use]
    pub fn new(generator: Generator) -> Self {
        let faults = Faults::Refuse;
        let state = SamplerState::new(generator);
        Self { state, faults }
    }

    /// Returns the keys.
    #[must_use]
    pub fn state(&self) -> &SamplerState {
        &self.state
    }
}

impl Save for UniformSampling {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        wire::save(&self.state, sink)
    }
}

impl SamplingDistribution for UniformSampling {
    type Priority = ();
    type State = SamplerState;

    fn add(&mut self, key: ReplayItemId, (): ()) -> Result<(), Error> {
        self.state.add(key);
        Ok(())
    }

    fn remove(&mut self, key: ReplayItemId) -> Result<(), Error> {
        self.state.remove(key, self.faults)
    }

    fn check(&self, _: usize, (): &(), _: usize, oldest: &[ReplayItemId]) -> Result<(), Error> {
        self.state.check_removal(oldest)
    }

    fn update(&mut self, _: &[ReplayItemId], _: Priorities<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn sample(&mut self, size: usize) -> Result<SampleMetadata, Error> {
        let probabilities = None;
        let keys = self.state.uniform(size, self.faults)?;
        Ok(SampleMetadata {
            keys,
            probabilities,
        })
    }

    fn clear(&mut self) {
        self.state.clear();
    }

    fn len(&self) -> usize {
        self.state.keys().len()
    }

    fn generator(&self) -> &Generator {
        &self.state.rng_state
    }

    fn generator_mut(&mut self) -> &mut Generator {
        &mut self.state.rng_state
    }

    fn faults(&self) -> Faults {
        self.faults
    }

    fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    fn fits(&self, _: &SamplerState) -> Result<(), Error> {
        Ok(())
    }

    fn set_state(&mut self, state: SamplerState) {
        self.state = state;
    }

    fn keys(state: &SamplerState) -> &[ReplayItemId] {
        state.keys()
    }
}
