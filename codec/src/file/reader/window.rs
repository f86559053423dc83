//! A source that can be read anywhere, seen through a window that moves over it.

use std::borrow::Cow;

use super::input::{Input, truncated};
use crate::encoding::{Source, no_memory};
use crate::error::Error;

/// How much is read at first, and after bytes that were passed over.
const LEAST: usize = 512;
/// What is taken through the window; more is read to where it goes.
const SMALL: usize = 4096;
/// How much is read at a time where everything is read.
const MOST: usize = 1 << 17;

/// Reads structure through a window, and leaves payloads where they are.
pub(crate) struct Window<'s> {
    source: &'s dyn Source,
    /// How many bytes the source has.
    length: u64,
    buffer: Vec<u8>,
    /// How much of the buffer is filled.
    filled: usize,
    /// Where the buffer begins in the source.
    start: u64,
    /// How much of the buffer has been taken.
    taken: usize,
    /// How much is read next.
    ahead: usize,
}

impl<'s> Window<'s> {
    pub(crate) fn new(source: &'s dyn Source, length: u64) -> Self {
        Self {
            source,
            length,
            buffer: Vec::new(),
            filled: 0,
            start: 0,
            taken: 0,
            ahead: LEAST,
        }
    }

    fn at(&self) -> u64 {
        self.start + self.taken as u64
    }

    fn remaining(&self) -> u64 {
        self.length.saturating_sub(self.at())
    }

    fn buffered(&self) -> &[u8] {
        &self.buffer[self.taken..self.filled]
    }

    fn require(&self, count: usize) -> Result<(), Error> {
        let left = self.remaining();
        if left < count as u64 {
            return Err(truncated(
                count,
                usize::try_from(left).unwrap_or(usize::MAX),
            ));
        }
        Ok(())
    }

    /// Moves the window so that it holds at least the next `count` bytes, which are few.
    fn fill(&mut self, count: usize) -> Result<(), Error> {
        self.require(count)?;
        let kept = self.filled - self.taken;
        if kept >= count {
            return Ok(());
        }
        let wanted = self.ahead.max(count) as u64;
        let size = usize::try_from(wanted.min(self.remaining())).unwrap_or(count);
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.start = self.at();
        (self.taken, self.filled) = (0, kept);
        if self.buffer.len() < size {
            self.buffer.resize(size, 0);
        }
        let offset = self.start + kept as u64;
        self.source
            .read_exact_at(&mut self.buffer[kept..size], offset)?;
        self.filled = size;
        self.ahead = (self.ahead * 2).min(MOST);
        Ok(())
    }

    /// Leaves the window for a place behind it.
    fn leave(&mut self, offset: u64) {
        (self.start, self.taken, self.filled) = (offset, 0, 0);
        self.ahead = LEAST;
    }
}

impl<'de> Input<'de> for Window<'_> {
    const STORED: bool = true;

    fn offset(&self) -> u64 {
        self.at()
    }

    fn left(&self) -> Option<u64> {
        Some(self.remaining())
    }

    fn rest(&mut self) -> Result<u64, Error> {
        Ok(self.remaining())
    }

    fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.remaining() == 0 {
            return Ok(None);
        }
        self.fill(1)?;
        Ok(self.buffered().first().copied())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.fill(N)?;
        let taken = self.buffered().first_chunk();
        let taken = *taken.ok_or_else(|| truncated(N, 0))?;
        self.taken += N;
        Ok(taken)
    }

    fn take(&mut self, count: usize) -> Result<Cow<'de, [u8]>, Error> {
        self.require(count)?;
        if count <= SMALL {
            self.fill(count)?;
            let taken = self.buffered()[..count].to_vec();
            self.taken += count;
            return Ok(Cow::Owned(taken));
        }
        let mut bytes: Vec<u8> = bytemuck::try_zeroed_vec(count).map_err(|()| no_memory(count))?;
        let here = self.buffered();
        let kept = here.len().min(count);
        bytes[..kept].copy_from_slice(&here[..kept]);
        let end = self.at() + count as u64;
        let offset = self.at() + kept as u64;
        self.source.read_exact_at(&mut bytes[kept..], offset)?;
        match kept == count {
            true => self.taken += count,
            false => self.leave(end),
        }
        Ok(Cow::Owned(bytes))
    }

    fn skip(&mut self, count: usize) -> Result<(), Error> {
        self.require(count)?;
        match count <= self.filled - self.taken {
            true => self.taken += count,
            false => self.leave(self.at() + count as u64),
        }
        Ok(())
    }
}
