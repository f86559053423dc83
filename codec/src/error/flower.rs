//! What Flower's objects refuse.

use std::fmt;

use crate::path::{Escaped, excerpt};

/// What is wrong with an object of Flower's, or with what it was to be made of.
///
/// Ids are texts here, since what is refused may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlowerError {
    /// A text that is no object id.
    ObjectId {
        /// The text, shortened.
        text: String,
    },
    /// The head of an object is not `<class> <ids> <length>` before a NUL.
    Head {
        /// What belongs there.
        expected: &'static str,
        /// What is there, shortened.
        found: String,
    },
    /// A class that is not known, or not the one that was asked for.
    Class {
        /// What was asked for.
        expected: &'static str,
        /// What the head says, shortened.
        found: String,
    },
    /// The body is not as long as the head says.
    BodyLength {
        /// The bytes that the head states.
        stated: u64,
        /// The bytes that are there.
        found: usize,
    },
    /// The bytes under an id have another one: they were changed, or are another object.
    Hash {
        /// The id under which they are.
        id: String,
        /// The SHA-256 of the bytes.
        found: String,
    },
    /// There are no bytes for an id.
    Missing {
        /// The id.
        id: String,
    },
    /// The head, the body and the objects that are given do not agree on the children.
    Children {
        /// What is wrong.
        reason: &'static str,
        /// One id for which it is.
        id: String,
    },
    /// An array's body names a chunk that its head does not list.
    ChunkIndex {
        /// The index.
        index: usize,
        /// How many the head lists.
        count: usize,
    },
    /// The data of an array is not the `.npy` file that numbers can be read from.
    Serialization {
        /// The `stype` of the array.
        stype: String,
    },
    /// A field of an array and the header in its data contradict each other.
    Field {
        /// Which field: `dtype` or `shape`.
        field: &'static str,
        /// What it says.
        stated: String,
        /// What the header says.
        header: String,
    },
    /// More objects would come of a small input than it has bytes for.
    Shared {
        /// The bytes that were read.
        bytes: usize,
    },
}

impl fmt::Display for FlowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ObjectId { text } => write!(
                f,
                "an object id is 64 lower-case hexadecimal digits, found \"{}\"",
                Escaped(&excerpt(text))
            ),
            Self::Head { expected, found } => write!(
                f,
                "expected {expected} in the head of an object, found \"{}\"",
                Escaped(&excerpt(found))
            ),
            Self::Class { expected, found } => write!(
                f,
                "expected an object of class {expected}, found \"{}\"",
                Escaped(&excerpt(found))
            ),
            Self::BodyLength { stated, found } => write!(
                f,
                "the head of the object states a body of {stated} bytes, found {found}"
            ),
            Self::Hash { id, found } => {
                write!(f, "the content under object id {id} has the id {found}")
            }
            Self::Missing { id } => write!(f, "there is no content for object id {id}"),
            Self::Children { reason, id } => write!(f, "child {id} {reason}"),
            Self::ChunkIndex { index, count } => write!(
                f,
                "the array names chunk {index} of {count} that its head lists"
            ),
            Self::Serialization { stype } => write!(
                f,
                "expected the serialization type \"numpy.ndarray\", found \"{}\"",
                Escaped(&excerpt(stype))
            ),
            Self::Field {
                field,
                stated,
                header,
            } => write!(
                f,
                "the {field} of the array is stated as {}, and the header of its data says {}",
                Escaped(&excerpt(stated)),
                Escaped(&excerpt(header))
            ),
            Self::Shared { bytes } => write!(
                f,
                "records that are used many times over would take far more memory than the {bytes} bytes \
                 that they are read from"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FlowerError as E;

    macro_rules! kinds {
        ($($kind:ident)*) => {
            const NAMES: &[&str] = &[$(stringify!($kind)),*];

            fn name(error: &E) -> &'static str {
                match error {
                    $(E::$kind { .. } => stringify!($kind),)*
                }
            }
        };
    }

    kinds! {
        ObjectId Head Class BodyLength Hash Missing Children ChunkIndex Serialization Field Shared
    }

    #[test]
    fn every_refusal_has_its_words() {
        let text = |text: &str| text.to_owned();
        let table = [
            (
                E::ObjectId { text: text("0x\n") },
                "an object id is 64 lower-case hexadecimal digits, found \"0x\\n\"",
            ),
            (
                E::Head {
                    expected: "a decimal length",
                    found: text("Array  +3"),
                },
                "expected a decimal length in the head of an object, found \"Array  +3\"",
            ),
            (
                E::Class {
                    expected: "Array",
                    found: text("Arr\u{1b}y"),
                },
                "expected an object of class Array, found \"Arr\\u{1b}y\"",
            ),
            (
                E::BodyLength {
                    stated: 3,
                    found: 4,
                },
                "the head of the object states a body of 3 bytes, found 4",
            ),
            (
                E::Hash {
                    id: text("a"),
                    found: text("b"),
                },
                "the content under object id a has the id b",
            ),
            (
                E::Missing { id: text("a") },
                "there is no content for object id a",
            ),
            (
                E::Children {
                    reason: "is listed twice in the head",
                    id: text("a"),
                },
                "child a is listed twice in the head",
            ),
            (
                E::ChunkIndex { index: 2, count: 1 },
                "the array names chunk 2 of 1 that its head lists",
            ),
            (
                E::Serialization {
                    stype: text("torch"),
                },
                "expected the serialization type \"numpy.ndarray\", found \"torch\"",
            ),
            (
                E::Field {
                    field: "dtype",
                    stated: text("int8"),
                    header: text("float32"),
                },
                "the dtype of the array is stated as int8, and the header of its data says float32",
            ),
            (
                E::Shared { bytes: 7 },
                "records that are used many times over would take far more memory than the 7 bytes \
                 that they are read from",
            ),
        ];
        for (error, words) in &table {
            assert_eq!(error.to_string(), *words);
        }
        let listed: Vec<_> = table.iter().map(|(error, _)| name(error)).collect();
        assert_eq!(listed, NAMES);
    }
}
