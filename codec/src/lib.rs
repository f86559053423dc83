//! Training-state checkpoints that the NumPy world can read.

pub mod dtype;
mod path;

pub use path::{Path, PathSyntaxError, Place, Segment};
