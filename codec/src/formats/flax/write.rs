//! Values as Flax writes them.

use std::ops::Range;

use rmp::encode as msgpack;

use super::{ARRAY, COMPLEX, Form, MARKER, SCALAR, WriteOptions};
use crate::dtype::DType;
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind};
use crate::formats::msgpack::{Output, Rules, Target};
use crate::state::{Key, StateDict, Value};

/// An array as it is to be written.
#[derive(Clone, Copy)]
pub(super) struct Described<'p> {
    pub(super) shape: &'p [usize],
    pub(super) dtype: &'p DType,
    pub(super) bytes: usize,
    pub(super) scalar: bool,
    pub(super) payload: Payload<'p>,
}

/// Where the items of an array are.
#[derive(Clone, Copy)]
pub(super) enum Payload<'p> {
    /// In an array of any memory order.
    Array(&'p NumpyEncoding<'p>),
    /// In these bytes, row by row.
    Rows(&'p [u8]),
    /// Nowhere yet: for who counts.
    Unmade,
}

impl<'p> Described<'p> {
    fn of(array: &'p NumpyEncoding<'p>) -> Self {
        Self {
            shape: array.shape(),
            dtype: array.dtype(),
            bytes: array.data().len(),
            scalar: array.is_scalar(),
            payload: Payload::Array(array),
        }
    }
}

/// Writes values that were found to be writable.
pub(super) struct Writer<'w, T> {
    output: &'w mut Output<T>,
    options: &'w WriteOptions,
    /// Memory for what stands before a payload, used again for each array.
    head: Vec<u8>,
}

impl<'w, T: Target> Writer<'w, T> {
    pub(super) fn new(output: &'w mut Output<T>, options: &'w WriteOptions) -> Self {
        let head = Vec::new();
        Self {
            output,
            options,
            head,
        }
    }

    /// Writes a value; `in_list` says that it is somewhere inside of a list that stays one.
    pub(super) fn value(&mut self, value: &Value<'_>, in_list: bool) -> Result<(), Error> {
        match value {
            Value::Nil => self.output.nil(),
            Value::Bool(value) => self.output.bool(*value),
            Value::Integer(Integer::Long(text)) => {
                self.output.map(1)?;
                self.output.text("integer")?;
                self.output.text(text.as_str())
            }
            Value::Integer(value) => self.output.integer(value),
            Value::Float32(value) => self.output.float32(*value),
            Value::Float64(value) => self.output.float64(*value),
            Value::Complex(value) => {
                self.output.extension_head(COMPLEX, 19)?;
                self.output.list(2)?;
                self.output.float64(value.re)?;
                self.output.float64(value.im)
            }
            Value::String(text) => self.output.text(text),
            Value::Bytes(bytes) => self.output.bytes(bytes),
            Value::List(items) => self.list(items, in_list),
            Value::Map(map) => self.map(map, in_list),
            Value::Array(array) => self.array(Described::of(array), in_list),
            Value::Extension(code, bytes) => {
                self.output.extension_head(*code, bytes.len())?;
                self.output.write(bytes)
            }
        }
    }

