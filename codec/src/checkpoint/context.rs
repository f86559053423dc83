//! What is known while a state is read: the place, the report, and what the field asks for.

use std::cell::Cell;

use super::options::Fortran;
use super::shared::Shared;
use crate::dtype::Cast;
use crate::encoding::{NumpyEncoding, Skip, Source};
use crate::error::Error;
use crate::path::Place;
use crate::report::Strictness;
use crate::state::{Hooks, ValueSeed};

/// What is known while a value is read.
#[derive(Debug, Clone, Copy)]
pub struct Context<'p> {
    pub(super) place: Place<'p>,
    pub(super) shared: &'p Shared<'p>,
    cast: Cast,
    row_major: bool,
    replace: bool,
    depth: usize,
    pub(super) offset: Option<u64>,
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

    /// Returns the context of the value under an index of a list or map.
    pub(crate) fn at_index(&self, index: i128) -> Context<'_> {
        Context {
            place: Place::Index(&self.place, index),
            ..self.item(0)
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

    /// Remembers where it was that the format found an error.
    pub(crate) fn passing<T, E>(&self, read: Result<T, E>) -> Result<T, E> {
        if read.is_err() {
            self.shared.witness.passed(&self.place);
        }
        read
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
        let seed = ValueSeed::recognised(self.place, hooks)
            .of_depth(self.levels())
            .witnessed(&self.shared.witness)
            .selecting(&self.shared.options.only);
        match self.shared.source {
            Some(source) => seed.storing(source).loading(),
            None => seed,
        }
    }

    /// Returns how the tree of a file is read: its payloads stay where they are, and what nobody
    /// asked for is nil. Hooks see the maps of fields that are values, later.
    pub(crate) fn structure_seed(&self) -> ValueSeed<'_> {
        let seed = ValueSeed::recognised(self.place, Hooks::NONE)
            .of_depth(self.levels())
            .witnessed(&self.shared.witness)
            .selecting(&self.shared.options.only)
            .keeping_places();
        match self.shared.source {
            Some(source) => seed.storing(source),
            None => seed,
        }
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

    /// Returns true if lists may be maps with the keys "0", "1", ...
    pub(crate) fn lists_are_maps(&self) -> bool {
        self.shared.indexed
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
}
