//! The formats of the neighbours: state dicts from and to the files that colleagues use.
//!
//! A format is a module with functions of the same names: `from_slice` reads a [`Value`](crate::Value)
//! that borrows from the bytes where it can, `to_vec` and `to_writer` write one. A leaf that a format
//! cannot hold is refused before anything is written, together with all others
//! ([`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported)).

#[cfg(any(feature = "npy", feature = "safetensors"))]
mod flat;
#[cfg(feature = "flax")]
pub mod flax;
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
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod options;
#[cfg(feature = "safetensors")]
pub mod safetensors;

#[cfg(any(feature = "npy", feature = "safetensors"))]
pub use options::ReadOptions;
