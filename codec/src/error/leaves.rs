//! The leaves of a state that another format cannot hold.

use std::fmt;

use crate::path::Path;

/// A leaf of a state dict that the format it was to be written in cannot hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnsupportedLeaf {
    /// Where it is.
    pub path: Path,
    /// What it is: `array of dtype '>f4'`, `a list`.
    pub found: String,
    /// Why the format cannot hold it, and which conversion would help, if any does.
    pub reason: String,
}

impl UnsupportedLeaf {
    #[allow(dead_code, reason = "each format is a feature")]
    pub(crate) fn new(path: Path, found: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            path,
            found: found.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for UnsupportedLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}: {}", self.path, self.found, self.reason)
    }
}
