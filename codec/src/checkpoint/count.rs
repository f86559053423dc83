//! What the lists and maps of a `Save` are watched for: the number of their parts, and equal keys.

use std::collections::HashSet;

use super::reporting::repeated;
use crate::error::{Error, ErrorKind};
use crate::state::Key;

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

/// The keys of a map so far, where nothing says that they are different: of two that are equal, a file
/// with both is refused by every reader.
///
/// Hardly any map is watched, so that this is one word.
#[derive(Debug, Default)]
pub(crate) struct SeenKeys<'a>(Option<Box<Seen<'a>>>);

#[derive(Debug, Default)]
struct Seen<'a>(HashSet<Key<'a>>);

impl<'a> SeenKeys<'a> {
    /// Looks for equal keys if it is asked to.
    pub(crate) fn watched(watched: bool) -> Self {
        Self(watched.then(Box::default))
    }

    /// Keeps the key of an entry.
    ///
    /// # Errors
    /// [`RepeatedKey`](ErrorKind::RepeatedKey).
    #[inline]
    pub(crate) fn add(&mut self, key: &Key<'a>) -> Result<(), Error> {
        match &mut self.0 {
            None => Ok(()),
            Some(seen) => seen.add(key),
        }
    }
}

impl<'a> Seen<'a> {
    #[cold]
    fn add(&mut self, key: &Key<'a>) -> Result<(), Error> {
        match self.0.insert(key.clone()) {
            true => Ok(()),
            false => Err(repeated(key).into()),
        }
    }
}
