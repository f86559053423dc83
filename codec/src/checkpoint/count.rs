//! How many parts a list or map was opened for.

use crate::error::{Error, ErrorKind};

/// Counts the parts of a list or map that a `Save` writes: their number stands before them in a file,
/// and one that is wrong would shift everything behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartCount {
    opened: usize,
    written: usize,
}

impl PartCount {
    pub(crate) fn opened(parts: usize) -> Self {
        Self {
            opened: parts,
            written: 0,
        }
    }

    /// Counts one more part, and returns its position.
    pub(crate) fn next(&mut self) -> usize {
        let position = self.written;
        self.written += 1;
        position
    }

    /// Checks the number at the end.
    ///
    /// # Errors
    /// [`CountOfParts`](ErrorKind::CountOfParts).
    pub(crate) fn check(self) -> Result<(), Error> {
        let Self { opened, written } = self;
        match written == opened {
            true => Ok(()),
            false => Err(ErrorKind::CountOfParts { opened, written }.into()),
        }
    }
}
