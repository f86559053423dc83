//! The files of Flax: what `flax.serialization.to_bytes` and `msgpack_serialize` write.
//!
//! [`to_bytes`] and [`from_bytes`] are for states, and go both ways with the functions of the same names
//! in Python; [`to_vec`] and [`from_slice`] are for values without a target type.
//!
//! ```
//! use npcodec::Checkpoint;
//! use npcodec::formats::flax;
//! use npcodec::ndarray::{Array1, Array2, array};
//!
//! #[derive(Checkpoint, Debug, PartialEq)]
//! struct State {
//!     kernel: Array2<f32>,
//!     moments: Vec<Array1<f32>>, // in the file a map with the keys "0" and "1", as Flax makes it
//!     step: u64,
//! }
//!
//! let state = State {
//!     kernel: array![[1.0, 2.0]],
//!     moments: vec![array![0.5], array![0.25]],
//!     step: 7,
//! };
//! let bytes = flax::to_bytes(&state)?;
//! assert_eq!(flax::from_bytes::<State>(&bytes)?, state);
//! # Ok::<(), npcodec::Error>(())
//! ```
//!
//! # What is written
//!
//! - Arrays are the extension 1: shape, NumPy's name of the dtype, row-major bytes. A column-major
//!   payload is written row by row. Arrays of more than 2^30 bytes are split as Flax splits them.
//! - NumPy's scalars ([`NumpyEncoding::is_scalar`]) are the extension 3, complex numbers the extension 2.
//! - Lists become maps with the keys "0", "1", ..., integer keys become texts, and keys keep their
//!   order: [`Form`] has the other ways.
//! - A float of 32 bits stays one, which Python reads as a float of the same value; Flax itself writes
//!   floats of 64 bits only.
//! - Integers have 64 bits. Longer ones are refused, unless
//!   [`WriteOptions::long_integers`] has them written as the maps that Dopamine makes of them.
//!
//! Refused are the arrays that Flax writes and cannot read: big-endian ones, whose byte order it
//! drops, texts, byte strings, voids, records, and long doubles, which differ from machine to machine.
//!
//! # What is read
//!
//! Everything that Flax writes, of any version, arrays in chunks joined where Flax joins them: outside of
//! lists. Complex numbers of Flax up to 0.8.5 are NumPy scalars, and stay that. Of what Flax never
//! writes but reads, that which can mean one thing only is taken too: codes of dtypes (`>f4`), a shape
//! that is one number, nil or has one -1, a name that is a byte string.
//!
//! Refused is what Flax takes with a loss: chunks of different dtypes, more than two parts of a complex
//! number, other keys beside those of chunks, the first of two equal keys. Keys that are no texts or
//! integers have no place in a state dict.

mod check;
mod chunks;
mod options;
mod parts;
mod read;
mod sink;
mod typed;
mod write;

use std::io::Write;

pub use super::options::ReadOptions;
pub use options::{Form, WriteOptions};
pub use typed::{from_bytes, from_bytes_with, load_into, load_into_with, to_bytes, to_bytes_with};

use super::fault::refuse;
use super::msgpack::{self, Measure, Output, Stream, in_one_allocation};
#[cfg(doc)]
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::limits::Limits;
use crate::state::Value;
use write::Writer;

/// The name of the format in errors.
const FORMAT: &str = "flax";

/// The codes of Flax's extensions.
const ARRAY: i8 = 1;
const COMPLEX: i8 = 2;
const SCALAR: i8 = 3;

/// The code of a point in time, which is MessagePack's own.
const TIMESTAMP: i8 = -1;

/// The key that says that a map is an array in chunks.
const MARKER: &str = "__msgpack_chunked_array__";

/// Reads a value that Flax wrote.
///
/// Texts and payloads are borrowed from `bytes`. A map stays a map, whatever its keys: lists that
/// `to_bytes` has turned into maps are known for lists only by the type that they are read as
/// ([`from_bytes`]).
///
/// ```
/// use npcodec::formats::flax;
///
/// // flax.serialization.to_bytes({'w': np.array([1, 2], 'u1')})
/// let bytes = b"\x81\xa1w\xc7\x0d\x01\x93\x91\x02\xa5uint8\xc4\x02\x01\x02";
/// let value = flax::from_slice(bytes)?;
/// let array = value.as_map().and_then(|map| map.get("w")).and_then(|value| value.as_array());
/// assert_eq!(array.map(|array| array.data()), Some(&[1, 2][..]));
/// assert_eq!(flax::to_vec(&value)?, bytes);
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
/// [`TooManyDimensions`](ErrorKind::TooManyDimensions) for extensions and chunks that are no arrays.
/// Each says at which path and byte.
pub fn from_slice(bytes: &[u8]) -> Result<Value<'_>, Error> {
    from_slice_with(bytes, &ReadOptions::new())
}

/// Reads a value that Flax wrote, within the limits of the options.
///
/// # Errors
/// Those of [`from_slice`], and [`Limit`](ErrorKind::Limit).
pub fn from_slice_with<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<Value<'a>, Error> {
    read(bytes, options.limits)
}

fn read(bytes: &[u8], limits: Limits) -> Result<Value<'_>, Error> {
    msgpack::read(bytes, limits, &read::Flax)
}

/// Writes a value as Flax's `to_bytes` does, into one allocation of exactly its size.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with all leaves that Flax cannot hold.
pub fn to_vec(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    to_vec_with(value, &WriteOptions::new())
}

/// Writes a value as the options say, into one allocation of exactly its size.
///
/// # Errors
/// Those of [`to_vec`].
pub fn to_vec_with(value: &Value<'_>, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    refuse(FORMAT, unsupported_with(value, options))?;
    let mut measure = Output::new(Measure::default(), false);
    Writer::new(&mut measure, options).value(value, false)?;
    let mut output = Output::new(in_one_allocation(measure.target.0)?, false);
    Writer::new(&mut output, options).value(value, false)?;
    Ok(output.target)
}

/// Writes a value as Flax's `to_bytes` does; payloads are not copied on the way.
///
/// # Errors
/// Those of [`to_vec`], before anything is written, and [`Io`](ErrorKind::Io).
pub fn to_writer(writer: impl Write, value: &Value<'_>) -> Result<(), Error> {
    to_writer_with(writer, value, &WriteOptions::new())
}

/// Writes a value as the options say; payloads are not copied on the way.
///
/// # Errors
/// Those of [`to_writer`].
pub fn to_writer_with(
    writer: impl Write,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<(), Error> {
    refuse(FORMAT, unsupported_with(value, options))?;
    let mut output = Output::new(Stream::new(writer), false);
    Writer::new(&mut output, options).value(value, false)?;
    output
        .target
        .flush()
        .map_err(|error| ErrorKind::io(error).into())
}

/// Returns the leaves of a value that Flax cannot hold, each with the reason.
#[must_use]
pub fn unsupported(value: &Value<'_>) -> Vec<UnsupportedLeaf> {
    unsupported_with(value, &WriteOptions::new())
}

/// Returns the leaves of a value that Flax cannot hold under these options.
#[must_use]
pub fn unsupported_with(value: &Value<'_>, options: &WriteOptions) -> Vec<UnsupportedLeaf> {
    msgpack::unsupported(value, options)
}
