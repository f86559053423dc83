//! The order in which the items of an array stand in memory.

use std::fmt;

/// A memory order: the value of the key `order`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row-major: the last axis varies fastest.
    C,
    /// Column-major: the first axis varies fastest.
    F,
}

impl Order {
    /// Returns the letter that a file holds.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::F => "F",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
