//! The shape of an array as Python's readers take it: lengths, of which one may be left open.

use super::Reader;
use crate::encoding::Extents;
use crate::error::{Error, ErrorKind, Shape};
use crate::file::Token;
use crate::limits;

/// Lengths of axes, before the payload is known that fills the open one.
#[derive(Debug)]
pub(in crate::formats) struct Dimensions {
    lengths: Extents,
    /// The axis whose length is what the payload has left.
    open: Option<usize>,
}

impl Dimensions {
    /// One axis, as long as the payload.
    pub(in crate::formats) fn flat() -> Self {
        Self {
            lengths: Extents::from_slice(&[1]),
            open: Some(0),
        }
    }

    /// Reads a list of lengths, or a length alone; -1 stands for the open one.
    ///
    /// # Errors
    /// [`TooManyDimensions`](ErrorKind::TooManyDimensions), and [`Format`](ErrorKind::Format) for
    /// anything else.
    pub(in crate::formats) fn read(
        reader: &mut Reader<'_>,
        format: &'static str,
    ) -> Result<Self, Error> {
        let mut dimensions = Self {
            lengths: Extents::new(),
            open: None,
        };
        match reader.next()? {
            Token::List(found) if found > limits::DIMENSIONS => {
                return Err(ErrorKind::TooManyDimensions { found }.into());
            }
            Token::List(count) => {
                for _ in 0..count {
                    let length = reader.next()?;
                    dimensions.push(length, format)?;
                }
            }
            alone => dimensions.push(alone, format)?,
        }
        Ok(dimensions)
    }

    fn push(&mut self, length: Token, format: &'static str) -> Result<(), Error> {
        let found = match length {
            Token::Unsigned(length) => match usize::try_from(length) {
                Ok(length) => {
                    self.lengths.push(length);
                    return Ok(());
                }
                Err(_) => length.to_string(),
            },
            Token::Signed(-1) if self.open.is_none() => {
                self.open = Some(self.lengths.len());
                self.lengths.push(1);
                return Ok(());
            }
            Token::Signed(-1) => "a second -1".to_owned(),
            Token::Signed(length) => length.to_string(),
            other => other.describe().to_owned(),
        };
        Err(ErrorKind::Format {
            format,
            expected: "the length of an axis".to_owned(),
            found,
        }
        .into())
    }

    /// Returns the shape of a payload of so many bytes, which may still be another number than the
    /// shape needs.
    ///
    /// # Errors
    /// [`Format`](ErrorKind::Format) where no length of the open axis fits.
    pub(in crate::formats) fn shape(
        self,
        bytes: usize,
        itemsize: usize,
        format: &'static str,
    ) -> Result<Extents, Error> {
        let mut lengths = self.lengths;
        let Some(open) = self.open else {
            return Ok(lengths);
        };
        let row = lengths
            .iter()
            .try_fold(itemsize, |row, &length| row.checked_mul(length));
        match row {
            Some(row) if row > 0 && bytes % row == 0 => {
                lengths[open] = bytes / row;
                Ok(lengths)
            }
            _ => {
                let shape = Shape(&lengths);
                Err(ErrorKind::Format {
                    format,
                    expected: format!("bytes for shape {shape} along the axis {open} that is open"),
                    found: format!("{bytes} bytes, {itemsize} an item"),
                }
                .into())
            }
        }
    }
}
