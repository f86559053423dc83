//! How a state is read and written.

use crate::limits::Limits;
use crate::report::Strictness;
use crate::state::Hooks;

/// What the bytes of an array under the label `F` are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fortran {
    /// Columns, as the label says and as Dopamine's decoder reads them.
    #[default]
    ColumnMajor,
    /// Rows, as Dopamine's own encoder writes them under that label.
    RowMajor,
}

/// How a state is read: strictly, and with `F` for columns, unless asked otherwise.
///
/// ```
/// use npcodec::{Fortran, ReadOptions, Strictness};
///
/// let options = ReadOptions::new().strictness(Strictness::Lenient).fortran(Fortran::RowMajor);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    pub(crate) strictness: Strictness,
    pub(crate) fortran: Fortran,
    pub(crate) limits: Limits,
    pub(crate) hooks: Hooks,
}

impl ReadOptions {
    /// Starts from the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says how far file and state may differ.
    #[must_use]
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Says what the bytes of an array under the label `F` are.
    #[must_use]
    pub fn fortran(mut self, fortran: Fortran) -> Self {
        self.fortran = fortran;
        self
    }

    /// Says what an input may ask for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Offers the maps of values without a target type to hooks.
    #[must_use]
    pub fn hooks(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }
}

/// How a state is written.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    pub(crate) hooks: Hooks,
}

impl WriteOptions {
    /// Starts from the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Offers values that MessagePack cannot hold to hooks.
    #[must_use]
    pub fn hooks(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }
}
