//! The sampler that draws by priority.

use npcodec_derive::Checkpoint;

use super::faults::Faults;
use super::generator::Generator;
use super::keys::{SamplerState, given_out};
use super::power;
use super::sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
use super::sum_tree::{SumTree, check_priority};
use super::wire;
use crate::checkpoint::{Save, Sink};
use crate::error::{Error, ReplayError};

/// What a file holds of a sampler by priority.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
#[checkpoint(crate = "crate")]
pub struct PrioritizedState {
    sum_tree: SumTree,
    #[checkpoint(flatten)]
    keys: SamplerState,
}

/// What the largest priority is taken to have been when a file is gone on with, which has none.
///
/// Dopamine's agents add new elements with [`max_recorded_priority`](SumTree::max_recorded_priority).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MaxRecorded {
    /// 1, as in Dopamine, which forgets it: bit-equal to a Python process that loads the file.
    #[default]
    Forgotten,
    /// The largest of the leaves, at least 1: what it was, unless that element is gone.
    Leaves,
    /// What the caller has kept: bit-equal to the process that wrote the file.
    Kept(f64),
}

/// Dopamine's `PrioritizedSamplingDistribution`: a key is the likelier, the larger its priority.
///
/// Keys are added with `Option<f64>`; `None` is 0, as in Dopamine. Bit equality holds for the
/// exponents -1, 0, 0.5, 1 and 2; for others NumPy's own results depend on the processor.
#[derive(Debug, Clone, PartialEq)]
pub struct PrioritizedSampling {
    state: PrioritizedState,
    priority_exponent: f64,
    max_recorded: MaxRecorded,
    faults: Faults,
}

impl PrioritizedSampling {
    /// Makes a sampler without keys, with the exponent 1. In a buffer its capacity has to be larger
    /// than the buffer's, or be rounded up to a power of two that is.
    ///
    /// # Errors
    /// [`TreeCapacity`](ReplayError::TreeCapacity).
    pub fn new(generator: Generator, max_capacity: usize) -> Result<Self, Error> {
        Ok(Self {
            state: PrioritizedState {
                sum_tree: SumTree::new(max_capacity)?,
                keys: SamplerState::new(generator),
            },
            priority_exponent: 1.0,
            max_recorded: MaxRecorded::Forgotten,
            faults: Faults::Refuse,
        })
    }

    /// Sets what priorities are raised to.
    #[must_use]
    pub fn priority_exponent(mut self, exponent: f64) -> Self {
        self.priority_exponent = exponent;
        self
    }

    /// Sets what the largest priority is taken to have been when a file is gone on with.
    #[must_use]
    pub fn max_recorded(mut self, max_recorded: MaxRecorded) -> Self {
        self.max_recorded = max_recorded;
        self
    }

    /// Returns the tree of the priorities.
    #[must_use]
    pub fn sum_tree(&self) -> &SumTree {
        &self.state.sum_tree
    }

    /// Returns the tree of the priorities.
    pub fn sum_tree_mut(&mut self) -> &mut SumTree {
        &mut self.state.sum_tree
    }

    /// Returns the keys.
    #[must_use]
    pub fn state(&self) -> &SamplerState {
        &self.state.keys
    }

    /// Raises one priority to the exponent. Python refuses what becomes infinite by that.
    fn raised(&self, priority: Option<f64>) -> Result<f64, Error> {
        let raised = power::of_one(priority, self.priority_exponent);
        let overflows = raised.is_infinite() && priority.is_some_and(f64::is_finite);
        let faults = if overflows {
            Faults::Refuse
        } else {
            self.faults
        };
        check_priority(raised, faults)?;
        Ok(raised)
    }

    /// Draws by priority.
    fn draw(&mut self, size: usize) -> Result<SampleMetadata, Error> {
        let PrioritizedState { sum_tree, keys } = &mut self.state;
        let faults = self.faults;
        let root = sum_tree.root();
        keys.drawing(faults, |generator, keys| {
            // All draws come before the first is looked up.
            let draw = |_| generator.uniform(0.0, root);
            let targets = (0..size).map(draw).collect::<Result<Vec<_>, _>>()?;
            let find = |target| -> Result<(i64, f64), Error> {
                let index = sum_tree.query(target)?;
                let node = sum_tree.leaves() - 1 + index;
                let (sum, priority) = (0.0, sum_tree.get(index).unwrap_or(0.0));
                let past = || ReplayError::Drift { node, sum, target };
                let key = *keys.get(index).ok_or_else(past)?;
                if priority == 0.0 && faults == Faults::Refuse {
                    return Err(ReplayError::ZeroProbability { key }.into());
                }
                Ok((key, priority / root))
            };
            let drawn = targets.into_iter().map(find);
            let (keys, probabilities) = drawn.collect::<Result<(Vec<_>, Vec<_>), _>>()?;
            Ok(SampleMetadata {
                keys: given_out(keys)?,
                probabilities: Some(probabilities),
            })
        })
    }
}

