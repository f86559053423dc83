//! What can be wrong with a checkpoint.

use super::{FlowerError, ReplayError, UnsupportedLeaf};
use crate::dtype::{DTypeError, Shape};
use crate::path::excerpt;
use crate::report::LoadReport;

/// What is wrong with a checkpoint.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The `dtype` text of an array is not understood, or is refused.
    DType(DTypeError),
    /// The payload of an array is not as long as its shape and dtype say, in bytes.
    PayloadLength {
        /// The shape that was stated.
        shape: Vec<usize>,
        /// The dtype text that was stated.
        dtype: String,
        /// The product of shape and itemsize.
        expected: usize,
        /// The bytes that are there.
        found: usize,
    },
    /// The bytes of an array cannot be counted: its shape times its itemsize overflows.
    SizeOverflow {
        /// The shape that was stated.
        shape: Vec<usize>,
        /// The size of one item in bytes.
        itemsize: usize,
    },
    /// An array has more dimensions than NumPy's 64.
    TooManyDimensions {
        /// How many there are.
        found: usize,
    },
    /// A map with the keys of an encoding holds something else under one of them.
    Encoding {
        /// Which key.
        key: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Bytes that are no value of their dtype, such as a bool of 2.
    InvalidItem {
        /// The dtype text.
        dtype: String,
        /// Which item, counted in the order of the payload.
        index: usize,
        /// What its bytes would have to be.
        expected: String,
        /// What they are.
        found: String,
    },
    /// A value of one type stands where another is needed.
    Mismatch {
        /// What is needed.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The state in the file and the one in memory differ: everything that does, in one report.
    Report(LoadReport),
    /// A Snappy block that is not what its record says.
    Snappy {
        /// What is wrong with it.
        reason: String,
    },
    /// The text under `integer` is not a decimal integer of at most 4,300 digits.
    LongInteger {
        /// The text, shortened.
        text: String,
    },
    /// A key occurs twice in one map.
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// A map key that is neither a string nor an integer of 64 bits.
    KeyType {
        /// What it is.
        found: String,
    },
    /// A user's map that Python's decoder would take for an array or an integer.
    MistakableMap {
        /// What it would be taken for.
        taken_for: &'static str,
    },
    /// `Some` of a value that is itself nil, which nobody could tell from `None`.
    NestedNil,
    /// Lists and maps are nested deeper than the limit.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The input asks for more than the reader allows.
    Limit {
        /// What is limited.
        what: &'static str,
        /// The limit.
        limit: usize,
        /// What the input has.
        found: usize,
    },
    /// A string, byte string or array too long for MessagePack's 32-bit lengths.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// A row of an array that is to be split into chunks is larger than a chunk may be; a 0-d array
    /// is one row.
    RowTooLong {
        /// The bytes of one row.
        bytes: usize,
        /// The most bytes of a chunk.
        limit: usize,
    },
    /// A list or map with more entries than MessagePack's 32-bit counts can say.
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// An implementation of `Save` wrote more or fewer parts of a list or map than it had opened it for.
    CountOfParts {
        /// For how many it was opened.
        opened: usize,
        /// How many were written.
        written: usize,
    },
    /// A state dict was asked of a value that is not written as a map.
    NotAMap {
        /// What it is written as.
        found: &'static str,
    },
    /// A value that MessagePack cannot hold, and no hook took.
    NotRepresentable {
        /// What it is.
        found: &'static str,
    },
    /// The input ends in the middle of a value.
    Truncated {
        /// How many bytes the value takes, from its first on; of a list or map, at least.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// Bytes after the end of the value.
    TrailingBytes {
        /// How many.
        count: usize,
    },
    /// The input is not MessagePack.
    Syntax {
        /// What the reader said.
        reason: String,
    },
    /// The reader or writer failed.
    Io {
        /// What kind of failure it was.
        kind: std::io::ErrorKind,
        /// What the system said.
        message: String,
    },
    /// A state was being loaded in place when its file could no longer be read: some of its parts
    /// are loaded, others are not.
    PartlyLoaded {
        /// How many of the changes were made whole.
        taken: usize,
        /// How many there were to make.
        count: usize,
        /// What the source said.
        reason: String,
    },
    /// None of the patterns of [`only`](crate::ReadOptions::only) selects anything that is both in
    /// the input and in the state.
    NothingSelected,
    /// A file was written whole and stands under its name, but the directory could not be synced: a
    /// power failure may bring the old file back.
    NotDurable {
        /// What kind of failure it was.
        kind: std::io::ErrorKind,
        /// What the system said.
        message: String,
    },
    /// The bytes of another format are not what they should be.
    Format {
        /// Which format: `npy`, `flax`.
        format: &'static str,
        /// What belongs there.
        expected: String,
        /// What is there, shortened.
        found: String,
    },
    /// Another format cannot hold some leaves of a state: all of them, and nothing was written.
    Unsupported {
        /// Which format: `npz`, `flax`.
        format: &'static str,
        /// The leaves, in the order of the state.
        leaves: Vec<UnsupportedLeaf>,
    },
    /// A replay buffer, its sampler or its generator refused something.
    Replay(ReplayError),
    /// An object of Flower's is not what it claims to be, or its parts do not fit together.
    Flower(FlowerError),
    /// What a serde implementation said.
    Custom(String),
}

impl ErrorKind {
    pub(crate) fn io(error: std::io::Error) -> Self {
        Self::Io {
            kind: error.kind(),
            message: error.to_string(),
        }
    }

    /// Says what was expected and what was found: how a report lists the error of one value.
    pub(crate) fn sides(&self) -> (String, String) {
        match self {
            Self::Mismatch { expected, found } => (expected.clone(), found.clone()),
            Self::PayloadLength {
                shape,
                dtype,
                expected,
                found,
            } => (
                format!(
                    "{expected} bytes for shape {} and dtype {}",
                    Shape(shape),
                    excerpt(dtype)
                ),
                format!("{found}"),
            ),
            Self::Encoding {
                key,
                expected,
                found,
            } => (format!("{expected} under `{key}`"), found.clone()),
            Self::InvalidItem {
                dtype,
                index,
                expected,
                found,
            } => (
                format!("{expected} in item {index} of dtype {}", excerpt(dtype)),
                found.clone(),
            ),
            Self::DType(error) => ("a known dtype".to_owned(), error.to_string()),
            other => ("a valid value".to_owned(), other.to_string()),
        }
    }
}
