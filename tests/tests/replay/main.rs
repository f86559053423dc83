//! Dopamine's replay buffer against what the real one did: `tests/data/replay`.

mod json;
mod rng;
mod samplers;
mod sum_tree;
