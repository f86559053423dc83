//! Files in the address space: nothing is read before it is looked at.

// Mapping a file is unsafe by its nature; see the contract of `open`. No other file may say this,
// which the rules of the house check.
#![allow(unsafe_code)]

use std::fmt;
use std::ops::Deref;
use std::path::Path as FilePath;

use memmap2::Mmap;
use ndarray::{CowArray, Dimension};

use super::decode::{decode_with, from_slice_with};
use super::index::Index;
use super::reader::check;
use super::source::open_file;
use crate::array::ArrayElement;
use crate::checkpoint::{ReadOptions, Restore, Shared, Structure, load_in_place};
use crate::encoding::{NumpyEncoding, is_compressed};
use crate::error::{Error, ErrorKind};
use crate::path::Path;
use crate::report::LoadReport;
use crate::state::Value;

/// A checkpoint that is mapped into memory.
///
/// Opening it reads its structure once and no payload: a page of the file is read when a value on
/// it is looked at. Arrays borrow from the map where they are aligned, which in files written with
/// [`align`](crate::WriteOptions::align) all of them are.
///
/// ```
/// use npcodec::ndarray::{Array1, Ix1};
/// use npcodec::{Checkpoint, MappedCheckpoint, to_vec};
///
/// #[derive(Checkpoint)]
/// struct Layer {
///     kernel: Array1<f32>,
///     steps: u64,
/// }
///
/// let path = std::env::temp_dir().join(format!("npcodec-map-{}", std::process::id()));
/// std::fs::write(&path, to_vec(&Layer { kernel: Array1::ones(3), steps: 7 })?)?;
/// // SAFETY: nobody else knows of the file.
/// let checkpoint = unsafe { MappedCheckpoint::open(&path)? };
/// let kernel = checkpoint.view::<f32, Ix1>(&"kernel".parse()?)?;
/// assert_eq!(kernel.sum(), 3.0);
/// for array in checkpoint.arrays() {
///     let array = array?;
///     println!("{} {} {:?}", array.path(), array.dtype(), array.shape());
/// }
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MappedCheckpoint {
    map: Bytes,
    index: Index,
    /// How its values are read.
    options: ReadOptions,
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl MappedCheckpoint {
    /// Maps a file and reads its structure.
    ///
    /// # Safety
    ///
    /// While the map exists, nobody may change the file or make it shorter: what was read would
    /// change under its borrows, and reading behind the end kills the process. Files that this crate
    /// wrote to the same path are no danger, since [`save`](crate::save) never touches a file that
    /// is there, but other programs may be. [`load`](crate::load) has no such contract.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), and those of [`decode`](crate::decode) for a file that is no
    /// MessagePack value; each says in which file. What is wrong with an array shows when it is looked
    /// at.
    pub unsafe fn open(path: impl AsRef<FilePath>) -> Result<Self, Error> {
        // SAFETY: the caller keeps the same contract.
        unsafe { Self::open_with(path, &ReadOptions::new()) }
    }

    /// Maps a file under limits. Its values are read with the limits, the hooks and the order of
    /// [`fortran`](ReadOptions::fortran) that the options have, where no others are given.
    ///
    /// # Safety
    ///
    /// That of [`open`](Self::open).
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and [`Limit`](ErrorKind::Limit).
    pub unsafe fn open_with(
        path: impl AsRef<FilePath>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let mapped = open_file(path).and_then(|file| {
            // SAFETY: the caller promises that the file stays as it is for as long as the map exists.
            let map = unsafe { Mmap::map(&file) }.map_err(ErrorKind::io)?;
            Self::new(Bytes::Mapped(map), options)
        });
        mapped.map_err(|error| error.in_file(path))
    }

    /// Takes a file that has been read into memory, for which there is no contract to keep.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) but for [`Io`](ErrorKind::Io).
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::from_bytes_with(bytes, &ReadOptions::new())
    }

    /// Takes a file that has been read into memory, under the limits, the hooks and the order that
    /// the options have.
    ///
    /// # Errors
    /// Those of [`from_bytes`](Self::from_bytes), and [`Limit`](ErrorKind::Limit).
    pub fn from_bytes_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, Error> {
        Self::new(Bytes::Owned(bytes), options)
    }

    fn new(map: Bytes, options: &ReadOptions) -> Result<Self, Error> {
        check("bytes of input", map.len(), options.limits.total_bytes)?;
        let index = Index::new(&map, options.limits)?;
        let options = ReadOptions::new()
            .limits(options.limits)
            .hooks(options.hooks.clone())
            .fortran(options.fortran);
        Ok(Self {
            map,
            index,
            options,
        })
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Returns how many arrays there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.count()
    }

    /// Returns true if there are no arrays.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes over the arrays in the order of the file.
    ///
    /// # Errors
    /// Each item is an array or says what is wrong with it: those of [`NumpyEncoding::new`].
    pub fn arrays(&self) -> impl Iterator<Item = Result<MappedArray<'_>, Error>> {
        self.index.arrays().map(|(number, range)| {
            let path = self.index.path(&self.map, number);
            let bytes = &self.map[range.clone()];
            match located(decode_with(bytes, &self.options), &path, range.start)? {
                Value::Array(encoding) => Ok(MappedArray { path, encoding }),
                other => Err(not_an_array(&other).under(&path)),
            }
        })
    }

    /// Returns the value at a path, borrowed from the map; none if there is none.
    ///
    /// Keys with dots and other special characters are quoted: `agent.params["layers.0"]`.
    ///
    /// # Errors
    /// Those of [`decode`](crate::decode) for the value.
    pub fn get(&self, path: &Path) -> Result<Option<Value<'_>>, Error> {
        let Some(range) = self.index.find(&self.map, path) else {
            return Ok(None);
        };
        let bytes = &self.map[range.clone()];
        located(decode_with(bytes, &self.options), path, range.start).map(Some)
    }

    /// Returns the array at a path, borrowed from the map where its payload is aligned and in this
    /// machine's form, and a copy where it is not.
    ///
    /// [`NumpyEncoding::view`] of what [`get`](Self::get) gives never copies.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) if there is no such array, or one of another type.
    pub fn view<T: ArrayElement, D: Dimension>(
        &self,
        path: &Path,
    ) -> Result<CowArray<'_, T, D>, Error> {
        self.restore_at(path)
    }

    /// Reads the state at a path, borrowing from the map what its types can borrow.
    ///
    /// # Errors
    /// Those of [`from_slice`](crate::from_slice), with a report if there is nothing at the path.
    pub fn restore_at<'m, T: Restore<'m>>(&'m self, path: &Path) -> Result<T, Error> {
        let Some(range) = self.index.find(&self.map, path) else {
            let mut report = LoadReport::default();
            report.add_missing(|| path.clone());
            return Err(ErrorKind::Report(report).into());
        };
        let bytes = &self.map[range.clone()];
        let read = from_slice_with(bytes, &self.options).map(|(state, _)| state);
        located(read, path, range.start)
    }

    /// Reads the whole state, borrowing from the map what its types can borrow.
    ///
    /// # Errors
    /// Those of [`from_slice`](crate::from_slice).
    pub fn restore<'m, T: Restore<'m>>(&'m self) -> Result<T, Error> {
        from_slice_with(&self.map, &self.options).map(|(state, _)| state)
    }

    /// Reads the state with options, borrowing from the map what its types can borrow, and reports
    /// what they tolerated. They are in the place of those that the checkpoint was opened with.
    ///
    /// # Errors
    /// Those of [`from_slice_with`](crate::from_slice_with).
    pub fn restore_with<'m, T: Restore<'m>>(
        &'m self,
        options: &ReadOptions,
    ) -> Result<(T, LoadReport), Error> {
        from_slice_with(&self.map, options)
    }

    /// Loads the checkpoint into a state that is there already.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) with everything that does not fit; then nothing has changed.
    pub fn restore_into<'m, T: Restore<'m>>(&'m self, state: &mut T) -> Result<LoadReport, Error> {
        self.restore_into_with(state, &self.options)
    }

    /// Loads the checkpoint into a state that is there already, with options in the place of those that
    /// the checkpoint was opened with.
    ///
    /// # Errors
    /// Those of [`restore_into`](Self::restore_into).
    pub fn restore_into_with<'m, T: Restore<'m>>(
        &'m self,
        state: &mut T,
        options: &ReadOptions,
    ) -> Result<LoadReport, Error> {
        let (Structure(value), _) = from_slice_with(&self.map, options)?;
        load_in_place(state, &value, Shared::new(options), None)
    }
}

