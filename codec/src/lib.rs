//! Training-state checkpoints that the NumPy world can read.
//!
//! `#[derive(Checkpoint)]` goes on the structs that hold a training run. `rmp_serde::to_vec` then
//! writes the MessagePack file that Dopamine's decoder restores in Python, and
//! `rmp_serde::from_slice` reads what Python wrote.
//!
//! ```
//! use npcodec::Checkpoint;
//! use npcodec::ndarray::{Array2, Array3, array};
//!
//! #[derive(Checkpoint, Debug, PartialEq)]
//! struct TrainState {
//!     kernel: Array2<f32>,
//!     #[checkpoint(compress)]
//!     frames: Vec<Array3<u8>>,
//!     rng: u128,
//!     step: u64,
//! }
//!
//! let state = TrainState {
//!     kernel: array![[1.0, 2.0], [3.0, 4.0]],
//!     frames: vec![Array3::zeros((84, 84, 4))],
//!     rng: 1 << 100,
//!     step: 7,
//! };
//! let bytes = rmp_serde::to_vec(&state)?;
//! assert_eq!(rmp_serde::from_slice::<TrainState>(&bytes)?, state);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is where
//!
//! - [`Checkpoint`]: the derive and the trait, with state dicts and loading in place.
//! - [`save`]: a state to a file, streamed from its own memory and published as a whole.
//! - [`load`] and [`load_into`]: a file as a fresh state, or into the memory of one that is there, all of
//!   it or [a part](ReadOptions::only).
//! - [`MappedCheckpoint`]: a file that is looked into without being read.
//! - [`to_vec`], [`to_writer`], [`from_slice`] and [`from_reader`]: whole states without `rmp_serde`, with
//!   typed errors, [`ReadOptions`] and [`Limits`].
//! - [`Structured`]: rows of structured arrays.
//! - [`with`]: the same encodings for plain serde structs.
//! - [`Value`] and [`StateDict`]: what a file holds, without a target type; [`decode`] and [`encode`]
//!   with [`Hooks`].
//! - [`dtype`]: NumPy's type grammar, and the [elements](dtype::Element) of arrays.
//! - [`NumpyEncoding`], [`LongIntegerEncoding`], [`compress`] and [`uncompress`]: the wire forms.
//! - `replay`: Dopamine's replay buffer (with the feature of that name).
//! - `formats`: the files of Flax, msgpack-numpy, NumPy and safetensors (a feature each).
//! - `flower`: Flower's records, and states as records (with the feature of that name).
//! - [`checkpoint`]: the traits below the derive, to implement them by hand.
//! - [`guide`]: attributes, wire format, evolving states, files, Dopamine, replay buffers, Flower and
//!   safety, page by page.
//!
//! # Features
//!
//! - `derive` (default): the two derives.
//! - `compress` (default): Snappy records.
//! - `mmap` (default): [`MappedCheckpoint`], the one place with unsafe code.
//! - `rayon`: several threads to compress and expand the arrays of a list.
//! - `replay`: Dopamine's replay buffer, restored, continued and saved.
//! - `flower`: Flower's records, with the object ids that flwr computes.
//! - `flax`, `msgpack-numpy`, `npy`, `safetensors`: the neighbouring formats.
//!
//! No feature changes a byte that is written.

// What is linked to may be left out of a build; with the default features nothing is.
#![cfg_attr(
    not(all(feature = "derive", feature = "compress", feature = "mmap")),
    allow(rustdoc::broken_intra_doc_links)
)]

#[cfg(target_endian = "big")]
compile_error!("npcodec is not tested on big-endian machines yet");

mod array;
pub mod checkpoint;
pub mod dtype;
mod encoding;
mod error;
mod file;
#[cfg(feature = "flower")]
pub mod flower;
#[cfg(any(
    feature = "flax",
    feature = "flower",
    feature = "msgpack-numpy",
    feature = "npy",
    feature = "safetensors"
))]
pub mod formats;
#[cfg(all(feature = "derive", feature = "compress", feature = "mmap"))]
pub mod guide;
mod limits;
mod path;
#[cfg(feature = "replay")]
pub mod replay;
mod report;
mod state;
pub mod with;

#[cfg(feature = "flower")]
pub use bytes;
pub use half;
pub use indexmap;
pub use ndarray;
pub use num_bigint;
pub use num_complex;

#[cfg(feature = "derive")]
pub use npcodec_derive::{Checkpoint, Structured};

pub use array::ArrayElement;
pub use checkpoint::{Checkpoint, Fortran, ReadOptions, Restore, RestoreOwned, Save, WriteOptions};
pub use encoding::{Integer, LongIntegerEncoding, NumpyEncoding};
#[cfg(feature = "compress")]
pub use encoding::{compress, uncompress};
pub use error::{Error, ErrorKind, FlowerError, ReplayError, UnsupportedLeaf};
pub use file::{
    Durability, Progress, SaveOptions, decode, decode_with, encode, encode_with, from_reader,
    from_reader_with, from_slice, from_slice_with, load, load_from, load_into, load_into_from,
    load_into_with, load_with, save, save_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
#[cfg(feature = "mmap")]
pub use file::{MappedArray, MappedCheckpoint};
pub use limits::Limits;
pub use path::{Path, PathPattern, PathSyntaxError, Place, Segment};
pub use report::{LoadReport, Mismatch, Strictness};
pub use state::{Hooks, Key, StateDict, Value};

/// What the expansions of the derives need; no part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use std::borrow::Cow;
    pub use std::string::String;
    pub use std::vec::Vec;

    pub use serde;

    pub use crate::checkpoint::generated::*;
    pub use crate::checkpoint::mode::{Deep, Ordinary, SerdeForm, With, form};
    pub use crate::checkpoint::*;
    pub use crate::dtype::DType;
    pub use crate::dtype::row;
    pub use crate::dtype::{Cast, Element, InvalidItem, Items, ReaderError};
    pub use crate::state::{Key, Value};
}
