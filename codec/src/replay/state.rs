//! What a file holds of a replay buffer.

use npcodec_derive::Checkpoint;

use super::sampler::ReplayItemId;

/// What a file holds of a replay buffer, without what the buffer was made with: the dict of
/// Dopamine's `ReplayBuffer.to_state_dict`.
///
/// A struct that is read as a whole holds this one, which then is [given to a
/// buffer](super::ReplayBuffer::resume). `E` are the elements, `T` the steps of the open trajectory,
/// `S` is the state of the sampler.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
#[checkpoint(crate = "crate")]
pub struct ReplayState<E, T, S> {
    /// How many elements were added since the buffer was empty: the next one's key.
    pub add_count: i64,
    /// The elements.
    pub memory: MemoryState<E>,
    /// The keys to sample from, and the generator.
    pub sampling_distribution: S,
    /// The open trajectory.
    pub transition_accumulator: TrajectoryState<T>,
}

/// The elements of a replay buffer, oldest first.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
#[checkpoint(crate = "crate")]
pub struct MemoryState<E> {
    /// Their keys.
    pub keys: Vec<ReplayItemId>,
    /// The elements.
    pub values: Vec<E>,
    /// A pickle that says to JAX how leaves become elements: carried along.
    pub treedef: Vec<u8>,
}

/// The open trajectory.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
#[checkpoint(crate = "crate")]
pub struct TrajectoryState<T> {
    /// Its steps.
    pub trajectory: Vec<T>,
    /// A pickle that says to JAX how leaves become steps: carried along.
    pub treedef: Vec<u8>,
}
