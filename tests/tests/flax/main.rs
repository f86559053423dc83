//! Flax's files: those that Python wrote, states, what is refused.

mod passes;
mod refused;
mod states;
mod vectors;
