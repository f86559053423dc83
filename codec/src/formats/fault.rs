//! The error of a file that is not what its format says.

use crate::error::{Error, ErrorKind};
use crate::path::excerpt;

/// Makes the error of a file that is not what its format says.
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
