//! Files and readers as sources of payloads.

use std::cell::RefCell;
use std::io::{Read, Seek, SeekFrom};

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

impl<R: Read + Seek> Source for Seekable<R> {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error> {
        let mut reader = self.reader.borrow_mut();
        reader
            .seek(SeekFrom::Start(self.start.saturating_add(offset)))
            .and_then(|_| reader.read_exact(bytes))
            .map_err(|error| Error::from(ErrorKind::io(error)).at(offset))
    }
}
