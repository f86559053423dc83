//! Payloads that are still in their source: read when it is known where they go.

use super::chunks::Chunks;
use crate::error::{Error, ErrorKind};

/// Where some bytes of a source stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) offset: u64,
    pub(crate) length: usize,
}

impl Span {
    /// Puts the span into one integer, to pass through serde.
    pub(crate) fn pack(self) -> i128 {
        i128::from(self.offset) << 64 | self.length as i128
    }

    pub(crate) fn unpack(packed: i128) -> Option<Self> {
        Some(Self {
            offset: u64::try_from(packed >> 64).ok()?,
            length: usize::try_from(packed & i128::from(u64::MAX)).ok()?,
        })
    }
}

/// Where a payload is that is not in its array's memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Elsewhere<'a> {
    /// In the source of the array.
    Span(Span),
    /// In other arrays, each in memory or in the source.
    Chunks(Chunks<'a>),
}

impl Elsewhere<'_> {
    /// Returns true if the payload can be read from any of its bytes on.
    pub(crate) fn is_in_order(&self) -> bool {
        match self {
            Self::Span(_) => true,
            Self::Chunks(chunks) => chunks.is_in_order(),
        }
    }

    /// Fills bytes from a place of the payload, which is in order.
    ///
    /// # Errors
    /// Those of the source.
    pub(crate) fn read_exact_at(
        &self,
        source: Option<&dyn Source>,
        bytes: &mut [u8],
        offset: usize,
    ) -> Result<(), Error> {
        match self {
            Self::Span(span) => {
                let source = source.ok_or_else(no_source)?;
                source.read_exact_at(bytes, span.offset.saturating_add(offset as u64))
            }
            Self::Chunks(chunks) => chunks.read_exact_at(source, bytes, offset),
        }
    }

    pub(super) fn into_owned(self) -> Elsewhere<'static> {
        match self {
            Self::Span(span) => Elsewhere::Span(span),
            Self::Chunks(chunks) => Elsewhere::Chunks(chunks.into_owned()),
        }
    }
}

/// Cannot happen: who leaves payloads in a source has it at hand.
#[cold]
pub(super) fn no_source() -> Error {
    let reason = "a payload without its source".to_owned();
    ErrorKind::Syntax { reason }.into()
}

/// Where bytes can be read from any place.
pub trait Source {
    /// Fills the bytes from a place of the source.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io), also where the source ends too early.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error>;
}

/// The newtype name under which the payload of an array is asked for where a span would do: a reader
/// that has one answers with `visit_i128`.
pub(crate) const PAYLOAD_TOKEN: &str = "$npcodec::payload";

/// Reads the bytes of a span, whose length the source has been seen to have.
///
/// # Errors
/// Those of the source, and [`Io`](ErrorKind::Io) where memory has no room.
pub(crate) fn read_span(source: &dyn Source, span: Span) -> Result<Vec<u8>, Error> {
    let mut bytes = bytemuck::try_zeroed_vec(span.length).map_err(|()| no_memory(span.length))?;
    source.read_exact_at(&mut bytes, span.offset)?;
    Ok(bytes)
}

/// Memory has no room for so many bytes.
pub(crate) fn no_memory(bytes: usize) -> Error {
    ErrorKind::Io {
        kind: std::io::ErrorKind::OutOfMemory,
        message: format!("no memory for {bytes} bytes"),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_pass_through_one_integer() {
        for (offset, length) in [(0, 0), (u64::MAX >> 1, usize::MAX), (1 << 32, 7)] {
            let span = Span { offset, length };
            assert_eq!(Span::unpack(span.pack()), Some(span));
        }
        assert_eq!(Span::unpack(-1), None);
    }
}
