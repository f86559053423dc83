//! Errors that keep their kind and path on the way through serde.

use std::cell::Cell;
use std::fmt;

use crate::error::Error;
use crate::path::{Path, Place};

/// What went wrong in a tree that is read through serde.
///
/// The error of a format is made from a text, so that kind and path are lost on the way. Whoever
/// walks the tree leaves both here, and whoever started the walk puts them together again.
#[derive(Default)]
pub(crate) struct Witness {
    error: Cell<Option<Error>>,
    path: Cell<Option<Path>>,
}

impl Witness {
    /// Keeps an error whose path is known.
    pub(crate) fn saw(&self, error: Error) {
        self.error.set(Some(error));
    }

    /// Keeps the place at which an error came by; the innermost place is the first to be told.
    pub(crate) fn passed(&self, place: &Place<'_>) {
        let path = self.path.take().unwrap_or_else(|| place.path());
        self.path.set(Some(path));
    }

    /// Gives the error of the format the kind and the path that were seen.
    pub(crate) fn explain(self, error: Error) -> Error {
        match (self.error.into_inner(), error.offset()) {
            (Some(seen), Some(offset)) => seen.at(offset),
            (Some(seen), None) => seen,
            (None, _) => error.under(&self.path.into_inner().unwrap_or_default()),
        }
    }
}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witness").finish_non_exhaustive()
    }
}
