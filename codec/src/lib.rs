//! Training-state checkpoints that the NumPy world can read.

pub mod dtype;
mod path;

#[cfg(feature = "derive")]
pub use npcodec_derive::Structured;
pub use path::{Path, PathSyntaxError, Place, Segment};

/// What the expansions of the derives need; no part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use std::string::String;
    pub use std::vec::Vec;

    pub use crate::dtype::DType;
    pub use crate::dtype::element::row;
    pub use crate::dtype::element::{Cast, Element, InvalidItem, Items, ReaderError};
}
