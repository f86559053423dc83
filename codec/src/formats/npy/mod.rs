//! NumPy's files of one array, `.npy`: what `numpy.save` writes and `numpy.load` reads.
//!
//! Everything of the array is kept: dtype, byte order, memory order, records with their padding. The
//! types of ml_dtypes are the exception, which NumPy stores as opaque bytes: a file that holds
//! bfloat16 is read as `<V2`, and only a typed read says what that is. Objects are refused.
//!
//! The format is NumPy's NEP 1, with the header exactly as NumPy 1.26 to 2.4 writes it.

mod array;
#[allow(dead_code, reason = "each format uses a part of it")]
pub(crate) mod header;

pub use super::options::ReadOptions;
pub(super) use array::{array, header_of, payload_length, refusal};
pub use array::{from_slice, from_slice_with, split_first, to_vec, to_writer, unsupported};
