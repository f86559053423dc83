//! How a state is read and written.

use crate::limits::{LONGEST, Limits};
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
    /// let bytes = to_vec(&BTreeMap::from([("agent".to_owned(), vec![1u64, 2, 3])]))?;
    /// let options = ReadOptions::new().at("agent[2]".parse()?);
    /// assert_eq!(from_slice_with::<u64>(&bytes, &options)?.0, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// Reads only what some patterns select; no patterns select nothing. The place of a field is its
    /// key in the input, an alias where it stands under one.
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
        if self.only.is_empty() {
            self.only.push(PathPattern::nothing());
        }
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
///
/// ```
/// use npcodec::ndarray::array;
/// use npcodec::{WriteOptions, to_vec_with};
///
/// let bytes = to_vec_with(&array![1.0, 2.0], &WriteOptions::new().align(64))?;
/// assert_eq!(bytes[64..72], 1f64.to_le_bytes());
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    pub(crate) hooks: Hooks,
    /// The multiple on which payloads stand; 0 and 1 for any place.
    pub(crate) align: usize,
    /// The most bytes of a chunk, if arrays may be split.
    pub(crate) chunk_bytes: Option<usize>,
}

impl WriteOptions {
    /// Starts from the defaults: no hooks, no padding, no chunks.
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

    /// Puts the payload of every array on a multiple of so many bytes, 64 for most uses.
    ///
    /// Counted from the first byte written, so that a file which is mapped into memory can be used
    /// where it is. Each array gains a first key `pad`, which Dopamine's decoder passes over. 0 and
    /// 1, the default, leave payloads where they fall.
    #[must_use]
    pub fn align(mut self, bytes: usize) -> Self {
        self.align = bytes;
        self
    }

    /// Allows arrays of 4 GiB and more, or refuses them, which is the default.
    ///
    /// They are written as `{"chunks": [array, ...], "axis": n}`. Array fields of a state join the
    /// chunks unasked; in Python, `numpy.concatenate(d["chunks"], axis=d["axis"])` does.
    #[must_use]
    pub fn allow_chunks(mut self, allow: bool) -> Self {
        self.chunk_bytes = allow.then_some(LONGEST);
        self
    }

    /// Allows arrays in chunks, and says how many bytes one chunk has at the most.
    ///
    /// Any array with more is split, along its first axis, or along its last if it is column-major.
    /// 0-d arrays are not, compressed records among them. MessagePack's 4,294,967,295 is also the
    /// most here.
    #[must_use]
    pub fn chunk_bytes(mut self, bytes: usize) -> Self {
        self.chunk_bytes = Some(bytes.min(LONGEST));
        self
    }
}
