//! What one reading of a state shares between all its places.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use super::options::ReadOptions;
use crate::encoding::Source;
use crate::error::{Error, ErrorKind};
use crate::path::Path;
use crate::report::{LoadReport, Strictness};
use crate::state::Witness;

/// What one reading of a state shares.
#[derive(Default)]
pub(crate) struct Shared<'s> {
    pub(super) options: ReadOptions,
    pub(super) report: RefCell<LoadReport>,
    pub(super) witness: Witness,
    /// The first error of the source, which no strictness passes over.
    pub(super) broken: RefCell<Option<Error>>,
    /// True as soon as anything was taken from the input.
    pub(super) took: Cell<bool>,
    /// The byte at which the reader is, if it is one of ours.
    pub(super) position: Option<Rc<Cell<u64>>>,
    /// Where the payloads are that have not been read.
    pub(super) source: Option<&'s dyn Source>,
    /// True while a state is loaded that is there already.
    pub(super) in_place: bool,
    /// True if lists may be maps with the keys "0", "1", ...
    pub(super) indexed: bool,
}

impl fmt::Debug for Shared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'s> Shared<'s> {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            options: options.clone(),
            ..Self::default()
        }
    }

    /// Starts a reading that can be asked for its byte.
    pub(crate) fn tracked(options: &ReadOptions, position: Rc<Cell<u64>>) -> Self {
        Self {
            position: Some(position),
            ..Self::new(options)
        }
    }

    /// Says where the payloads are that have not been read.
    pub(crate) fn with_source(self, source: &'s dyn Source) -> Self {
        let source = Some(source);
        Self { source, ..self }
    }

    /// Loads into a state that is there already.
    pub(crate) fn in_place(self) -> Self {
        let in_place = true;
        Self { in_place, ..self }
    }

    /// Takes maps with the keys "0", "1", ... where lists are wanted, as Flax writes them.
    #[allow(dead_code, reason = "each format is a feature")]
    pub(crate) fn indexed(self) -> Self {
        let indexed = true;
        Self { indexed, ..self }
    }

    /// Returns which part of the input is read.
    pub(crate) fn path(&self) -> Path {
        self.options.path.clone()
    }

    /// Returns true if only a selection is read.
    pub(crate) fn is_partial(&self) -> bool {
        !self.options.only.is_empty()
    }

    /// Gives an error that ended the reading what was seen of its kind and path.
    pub(crate) fn explain(self, error: Error) -> Error {
        self.witness.explain(error)
    }

    /// Returns the report so far, and whether the strictness tolerates it.
    ///
    /// # Errors
    /// The first one of the source.
    pub(crate) fn verdict(&self) -> Result<(LoadReport, bool), Error> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        let report = self.report.take();
        let tolerated = match self.options.strictness {
            Strictness::Strict => report.is_clean(),
            Strictness::Lenient => report.mismatched.is_empty(),
            Strictness::SkipMismatched => true,
        };
        Ok((report, tolerated))
    }

    /// Gives the value and the report if the strictness tolerates what is in it.
    pub(crate) fn finish<T>(&self, value: Option<T>) -> Result<(T, LoadReport), Error> {
        match (value, self.verdict()?) {
            (Some(value), (report, true)) if report.is_clean() || self.took.get() => {
                Ok((value, report))
            }
            (_, (report, _)) => Err(ErrorKind::Report(report).into()),
        }
    }
}
