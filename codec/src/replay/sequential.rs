//! The sampler that gives out the first keys.

use super::faults::Faults;
use super::generator::Generator;
use super::keys::{SamplerState, given_out};
use super::sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
use super::uniform::UniformSampling;
use super::wire;
use crate::checkpoint::{Save, Sink};
use crate::error::{Error, ReplayError};

/// Dopamine's `SequentialSamplingDistribution`: always the first keys, after sorting them if asked.
///
/// It never draws; the state of its generator is saved all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialSampling {
    uniform: UniformSampling,
    sort_samples: bool,
}

impl SequentialSampling {
    /// Makes a sampler without keys. Dopamine's default is to sort.
    #[must_use]
    pub fn new(generator: Generator, sort_samples: bool) -> Self {
        Self {
            uniform: UniformSampling::new(generator),
            sort_samples,
        }
    }

    /// Returns the keys.
    #[must_use]
    pub fn state(&self) -> &SamplerState {
        self.uniform.state()
    }

    /// Makes the index of every key anew, so that evictions go on after sorted samples; Dopamine
    /// never does, and its evictions remove other keys from here on.
    pub fn reindex(&mut self) {
        self.uniform.state.reindex();
    }
}

impl Save for SequentialSampling {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        wire::save(&self.uniform, sink)
    }
}

impl SamplingDistribution for SequentialSampling {
    type Priority = ();
    type State = SamplerState;

    fn add(&mut self, key: ReplayItemId, (): ()) -> Result<(), Error> {
        self.uniform.add(key, ())
    }

    fn remove(&mut self, key: ReplayItemId) -> Result<(), Error> {
        self.uniform.remove(key)
    }

    fn check(
        &self,
        added: usize,
        (): &(),
        removed: usize,
        oldest: &[ReplayItemId],
    ) -> Result<(), Error> {
        self.uniform.check(added, &(), removed, oldest)
    }

    fn update(&mut self, _: &[ReplayItemId], _: Priorities<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn sample(&mut self, size: usize) -> Result<SampleMetadata, Error> {
        let UniformSampling { state, faults } = &mut self.uniform;
        state.check_size(size)?;
        let count = state.key_by_index.len();
        let too_few = || Err(ReplayError::SampleSize { size, count }.into());
        if *faults == Faults::Refuse && size > count {
            return too_few();
        }
        if self.sort_samples {
            // The indices of the keys are not touched, here as there: files are to be equal.
            state.key_by_index.sort_unstable();
        }
        let Some(keys) = state.key_by_index.get(..size) else {
            return too_few();
        };
        Ok(SampleMetadata {
            keys: given_out(keys.to_vec())?,
            probabilities: None,
        })
    }

    fn clear(&mut self) {
        self.uniform.clear();
    }

    fn len(&self) -> usize {
        self.uniform.len()
    }

    fn generator(&self) -> &Generator {
        self.uniform.generator()
    }

    fn generator_mut(&mut self) -> &mut Generator {
        self.uniform.generator_mut()
    }

    fn faults(&self) -> Faults {
        self.uniform.faults()
    }

    fn set_faults(&mut self, faults: Faults) {
        self.uniform.set_faults(faults);
    }

    fn fits(&self, state: &SamplerState) -> Result<(), Error> {
        self.uniform.fits(state)
    }

    fn set_state(&mut self, state: SamplerState) {
        self.uniform.set_state(state);
    }

    fn keys(state: &SamplerState) -> &[ReplayItemId] {
        state.keys()
    }
}
