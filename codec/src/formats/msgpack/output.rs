//! The values that every MessagePack format writes alike, as Python's msgpack does: the shortest forms.

use std::io::Write;

use rmp::encode as msgpack;

use crate::encoding::Integer;
use crate::error::{Error, ErrorKind};

/// Writes values to a target.
#[derive(Debug)]
pub(in crate::formats) struct Output<T> {
    pub(in crate::formats) target: T,
    /// True for the MessagePack of old, which has no byte strings apart from texts.
    pub(in crate::formats) raw: bool,
}

/// Takes what a writer or one of rmp's functions says.
macro_rules! written {
    ($result:expr) => {
        match $result {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::from(ErrorKind::io(error.into()))),
        }
    };
}

impl<T: Write> Output<T> {
    pub(in crate::formats) fn new(target: T, raw: bool) -> Self {
        Self { target, raw }
    }

    pub(in crate::formats) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        written!(self.target.write_all(bytes))
    }

    pub(in crate::formats) fn nil(&mut self) -> Result<(), Error> {
        written!(msgpack::write_nil(&mut self.target))
    }

    pub(in crate::formats) fn bool(&mut self, value: bool) -> Result<(), Error> {
        written!(msgpack::write_bool(&mut self.target, value))
    }

    /// Writes an integer of 64 bits; longer ones have been refused or turned into something else.
    pub(in crate::formats) fn integer(&mut self, value: &Integer<'_>) -> Result<(), Error> {
        match value {
            Integer::Signed(value) => written!(msgpack::write_sint(&mut self.target, *value)),
            Integer::Unsigned(value) => written!(msgpack::write_uint(&mut self.target, *value)),
            Integer::Long(text) => {
                let found = text.as_str().to_owned();
                Err(ErrorKind::LongInteger { text: found }.into())
            }
        }
    }

    pub(in crate::formats) fn count(&mut self, value: usize) -> Result<(), Error> {
        written!(msgpack::write_uint(&mut self.target, value as u64))
    }

    pub(in crate::formats) fn float32(&mut self, value: f32) -> Result<(), Error> {
        written!(msgpack::write_f32(&mut self.target, value))
    }

    pub(in crate::formats) fn float64(&mut self, value: f64) -> Result<(), Error> {
        written!(msgpack::write_f64(&mut self.target, value))
    }

    pub(in crate::formats) fn text(&mut self, text: &str) -> Result<(), Error> {
        self.text_head(text.len())?;
        self.write(text.as_bytes())
    }

    pub(in crate::formats) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes_head(bytes.len())?;
        self.write(bytes)
    }

    /// Writes the head of a byte string.
    pub(in crate::formats) fn bytes_head(&mut self, length: usize) -> Result<(), Error> {
        if self.raw {
            return self.text_head(length);
        }
        written!(msgpack::write_bin_len(&mut self.target, length32(length)?))
    }

    /// Writes the head of a text, or of bytes where they are the same.
    pub(in crate::formats) fn text_head(&mut self, length: usize) -> Result<(), Error> {
        let length = length32(length)?;
        match (self.raw, u16::try_from(length)) {
            (true, Ok(short)) if short > 31 => {
                self.write(&[0xda])?;
                self.write(&short.to_be_bytes())
            }
            _ => written!(msgpack::write_str_len(&mut self.target, length)),
        }
    }

    pub(in crate::formats) fn list(&mut self, count: usize) -> Result<(), Error> {
        written!(msgpack::write_array_len(&mut self.target, count32(count)?))
    }

    pub(in crate::formats) fn map(&mut self, count: usize) -> Result<(), Error> {
        written!(msgpack::write_map_len(&mut self.target, count32(count)?))
    }

    pub(in crate::formats) fn extension_head(
        &mut self,
        code: i8,
        length: usize,
    ) -> Result<(), Error> {
        let (length, mut head) = (length32(length)?, [0; 6]);
        let mut rest = &mut head[..];
        written!(msgpack::write_ext_meta(&mut rest, length, code))?;
        let count = 6 - rest.len();
        // At once: for small arrays, writes are what takes the time.
        self.write(&head[..count])
    }
}

/// A MessagePack length has 32 bits.
fn length32(bytes: usize) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| ErrorKind::TooLong { bytes }.into())
}

fn count32(count: usize) -> Result<u32, Error> {
    u32::try_from(count).map_err(|_| ErrorKind::TooMany { count }.into())
}