/// The sizes alone: neither all bytes nor all arrays are what a log wants.
impl fmt::Debug for MappedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedCheckpoint")
            .field("bytes", &self.map.len())
            .field("arrays", &self.len())
            .finish_non_exhaustive()
    }
}

/// Gives an error the place of the value in the whole file.
fn located<T>(read: Result<T, Error>, path: &Path, start: usize) -> Result<T, Error> {
    read.map_err(|error| error.of_part(path, start as u64))
}

fn not_an_array(value: &Value<'_>) -> Error {
    ErrorKind::Mismatch {
        expected: "an array".to_owned(),
        found: value.kind().to_owned(),
    }
    .into()
}

/// An array of a mapped checkpoint.
#[derive(Debug, Clone)]
pub struct MappedArray<'m> {
    path: Path,
    encoding: NumpyEncoding<'m>,
}

impl<'m> MappedArray<'m> {
    /// Returns where in the state it stands.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true for a Snappy record, as Dopamine's `elements.compress` makes them.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        is_compressed(&self.encoding)
    }

    /// Returns the array in its wire form, borrowed from the map.
    #[must_use]
    pub fn into_encoding(self) -> NumpyEncoding<'m> {
        self.encoding
    }
}

/// Shape, dtype, order and payload are those of the wire form.
impl<'m> Deref for MappedArray<'m> {
    type Target = NumpyEncoding<'m>;

    fn deref(&self) -> &NumpyEncoding<'m> {
        &self.encoding
    }
}
