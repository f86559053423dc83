//! Files and readers as sources of payloads.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path as FilePath;

use crate::encoding::Source;
use crate::error::{Error, ErrorKind};

/// A reader that can be moved to any place.
pub(super) struct Seekable<R> {
    reader: RefCell<R>,
    /// Where byte 0 of the source is.
    start: u64,
    length: u64,
}

impl<R: Read + Seek> Seekable<R> {
    /// Takes a reader, from where it stands to its end.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io).
    pub(super) fn new(mut reader: R) -> Result<Self, Error> {
        let start = reader.stream_position().map_err(ErrorKind::io)?;
        let end = reader.seek(SeekFrom::End(0)).map_err(ErrorKind::io)?;
        Ok(Self {
            reader: RefCell::new(reader),
            start,
            length: end.saturating_sub(start),
        })
    }

    /// Returns how many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

/// Opens a file to be read from any place.
///
/// # Errors
/// [`Io`](ErrorKind::Io).
#[cfg(unix)]
pub(super) fn open(path: &FilePath) -> Result<Positioned, Error> {
    let file = open_file(path)?;
    let length = file.metadata().map_err(ErrorKind::io)?.len();
    Ok(Positioned { file, length })
}

#[cfg(not(unix))]
pub(super) fn open(path: &FilePath) -> Result<Seekable<File>, Error> {
    Seekable::new(open_file(path)?)
}

/// Opens a file to be read.
///
/// # Errors
/// [`Io`](ErrorKind::Io).
pub(super) fn open_file(path: &FilePath) -> Result<File, Error> {
    File::open(path).map_err(|error| ErrorKind::io(error).into())
}

/// A file of which each read says from where, which saves a call for each array that is passed over.
#[cfg(unix)]
pub(super) struct Positioned {
    file: File,
    length: u64,
}

#[cfg(unix)]
impl Positioned {
    /// Returns how many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(unix)]
impl Source for Positioned {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
            .map_err(|error| Error::from(ErrorKind::io(error)).at(offset))
    }
}

impl<R: Read + Seek> Source for Seekable<R> {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error> {
        let mut reader = self.reader.borrow_mut();
        reader
            .seek(SeekFrom::Start(self.start.saturating_add(offset)))
            .and_then(|_| reader.read_exact(bytes))
            .map_err(|error| Error::from(ErrorKind::io(error)).at(offset))
    }
}
