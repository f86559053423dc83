//! The formats of the neighbours: state dicts from and to the files that colleagues use.
//!
//! A format is a module with functions of the same names: `from_slice` reads a [`Value`](crate::Value)
//! that borrows from the bytes where it can, `to_vec` and `to_writer` write one, and those that end in
//! `_with` take the `ReadOptions` or `WriteOptions` of the module. What a format cannot hold is refused
//! before anything is written, all of it in one error
//! ([`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported)); `unsupported` is the list alone.
//!
//! ```
//! # #[cfg(all(feature = "derive", feature = "npy"))] {
//! use npcodec::Checkpoint;
//! use npcodec::formats::{self, Format, WriteOptions};
//! use npcodec::ndarray::{Array1, Array2, array};
//!
//! #[derive(Checkpoint, Debug, PartialEq)]
//! struct Layer {
//!     kernel: Array2<f32>,
//!     bias: Array1<f32>,
//! }
//!
//! let layer = Layer { kernel: array![[1.0, 2.0]], bias: array![0.5] };
//! let (bytes, _) = formats::write(Format::Npz, &layer.to_state_dict()?, &WriteOptions::new())?;
//!
//! let (format, dict) = formats::read(&bytes)?; // of any format, recognised by its bytes
//! assert_eq!(format, Format::Npz);
//! assert_eq!(formats::restore::<Layer>(dict)?, layer);
//! # }
//! # Ok::<(), npcodec::Error>(())
//! ```
//!
//! [`read`] takes a file in any of them, and says which it was; [`write()`] makes one. What the target cannot
//! hold may be [converted](Conversion) by name, and nothing else is: the list of what was converted comes
//! back. [`restore`] makes a typed state of what was read, and [`load_into`] loads it into one that is there.

mod conversion;
mod convert;
mod fault;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod flat;
#[cfg(feature = "flax")]
pub mod flax;
mod format;
#[cfg(feature = "npy")]
mod lost_types;
#[cfg(any(feature = "flax", feature = "msgpack-numpy"))]
mod msgpack;
#[cfg(feature = "msgpack-numpy")]
pub mod msgpack_numpy;
#[cfg(feature = "npy")]
pub mod npy;
// Flower's arrays are `.npy` files, of which they need no more than the header.
#[cfg(all(feature = "flower", not(feature = "npy")))]
pub(crate) mod npy {
    #[allow(dead_code, reason = "each format uses a part of it")]
    pub(crate) mod header;
}
#[cfg(feature = "npy")]
pub mod npz;
mod options;
mod read;
mod recognise;
mod restore;
#[cfg(feature = "safetensors")]
pub mod safetensors;
mod write;

pub use conversion::{Conversion, Converted};
pub use convert::convert;
pub use format::Format;
pub use options::ReadOptions;
pub use read::{read, read_file, read_file_with, read_value, read_value_with, read_with};
pub use recognise::recognise;
pub use restore::{load_into, restore, restore_with};
pub use write::{WriteOptions, write, write_file, write_to, write_value};
