//! How msgpack-numpy's files are read and written.

use crate::limits::Limits;

/// How a file of msgpack-numpy is read.
///
/// ```
/// use npcodec::formats::msgpack_numpy::{ReadOptions, WriteOptions, from_slice, from_slice_with, to_vec_with};
/// use npcodec::{NumpyEncoding, Value};
///
/// let array = Value::Array(NumpyEncoding::new(vec![1], vec![255], "'|u1'", None)?);
/// let bytes = to_vec_with(&array, &WriteOptions::new().raw(true))?;
/// assert_eq!(bytes, b"\x85\xa2nd\xc3\xa4type\xa3|u1\xa4kind\xa0\xa5shape\x91\x01\xa4data\xa1\xff");
/// assert_eq!(from_slice_with(&bytes, &ReadOptions::new().raw(true))?, array);
/// assert!(from_slice(&bytes).is_err()); // the bytes of the array are no text
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    pub(super) raw: bool,
    pub(super) limits: Limits,
}

impl ReadOptions {
    /// Starts from the defaults: byte strings and texts apart, and those of [`Limits`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the MessagePack of old, which Python writes with `use_bin_type=False` and reads with
    /// `raw=True`: everything that is neither a key nor a part of an array is bytes.
    #[must_use]
    pub fn raw(mut self, raw: bool) -> Self {
        self.raw = raw;
        self
    }

    /// Limits what the file may ask for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// How a file of msgpack-numpy is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    pub(super) raw: bool,
}

impl WriteOptions {
    /// Starts from the default: byte strings and texts apart.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the MessagePack of old, as Python does with `use_bin_type=False`: bytes and texts are the
    /// same, which only [`ReadOptions::raw`] reads.
    #[must_use]
    pub fn raw(mut self, raw: bool) -> Self {
        self.raw = raw;
        self
    }
}
