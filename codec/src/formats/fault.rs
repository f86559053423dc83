//! The errors of files that are not what their format says, and of values that it cannot hold.

use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::path::excerpt;

/// Makes the error of a file that is not what its format says.
#[cold]
pub(super) fn fault(
    format: &'static str,
    expected: impl Into<String>,
    found: impl std::fmt::Display,
) -> Error {
    ErrorKind::Format {
        format,
        expected: expected.into(),
        found: excerpt(&found.to_string()).into_owned(),
    }
    .into()
}

/// Refuses a value with leaves that its format cannot hold.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with all of them.
#[allow(dead_code, reason = "each format is a feature")]
pub(super) fn refuse(format: &'static str, leaves: Vec<UnsupportedLeaf>) -> Result<(), Error> {
    if leaves.is_empty() {
        return Ok(());
    }
    Err(ErrorKind::Unsupported { format, leaves }.into())
}
