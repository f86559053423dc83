//! Bounds on what an input may ask for.

/// How deep lists and maps may be nested in a file.
///
/// Python's own MessagePack reader stops at 1,024 levels; a state that people write has a dozen.
pub(crate) const DEPTH: usize = 200;

/// NumPy's limit on the dimensions of an array.
pub(crate) const DIMENSIONS: usize = 64;

/// The longest string, byte string or payload of a MessagePack value, in bytes.
pub(crate) const LONGEST: usize = u32::MAX as usize;

/// The most digits of a long integer, Python's own limit on turning text into integers.
pub(crate) const DIGITS: usize = 4300;

/// Returns a capacity for `claimed` items that a file announces: enough for small collections, no
/// more than a page of memory before the items themselves arrive.
pub(crate) fn cautious<T>(claimed: Option<usize>) -> usize {
    const MOST: usize = 4096;
    let most = MOST / size_of::<T>().max(1);
    claimed.unwrap_or(0).min(most)
}
