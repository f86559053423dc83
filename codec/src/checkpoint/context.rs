//! What is known while a state is read: the place, the report, and what the field asks for.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use super::options::{Fortran, ReadOptions};
use crate::dtype::Cast;
use crate::encoding::{NumpyEncoding, Skip, Source};
use crate::error::{Error, ErrorKind};
use crate::path::{Path, Place};
use crate::report::{LoadReport, Mismatch, Strictness};
use crate::state::{ValueSeed, Witness};

/// What one reading of a state shares.
#[derive(Default)]
pub(crate) struct Shared<'s> {
    options: ReadOptions,
    report: RefCell<LoadReport>,
    witness: Witness,
    /// True as soon as anything was taken from the input.
    took: Cell<bool>,
    /// The byte at which the reader is, if it is one of ours.
    position: Option<Rc<Cell<u64>>>,
    /// Where the payloads are that have not been read.
    source: Option<&'s dyn Source>,
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

    /// Gives an error that ended the reading what was seen of its kind and path.
    pub(crate) fn explain(self, error: Error) -> Error {
        self.witness.explain(error)
    }

    /// Returns the report so far, and whether the strictness tolerates it.
    pub(crate) fn verdict(&self) -> (LoadReport, bool) {
        let report = self.report.take();
        let tolerated = match self.options.strictness {
            Strictness::Strict => report.is_clean(),
            Strictness::Lenient => report.mismatched.is_empty(),
            Strictness::SkipMismatched => true,
        };
        (report, tolerated)
    }

    /// Gives the value and the report if the strictness tolerates what is in it.
    pub(crate) fn finish<T>(&self, value: Option<T>) -> Result<(T, LoadReport), Error> {
        match (value, self.verdict()) {
            (Some(value), (report, true)) if report.is_clean() || self.took.get() => {
                Ok((value, report))
            }
            (_, (report, _)) => Err(ErrorKind::Report(report).into()),
        }
    }
}

/// What is known while a value is read.
#[derive(Debug, Clone, Copy)]
pub struct Context<'p> {
    place: Place<'p>,
    shared: &'p Shared<'p>,
    cast: Cast,
    row_major: bool,
    replace: bool,
    depth: usize,
    offset: Option<u64>,
    /// Where the length of a block is left whose rows hold no items.
    rows: Option<&'p Cell<usize>>,
}

impl<'p> Context<'p> {
    pub(crate) fn root(shared: &'p Shared<'p>) -> Self {
        Self {
            place: Place::Root,
            shared,
            cast: Cast::Exact,
            row_major: shared.options.fortran == Fortran::RowMajor,
            replace: false,
            depth: 0,
            offset: None,
            rows: None,
        }
    }

    /// Returns the context of a struct's field, which has none of the field attributes of its
    /// container but the reading of Fortran order.
    #[must_use]
    pub fn field<'q>(&'q self, key: &'q str) -> Context<'q> {
        Context {
            place: Place::Key(&self.place, key),
            cast: Cast::Exact,
            replace: false,
            depth: self.depth + 1,
            offset: None,
            rows: None,
            ..*self
        }
    }

