//! Dopamine's replay buffer against what the real one did: `tests/data/replay`.

mod buffer;
mod capacity;
mod custom;
mod drive;
mod faithless;
mod forms;
mod gathered;
mod hostile;
mod json;
mod leaf;
mod resumed;
mod rewards;
mod rng;
mod samplers;
mod scalars;
mod scenarios;
mod shared;
mod sum_tree;
mod treedefs;
mod twins;
