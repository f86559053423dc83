//! Replay buffers to files and back.

use serde::de::Deserializer;

use super::buffer::ReplayBuffer;
use super::config::Resume;
use super::element::Element;
use super::faults::Faults;
use super::insert::MOST;
use super::memory::Memory;
use super::sampler::{ReplayItemId, SamplingDistribution};
use super::state::{MemoryState, ReplayState};
use super::trees::Trees;
use super::wire::{self, part};
use crate::checkpoint::{Context, ListSink, MapSink, Plan, Restore, Save, SaveOnce, Sink};
use crate::encoding::Integer;
use crate::error::{Error, ReplayError};
use crate::state::Value;

/// What a file holds of a buffer of such elements and such a sampler.
type StateOf<E, S> = ReplayState<E, <E as Element>::Transition, <S as SamplingDistribution>::State>;

impl<E: Element, S: SamplingDistribution> ReplayBuffer<E, S> {
    /// Goes on with a state from a file, in place of everything that the buffer holds.
    ///
    /// The configuration stays as the buffer was made with it. Not in the file, and so as in a new
    /// sampler, is the largest priority that was ever set: see [`MaxRecorded`](super::MaxRecorded).
    ///
    /// # Errors
    /// [`Configuration`](ReplayError::Configuration) if the file is not one of a buffer that was
    /// made as this one was, and [`ElementCount`](ReplayError::ElementCount),
    /// [`AddCount`](ReplayError::AddCount), [`CountOfAdded`](ReplayError::CountOfAdded),
    /// [`KeyOrder`](ReplayError::KeyOrder), [`MissingElement`](ReplayError::MissingElement),
    /// [`UnknownKey`](ReplayError::UnknownKey) and those of [`SamplingDistribution::fits`], such as
    /// [`TreeNode`](ReplayError::TreeNode), if it contradicts itself. Nothing is changed then.
    pub fn resume(&mut self, state: StateOf<E, S>) -> Result<(), Error> {
        let trees = self.check(&state)?;
        self.set(state, trees);
        Ok(())
    }

    /// Expands every compressed state, to see whether it can be: a file that was damaged may show it
    /// only there.
    ///
    /// # Errors
    /// Those of the first element that cannot be expanded.
    pub fn verify(&self) -> Result<(), Error> {
        self.iter().try_for_each(|(_, element)| element.verify())
    }

    fn set(&mut self, state: StateOf<E, S>, trees: Trees) {
        let MemoryState { keys, values, .. } = state.memory;
        self.memory = Memory::of(keys.into_iter().zip(values));
        self.memory.share(self.config.update_horizon);
        self.unbroken = 0;
        self.add_count = state.add_count;
        self.sampler.set_state(state.sampling_distribution);
        self.accumulator.clear();
        if self.config.resume == Resume::Continue {
            self.accumulator
                .set(state.transition_accumulator.trajectory);
        }
        self.trees = trees;
    }

    /// Checks a state against this buffer, and returns its `treedef`s.
    fn check(&self, state: &StateOf<E, S>) -> Result<Trees, Error> {
        let MemoryState {
            keys,
            values,
            treedef,
        } = &state.memory;
        let (count, elements) = (keys.len(), values.len());
        if count != elements {
            let keys = count;
            return Err(ReplayError::ElementCount { keys, elements }.into());
        }
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            let (key, after) = (pair[1], pair[0]);
            return Err(ReplayError::KeyOrder { key, after }.into());
        }
        let add_count = state.add_count;
        let strict = self.config.faults == Faults::Refuse;
        if !(0..=MOST).contains(&add_count) {
            return Err(ReplayError::CountOfAdded { add_count }.into());
        }
        let wrong = if strict {
            let mut ends = [keys.first(), keys.last()].into_iter().flatten();
            ends.find(|key| !(0..add_count).contains(*key))
        } else {
            // What failed half-way has left the next key there already; later ones would end up
            // behind what is added.
            keys.last().filter(|key| **key > add_count)
        };
        if let Some(&key) = wrong {
            return Err(ReplayError::AddCount { add_count, key }.into());
        }
        if strict {
            self.check_sizes(state)?;
            check_keys(keys, S::keys(&state.sampling_distribution))?;
        }
        let (stack, compress) = (self.config.stack_size, self.config.compress);
        values
            .iter()
            .try_for_each(|element| element.fits(stack, compress))?;
        self.sampler.fits(&state.sampling_distribution)?;
        let trajectory = &state.transition_accumulator;
        Trees::loaded::<E>(
            (treedef.clone(), elements),
            (trajectory.treedef.clone(), trajectory.trajectory.len()),
        )
    }

    fn check_sizes(&self, state: &StateOf<E, S>) -> Result<(), Error> {
        let (capacity, elements) = (self.config.max_capacity, state.memory.keys.len());
        if elements > capacity {
            return Err(ReplayError::Configuration {
                given: format!("a max_capacity of {capacity}"),
                found: format!("{elements} elements"),
            }
            .into());
        }
        let most = self.accumulator.most();
        let steps = state.transition_accumulator.trajectory.len();
        if steps > most {
            return Err(ReplayError::Configuration {
                given: format!("a stack_size and an update_horizon of {most} steps together"),
                found: format!("a trajectory of {steps}"),
            }
            .into());
        }
        Ok(())
    }
}

