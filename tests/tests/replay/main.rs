//! Dopamine's replay buffer against what the real one did: `tests/data/replay`.

mod buffer;
mod drive;
mod forms;
mod hostile;
mod json;
mod leaf;
mod rewards;
mod rng;
mod samplers;
mod scenarios;
mod sum_tree;
mod treedefs;
