//! Why a text is no dtype, or why fields make no record.

use std::fmt;

use crate::path::{Escaped, excerpt};

/// The text is no dtype that can be read here, or the fields make no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DTypeError {
    kind: DTypeErrorKind,
    /// Where in which text; none for a record that was put together by a program.
    place: Option<(usize, String)>,
}

/// What is wrong with a dtype.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DTypeErrorKind {
    /// The text leaves the grammar.
    #[non_exhaustive]
    Syntax {
        /// What the grammar asks for instead.
        expected: &'static str,
    },
    /// A type whose items are pointers, `|O` or `StringDType()`: never read, whatever the data.
    #[non_exhaustive]
    Object {
        /// The type's text.
        found: String,
    },
    /// A quoted type that NumPy does not print.
    #[non_exhaustive]
    UnknownType {
        /// The type's text.
        found: String,
    },
    /// A datetime type with a unit that is none.
    #[non_exhaustive]
    Unit {
        /// The type's text.
        found: String,
    },
    /// More brackets in brackets than any dtype needs.
    TooDeep,
    /// A size, offset or dimension that NumPy cannot hold either.
    TooLarge,
    /// A field's name or title is missing or repeated.
    #[non_exhaustive]
    Names {
        /// The name or title.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The fields and the item do not fit together.
    #[non_exhaustive]
    Layout {
        /// The name of the field; empty where it is the record as a whole.
        field: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl DTypeErrorKind {
    pub(super) fn object(found: &str) -> Self {
        Self::Object {
            found: excerpt(found).into_owned(),
        }
    }

    pub(super) fn unknown(found: &str) -> Self {
        Self::UnknownType {
            found: excerpt(found).into_owned(),
        }
    }

    pub(super) fn unit(found: &str) -> Self {
        Self::Unit {
            found: excerpt(found).into_owned(),
        }
    }

    pub(super) fn names(name: &str, reason: &'static str) -> Self {
        Self::Names {
            name: excerpt(name).into_owned(),
            reason,
        }
    }

    pub(super) fn layout(field: &str, reason: &'static str) -> Self {
        Self::Layout {
            field: excerpt(field).into_owned(),
            reason,
        }
    }
}

impl DTypeError {
    pub(super) fn new(kind: DTypeErrorKind) -> Self {
        Self { kind, place: None }
    }

    pub(super) fn at(kind: DTypeErrorKind, column: usize, text: &str) -> Self {
        Self {
            kind,
            place: Some((column, excerpt(text).into_owned())),
        }
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &DTypeErrorKind {
        &self.kind
    }

    /// Returns the byte in the text at which it goes wrong, counted from 0.
    ///
    /// A record that was put together by a program has no text and no column.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|&(column, _)| column)
    }

    /// Returns the text, or its beginning where it is long.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.place.as_ref().map(|(_, text)| text.as_str())
    }
}

impl fmt::Display for DTypeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { expected } => write!(f, "expected {expected}"),
            Self::Object { found } => write!(f, "object dtype `{}` is refused", Escaped(found)),
            Self::UnknownType { found } => write!(f, "unknown dtype `{}`", Escaped(found)),
            Self::Unit { found } => write!(f, "unknown unit of time in `{}`", Escaped(found)),
            Self::TooDeep => write!(f, "more than {MOST_DEEP} brackets inside each other"),
            Self::TooLarge => write!(f, "a size or offset passes {} bytes", i32::MAX),
            Self::Names { name, reason } => write!(f, "field name `{}` {reason}", Escaped(name)),
            Self::Layout { field, reason } if field.is_empty() => write!(f, "the record {reason}"),
            Self::Layout { field, reason } => write!(f, "field `{}` {reason}", Escaped(field)),
        }
    }
}

impl fmt::Display for DTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match &self.place {
            None => Ok(()),
            Some((column, text)) => {
                write!(f, " at column {column} of dtype text `{}`", Escaped(text))
            }
        }
    }
}

impl std::error::Error for DTypeError {}

/// How many brackets may stand inside each other in a dtype text.
pub(super) const MOST_DEEP: usize = 32;
