//! Where the bytes of MessagePack come from: a slice, a reader, or a source that can be read anywhere.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind};

/// Gives the bytes of an input, from its beginning to its end.
///
/// Where it ends too early, nothing is taken, and the error counts from the byte that comes next.
pub(crate) trait Input<'de> {
    /// True if payloads can stay where they are, to be read later.
    const STORED: bool = false;

    /// Returns which byte comes next.
    fn offset(&self) -> u64;

    /// Returns how many bytes are left, where that is known.
    fn left(&self) -> Option<u64>;

    /// Counts the bytes that are left, to the end.
    fn rest(&mut self) -> Result<u64, Error>;

    /// Returns the byte that comes next, if there is one.
    fn peek(&mut self) -> Result<Option<u8>, Error>;

    /// Takes as many bytes as a number has.
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error>;

    /// Takes bytes.
    fn take(&mut self, count: usize) -> Result<Cow<'de, [u8]>, Error>;

    /// Passes over bytes.
    fn skip(&mut self, count: usize) -> Result<(), Error>;
}

/// The error of an input that ends after `found` of `needed` bytes.
#[cold]
pub(super) fn truncated(needed: usize, found: usize) -> Error {
    ErrorKind::Truncated { needed, found }.into()
}

/// A slice, from which everything is borrowed.
#[derive(Debug, Clone)]
pub(crate) struct Slice<'de> {
    input: &'de [u8],
    offset: usize,
}

impl<'de> Slice<'de> {
    #[inline]
    pub(crate) fn new(input: &'de [u8]) -> Self {
        Self { input, offset: 0 }
    }

    /// Starts at a byte of a larger input, and ends before another.
    #[cfg(feature = "flax")]
    pub(crate) fn part(input: &'de [u8], start: usize, end: usize) -> Self {
        let input = input.get(..end).unwrap_or(input);
        let offset = start.min(input.len());
        Self { input, offset }
    }

    #[inline]
    fn remaining(&self) -> &'de [u8] {
        &self.input[self.offset..]
    }

    #[inline]
    fn get(&mut self, count: usize) -> Result<&'de [u8], Error> {
        let rest = self.remaining();
        let taken = rest
            .get(..count)
            .ok_or_else(|| truncated(count, rest.len()))?;
        self.offset += count;
        Ok(taken)
    }
}

impl<'de> Input<'de> for Slice<'de> {
    #[inline]
    fn offset(&self) -> u64 {
        self.offset as u64
    }

    #[inline]
    fn left(&self) -> Option<u64> {
        Some(self.remaining().len() as u64)
    }

    #[inline]
    fn rest(&mut self) -> Result<u64, Error> {
        Ok(self.remaining().len() as u64)
    }

    #[inline]
    fn peek(&mut self) -> Result<Option<u8>, Error> {
        Ok(self.remaining().first().copied())
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let rest = self.remaining();
        let taken = *rest.first_chunk().ok_or_else(|| truncated(N, rest.len()))?;
        self.offset += N;
        Ok(taken)
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<Cow<'de, [u8]>, Error> {
        self.get(count).map(Cow::Borrowed)
    }

    #[inline]
    fn skip(&mut self, count: usize) -> Result<(), Error> {
        self.get(count).map(drop)
    }
}
