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
