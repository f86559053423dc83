//! The state dicts of Flax.