impl Save for PrioritizedSampling {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        wire::save(&self.state, sink)
    }
}

impl SamplingDistribution for PrioritizedSampling {
    type Priority = Option<f64>;
    type State = PrioritizedState;

    fn add(&mut self, key: ReplayItemId, priority: Option<f64>) -> Result<(), Error> {
        if self.faults == Faults::Refuse {
            self.check(1, &priority, 0, &[])?;
        }
        let index = self.len();
        self.state.keys.add(key);
        let priority = self.raised(priority)?;
        let tree = &mut self.state.sum_tree;
        tree.set(&[index], &[priority], self.faults)
    }

    fn remove(&mut self, key: ReplayItemId) -> Result<(), Error> {
        let PrioritizedState { sum_tree, keys } = &mut self.state;
        if self.faults == Faults::Refuse {
            keys.check_removal(&[key])?;
        }
        let index = keys.known(key)?;
        let stale = || Error::from(ReplayError::StaleIndex { key });
        let last = keys.keys().len().checked_sub(1).ok_or_else(stale)?;
        if index == last {
            sum_tree.set(&[index], &[0.0], self.faults)?;
        } else {
            let moved = sum_tree.get(last).ok_or_else(stale)?;
            sum_tree.set(&[index, last], &[moved, 0.0], self.faults)?;
        }
        keys.remove(key, self.faults)
    }

    fn check(
        &self,
        added: usize,
        priority: &Option<f64>,
        removed: usize,
        oldest: &[ReplayItemId],
    ) -> Result<(), Error> {
        let priority = self.raised(*priority)?;
        let PrioritizedState { sum_tree, keys } = &self.state;
        // The last one comes before the last one goes.
        let most = self.len() + added - removed.saturating_sub(1).min(added);
        let leaves = sum_tree.leaves();
        if added > 0 && most > leaves {
            return Err(ReplayError::TreeFull { leaves }.into());
        }
        if self.faults == Faults::Refuse {
            sum_tree.check_sum(std::iter::repeat_n(priority, added))?;
        }
        keys.check_removal(oldest)
    }

    fn update(&mut self, keys: &[ReplayItemId], priorities: Priorities<'_>) -> Result<(), Error> {
        let priorities = power::of_many(priorities, self.priority_exponent);
        let known = |key: &ReplayItemId| self.state.keys.known(*key);
        let indices = keys.iter().map(known).collect::<Result<Vec<_>, _>>()?;
        let tree = &mut self.state.sum_tree;
        tree.set(&indices, &priorities, self.faults)
    }

    fn sample(&mut self, size: usize) -> Result<SampleMetadata, Error> {
        if self.state.sum_tree.root() != 0.0 {
            // Dopamine looks for keys after its draws.
            if self.faults == Faults::Refuse {
                self.state.keys.check_size(size)?;
            }
            return self.draw(size);
        }
        let keys = self.state.keys.uniform(size, self.faults)?;
        let probabilities = vec![1.0 / self.len() as f64; size];
        Ok(SampleMetadata {
            keys,
            probabilities: Some(probabilities),
        })
    }

    fn clear(&mut self) {
        self.state.sum_tree.clear();
        self.state.keys.clear();
    }

    fn len(&self) -> usize {
        self.state.keys.keys().len()
    }

    fn generator(&self) -> &Generator {
        &self.state.keys.rng_state
    }

    fn generator_mut(&mut self) -> &mut Generator {
        &mut self.state.keys.rng_state
    }

    fn faults(&self) -> Faults {
        self.faults
    }

    fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    fn fits(&self, state: &PrioritizedState) -> Result<(), Error> {
        let (given, found) = (&self.state.sum_tree, &state.sum_tree);
        if given.leaves() != found.leaves() {
            let side = |tree: &SumTree| format!("a sum tree of {} leaves", tree.leaves());
            let (given, found) = (side(given), side(found));
            return Err(ReplayError::Configuration { given, found }.into());
        }
        match self.faults {
            Faults::Refuse => found.check(),
            Faults::Reproduce => Ok(()),
        }
    }

    fn set_state(&mut self, state: PrioritizedState) {
        self.state = state;
        let tree = &mut self.state.sum_tree;
        let largest = match self.max_recorded {
            MaxRecorded::Forgotten => 1.0,
            MaxRecorded::Leaves => {
                let leaves = &tree.nodes()[tree.leaves() - 1..];
                leaves.iter().copied().fold(1.0, f64::max)
            }
            MaxRecorded::Kept(priority) => priority,
        };
        tree.set_max_recorded_priority(largest);
    }

    fn keys(state: &PrioritizedState) -> &[ReplayItemId] {
        state.keys.keys()
    }
}
