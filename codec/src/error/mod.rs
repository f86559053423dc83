//! The one error of the crate: what is wrong, where in the tree, at which byte.

mod flower;
mod kind;
mod leaves;
mod replay;
mod words;

use std::fmt;
use std::path::PathBuf;

pub use flower::FlowerError;
pub use kind::ErrorKind;
pub use leaves::UnsupportedLeaf;
pub use replay::ReplayError;

pub(crate) use crate::dtype::Shape;

use crate::dtype::DTypeError;
use crate::path::{Path, excerpt};
use crate::report::LoadReport;

/// A checkpoint that could not be written or read.
///
/// One word wide. [`kind`](Error::kind) says what is wrong, [`path`](Error::path) where in the tree
/// of the state, [`offset`](Error::offset) at which byte of the input and [`file`](Error::file) in
/// which file where there is one.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    path: Path,
    offset: Option<u64>,
    file: Option<PathBuf>,
}

impl Error {
    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns where in the state it is, the root when nothing closer is known.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the byte of the input at which it was found, where there is one.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the file that was to be written or read, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&std::path::Path> {
        self.0.file.as_deref()
    }

    /// Returns the report of everything that did not fit, where the error is one.
    #[must_use]
    pub fn report(&self) -> Option<&LoadReport> {
        match self.kind() {
            ErrorKind::Report(report) => Some(report),
            _ => None,
        }
    }

    /// Returns the report to be added to, where the error is one.
    #[cfg(feature = "flax")]
    pub(crate) fn report_mut(&mut self) -> Option<&mut LoadReport> {
        match &mut self.0.kind {
            ErrorKind::Report(report) => Some(report),
            _ => None,
        }
    }

    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    pub(crate) fn in_file(mut self, file: &std::path::Path) -> Self {
        self.0.file.get_or_insert_with(|| file.to_owned());
        self
    }

    /// Gives the error of a part of a file the place that it has in the whole.
    #[cfg(feature = "mmap")]
    pub(crate) fn of_part(mut self, path: &Path, start: u64) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset.saturating_add(start));
        if let ErrorKind::Report(report) = &mut self.0.kind {
            report.move_into(path, start);
            return self;
        }
        self.under(path)
    }

    pub(crate) fn under(mut self, outer: &Path) -> Self {
        self.0.path = std::mem::take(&mut self.0.path).under(outer);
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            kind,
            path: Path::root(),
            offset: None,
            file: None,
        }))
    }
}

impl From<ReplayError> for Error {
    fn from(error: ReplayError) -> Self {
        ErrorKind::Replay(error).into()
    }
}

impl From<FlowerError> for Error {
    fn from(error: FlowerError) -> Self {
        ErrorKind::Flower(error).into()
    }
}

impl From<DTypeError> for Error {
    fn from(error: DTypeError) -> Self {
        ErrorKind::DType(error).into()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("path", &self.0.path.to_string())
            .field("offset", &self.0.offset)
            .field("file", &self.0.file)
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.kind)?;
        if !self.0.path.is_root() {
            write!(f, " at `{}`", self.0.path)?;
        }
        if let Some(offset) = self.0.offset {
            write!(f, ", byte {offset}")?;
        }
        match (&self.0.file, &self.0.kind) {
            // Behind the last line of a report it would seem to be a part of that.
            (Some(file), ErrorKind::Report(_) | ErrorKind::Unsupported { .. }) => {
                write!(f, "\nin file {file:?}")
            }
            (Some(file), _) => write!(f, ", file {file:?}"),
            (None, _) => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl serde::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        ErrorKind::Custom(message.to_string()).into()
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        ErrorKind::Custom(message.to_string()).into()
    }

    fn invalid_type(found: serde::de::Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        ErrorKind::Mismatch {
            expected: expected.to_string(),
            found: excerpt(&found.to_string()).into_owned(),
        }
        .into()
    }
}
