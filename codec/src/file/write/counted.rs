//! A writer that knows where it is.

use std::io::{self, Write};

/// Counts the bytes that go through it.
pub(super) struct Counted<W> {
    pub(super) inner: W,
    at: usize,
}

impl<W> Counted<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, at: 0 }
    }

    /// Returns how many bytes there were.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Counts bytes that are not there: for who only counts.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.pass(written);
        Ok(written)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.inner.write_all(bytes)?;
        self.pass(bytes.len());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
