//! Dopamine's replay buffer, restored, continued and saved, bit for bit.
//!
//! [`ReplayBuffer`] is the whole: [`TransitionElement`]s go in, a [`TransitionAccumulator`] makes
//! [`ReplayElement`]s of them, a [`SamplingDistribution`] draws their keys, and a sample is a
//! [`ReplayBatch`] of arrays. [`ReplayConfig`] is what no file holds, [`ReplayState`] what it does,
//! [`Faults`] decides where Dopamine itself goes wrong, and [`TreeDefs`] for which jax it is written.
//!
//! A buffer is made first, since no file says with what, and goes on with what was loaded:
//! `buffer.resume(npcodec::load(path)?)?`. In a struct it is loaded in place, by
//! [`load_into`](crate::load_into) or [`load_state_dict`](crate::Checkpoint::load_state_dict), which
//! go over the whole structure first and take a few times as long.
//!
//! Where numbers agree bit for bit: with NumPy 2 on every processor, but for priorities that are
//! updated under another exponent than -1, 0, 0.5, 1 and 2, which NumPy itself computes differently
//! from one processor to the next. NumPy 1 sums rewards of `np.float32` up in 64 bits. Powers of
//! gamma are `pow` of the C library, which on Linux is Python's.

mod accumulator;
mod buffer;
mod config;
mod element;
mod faults;
mod frames;
mod gather;
mod generator;
mod insert;
mod keys;
mod leaves;
mod memory;
mod ordered_index;
mod packed;
mod pcg64;
mod power;
mod prioritized;
mod range;
mod resume;
mod reward;
mod sampler;
mod seed;
mod sequential;
mod stack;
mod state;
mod sum_tree;
mod treedef;
mod trees;
mod uniform;
mod window;
mod wire;

pub use crate::error::ReplayError;
pub use accumulator::TransitionAccumulator;
pub use buffer::ReplayBuffer;
pub use config::{ReplayConfig, Resume};
pub use element::{Element, ReplayBatch, ReplayElement, Transition, TransitionElement};
pub use faults::Faults;
pub use frames::{Frames, Observation, State, States};
pub use gather::{stack_frames, stack_frames_into};
pub use generator::Generator;
pub use keys::SamplerState;
pub use leaves::{CarriedElement, CarriedTransition};
pub use packed::Packed;
pub use pcg64::Pcg64;
pub use prioritized::{MaxRecorded, PrioritizedSampling, PrioritizedState};
pub use reward::{PythonNumber, Reward};
pub use sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
pub use sequential::SequentialSampling;
pub use stack::{Stack, Stacked, stack, stack_into};
pub use state::{MemoryState, ReplayState, TrajectoryState};
pub use sum_tree::SumTree;
pub use treedef::{Tree, TreeDefs};
pub use uniform::UniformSampling;
pub use window::Window;
