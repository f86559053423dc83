//! Where written bytes go: they are counted, kept, or passed on.

use std::io::{self, BufWriter, Write};
use std::ops::Range;

use crate::encoding::{NumpyEncoding, no_memory};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;

/// Takes the bytes of a file.
pub(in crate::formats) trait Target: Write {
    /// Takes some of the items of an array, counted and written in row-major order.
    fn rows(&mut self, array: &NumpyEncoding<'_>, items: Range<usize>) -> io::Result<()>;

    /// Takes the number of bytes that are not made yet, which is enough for who counts.
    fn unmade(&mut self, bytes: usize) -> io::Result<()> {
        let reason = format!("{bytes} bytes that are not made cannot be written");
        Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
    }
}

/// Counts bytes.
#[derive(Debug, Default)]
pub(in crate::formats) struct Measure(pub(in crate::formats) usize);

impl Write for Measure {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Target for Measure {
    fn rows(&mut self, array: &NumpyEncoding<'_>, items: Range<usize>) -> io::Result<()> {
        self.unmade(items.len().saturating_mul(array.dtype().itemsize()))
    }

    fn unmade(&mut self, bytes: usize) -> io::Result<()> {
        self.0 = self.0.saturating_add(bytes);
        Ok(())
    }
}

impl Target for Vec<u8> {
    fn rows(&mut self, array: &NumpyEncoding<'_>, items: Range<usize>) -> io::Result<()> {
        array.write_rows(items, self)
    }
}

/// Passes bytes on; what is large goes past the buffer.
#[derive(Debug)]
pub(in crate::formats) struct Stream<W: Write>(BufWriter<W>);

impl<W: Write> Stream<W> {
    pub(in crate::formats) fn new(writer: W) -> Self {
        Self(BufWriter::new(writer))
    }
}

impl<W: Write> Write for Stream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Target for Stream<W> {
    fn rows(&mut self, array: &NumpyEncoding<'_>, items: Range<usize>) -> io::Result<()> {
        array.write_rows(items, &mut self.0)
    }
}

/// Returns an empty vector with room for exactly so many bytes.
///
/// # Errors
/// [`Io`](ErrorKind::Io) where memory has no room.
pub(in crate::formats) fn in_one_allocation(bytes: usize) -> Result<Vec<u8>, Error> {
    let mut vector = Vec::new();
    vector
        .try_reserve_exact(bytes)
        .map_err(|_| no_memory(bytes))?;
    Ok(vector)
}
