//! Entering into the report what does not fit.

use super::context::Context;
use crate::error::{Error, ErrorKind};
use crate::path::Path;
use crate::report::{LoadReport, Mismatch};
use crate::state::Key;

impl Context<'_> {
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
        if self.shared.in_place && !self.field(key).is_selected() {
            return;
        }
        let mut report = self.shared.report.borrow_mut();
        report.add_missing(|| self.field(key).place.path());
    }

    /// Reports a key of a map that the state needs and the file lacks.
    pub(crate) fn missing_key(&self, key: &Key<'_>) {
        if self.shared.in_place && !self.entry(key).is_selected() {
            return;
        }
        let mut report = self.shared.report.borrow_mut();
        report.add_missing(|| self.entry(key).place.path());
    }

    /// Reports a key that the file holds and the state has no place for.
    pub fn unexpected(&self, key: &Key<'_>) {
        if !self.entry(key).is_wanted() {
            return;
        }
        let mut report = self.shared.report.borrow_mut();
        report.add_unexpected(|| self.entry(key).place.path());
    }

    /// Reports a column of rows that the type has no place for.
    pub(crate) fn unexpected_column(&self, column: &Path) {
        let mut report = self.shared.report.borrow_mut();
        report.add_unexpected(|| column.clone().under(&self.place.path()));
    }

    /// Reports an error that stands for one value. One of the source ends the reading: what it did not
    /// give is no difference between file and state.
    pub fn refuse(&self, error: Error) {
        if let ErrorKind::Io { .. } = error.kind() {
            let mut broken = self.shared.broken.borrow_mut();
            broken.get_or_insert_with(|| error.under(&self.place.path()));
            return;
        }
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

/// Reports a key that stands twice in one map, whose second value has just been passed over.
pub(super) fn repeated_entry(key: &Key<'_>, cx: &Context<'_>) {
    cx.entry(key)
        .located()
        .mismatch("one value", "another one for the same key");
}

/// A key that stands twice in one map.
pub(super) fn repeated(key: &Key<'_>) -> ErrorKind {
    let key = key.to_string();
    ErrorKind::RepeatedKey { key }
}