    /// Returns the context of a list's item, with the attributes of the field that holds the list.
    #[must_use]
    pub fn item(&self, index: usize) -> Context<'_> {
        Context {
            place: Place::Index(&self.place, index as i128),
            depth: self.depth + 1,
            offset: None,
            rows: None,
            ..*self
        }
    }

    /// Returns the context of a map's value, with the attributes of the field that holds the map.
    #[must_use]
    pub fn entry<'q>(&'q self, key: &'q crate::state::Key<'_>) -> Context<'q> {
        let place = match key {
            crate::state::Key::String(key) => Place::Key(&self.place, key),
            crate::state::Key::Integer(key) => Place::Index(&self.place, *key),
        };
        Context {
            place,
            depth: self.depth + 1,
            offset: None,
            rows: None,
            ..*self
        }
    }

    /// Allows conversions of numbers.
    #[must_use]
    pub fn with_cast(self, cast: Cast) -> Self {
        Self { cast, ..self }
    }

    /// Reads payloads under an `F` label as row-major, for files of Dopamine's own encoder.
    #[must_use]
    pub fn with_row_major(self) -> Self {
        let row_major = true;
        Self { row_major, ..self }
    }

    /// Rebuilds lists and maps at any length when loading in place.
    #[must_use]
    pub fn with_replace(self) -> Self {
        let replace = true;
        Self { replace, ..self }
    }

    /// Notes that a field, an item or an entry was taken from the input, if it was.
    pub(crate) fn took(&self, anything: bool) {
        if anything {
            self.shared.took.set(true);
        }
    }

    /// Asks for the length of a block, which its items do not tell where its rows hold none.
    pub(crate) fn counting<'q>(&'q self, rows: &'q Cell<usize>) -> Context<'q> {
        let rows = Some(rows);
        Context { rows, ..*self }
    }

    /// Tells the length of a block to who asked for it.
    pub(crate) fn counted(&self, length: usize) {
        if let Some(rows) = self.rows {
            rows.set(length);
        }
    }

    /// Returns this context with the byte at which the value begins, where that is known.
    pub(crate) fn located(&self) -> Context<'_> {
        let position = self.shared.position.as_ref();
        let offset = position.map(|position| position.get());
        Context { offset, ..*self }
    }

    /// Returns the byte at which the value begins, where that is known.
    #[cfg(feature = "compress")]
    pub(crate) fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// Returns this context with the byte at which the value began when it was read.
    #[cfg(feature = "compress")]
    pub(crate) fn at(self, offset: Option<u64>) -> Self {
        Self { offset, ..self }
    }

    /// Returns where the payloads are that have not been read, if that can be.
    pub(crate) fn source(&self) -> Option<&'p dyn Source> {
        self.shared.source
    }

    /// Reads the payload of an array that is still in its source.
    ///
    /// # Errors
    /// Those of the source.
    pub(crate) fn loaded<'a, E: serde::de::Error>(
        &self,
        array: NumpyEncoding<'a>,
    ) -> Result<NumpyEncoding<'a>, E> {
        array
            .loaded(self.shared.source)
            .map_err(|error| self.fault(error))
    }

    /// Makes the error that ends the reading of one of ours, and keeps its kind.
    pub(crate) fn fault<E: serde::de::Error>(&self, error: Error) -> E {
        let error = error.under(&self.place.path());
        let told = E::custom(&error);
        self.shared.witness.saw(error);
        told
    }

    /// Returns how a value without a target type is read here.
    pub(crate) fn value_seed(&self) -> ValueSeed<'_> {
        let hooks = &self.shared.options.hooks;
        ValueSeed::recognised(self.place, hooks)
            .of_depth(self.levels())
            .witnessed(&self.shared.witness)
    }

    /// Returns how the input of a plain serde type is read here.
    pub(crate) fn raw_seed(&self) -> ValueSeed<'_> {
        ValueSeed::raw(self.place)
            .of_depth(self.levels())
            .witnessed(&self.shared.witness)
    }

    /// Returns true if lists and maps may not be opened any more: the stack ends before a file does.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.levels() == 0
    }

    /// Returns how many levels of lists and maps there may be from here on.
    fn levels(&self) -> usize {
        let limit = self.shared.options.limits.depth;
        limit.saturating_sub(self.depth)
    }

    /// Returns how a value is read past that stands here.
    pub(crate) fn skip(&self) -> Skip {
        Skip::levels(self.levels())
    }

    /// Returns how the items of a list or map are read past that stands here.
    ///
    /// # Errors
    /// If it is too deep for any.
    pub(crate) fn skip_inside<E: serde::de::Error>(&self) -> Result<Skip, E> {
        self.skip().inside()
    }

    /// Returns where in the state the value stands.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        self.place
    }

    /// Returns the conversions that the field allows.
    #[must_use]
    pub fn cast(&self) -> Cast {
        self.cast
    }

    /// Returns true if payloads under an `F` label are row-major.
    #[must_use]
    pub fn row_major(&self) -> bool {
        self.row_major
    }

    /// Returns true if lists and maps are rebuilt at any length when loading in place.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.replace
    }

    /// Returns how far file and state may differ.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.shared.options.strictness
    }

    /// Reports a value of another type or shape.
    pub fn mismatch(&self, expected: impl Into<String>, found: impl Into<String>) {
        let mut report = self.shared.report.borrow_mut();
        report.add_mismatch(|| Mismatch {
            path: self.place.path(),
            offset: self.offset,
            expected: expected.into(),
            found: found.into(),
        });
    }

    /// Reports a key that the state needs and the file lacks.
    pub fn missing(&self, key: &str) {
        let mut report = self.shared.report.borrow_mut();
        report.add_missing(|| self.field(key).place.path());
    }

    /// Reports a key of a map that the state needs and the file lacks.
    pub(crate) fn missing_key(&self, key: &crate::state::Key<'_>) {
        let mut report = self.shared.report.borrow_mut();
        report.add_missing(|| self.entry(key).place.path());
    }

    /// Reports a key that the file holds and the state has no place for.
    pub fn unexpected(&self, key: &crate::state::Key<'_>) {
        let mut report = self.shared.report.borrow_mut();
        report.add_unexpected(|| self.entry(key).place.path());
    }

    /// Reports a column of rows that the type has no place for.
    pub(crate) fn unexpected_column(&self, column: &Path) {
        let mut report = self.shared.report.borrow_mut();
        report.add_unexpected(|| column.clone().under(&self.place.path()));
    }

    /// Reports an error that stands for one value.
    pub fn refuse(&self, error: Error) {
        if let ErrorKind::Report(report) = error.kind() {
            return self.absorb(report);
        }
        let mut report = self.shared.report.borrow_mut();
        report.add_mismatch(|| {
            let path = error.path().clone().under(&self.place.path());
            let (expected, found) = error.kind().sides();
            Mismatch {
                path,
                offset: self.offset,
                expected,
                found,
            }
        });
    }

    /// Takes the report of a value that was read on its own into this one.
    fn absorb(&self, inner: &LoadReport) {
        let outer = self.place.path();
        let mut report = self.shared.report.borrow_mut();
        for path in &inner.missing {
            report.add_missing(|| path.clone().under(&outer));
        }
        for path in &inner.unexpected {
            report.add_unexpected(|| path.clone().under(&outer));
        }
        for mismatch in &inner.mismatched {
            report.add_mismatch(|| Mismatch {
                path: mismatch.path.clone().under(&outer),
                ..mismatch.clone()
            });
        }
        report.unlisted += inner.unlisted;
    }
}
