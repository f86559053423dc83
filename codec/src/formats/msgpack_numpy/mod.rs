//! The files of Python's msgpack-numpy: `packb(x, default=msgpack_numpy.encode)`.
//!
//! ```
//! use npcodec::Checkpoint;
//! use npcodec::formats::msgpack_numpy;
//! use npcodec::ndarray::{Array2, array};
//!
//! #[derive(Checkpoint, Debug, PartialEq)]
//! struct State {
//!     kernel: Array2<f32>,
//!     step: u64,
//! }
//!
//! let state = State { kernel: array![[1.0, 2.0]], step: 7 };
//! let bytes = msgpack_numpy::to_vec(&state.to_value()?)?;
//! assert_eq!(State::from_value(msgpack_numpy::from_slice(&bytes)?)?, state);
//! # Ok::<(), npcodec::Error>(())
//! ```
//!
//! # What is written
//!
//! - Arrays are maps with the byte strings `nd`, `type`, `kind`, `shape` and `data` for keys, as version
//!   0.4.8 writes them: `dtype.str`, or for structured types the nested lists of `dtype.descr`, and
//!   row-major bytes.
//! - NumPy's scalars ([`NumpyEncoding::is_scalar`]) are maps of `nd`, `type` and `data`, complex numbers maps
//!   of `complex` and Python's text of the number. Floats of 32 bits stay what they are.
//! - Padding of a structured type shows as an unnamed void, which is read back here as padding; Python
//!   makes a field `f1` of it, and a field `f0` of a plain void.
//!
//! Refused are the types of ml_dtypes, which Python would take for voids, records whose fields are not in
//! the order of their offsets, have titles, or have the name that Python makes for their padding, and
//! integers of more than 64 bits.
//!
//! # What is read
//!
//! Everything that msgpack-numpy writes but objects: an object array is a pickle, or a row of pointers, and
//! is refused in every form, also as a field of a record. What it reads with a loss is refused too: other
//! keys beside those of an array, more bytes than the shape needs. Other byte strings as keys have no
//! place in a state dict.
//!
//! [`ReadOptions::raw`] and [`WriteOptions::raw`] are for the files of `use_bin_type=False`, in which texts and bytes are the same.

mod check;
mod complex;
mod descr;
mod options;
mod parts;
mod read;
mod write;

use std::io::Write;

pub use options::{ReadOptions, WriteOptions};

use super::fault::refuse;
use super::msgpack::{self, Measure, Output, Stream, in_one_allocation};
#[cfg(doc)]
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::state::Value;
use read::MsgpackNumpy;
use write::Writer;

/// The name of the format in errors.
const FORMAT: &str = "msgpack-numpy";

/// Reads a value that msgpack-numpy wrote.
///
/// Texts and payloads are borrowed from `bytes`; nothing is ever unpickled.
///
/// ```
/// use npcodec::formats::msgpack_numpy;
///
/// // msgpack_numpy.packb(np.array([1, 2], 'u1'))
/// let bytes = b"\x85\xc4\x02nd\xc3\xc4\x04type\xa3|u1\xc4\x04kind\xc4\x00\xc4\x05shape\x91\x02\
///               \xc4\x04data\xc4\x02\x01\x02";
/// let value = msgpack_numpy::from_slice(bytes)?;
/// assert_eq!(value.as_array().map(|array| array.data()), Some(&[1, 2][..]));
/// assert_eq!(msgpack_numpy::to_vec(&value)?, bytes);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Syntax`](ErrorKind::Syntax), [`Truncated`](ErrorKind::Truncated) and
/// [`TrailingBytes`](ErrorKind::TrailingBytes) for bytes that are no MessagePack value,
/// [`TooDeep`](ErrorKind::TooDeep), [`KeyType`](ErrorKind::KeyType) and
/// [`RepeatedKey`](ErrorKind::RepeatedKey) for values that no state has, [`Format`](ErrorKind::Format),
/// [`DType`](ErrorKind::DType), [`PayloadLength`](ErrorKind::PayloadLength),
/// [`SizeOverflow`](ErrorKind::SizeOverflow) and
/// [`TooManyDimensions`](ErrorKind::TooManyDimensions) for maps that are no arrays. Each says at which
/// path and byte.
pub fn from_slice(bytes: &[u8]) -> Result<Value<'_>, Error> {
    from_slice_with(bytes, &ReadOptions::new())
}

/// Reads a value that msgpack-numpy wrote, with options.
///
/// # Errors
/// Those of [`from_slice`], and [`Limit`](ErrorKind::Limit).
pub fn from_slice_with<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<Value<'a>, Error> {
    let raw = options.raw;
    msgpack::read(bytes, options.limits, &MsgpackNumpy { raw })
}

/// Writes a value as msgpack-numpy does, into one allocation of exactly its size.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with all leaves that msgpack-numpy cannot hold.
pub fn to_vec(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    to_vec_with(value, &WriteOptions::new())
}

/// Writes a value with options, into one allocation of exactly its size.
///
/// # Errors
/// Those of [`to_vec`].
pub fn to_vec_with(value: &Value<'_>, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    refuse(FORMAT, unsupported_with(value, options))?;
    let mut measure = Output::new(Measure::default(), options.raw);
    Writer(&mut measure).value(value)?;
    let mut output = Output::new(in_one_allocation(measure.target.0)?, options.raw);
    Writer(&mut output).value(value)?;
    Ok(output.target)
}

/// Writes a value as msgpack-numpy does; payloads are not copied on the way.
///
/// # Errors
/// Those of [`to_vec`], before anything is written, and [`Io`](ErrorKind::Io).
pub fn to_writer(writer: impl Write, value: &Value<'_>) -> Result<(), Error> {
    to_writer_with(writer, value, &WriteOptions::new())
}

/// Writes a value with options; payloads are not copied on the way.
///
/// # Errors
/// Those of [`to_writer`].
pub fn to_writer_with(
    writer: impl Write,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<(), Error> {
    refuse(FORMAT, unsupported_with(value, options))?;
    let mut output = Output::new(Stream::new(writer), options.raw);
    Writer(&mut output).value(value)?;
    let flushed = output.target.flush();
    flushed.map_err(|error| ErrorKind::io(error).into())
}

/// Returns the leaves of a value that msgpack-numpy cannot hold, each with the reason.
#[must_use]
pub fn unsupported(value: &Value<'_>) -> Vec<UnsupportedLeaf> {
    unsupported_with(value, &WriteOptions::new())
}

/// Returns the leaves of a value that msgpack-numpy cannot hold under these options.
#[must_use]
pub fn unsupported_with(value: &Value<'_>, options: &WriteOptions) -> Vec<UnsupportedLeaf> {
    msgpack::unsupported(value, options)
}

/// Makes the error of something that msgpack-numpy does not write, and that is not taken for what it
/// writes.
#[cold]
fn fault(expected: impl Into<String>, found: impl std::fmt::Display) -> Error {
    super::fault::fault(FORMAT, expected, found)
}
