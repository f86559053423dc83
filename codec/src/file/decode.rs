//! MessagePack to states and values.

use std::io::Read;

use super::reader::{Input, Reader, Slice, Stream};
use crate::checkpoint::{ReadOptions, Restore, Shared, from_deserializer};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::report::LoadReport;
use crate::state::Value;

/// Reads one value, as Dopamine's decoder does: maps that are encodings become arrays and integers.
///
/// Texts and payloads are borrowed from `bytes`. The dtype of an array is never evaluated, pickles
/// are bytes, and object arrays are refused.
///
/// ```
/// use npcodec::{Value, decode};
///
/// let bytes = b"\x81\xa7integer\xb418446744073709551616";
/// let value = decode(bytes)?;
/// assert_eq!(value, Value::from(1u128 << 64));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Syntax`](ErrorKind::Syntax), [`Truncated`](ErrorKind::Truncated) and
/// [`TrailingBytes`](ErrorKind::TrailingBytes) for bytes that are no MessagePack value,
/// [`TooDeep`](ErrorKind::TooDeep), [`KeyType`](ErrorKind::KeyType) and
/// [`RepeatedKey`](ErrorKind::RepeatedKey) for values that no state has, and whatever is wrong with
/// an array or an integer among them. Each says at which path and byte.
pub fn decode(bytes: &[u8]) -> Result<Value<'_>, Error> {
    decode_with(bytes, &ReadOptions::new())
}

/// Reads one value under limits, offering the maps that are no encodings to hooks.
///
/// # Errors
/// Those of [`decode`], [`Limit`](ErrorKind::Limit), and those of the hooks.
pub fn decode_with<'b>(bytes: &'b [u8], options: &ReadOptions) -> Result<Value<'b>, Error> {
    from_slice_with(bytes, options).map(|(value, _)| value)
}

/// Reads a state.
///
/// Unlike `rmp_serde::from_slice`, this gives typed errors with path and byte, takes any type of a
/// state (an array, a tuple of arrays), and refuses bytes after the value.
///
/// ```
/// use npcodec::ndarray::{Array1, array};
/// use npcodec::{from_slice, to_vec};
///
/// let bytes = to_vec(&(array![1.0f32, 2.0], 7u64))?;
/// let (weights, step): (Array1<f32>, u64) = from_slice(&bytes)?;
/// assert_eq!((weights, step), (array![1.0, 2.0], 7));
///
/// let error = from_slice::<(Array1<i64>, u64)>(&bytes).unwrap_err();
/// assert_eq!(error.report().map(|report| report.mismatched[0].offset), Some(Some(1)));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit; those of [`decode`] for bytes
/// that are no MessagePack value.
pub fn from_slice<'de, T: Restore<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, &ReadOptions::new()).map(|(state, _)| state)
}

/// Reads a state with options, and reports what they tolerated.
///
/// # Errors
/// Those of [`from_slice`], and [`Limit`](ErrorKind::Limit).
pub fn from_slice_with<'de, T: Restore<'de>>(
    bytes: &'de [u8],
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    read(Slice::new(bytes), options)
}

/// Reads a state from an input, to its end.
fn read<'de, T: Restore<'de>, I: Input<'de>>(
    input: I,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    let mut reader = Reader::new(input, options.limits)?;
    let shared = Shared::tracked(options, reader.position());
    let read = at_first_byte(from_deserializer(&mut reader, shared))?;
    finished(reader, read)
}

/// Gives an error that knows no byte the first one, but for a report, whose lines have their own.
pub(super) fn at_first_byte<T>(read: Result<T, Error>) -> Result<T, Error> {
    read.map_err(|error| match error.report() {
        Some(_) => error,
        None => error.at(0),
    })
}

/// Gives what was read if nothing is left behind it.
pub(super) fn finished<'de, T>(reader: Reader<impl Input<'de>>, read: T) -> Result<T, Error> {
    reader.finish()?;
    Ok(read)
}

/// Reads a state from a reader, to its end.
///
/// # Errors
/// Those of [`from_slice`], and [`Io`](ErrorKind::Io).
pub fn from_reader<T: Restore<'static>>(reader: impl Read) -> Result<T, Error> {
    from_reader_with(reader, &ReadOptions::new()).map(|(state, _)| state)
}

/// Reads a state from a reader with options, and reports what they tolerated.
///
/// # Errors
/// Those of [`from_slice_with`], and [`Io`](ErrorKind::Io).
pub fn from_reader_with<T: Restore<'static>>(
    reader: impl Read,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    read(Stream::new(reader, options.limits.total_bytes), options)
}
