//! States out of files, fresh or in place, without reading what nobody asked for.

use std::io::{Read, Seek};
use std::path::Path as FilePath;

use super::decode::{finished, opened};
use super::reader::{Reader, Window};
use super::source::{Seekable, open};
use crate::checkpoint::{
    ReadOptions, Restore, Shared, Structure, from_deserializer, load_in_place,
};
use crate::encoding::Source;
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::report::LoadReport;

/// Reads a state from a file.
///
/// Payloads are read straight into the memory of the arrays they become: loading takes the memory
/// of the state and a small buffer.
///
/// # Errors
/// Those of [`from_slice`](crate::from_slice), and [`Io`](ErrorKind::Io).
pub fn load<T: Restore<'static>>(path: impl AsRef<FilePath>) -> Result<T, Error> {
    load_with(path, &ReadOptions::new()).map(|(state, _)| state)
}

/// Reads a state from a file with options, and reports what they tolerated.
///
/// # Errors
/// Those of [`load`], and [`Limit`](ErrorKind::Limit).
pub fn load_with<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    let path = path.as_ref();
    let source = open(path)?;
    fresh(&source, source.length(), options).map_err(|error| error.in_file(path))
}

/// Reads a state from anything that can be read from any place.
///
/// # Errors
/// Those of [`load_with`].
pub fn load_from<T: Restore<'static>>(
    reader: impl Read + Seek,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    let source = Seekable::new(reader)?;
    fresh(&source, source.length(), options)
}

fn fresh<T: Restore<'static>>(
    source: &dyn Source,
    length: u64,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    let mut reader = Reader::new(Window::new(source, length), options.limits)?;
    let shared = Shared::tracked(options, reader.position()).with_source(source);
    let read = opened(from_deserializer(&mut reader, shared))?;
    finished(reader, read)
}

/// Loads a file into a state that is there already.
///
/// The whole structure of the file is checked against the state first, so that an error changes
/// nothing; then payloads are read into the memory of the arrays that have their shape.
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit, those of
/// [`decode`](crate::decode) for a file that is no MessagePack value, [`Io`](ErrorKind::Io), and
/// [`PartlyLoaded`](ErrorKind::PartlyLoaded) if the file can no longer be read in the middle.
pub fn load_into<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    state: &mut T,
) -> Result<LoadReport, Error> {
    load_into_with(path, state, &ReadOptions::new())
}

/// Loads a file into a state that is there already, with options.
///
/// # Errors
/// Those of [`load_into`], and [`Limit`](ErrorKind::Limit).
pub fn load_into_with<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    state: &mut T,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    let path = path.as_ref();
    let source = open(path)?;
    in_place(&source, source.length(), state, options).map_err(|error| error.in_file(path))
}

/// Loads what can be read from any place into a state that is there already.
///
/// # Errors
/// Those of [`load_into_with`].
pub fn load_into_from<T: Restore<'static>>(
    reader: impl Read + Seek,
    state: &mut T,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    let source = Seekable::new(reader)?;
    in_place(&source, source.length(), state, options)
}

fn in_place<T: Restore<'static>>(
    source: &dyn Source,
    length: u64,
    state: &mut T,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    let mut reader = Reader::new(Window::new(source, length), options.limits)?;
    let shared = Shared::tracked(options, reader.position()).with_source(source);
    let (Structure(value), _) = opened(from_deserializer(&mut reader, shared))?;
    let value = finished(reader, value)?;
    load_in_place(
        state,
        &value,
        Shared::new(options).with_source(source),
        Some(source),
    )
}
