//! Why a dtype or an item does not become a value.

use std::fmt;

use crate::dtype::{DType, Shape};
use crate::path::{Escaped, Path, Segment, excerpt};

/// Items of the file's dtype do not become the type that was asked for.
///
/// Holds every mismatch of a structured dtype, not only the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderError {
    mismatches: Vec<ColumnMismatch>,
}

/// One place at which a dtype and a type differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnMismatch {
    column: Path,
    kind: MismatchKind,
}

/// How a dtype and a type differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MismatchKind {
    /// The dtype is another one.
    #[non_exhaustive]
    DType {
        /// The text of the dtype that the type has.
        expected: String,
        /// The text of the dtype in the file.
        found: String,
        /// Which cast would help.
        hint: Option<&'static str>,
    },
    /// The sub-array has other lengths.
    #[non_exhaustive]
    Shape {
        /// The lengths that the type has.
        expected: Vec<usize>,
        /// The lengths in the file.
        found: Vec<usize>,
    },
    /// The file has no such column.
    Missing,
    /// The type has no such column.
    Unexpected,
}

/// Returns the text of a dtype without the quotes around it.
pub(super) fn label(dtype: &DType) -> String {
    let text = dtype.str_text().unwrap_or_else(|| dtype.text());
    excerpt(text.trim_matches('\'')).into_owned()
}

impl ReaderError {
    pub(super) fn dtype(expected: &DType, found: &DType, hint: Option<&'static str>) -> Self {
        Self::from(MismatchKind::DType {
            expected: label(expected),
            found: label(found),
            hint,
        })
    }

    pub(super) fn all(mismatches: Vec<ColumnMismatch>) -> Self {
        Self { mismatches }
    }

    /// Puts a column before the place of each mismatch.
    pub(super) fn under(self, column: &str) -> impl Iterator<Item = ColumnMismatch> {
        let outer = Path::from_iter([Segment::Key(column.to_owned())]);
        self.mismatches
            .into_iter()
            .map(move |ColumnMismatch { column, kind }| ColumnMismatch {
                column: column.under(&outer),
                kind,
            })
    }

    /// Returns the columns that the type does not have, if nothing else is wrong.
    pub(crate) fn only_unexpected(&self) -> Option<Vec<Path>> {
        let column = |mismatch: &ColumnMismatch| match mismatch.kind {
            MismatchKind::Unexpected => Some(mismatch.column.clone()),
            _ => None,
        };
        self.mismatches.iter().map(column).collect()
    }

    /// Returns all mismatches, in the order of the type's columns.
    #[must_use]
    pub fn mismatches(&self) -> &[ColumnMismatch] {
        &self.mismatches
    }
}

impl From<MismatchKind> for ReaderError {
    fn from(kind: MismatchKind) -> Self {
        let column = Path::root();
        Self::all(vec![ColumnMismatch { column, kind }])
    }
}

impl ColumnMismatch {
    /// Returns the column, through rows inside of rows; the root is the dtype as a whole.
    #[must_use]
    pub fn column(&self) -> &Path {
        &self.column
    }

    /// Returns how they differ.
    #[must_use]
    pub fn kind(&self) -> &MismatchKind {
        &self.kind
    }
}

impl fmt::Display for MismatchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DType {
                expected,
                found,
                hint,
            } => {
                let (expected, found) = (Escaped(expected), Escaped(found));
                write!(f, "expected dtype `{expected}`, found `{found}`")?;
                hint.map_or(Ok(()), |hint| write!(f, "; {hint}"))
            }
            Self::Shape { expected, found } => write!(
                f,
                "expected a sub-array of shape {}, found {}",
                Shape(expected),
                Shape(found)
            ),
            Self::Missing => f.write_str("missing"),
            Self::Unexpected => f.write_str("unexpected"),
        }
    }
}

impl fmt::Display for ColumnMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, kind } = self;
        match kind {
            _ if column.is_root() => kind.fmt(f),
            MismatchKind::Missing | MismatchKind::Unexpected => {
                write!(f, "{kind} column `{column}`")
            }
            _ => write!(f, "column `{column}`: {kind}"),
        }
    }
}

impl fmt::Display for ReaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, mismatch) in self.mismatches.iter().enumerate() {
            let comma = if position == 0 { "" } else { "; " };
            write!(f, "{comma}{mismatch}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ReaderError {}

/// The bytes of an item are no value of its type, or none that a cast allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidItem(Box<Invalid>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Invalid {
    index: usize,
    column: Path,
    found: String,
    expected: String,
}

impl InvalidItem {
    /// Says what an item is instead of what it should be.
    #[must_use]
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self(Box::new(Invalid {
            index: 0,
            column: Path::root(),
            found: found.into(),
            expected: expected.into(),
        }))
    }

    pub(super) fn of_size(found: usize, expected: usize) -> Self {
        Self::new(format!("{found} bytes"), format!("{expected} bytes"))
    }

    pub(super) fn of_count(found: usize, expected: usize) -> Self {
        Self::new(format!("{found} items"), format!("{expected} items"))
    }

    /// Says which item of the array it is.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.0.index = index;
        self
    }

    /// Moves the place into an outer column or sub-array.
    pub(super) fn under(mut self, outer: Segment) -> Self {
        let column = std::mem::take(&mut self.0.column);
        self.0.column = column.under(&Path::from_iter([outer]));
        self
    }

    /// Returns the index of the item, in the order of the array's bytes.
    #[must_use]
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Returns the column, and the place in a sub-array, of a value in a row.
    #[must_use]
    pub fn column(&self) -> &Path {
        &self.0.column
    }

    /// Returns what was found.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// Returns what was expected.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }
}

impl fmt::Display for InvalidItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Invalid {
            index,
            column,
            found,
            expected,
        } = &*self.0;
        write!(f, "item {index}")?;
        if !column.is_root() {
            write!(f, ", column `{column}`")?;
        }
        write!(f, ": expected {expected}, found {found}")
    }
}

impl std::error::Error for InvalidItem {}
