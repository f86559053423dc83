//! Flax's files: those that Python wrote, states, what is refused.

mod refused;
mod states;
mod vectors;
