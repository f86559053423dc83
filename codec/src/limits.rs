//! Bounds on what an input may ask for.

/// How deep lists and maps may be nested in a file.
///
/// Python's own MessagePack reader stops at 1,024 levels; a state that people write has a dozen.
pub(crate) const DEPTH: usize = 200;

/// What an input may ask for, beyond what its own length bounds.
///
/// Nothing that is read takes more memory than a small multiple of the input's length, so that only
/// the depth has a limit of its own accord.
///
/// ```
/// use npcodec::{ErrorKind, Limits, ReadOptions, decode_with};
///
/// let options = ReadOptions::new().limits(Limits::new().array_bytes(3));
/// let error = decode_with(b"\xc4\x04abcd", &options).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Limit { .. }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    pub(crate) depth: usize,
    pub(crate) keys: usize,
    pub(crate) key_bytes: usize,
    pub(crate) array_bytes: usize,
    pub(crate) total_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: DEPTH,
            keys: usize::MAX,
            key_bytes: usize::MAX,
            array_bytes: usize::MAX,
            total_bytes: usize::MAX,
        }
    }
}

impl Limits {
    /// Starts from the defaults: 200 levels, and no other limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits how deep lists and maps are nested; 200 is also the most.
    #[must_use]
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels.min(DEPTH);
        self
    }

    /// Limits how many keys one map has.
    #[must_use]
    pub fn keys(mut self, count: usize) -> Self {
        self.keys = count;
        self
    }

    /// Limits how many bytes one key has.
    #[must_use]
    pub fn key_bytes(mut self, bytes: usize) -> Self {
        self.key_bytes = bytes;
        self
    }

    /// Limits how many bytes one byte string has, the payload of an array among them.
    #[must_use]
    pub fn array_bytes(mut self, bytes: usize) -> Self {
        self.array_bytes = bytes;
        self
    }

    /// Limits how many bytes the input has.
    #[must_use]
    pub fn total_bytes(mut self, bytes: usize) -> Self {
        self.total_bytes = bytes;
        self
    }
}

/// NumPy's limit on the dimensions of an array.
pub(crate) const DIMENSIONS: usize = 64;

/// The longest string, byte string or payload of a MessagePack value, in bytes.
pub(crate) const LONGEST: usize = u32::MAX as usize;

/// How many items of no bytes an array may have: the file says nothing that could bound them.
pub(crate) const EMPTY_ITEMS: usize = 1 << 16;

/// The most digits of a long integer, Python's own limit on turning text into integers.
pub(crate) const DIGITS: usize = 4300;

/// Makes a vector for the items that a file announces: with room for small collections, and with no
/// more than a page of memory before the items themselves arrive.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where a claim is bounded"
)]
pub(crate) fn cautious<T>(claimed: Option<usize>) -> Vec<T> {
    const MOST: usize = 4096;
    let most = MOST / size_of::<T>().max(1);
    Vec::with_capacity(claimed.unwrap_or(0).min(most))
}
