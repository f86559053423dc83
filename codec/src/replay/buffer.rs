//! The replay buffer.

use std::fmt;

use super::accumulator::TransitionAccumulator;
use super::config::ReplayConfig;
use super::element::Element;
use super::memory::Memory;
use super::sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
use super::treedef::TreeDefs;
use super::trees::Trees;
use crate::error::{Error, ReplayError};

/// Dopamine's `ReplayBuffer`: elements that are made of transitions, and samples of them.
///
/// Whatever it does is what the real one does, draw for draw and bit for bit, and so is the file
/// that it writes; where Dopamine goes wrong, the [configuration](ReplayConfig::faults) decides.
///
/// ```
/// use npcodec::ndarray::array;
/// use npcodec::replay::{
///     Generator, ReplayBuffer, ReplayConfig, ReplayElement, TransitionElement, UniformSampling,
/// };
///
/// type Element = ReplayElement<npcodec::ndarray::Array1<f32>>;
///
/// let config = ReplayConfig::new(1_000, 2).stack_size(4).compress(false);
/// let sampler = UniformSampling::new(Generator::seeded(1));
/// let mut buffer = ReplayBuffer::<Element, _>::new(config.clone(), sampler)?;
/// for step in 0..10 {
///     buffer.add(TransitionElement {
///         observation: array![step as f32, 0.5],
///         action: step % 3,
///         reward: 1.0,
///         is_terminal: step == 9,
///         episode_end: step == 9,
///     })?;
/// }
/// let bytes = npcodec::to_vec(&buffer)?;
///
/// let sampler = UniformSampling::new(Generator::seeded(0));
/// let mut other = ReplayBuffer::<Element, _>::new(config, sampler)?;
/// other.resume(npcodec::from_slice(&bytes)?)?;
/// let (batch, metadata) = other.sample(None)?;
/// assert_eq!(batch.state.shape(), [2, 2, 4]);
/// assert_eq!(buffer.sample(None)?.1, metadata);
/// # Ok::<(), npcodec::Error>(())
/// ```
pub struct ReplayBuffer<E: Element, S> {
    pub(super) config: ReplayConfig,
    pub(super) add_count: i64,
    pub(super) memory: Memory<E>,
    pub(super) sampler: S,
    pub(super) accumulator: TransitionAccumulator<E::Transition>,
    pub(super) trees: Trees,
    /// How many of the newest elements were made of the open trajectory, one of each step.
    pub(super) unbroken: usize,
}

impl<E: Element, S: SamplingDistribution> ReplayBuffer<E, S> {
    /// Makes an empty buffer. Its `treedef`s are those of the newest jax and flax.
    ///
    /// # Errors
    /// [`NotPositive`](ReplayError::NotPositive) for a size of 0.
    pub fn new(config: ReplayConfig, mut sampler: S) -> Result<Self, Error> {
        let sizes = [
            ("max_capacity", config.max_capacity),
            ("batch_size", config.batch_size),
        ];
        if let Some((what, _)) = sizes.into_iter().find(|(_, size)| *size == 0) {
            return Err(ReplayError::NotPositive { what }.into());
        }
        let (stack, horizon) = (config.stack_size, config.update_horizon);
        let accumulator = TransitionAccumulator::new(stack, horizon, config.gamma)?;
        sampler.set_faults(config.faults);
        Ok(Self {
            config,
            add_count: 0,
            memory: Memory::default(),
            sampler,
            accumulator,
            trees: Trees::default(),
            unbroken: 0,
        })
    }

    /// Samples elements, `batch_size` of them if it is not said how many, and stacks them.
    ///
    /// # Errors
    /// [`NoKeys`](ReplayError::NoKeys) from an empty buffer, [`SampleSize`](ReplayError::SampleSize)
    /// for no elements, those of the sampler, [`MissingElement`](ReplayError::MissingElement), and
    /// those of [`Element::batch`].
    pub fn sample(&mut self, size: Option<usize>) -> Result<(E::Batch, SampleMetadata), Error> {
        self.sampling(size, |elements| E::batch(&elements))
    }

    /// Samples as many elements as the arrays of a batch take, into these arrays. How many, is said
    /// as in [`sample`](Self::sample).
    ///
    /// # Errors
    /// Those of [`sample`](Self::sample), and [`Shapes`](ReplayError::Shapes) if the arrays are not
    /// of the shapes that it would give; they may have been filled in part.
    pub fn sample_into(
        &mut self,
        batch: &mut E::Batch,
        size: Option<usize>,
    ) -> Result<SampleMetadata, Error> {
        let ((), metadata) = self.sampling(size, |elements| E::batch_into(&elements, batch))?;
        Ok(metadata)
    }

