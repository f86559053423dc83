//! Dopamine's replay buffer, restored, continued and saved, bit for bit.

mod generator;
mod pcg64;
mod range;
mod seed;
mod wire;

pub use crate::error::ReplayError;
pub use generator::Generator;
pub use pcg64::Pcg64;
