//! How a state is read and written.

use crate::limits::Limits;
use crate::path::{Path, PathPattern};
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
    pub(crate) path: Path,
    pub(crate) only: Vec<PathPattern>,
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

    /// Reads the value at a path of the input, and passes over everything else.
    ///
    /// ```
    /// use npcodec::{ReadOptions, from_slice_with, to_vec};
    /// use std::collections::BTreeMap;
    ///
    /// let bytes = to_vec(&BTreeMap::from([("agent", vec![1u64, 2, 3])]))?;
    /// let options = ReadOptions::new().at("agent[2]".parse()?);
    /// assert_eq!(from_slice_with::<u64>(&bytes, &options)?.0, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// Reads only what some patterns select.
    ///
    /// A state that is loaded in place keeps everything else as it is; fields of a fresh state get
    /// their defaults, as if the input did not have them; values without a target type are read
    /// without the rest.
    ///
    /// ```
    /// use npcodec::{ReadOptions, Value, decode_with, encode};
    ///
    /// let bytes = b"\x82\xa1a\x82\xa1x\x01\xa1y\x02\xa1b\x03"; // {"a": {"x": 1, "y": 2}, "b": 3}
    /// let options = ReadOptions::new().only(["*.y".parse()?]);
    /// assert_eq!(encode(&decode_with(bytes, &options)?)?, b"\x81\xa1a\x81\xa1y\x02");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only(mut self, patterns: impl IntoIterator<Item = PathPattern>) -> Self {
        self.only = patterns.into_iter().collect();
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
