//! The shape of an array as Python's readers take it: lengths, of which one may be left open.

use super::Reader;
use crate::encoding::Extents;
#[cfg(feature = "msgpack-numpy")]
use crate::encoding::Integer;
use crate::error::{Error, ErrorKind, Shape};
use crate::file::Token;
use crate::limits;
#[cfg(feature = "msgpack-numpy")]
use crate::state::Value;

/// Lengths of axes, before the payload is known that fills the open one.
#[derive(Debug)]
pub(in crate::formats) struct Dimensions {
    lengths: Extents,
    /// The axis whose length is what the payload has left.
    open: Option<usize>,
}

impl Dimensions {
    /// One axis, as long as the payload.
    #[cfg(feature = "flax")]
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

    /// Takes lengths out of a value that was read.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    #[cfg(feature = "msgpack-numpy")]
    pub(in crate::formats) fn of(value: &Value<'_>, format: &'static str) -> Result<Self, Error> {
        let mut dimensions = Self {
            lengths: Extents::new(),
            open: None,
        };
        let lengths = match value {
            Value::List(lengths) => &lengths[..],
            alone => std::slice::from_ref(alone),
        };
        if lengths.len() > limits::DIMENSIONS {
            let found = lengths.len();
            return Err(ErrorKind::TooManyDimensions { found }.into());
        }
        for length in lengths {
            let token = match length {
                Value::Integer(Integer::Signed(length)) => match u64::try_from(*length) {
                    Ok(length) => Token::Unsigned(length),
                    Err(_) => Token::Signed(*length),
                },
                Value::Integer(Integer::Unsigned(length)) => Token::Unsigned(*length),
                other => return Err(fault(format, other.kind())),
            };
            dimensions.push(token, format)?;
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
        Err(fault(format, found))
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

#[cold]
fn fault(format: &'static str, found: impl std::fmt::Display) -> Error {
    super::super::fault::fault(format, "the length of an axis", found)
}
