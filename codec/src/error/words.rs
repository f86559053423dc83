//! How each kind of error is said.

use std::fmt;

use super::ErrorKind;
use crate::dtype::Shape;
use crate::path::{Escaped, excerpt};

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DType(error) => write!(f, "{error}"),
            Self::PayloadLength {
                shape,
                dtype,
                expected,
                found,
            } => write!(
                f,
                "array of shape {} and dtype {} needs {expected} bytes, found {found}",
                Shape(shape),
                excerpt(dtype)
            ),
            Self::SizeOverflow { shape, itemsize } => write!(
                f,
                "array of shape {} with items of {itemsize} bytes is larger than memory can be",
                Shape(shape)
            ),
            Self::TooManyDimensions { found } => {
                write!(f, "array of {found} dimensions, expected at most 64")
            }
            Self::Encoding {
                key,
                expected,
                found,
            } => {
                write!(
                    f,
                    "expected {expected} under `{key}` of an encoded value, found {found}"
                )
            }
            Self::InvalidItem {
                dtype,
                index,
                expected,
                found,
            } => write!(
                f,
                "item {index} of dtype {}: expected {expected}, found {found}",
                excerpt(dtype)
            ),
            Self::Mismatch { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Report(report) => {
                f.write_str("the state does not fit:")?;
                report.lines(f)
            }
            Self::Snappy { reason } => write!(f, "compressed record: {reason}"),
            Self::LongInteger { text } => write!(
                f,
                "expected a decimal integer of at most 4300 digits under `integer`, found \"{}\"",
                Escaped(&excerpt(text))
            ),
            Self::RepeatedKey { key } => write!(f, "key {} occurs twice", excerpt(key)),
            Self::KeyType { found } => {
                write!(
                    f,
                    "expected a string or a 64-bit integer as map key, found {found}"
                )
            }
            Self::MistakableMap { taken_for } => write!(
                f,
                "a map with these keys would be read as {taken_for} by Python's decoder"
            ),
            Self::NestedNil => write!(f, "`Some` of nil cannot be told from `None`"),
            Self::TooDeep { limit } => write!(f, "nested deeper than {limit} levels"),
            Self::Limit { what, limit, found } => {
                write!(f, "{found} {what}, and the limit is {limit}")
            }
            Self::TooLong { bytes } => write!(
                f,
                "{bytes} bytes are more than the 4294967295 that a MessagePack value can hold \
                 (`WriteOptions::allow_chunks` splits arrays)"
            ),
            Self::RowTooLong { bytes, limit } => write!(
                f,
                "a row of {bytes} bytes is larger than a chunk may be, which is {limit}"
            ),
            Self::TooMany { count } => write!(
                f,
                "{count} entries are more than the 4294967295 that a MessagePack list or map can hold"
            ),
            Self::CountOfParts { opened, written } => write!(
                f,
                "a list or map was opened for {opened} parts, and {written} were written"
            ),
            Self::NotAMap { found } => write!(f, "a state dict is a map, this value is {found}"),
            Self::NotRepresentable { found } => {
                write!(
                    f,
                    "{found} cannot be written as MessagePack and no hook took it"
                )
            }
            Self::Truncated { needed, found } => {
                write!(f, "input ends after {found} of {}", Bytes(*needed))
            }
            Self::TrailingBytes { count } => {
                write!(f, "{} after the end of the value", Bytes(*count))
            }
            Self::Syntax { reason } => write!(f, "not a MessagePack value: {reason}"),
            Self::Io { message, .. } => f.write_str(message),
            Self::NotDurable { message, .. } => write!(
                f,
                "the file is written, but might not outlast a power failure: {message}"
            ),
            Self::NothingSelected => f.write_str(
                "the patterns select nothing that is both in the input and in the state",
            ),
            Self::PartlyLoaded {
                taken,
                count,
                reason,
            } => write!(
                f,
                "the state is partly loaded, {taken} of {count} changes were made: {reason}"
            ),
            Self::Format {
                format,
                expected,
                found,
            } => write!(f, "{format}: expected {expected}, found {found}"),
            Self::Unsupported { format, leaves } => {
                write!(f, "{format} cannot hold")?;
                leaves.iter().try_for_each(|leaf| write!(f, "\n  {leaf}"))
            }
            Self::Replay(error) => write!(f, "{error}"),
            Self::Flower(error) => write!(f, "{error}"),
            Self::Custom(message) => f.write_str(message),
        }
    }
}

/// Prints a number of bytes: `1 byte`, `2 bytes`.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} byte{plural}", self.0)
    }
}
