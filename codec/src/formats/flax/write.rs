//! Values as Flax writes them.

use rmp::encode as msgpack;

use super::{ARRAY, COMPLEX, Form, MARKER, SCALAR, WriteOptions};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind};
use crate::formats::msgpack::{Output, Target};
use crate::state::{Key, StateDict, Value};

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
            Value::List(items) => self.list(items),
            Value::Map(map) => self.map(map, in_list),
            Value::Array(array) => self.array(array, in_list),
            Value::Extension(code, bytes) => {
                self.output.extension_head(*code, bytes.len())?;
                self.output.write(bytes)
            }
        }
    }

    fn list(&mut self, items: &[Value<'_>]) -> Result<(), Error> {
        if self.options.form != Form::ToBytes {
            self.output.list(items.len())?;
            return items.iter().try_for_each(|item| self.value(item, true));
        }
        self.output.map(items.len())?;
        for (index, item) in items.iter().enumerate() {
            self.number(index)?;
            self.value(item, false)?;
        }
        Ok(())
    }

    fn map(&mut self, map: &StateDict<'_>, in_list: bool) -> Result<(), Error> {
        self.output.map(map.len())?;
        if self.options.form == Form::Serialize {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|entry| entry.0);
            let mut entries = entries.into_iter();
            return entries.try_for_each(|(key, value)| self.entry(key, value, in_list));
        }
        map.iter()
            .try_for_each(|(key, value)| self.entry(key, value, in_list))
    }

    fn entry(&mut self, key: &Key<'_>, value: &Value<'_>, in_list: bool) -> Result<(), Error> {
        match key {
            Key::String(text) => self.output.text(text)?,
            Key::Integer(key) if self.options.form == Form::ToBytes => {
                self.output.text(&key.to_string())?;
            }
            Key::Integer(key) => self.output.integer(&(*key).into())?,
        }
        self.value(value, in_list)
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

    fn array(&mut self, array: &NumpyEncoding<'_>, in_list: bool) -> Result<(), Error> {
        let limit = self.options.chunk_bytes;
        if in_list || array.is_scalar() || array.data().len() <= limit {
            let code = if array.is_scalar() { SCALAR } else { ARRAY };
            return self.piece(code, array, array.shape(), 0, array.len());
        }
        self.output.map(3)?;
        self.output.text(MARKER)?;
        self.output.bool(true)?;
        self.output.text("shape")?;
        self.output.map(array.shape().len())?;
        for (axis, &length) in array.shape().iter().enumerate() {
            self.number(axis)?;
            self.output.count(length)?;
        }
        self.output.text("chunks")?;
        let most = (limit / array.dtype().itemsize().max(1)).max(1);
        self.output.map(array.len().div_ceil(most))?;
        for (number, start) in (0..array.len()).step_by(most).enumerate() {
            self.number(number)?;
            let count = most.min(array.len() - start);
            self.piece(ARRAY, array, &[count], start, count)?;
        }
        Ok(())
    }

    /// Writes some of the items of an array as an extension.
    fn piece(
        &mut self,
        code: i8,
        array: &NumpyEncoding<'_>,
        shape: &[usize],
        start: usize,
        count: usize,
    ) -> Result<(), Error> {
        let dtype = array.dtype();
        // An array without items may have lengths whose product is too large for a number.
        let (count, bytes) = match array.data().is_empty() {
            true => (0, 0),
            false => (count, count * dtype.itemsize()),
        };
        let name = dtype.plain_name().ok_or(ErrorKind::NotRepresentable {
            found: "an array of a dtype without a name",
        })?;
        self.head.clear();
        self.head.push(0x93);
        let written = put_head(&mut self.head, shape, &name, bytes);
        written.map_err(ErrorKind::io)?;
        let length = self.head.len().saturating_add(bytes);
        self.output.extension_head(code, length)?;
        self.output.write(&self.head)?;
        let rows = self.output.target.rows(array, start..start + count);
        rows.map_err(|error| ErrorKind::io(error).into())
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
