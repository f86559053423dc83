//! The bytes of MessagePack, counted or written.

use std::io::{self, Write};

use rmp::encode as msgpack;

use super::arrays::Arrays;
use super::counted::Counted;
use crate::checkpoint::WriteOptions;
use crate::encoding::{Integer, LongIntegerEncoding};
use crate::error::{Error, ErrorKind};
use crate::state::{Key, check_count, check_length};

/// What is written of a state, and how.
pub(super) struct Output<'a, 'h, W> {
    pub(super) writer: Counted<W>,
    pub(super) options: &'h WriteOptions,
    pub(super) arrays: Arrays<'a>,
    /// How many values that hooks gave are being written, one inside of the other.
    pub(super) hooked: usize,
    /// Memory for what stands before and behind a payload, used again for each array.
    pub(super) between: Vec<u8>,
}

impl<'a, 'h, W: Write> Output<'a, 'h, W> {
    pub(super) fn new(writer: W, options: &'h WriteOptions, arrays: Arrays<'a>) -> Self {
        Self {
            writer: Counted::new(writer),
            options,
            arrays,
            hooked: 0,
            between: Vec::new(),
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(ErrorKind::io)?;
        Ok(())
    }

    /// Takes what one of rmp's functions says of a head or a number.
    pub(super) fn head<T, E: Into<io::Error>>(written: Result<T, E>) -> Result<(), Error> {
        match written {
            Ok(_) => Ok(()),
            Err(error) => Err(ErrorKind::io(error.into()).into()),
        }
    }

    pub(super) fn integer(&mut self, value: &Integer<'_>) -> Result<(), Error> {
        match value {
            Integer::Signed(value) => Self::head(msgpack::write_sint(&mut self.writer, *value)),
            Integer::Unsigned(value) => Self::head(msgpack::write_uint(&mut self.writer, *value)),
            Integer::Long(text) => self.long_integer(text),
        }
    }

    fn long_integer(&mut self, integer: &LongIntegerEncoding<'_>) -> Result<(), Error> {
        self.map(1)?;
        self.string("integer")?;
        self.string(integer.as_str())
    }

    pub(super) fn string(&mut self, text: &str) -> Result<(), Error> {
        check_length(text.len())?;
        Self::head(msgpack::write_str_len(&mut self.writer, text.len() as u32))?;
        self.write(text.as_bytes())
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        check_length(bytes.len())?;
        Self::head(msgpack::write_bin_len(&mut self.writer, bytes.len() as u32))?;
        self.write(bytes)
    }

    pub(super) fn list(&mut self, len: usize) -> Result<(), Error> {
        check_count(len)?;
        Self::head(msgpack::write_array_len(&mut self.writer, len as u32))
    }

    pub(super) fn map(&mut self, len: usize) -> Result<(), Error> {
        check_count(len)?;
        Self::head(msgpack::write_map_len(&mut self.writer, len as u32))
    }

    pub(super) fn key(&mut self, key: &Key<'_>) -> Result<(), Error> {
        match key {
            Key::String(text) => self.string(text),
            Key::Integer(value) => match Integer::from(*value) {
                Integer::Long(text) => {
                    let found = text.as_str().to_owned();
                    Err(ErrorKind::KeyType { found }.into())
                }
                native => self.integer(&native),
            },
        }
    }

    pub(super) fn count(&mut self, count: usize) -> Result<(), Error> {
        Self::head(msgpack::write_uint(&mut self.writer, count as u64))
    }
}
