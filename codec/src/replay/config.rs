//! What a replay buffer is made with, and no file holds.

use super::faults::Faults;

/// What a replay buffer is made with. None of it is in a file: who goes on with one gives it again,
/// and what does not fit the file is an error.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReplayConfig {
    /// How many elements the buffer holds at most.
    pub max_capacity: usize,
    /// How many elements are sampled if it is not said.
    pub batch_size: usize,
    /// How many observations make a state.
    pub stack_size: usize,
    /// Over how many steps rewards are summed up.
    pub update_horizon: usize,
    /// What each further reward counts, of the one before it.
    pub gamma: f64,
    /// Whether states are compressed.
    pub compress: bool,
    /// What is done where Dopamine goes wrong.
    pub faults: Faults,
    /// What becomes of the trajectory that was open when the file was written.
    pub resume: Resume,
}

/// What becomes of the trajectory that was open when a file was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resume {
    /// It goes on, as in Dopamine: right where the environment goes on with the file.
    #[default]
    Continue,
    /// It is closed as an episode that was cut off: right where the environment starts anew, whose
    /// first step would otherwise follow the last one of another episode.
    CloseEpisode,
}

impl ReplayConfig {
    /// Makes a configuration of one-step elements of single observations, compressed, with a gamma
    /// of 0.99.
    #[must_use]
    pub fn new(max_capacity: usize, batch_size: usize) -> Self {
        Self {
            max_capacity,
            batch_size,
            stack_size: 1,
            update_horizon: 1,
            gamma: 0.99,
            compress: true,
            faults: Faults::Refuse,
            resume: Resume::Continue,
        }
    }

    /// Sets how many observations make a state.
    #[must_use]
    pub fn stack_size(mut self, observations: usize) -> Self {
        self.stack_size = observations;
        self
    }

    /// Sets over how many steps rewards are summed up.
    #[must_use]
    pub fn update_horizon(mut self, steps: usize) -> Self {
        self.update_horizon = steps;
        self
    }

    /// Sets what each further reward counts, of the one before it.
    #[must_use]
    pub fn gamma(mut self, gamma: f64) -> Self {
        self.gamma = gamma;
        self
    }

    /// Sets whether states are compressed.
    #[must_use]
    pub fn compress(mut self, compress: bool) -> Self {
        self.compress = compress;
        self
    }

    /// Sets what is done where Dopamine goes wrong.
    #[must_use]
    pub fn faults(mut self, faults: Faults) -> Self {
        self.faults = faults;
        self
    }

    /// Sets what becomes of the trajectory that was open when the file was written.
    #[must_use]
    pub fn resume(mut self, resume: Resume) -> Self {
        self.resume = resume;
        self
    }
}