    /// Samples elements where they are, for what copies them itself, such as to a device: the states
    /// of a plain buffer are arrays that cost nothing to see.
    ///
    /// ```
    /// use npcodec::ndarray::Array2;
    /// use npcodec::replay::{Frames, Generator, ReplayBuffer, ReplayConfig, ReplayElement};
    /// use npcodec::replay::{TransitionElement, UniformSampling};
    ///
    /// let config = ReplayConfig::new(100, 8).stack_size(4).compress(false);
    /// let sampler = UniformSampling::new(Generator::seeded(1));
    /// let mut buffer = ReplayBuffer::<ReplayElement<Array2<u8>>, _>::new(config, sampler)?;
    /// # for step in 0..10 {
    /// #     buffer.add(TransitionElement {
    /// #         observation: Array2::from_elem((84, 84), step),
    /// #         action: 0,
    /// #         reward: 0.0,
    /// #         is_terminal: false,
    /// #         episode_end: false,
    /// #     })?;
    /// # }
    /// let mut staging: Vec<u8> = vec![]; // pinned memory, say
    /// let (elements, _) = buffer.sample_elements(None)?;
    /// for element in elements {
    ///     if let Frames::Plain(state) = &element.state {
    ///         staging.extend(state.iter());
    ///     }
    /// }
    /// assert_eq!(staging.len(), 8 * 84 * 84 * 4);
    /// # Ok::<(), npcodec::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`sample`](Self::sample), but for [`Element::batch`]'s.
    pub fn sample_elements(
        &mut self,
        size: Option<usize>,
    ) -> Result<(Vec<&E>, SampleMetadata), Error> {
        self.sampling(size, Ok)
    }

    fn sampling<'e, B>(
        &'e mut self,
        size: Option<usize>,
        stack: impl FnOnce(Vec<&'e E>) -> Result<B, Error>,
    ) -> Result<(B, SampleMetadata), Error> {
        if self.add_count < 1 {
            return Err(ReplayError::NoKeys.into());
        }
        let size = size.unwrap_or(self.config.batch_size);
        let count = self.sampler.len();
        if size == 0 {
            return Err(ReplayError::SampleSize { size, count }.into());
        }
        let before = self.sampler.generator().clone();
        let metadata = self.sampler.sample(size)?;
        let memory = &self.memory;
        let found = metadata.keys.iter().map(|&key| {
            let missing = || Error::from(ReplayError::MissingElement { key });
            memory.get(key).ok_or_else(missing)
        });
        let elements = found.collect::<Result<Vec<_>, _>>();
        match elements.and_then(stack) {
            Ok(batch) => Ok((batch, metadata)),
            Err(error) => {
                if self.config.faults == super::Faults::Refuse {
                    *self.sampler.generator_mut() = before;
                }
                Err(error)
            }
        }
    }

    /// Gives elements new priorities, where the sampler has any.
    ///
    /// # Errors
    /// Those of [`SamplingDistribution::update`].
    pub fn update<'p>(
        &mut self,
        keys: &[ReplayItemId],
        priorities: impl Into<Priorities<'p>>,
    ) -> Result<(), Error> {
        self.sampler.update(keys, priorities.into())
    }

    /// Removes everything but what the generator has come to; keys begin at 0 again.
    pub fn clear(&mut self) {
        self.add_count = 0;
        self.memory.clear();
        self.accumulator.clear();
        self.unbroken = 0;
        self.sampler.clear();
    }

    /// Ends the open trajectory without a last step: the next one begins an episode, as after a step
    /// with `episode_end`. The elements stay.
    pub fn close_episode(&mut self) {
        self.accumulator.clear();
        self.unbroken = 0;
    }

    /// Returns how many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many elements were added since the buffer was empty.
    #[must_use]
    pub fn add_count(&self) -> i64 {
        self.add_count
    }

    /// Returns how many elements there will ever be: as in Dopamine, the oldest goes when more than
    /// `max_capacity` were added, however many there are. It is less than `max_capacity` where a file
    /// is gone on with under a larger one.
    #[must_use]
    pub fn reaches(&self) -> usize {
        let capacity = i64::try_from(self.config.max_capacity).unwrap_or(i64::MAX);
        let room = capacity.saturating_sub(self.add_count).max(0);
        self.len()
            .saturating_add(usize::try_from(room).unwrap_or(usize::MAX))
    }

    /// Returns the element under a key.
    #[must_use]
    pub fn get(&self, key: ReplayItemId) -> Option<&E> {
        self.memory.get(key)
    }

    /// Returns the elements with their keys, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (ReplayItemId, &E)> {
        self.memory.iter()
    }

    /// Returns what the buffer was made with.
    #[must_use]
    pub fn config(&self) -> &ReplayConfig {
        &self.config
    }

    /// Returns the sampler.
    #[must_use]
    pub fn sampler(&self) -> &S {
        &self.sampler
    }

    /// Returns the sampler, to draw from its generator or to sum its tree anew.
    pub fn sampler_mut(&mut self) -> &mut S {
        &mut self.sampler
    }

    /// Returns the accumulator with the open trajectory.
    #[must_use]
    pub fn accumulator(&self) -> &TransitionAccumulator<E::Transition> {
        &self.accumulator
    }

    /// Writes files for another jax and flax from here on, whatever the file was for that was gone
    /// on with.
    ///
    /// # Errors
    /// [`Carried`](ReplayError::Carried) if the elements are of a structure that no `treedef` is
    /// known for.
    pub fn set_treedefs(&mut self, trees: TreeDefs) -> Result<(), Error> {
        self.trees = self.trees.moved::<E>(trees)?;
        Ok(())
    }
}

impl<E: Element, S: fmt::Debug> fmt::Debug for ReplayBuffer<E, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplayBuffer")
            .field("config", &self.config)
            .field("add_count", &self.add_count)
            .field("len", &self.memory.len())
            .field("sampler", &self.sampler)
            .finish_non_exhaustive()
    }
}