    fn list(&mut self, items: &[Value<'_>], in_list: bool) -> Result<(), Error> {
        let in_list = in_list || self.options.keeps_lists();
        self.list_head(items.len())?;
        for (index, item) in items.iter().enumerate() {
            self.item_key(index)?;
            self.value(item, in_list)?;
        }
        Ok(())
    }

    /// Writes the head of a list, or of the map that stands for it.
    pub(super) fn list_head(&mut self, count: usize) -> Result<(), Error> {
        match self.options.keeps_lists() {
            true => self.output.list(count),
            false => self.output.map(count),
        }
    }

    /// Writes the key of an item where lists are maps.
    pub(super) fn item_key(&mut self, index: usize) -> Result<(), Error> {
        match self.options.keeps_lists() {
            true => Ok(()),
            false => self.number(index),
        }
    }

    fn map(&mut self, map: &StateDict<'_>, in_list: bool) -> Result<(), Error> {
        self.map_head(map.len())?;
        let mut entries: Vec<_> = map.iter().collect();
        if self.options.form == Form::Serialize {
            entries.sort_by_key(|entry| entry.0);
        }
        entries.into_iter().try_for_each(|(key, value)| {
            self.key(key)?;
            self.value(value, in_list)
        })
    }

    pub(super) fn map_head(&mut self, count: usize) -> Result<(), Error> {
        self.output.map(count)
    }

    pub(super) fn key(&mut self, key: &Key<'_>) -> Result<(), Error> {
        match key {
            Key::String(text) => self.output.text(text),
            Key::Integer(key) if self.options.form == Form::ToBytes => {
                self.output.text(&key.to_string())
            }
            Key::Integer(key) => self.output.integer(&(*key).into()),
        }
    }

    /// Writes a number as the key that Flax makes of it.
    fn number(&mut self, number: usize) -> Result<(), Error> {
        let mut digits = [0; 21];
        let (mut rest, mut start) = (number, digits.len());
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        // There are at most 20 digits, so that their head is one byte, with them in one write.
        start -= 1;
        digits[start] = 0xa0 | (20 - start) as u8;
        self.output.write(&digits[start..])
    }

    pub(super) fn array(&mut self, array: Described<'_>, in_list: bool) -> Result<(), Error> {
        let itemsize = array.dtype.itemsize().max(1);
        // An array without items may have lengths whose product is too large for a number.
        let count = array.bytes / itemsize;
        let limit = self.options.chunk_bytes;
        if in_list || array.scalar || array.bytes <= limit {
            let code = if array.scalar { SCALAR } else { ARRAY };
            return self.piece(code, &array, array.shape, 0..count);
        }
        self.output.map(3)?;
        self.output.text(MARKER)?;
        self.output.bool(true)?;
        self.output.text("shape")?;
        self.output.map(array.shape.len())?;
        for (axis, &length) in array.shape.iter().enumerate() {
            self.number(axis)?;
            self.output.count(length)?;
        }
        self.output.text("chunks")?;
        let most = (limit / itemsize).max(1);
        self.output.map(count.div_ceil(most))?;
        for (number, start) in (0..count).step_by(most).enumerate() {
            self.number(number)?;
            let end = count.min(start.saturating_add(most));
            self.piece(ARRAY, &array, &[end - start], start..end)?;
        }
        Ok(())
    }

    /// Writes some of the items of an array as an extension.
    fn piece(
        &mut self,
        code: i8,
        array: &Described<'_>,
        shape: &[usize],
        items: Range<usize>,
    ) -> Result<(), Error> {
        let itemsize = array.dtype.itemsize();
        let range = items.start * itemsize..items.end * itemsize;
        let name = array
            .dtype
            .plain_name()
            .ok_or(ErrorKind::NotRepresentable {
                found: "an array of a dtype without a name",
            })?;
        self.head.clear();
        self.head.push(0x93);
        let written = put_head(&mut self.head, shape, &name, range.len());
        written.map_err(ErrorKind::io)?;
        let length = self.head.len().saturating_add(range.len());
        self.output.extension_head(code, length)?;
        self.output.write(&self.head)?;
        let target = &mut self.output.target;
        let written = match array.payload {
            Payload::Array(array) => target.rows(array, items),
            Payload::Rows(bytes) => target.write_all(&bytes[range]),
            Payload::Unmade => target.unmade(range.len()),
        };
        written.map_err(|error| ErrorKind::io(error).into())
    }
}

/// Writes what stands before the bytes of an array.
fn put_head(head: &mut Vec<u8>, shape: &[usize], name: &str, bytes: usize) -> std::io::Result<()> {
    msgpack::write_array_len(head, shape.len() as u32)?;
    for &length in shape {
        msgpack::write_uint(head, length as u64)?;
    }
    msgpack::write_str(head, name)?;
    // Checked: a payload of more than 32 bits was refused or split.
    msgpack::write_bin_len(head, u32::try_from(bytes).unwrap_or(u32::MAX))?;
    Ok(())
}