/// Checks that a sampler holds every key of a memory, and each once.
fn check_keys(keys: &[ReplayItemId], sampled: &[ReplayItemId]) -> Result<(), Error> {
    let mut sampled = sampled.to_vec();
    sampled.sort_unstable();
    let absent = |from: &[ReplayItemId], key: &&ReplayItemId| from.binary_search(key).is_err();
    if let Some(&key) = sampled.iter().find(|key| absent(keys, key)) {
        return Err(ReplayError::MissingElement { key }.into());
    }
    if let Some(&key) = keys.iter().find(|key| absent(&sampled, key)) {
        return Err(ReplayError::UnknownKey { key }.into());
    }
    match sampled.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(&[after, key]) => Err(ReplayError::KeyOrder { key, after }.into()),
        _ => Ok(()),
    }
}

impl<E: Element, S: SamplingDistribution> Save for ReplayBuffer<E, S> {
    fn save<'a, K: Sink<'a>>(&'a self, sink: K) -> Result<K::Ok, K::Error> {
        let mut map = sink.map_of_different(4)?;
        map.entry("add_count".into(), part(&self.add_count))?;
        map.entry("memory".into(), MemoryPart(self))?;
        map.entry("sampling_distribution".into(), part(&self.sampler))?;
        map.entry("transition_accumulator".into(), TrajectoryPart(self))?;
        map.end()
    }
}

struct MemoryPart<'a, E: Element, S>(&'a ReplayBuffer<E, S>);

impl<'a, E: Element, S: SamplingDistribution> SaveOnce<'a> for MemoryPart<'a, E, S> {
    fn save_once<K: Sink<'a>>(self, sink: K) -> Result<K::Ok, K::Error> {
        let buffer = self.0;
        let mut map = sink.map_of_different(3)?;
        map.entry("keys".into(), Keys(&buffer.memory))?;
        map.entry("values".into(), Elements(&buffer.memory))?;
        let treedef = buffer.trees.memory::<E>(buffer.len());
        let treedef = treedef.map_err(|error| map.fault(error))?;
        map.entry("treedef".into(), Value::Bytes(treedef.into()))?;
        map.end()
    }
}

struct Keys<'a, E>(&'a Memory<E>);

impl<'a, E> SaveOnce<'a> for Keys<'a, E> {
    fn save_once<K: Sink<'a>>(self, sink: K) -> Result<K::Ok, K::Error> {
        let mut list = sink.list(self.0.len())?;
        for (key, _) in self.0.iter() {
            list.item(Value::Integer(Integer::from(key)))?;
        }
        list.end()
    }
}

struct Elements<'a, E>(&'a Memory<E>);

impl<'a, E: Element> SaveOnce<'a> for Elements<'a, E> {
    fn save_once<K: Sink<'a>>(self, sink: K) -> Result<K::Ok, K::Error> {
        let mut list = sink.list(self.0.len())?;
        for (_, element) in self.0.iter() {
            list.item(part(element))?;
        }
        list.end()
    }
}

struct TrajectoryPart<'a, E: Element, S>(&'a ReplayBuffer<E, S>);

impl<'a, E: Element, S: SamplingDistribution> SaveOnce<'a> for TrajectoryPart<'a, E, S> {
    fn save_once<K: Sink<'a>>(self, sink: K) -> Result<K::Ok, K::Error> {
        let buffer = self.0;
        let trajectory = buffer.accumulator.trajectory();
        let mut map = sink.map_of_different(2)?;
        map.entry("trajectory".into(), part(trajectory))?;
        let treedef = buffer.trees.trajectory::<E>(trajectory.len());
        let treedef = treedef.map_err(|error| map.fault(error))?;
        map.entry("treedef".into(), Value::Bytes(treedef.into()))?;
        map.end()
    }
}

/// Into a buffer that exists. Without one there is no configuration: a struct that is read afresh
/// holds a [`ReplayState`].
impl<'de, E: Element, S: SamplingDistribution> Restore<'de> for ReplayBuffer<E, S> {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let _: Option<StateOf<E, S>> = wire::restore(d, cx)?;
        cx.mismatch(
            "a buffer to load into, since no file says what it was made with",
            "none (`ReplayState` is read without one)",
        );
        Ok(None)
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        if !cx.is_selected() {
            let found = "patterns that select a part of it";
            return cx.mismatch("a replay buffer, which is loaded as a whole", found);
        }
        let whole = value.clone().loaded(cx.source());
        let whole = whole.map_err(|error| cx.refuse(error)).ok();
        let state: Option<StateOf<E, S>> = whole.and_then(|value| wire::restore_value(value, cx));
        let Some(state) = state else {
            return;
        };
        match self.check(&state) {
            Ok(trees) => plan.step(move || self.set(state, trees)),
            Err(error) => cx.refuse(error),
        }
    }
}
