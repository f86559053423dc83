//! Dopamine's replay buffer, restored, continued and saved, bit for bit.

mod faults;
mod generator;
mod keys;
mod ordered_index;
mod pcg64;
mod power;
mod prioritized;
mod range;
mod sampler;
mod seed;
mod sequential;
mod sum_tree;
mod uniform;
mod wire;

pub use crate::error::ReplayError;
pub use faults::Faults;
pub use generator::Generator;
pub use keys::SamplerState;
pub use pcg64::Pcg64;
pub use prioritized::{MaxRecorded, PrioritizedSampling, PrioritizedState};
pub use sampler::{Priorities, ReplayItemId, SampleMetadata, SamplingDistribution};
pub use sequential::SequentialSampling;
pub use sum_tree::SumTree;
pub use uniform::UniformSampling;
