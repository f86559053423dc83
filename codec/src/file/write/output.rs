//! The bytes of MessagePack, counted or written.

use std::io::{self, Write};
use std::vec;

use rmp::encode as msgpack;

use crate::encoding::{Integer, LongIntegerEncoding, NumpyEncoding};
use crate::error::{Error, ErrorKind};
use crate::state::{Hooks, Key, check_array, check_count, check_length};

/// Counts bytes instead of writing them.
pub(super) struct Counter(pub(super) usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What becomes of the arrays that are not the state's own memory.
pub(super) enum Arrays<'a> {
    Keep(Vec<Option<Box<NumpyEncoding<'a>>>>),
    Reuse(vec::IntoIter<Option<Box<NumpyEncoding<'a>>>>),
    Stream,
}

pub(super) struct Output<'a, 'h, W> {
    pub(super) writer: W,
    pub(super) hooks: &'h Hooks,
    pub(super) arrays: Arrays<'a>,
    /// How many values that hooks gave are being written, one inside of the other.
    pub(super) hooked: usize,
}

impl<'a, W: Write> Output<'a, '_, W> {
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

    pub(super) fn array(
        &mut self,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        let reused = match &mut self.arrays {
            Arrays::Reuse(kept) => kept.next().flatten(),
            _ => None,
        };
        let array = reused.map_or_else(make, |array| Ok(*array))?;
        self.encoding(&array)?;
        if let Arrays::Keep(kept) = &mut self.arrays {
            kept.push((!array.is_borrowed()).then(|| Box::new(array)));
        }
        Ok(())
    }

    fn encoding(&mut self, array: &NumpyEncoding<'_>) -> Result<(), Error> {
        check_array(array)?;
        let optional = usize::from(array.order().is_some()) + usize::from(array.pad().is_some());
        self.map(3 + optional)?;
        if let Some(pad) = array.pad() {
            self.string("pad")?;
            self.bytes(pad)?;
        }
        self.string("shape")?;
        self.list(array.shape().len())?;
        for &length in array.shape() {
            self.integer(&Integer::from(length as u64))?;
        }
        self.string("data")?;
        self.bytes(array.data())?;
        self.string("dtype")?;
        self.string(array.dtype_text())?;
        if let Some(order) = array.order() {
            self.string("order")?;
            self.string(order.as_str())?;
        }
        Ok(())
    }
}
