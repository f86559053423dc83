//! Training-state checkpoints that the NumPy world can read.

#[cfg(target_endian = "big")]
compile_error!("npcodec is not tested on big-endian machines yet");

mod array;
pub mod checkpoint;
pub mod dtype;
mod encoding;
mod error;
mod file;
mod limits;
mod path;
mod report;
mod state;
pub mod with;

pub use half;
pub use ndarray;
pub use num_bigint;
pub use num_complex;

#[cfg(feature = "derive")]
pub use npcodec_derive::{Checkpoint, Structured};

pub use array::ArrayElement;
pub use checkpoint::{Checkpoint, Fortran, ReadOptions};
pub use encoding::{Integer, LongIntegerEncoding, NumpyEncoding};
#[cfg(feature = "compress")]
pub use encoding::{compress, uncompress};
pub use error::{Error, ErrorKind};
pub use file::{Hooks, decode, decode_with, encode, encode_with};
pub use path::{Path, PathSyntaxError, Place, Segment};
pub use report::{LoadReport, Mismatch, Strictness};
pub use state::{Key, StateDict, Value};

/// What the expansions of the derives need; no part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use std::borrow::Cow;
    pub use std::string::String;
    pub use std::vec::Vec;

    pub use serde;

    pub use crate::checkpoint::mode::{Deep, Ordinary, SerdeForm, With, form};
    pub use crate::checkpoint::*;
    pub use crate::dtype::DType;
    pub use crate::dtype::row;
    pub use crate::dtype::{Cast, Element, InvalidItem, Items, ReaderError};
    pub use crate::state::{Key, Value};
}
