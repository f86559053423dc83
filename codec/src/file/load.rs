//! States out of files, fresh or in place, without reading what nobody asked for.

use std::io::{Read, Seek};
use std::path::Path as FilePath;

use super::decode::{at_first_byte, finished};
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
/// ```
/// use npcodec::Checkpoint;
/// use npcodec::ndarray::{Array1, array};
///
/// #[derive(Checkpoint, Debug, PartialEq)]
/// struct State {
///     weights: Array1<f32>,
///     step: u64,
/// }
///
/// let path = std::env::temp_dir().join(format!("load-{}.msgpack", std::process::id()));
/// let state = State { weights: array![1.0, 2.0], step: 7 };
/// npcodec::save(&path, &state)?;
/// assert_eq!(npcodec::load::<State>(&path)?, state);
/// # std::fs::remove_file(path).expect("the file");
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// Those of [`from_slice`](crate::from_slice), and [`Io`](ErrorKind::Io). Each says in which file.
pub fn load<T: Restore<'static>>(path: impl AsRef<FilePath>) -> Result<T, Error> {
    load_with(path, &ReadOptions::new()).map(|(state, _)| state)
}

/// Reads a state from a file with options, and reports what they tolerated.
///
/// With [`at`](ReadOptions::at) it is a part of a larger state, and what stands beside it in the file
/// is passed over unread:
///
/// ```
/// use npcodec::ReadOptions;
/// use npcodec::ndarray::{Array1, array};
/// use std::collections::BTreeMap;
///
/// let path = std::env::temp_dir().join(format!("load-with-{}.msgpack", std::process::id()));
/// let networks = [("actor", array![1.0f32]), ("critic", array![2.0, 3.0])];
/// let state = BTreeMap::from(networks.map(|(name, weights)| (name.to_owned(), weights)));
/// npcodec::save(&path, &state)?;
/// let options = ReadOptions::new().at("critic".parse()?);
/// let (critic, report) = npcodec::load_with::<Array1<f32>>(&path, &options)?;
/// assert!(critic == array![2.0, 3.0] && report.is_clean());
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`load`], and [`Limit`](ErrorKind::Limit).
pub fn load_with<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    let path = path.as_ref();
    open(path)
        .and_then(|source| fresh(&source, source.length(), options))
        .map_err(|error| error.in_file(path))
}

/// Reads a state from a reader that can seek: from where it stands to its end.
///
/// This is [`load_with`] for what is no file by itself, such as a member of an archive. Unlike
/// [`from_reader_with`](crate::from_reader_with), which reads every byte once, it leaves payloads
/// where they are until their array is made, and passes over what nobody asked for.
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
    let read = at_first_byte(from_deserializer(&mut reader, shared))?;
    finished(reader, read)
}

/// Loads a file into a state that is there already.
///
/// The whole structure of the file is checked against the state first, so that an error changes
/// nothing; then payloads are read into the memory of the arrays, which have their shapes.
///
/// ```
/// use npcodec::Checkpoint;
/// use npcodec::ndarray::{Array1, array};
///
/// #[derive(Checkpoint)]
/// struct State {
///     weights: Array1<f32>,
///     step: u64,
/// }
///
/// let path = std::env::temp_dir().join(format!("load-into-{}.msgpack", std::process::id()));
/// npcodec::save(&path, &State { weights: array![1.0, 2.0], step: 7 })?;
///
/// let mut state = State { weights: Array1::zeros(2), step: 0 };
/// let memory = state.weights.as_ptr();
/// npcodec::load_into(&path, &mut state)?;
/// assert_eq!((state.weights.as_ptr(), state.step), (memory, 7));
/// assert_eq!(state.weights, array![1.0, 2.0]);
///
/// let mut smaller = State { weights: Array1::zeros(1), step: 0 };
/// assert!(npcodec::load_into(&path, &mut smaller).is_err());
/// assert_eq!(smaller.step, 0);
/// # std::fs::remove_file(path).expect("the file");
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit, those of
/// [`decode`](crate::decode) for a file that is no MessagePack value, [`Io`](ErrorKind::Io), and
/// [`PartlyLoaded`](ErrorKind::PartlyLoaded) if the file can no longer be read in the middle. Each says
/// in which file.
pub fn load_into<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    state: &mut T,
) -> Result<LoadReport, Error> {
    load_into_with(path, state, &ReadOptions::new())
}

/// Loads a file into a state that is there already, with options.
///
/// With [`only`](ReadOptions::only), what no pattern selects stays as it is, and its payloads are not
/// read:
///
/// ```
/// use npcodec::Checkpoint;
/// use npcodec::ReadOptions;
/// use npcodec::ndarray::{Array1, array};
///
/// #[derive(Checkpoint)]
/// struct State {
///     weights: Array1<f32>,
///     moments: Array1<f32>,
/// }
///
/// let path = std::env::temp_dir().join(format!("load-only-{}.msgpack", std::process::id()));
/// npcodec::save(&path, &State { weights: array![1.0], moments: array![2.0] })?;
///
/// let mut state = State { weights: array![0.0], moments: array![0.5] };
/// let options = ReadOptions::new().only(["weights".parse()?]);
/// npcodec::load_into_with(&path, &mut state, &options)?;
/// assert_eq!((state.weights, state.moments), (array![1.0], array![0.5]));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`load_into`], [`Limit`](ErrorKind::Limit), and
/// [`NothingSelected`](ErrorKind::NothingSelected) for patterns that select nothing.
pub fn load_into_with<T: Restore<'static>>(
    path: impl AsRef<FilePath>,
    state: &mut T,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    let path = path.as_ref();
    open(path)
        .and_then(|source| in_place(&source, source.length(), state, options))
        .map_err(|error| error.in_file(path))
}

/// Loads into a state that is there already from a reader that can seek: from where it stands to its
/// end.
///
/// This is [`load_into_with`] for what is no file by itself, as [`load_from`] is [`load_with`].
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
    let (Structure(value), _) = at_first_byte(from_deserializer(&mut reader, shared))?;
    let value = finished(reader, value)?;
    load_in_place(
        state,
        &value,
        Shared::new(options).with_source(source),
        Some(source),
    )
}
