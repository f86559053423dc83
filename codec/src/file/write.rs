//! States to MessagePack, straight from their own memory.

mod arrays;
mod counted;
mod layout;
mod output;
mod sink;

use std::io::{self, BufWriter, Write};

use arrays::Arrays;
use output::Output;
use sink::ByteSink;

use crate::checkpoint::{Save, WriteOptions};
use crate::encoding::no_memory;
use crate::error::{Error, ErrorKind};

/// Writes a state into one allocation of exactly its size.
///
/// The bytes are those of `rmp_serde::to_vec`; beyond it, this gives typed errors with the path and
/// takes any type of a state: an array, a tuple of arrays.
///
/// ```
/// use npcodec::ndarray::array;
///
/// let bytes = npcodec::to_vec(&array![1u8, 2])?;
/// assert_eq!(bytes, b"\x83\xa5shape\x91\x02\xa4data\xc4\x02\x01\x02\xa5dtype\xa5'|u1'");
/// assert_eq!(bytes.capacity(), bytes.len());
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`TooLong`](ErrorKind::TooLong), [`TooMany`](ErrorKind::TooMany),
/// [`NestedNil`](ErrorKind::NestedNil), [`MistakableMap`](ErrorKind::MistakableMap), [`RepeatedKey`](ErrorKind::RepeatedKey),
/// [`KeyType`](ErrorKind::KeyType), [`CountOfParts`](ErrorKind::CountOfParts), [`NotRepresentable`](ErrorKind::NotRepresentable), and what an
/// adapter says.
pub fn to_vec<T: Save + ?Sized>(state: &T) -> Result<Vec<u8>, Error> {
    to_vec_with(state, &WriteOptions::new())
}

/// Writes a state into one allocation, with options.
///
/// # Errors
/// Those of [`to_vec`] and of the hooks.
pub fn to_vec_with<T: Save + ?Sized>(state: &T, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    // What has to be made for an array before its size is known is made once, in the first pass.
    let mut counted = Output::new(io::empty(), options, Arrays::Keep(Vec::new()));
    state.save(ByteSink::new(&mut counted))?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(counted.writer.at())
        .map_err(|_| no_memory(counted.writer.at()))?;
    let arrays = match counted.arrays {
        Arrays::Keep(kept) => Arrays::Reuse(kept.into_iter()),
        other => other,
    };
    let mut output = Output::new(&mut bytes, options, arrays);
    state.save(ByteSink::new(&mut output))?;
    Ok(bytes)
}

/// Writes a state to a writer.
///
/// The state is looked over first, so that what cannot be written at all, such as an array of 4 GiB,
/// is refused before the first byte. Arrays are not made for that: they are compressed or gathered
/// once, one at a time, when they are written.
///
/// # Errors
/// Those of [`to_vec`], and [`Io`](ErrorKind::Io); what was written by then is of no use.
pub fn to_writer<T: Save + ?Sized>(writer: impl Write, state: &T) -> Result<(), Error> {
    to_writer_with(writer, state, &WriteOptions::new())
}

/// Writes a state to a writer, with options.
///
/// # Errors
/// Those of [`to_writer`] and of the hooks, which are asked twice.
pub fn to_writer_with<T: Save + ?Sized>(
    writer: impl Write,
    state: &T,
    options: &WriteOptions,
) -> Result<(), Error> {
    check(state, options)?;
    stream(BufWriter::new(writer), state, options)
}

/// Goes over a state without making what is not there; returns its bytes if they are known so.
///
/// # Errors
/// Those of [`to_vec`] but for what is wrong with arrays that have to be made.
pub(super) fn check<T: Save + ?Sized>(
    state: &T,
    options: &WriteOptions,
) -> Result<Option<usize>, Error> {
    let mut checked = Output::new(io::empty(), options, Arrays::Check { exact: true });
    state.save(ByteSink::new(&mut checked))?;
    let exact = matches!(checked.arrays, Arrays::Check { exact: true });
    Ok(exact.then(|| checked.writer.at()))
}

/// Writes a state that has been checked, and flushes.
///
/// # Errors
/// Those of [`to_writer`].
pub(super) fn stream<T: Save + ?Sized>(
    writer: impl Write,
    state: &T,
    options: &WriteOptions,
) -> Result<(), Error> {
    let mut output = Output::new(writer, options, Arrays::Stream);
    state.save(ByteSink::new(&mut output))?;
    output.writer.flush().map_err(ErrorKind::io)?;
    Ok(())
}
