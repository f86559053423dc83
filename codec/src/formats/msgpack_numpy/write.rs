//! Values as msgpack-numpy writes them.

use super::{complex, descr};
use crate::dtype::DType;
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind};
use crate::formats::msgpack::{Output, Target};
use crate::state::{Key, Value};

/// Writes values that were found to be writable.
pub(super) struct Writer<'w, T>(pub(super) &'w mut Output<T>);

impl<T: Target> Writer<'_, T> {
    pub(super) fn value(&mut self, value: &Value<'_>) -> Result<(), Error> {
        let output = &mut *self.0;
        match value {
            Value::Nil => output.nil(),
            Value::Bool(value) => output.bool(*value),
            Value::Integer(value) => output.integer(value),
            Value::Float32(value) => output.float32(*value),
            Value::Float64(value) => output.float64(*value),
            Value::Complex(value) => {
                output.map(2)?;
                output.bytes(b"complex")?;
                output.bool(true)?;
                output.bytes(b"data")?;
                output.text(&complex::print(*value))
            }
            Value::String(text) => output.text(text),
            Value::Bytes(bytes) => output.bytes(bytes),
            Value::List(items) => {
                output.list(items.len())?;
                items.iter().try_for_each(|item| self.value(item))
            }
            Value::Map(map) => {
                output.map(map.len())?;
                for (key, value) in map {
                    match key {
                        Key::String(text) => self.0.text(text)?,
                        Key::Integer(key) => self.0.integer(&(*key).into())?,
                    }
                    self.value(value)?;
                }
                Ok(())
            }
            Value::Array(array) if is_scalar(array) => {
                output.map(3)?;
                output.bytes(b"nd")?;
                output.bool(false)?;
                output.bytes(b"type")?;
                descr::put(output, array.dtype())?;
                self.data(array)
            }
            Value::Array(array) => {
                // In few writes: for small arrays, they are what takes the time.
                output.write(if output.raw {
                    b"\x85\xa2nd\xc3\xa4type"
                } else {
                    b"\x85\xc4\x02nd\xc3\xc4\x04type"
                })?;
                descr::put(output, array.dtype())?;
                output.write(match (output.raw, descr::is_fields(array.dtype())) {
                    (true, true) => b"\xa4kind\xa1V\xa5shape",
                    (true, false) => b"\xa4kind\xa0\xa5shape",
                    (false, true) => b"\xc4\x04kind\xc4\x01V\xc4\x05shape",
                    (false, false) => b"\xc4\x04kind\xc4\0\xc4\x05shape",
                })?;
                output.list(array.shape().len())?;
                for &length in array.shape() {
                    output.count(length)?;
                }
                self.data(array)
            }
            Value::Extension(code, bytes) => {
                output.extension_head(*code, bytes.len())?;
                output.write(bytes)
            }
        }
    }

    fn data(&mut self, array: &NumpyEncoding<'_>) -> Result<(), Error> {
        let raw = self.0.raw;
        self.0
            .write(if raw { b"\xa4data" } else { b"\xc4\x04data" })?;
        self.0.bytes_head(array.data().len())?;
        // Items without bytes may be more than a number can say.
        let count = if array.data().is_empty() {
            0
        } else {
            array.len()
        };
        let rows = self.0.target.rows(array, 0..count);
        rows.map_err(|error| ErrorKind::io(error).into())
    }
}

/// Returns true for the scalars that msgpack-numpy knows: numbers and times between two.
fn is_scalar(array: &NumpyEncoding<'_>) -> bool {
    let known = matches!(array.dtype(), DType::Number(..) | DType::Timedelta(..));
    array.is_scalar() && known
}
