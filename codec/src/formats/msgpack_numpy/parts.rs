//! The parts of an encoded value, checked when all of them have come.

use std::borrow::Cow;

use super::{FORMAT, complex, fault};
use crate::dtype::DType;
use crate::encoding::NumpyEncoding;
use crate::error::Error;
use crate::formats::msgpack::Dimensions;
use crate::path::excerpt;
use crate::state::Value;

/// What stands under the keys of an encoded value.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    pub(super) nd: Option<bool>,
    pub(super) complex: Option<()>,
    pub(super) dtype: Option<Type>,
    pub(super) kind: Option<&'a [u8]>,
    pub(super) shape: Option<Dimensions>,
    pub(super) data: Option<Data<'a>>,
}

/// A dtype, and whether it was a list of fields.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) dtype: DType,
    pub(super) is_list: bool,
}

/// What stands under `data`.
#[derive(Debug)]
pub(super) enum Data<'a> {
    Bytes(&'a [u8]),
    /// Bytes that a text is made of, as those of a complex number.
    Text(&'a [u8]),
}

impl<'a> Parts<'a> {
    /// Returns true if there are none but of an encoded value.
    pub(super) fn are_of_a_value(&self) -> bool {
        self.nd.is_some() || self.complex.is_some()
    }

    /// Makes the value.
    ///
    /// # Errors
    /// [`Format`](crate::ErrorKind::Format) for parts that are missing or too many, and those of an array.
    pub(super) fn build(self) -> Result<Value<'a>, Error> {
        if self.complex.is_some() {
            return self.number();
        }
        match self.nd {
            Some(true) => self.array().map(Value::Array),
            _ => self.scalar().map(Value::Array),
        }
    }

    fn number(self) -> Result<Value<'a>, Error> {
        let expected = "a complex number of `complex` and `data`";
        let (None, None, None, None) = (self.nd, &self.dtype, self.kind, &self.shape) else {
            return Err(fault(expected, "keys of an array"));
        };
        let data = match self.data {
            Some(Data::Bytes(data) | Data::Text(data)) => data,
            None => return Err(fault(expected, "no `data`")),
        };
        let text = String::from_utf8_lossy(data);
        let parsed = complex::parse(&text);
        let parsed =
            parsed.ok_or_else(|| fault("a complex number as Python prints it", excerpt(&text)))?;
        Ok(Value::Complex(parsed))
    }

    fn array(self) -> Result<NumpyEncoding<'a>, Error> {
        let dtype = dtype(self.dtype, self.kind)?;
        let data = data(self.data)?;
        let shape = self
            .shape
            .ok_or_else(|| fault("`shape` of an array", "none"))?;
        let shape = shape.shape(data.len(), dtype.itemsize(), FORMAT)?;
        NumpyEncoding::of_shape(shape, Cow::Borrowed(data), dtype, None)
    }

    fn scalar(self) -> Result<NumpyEncoding<'a>, Error> {
        if self.kind.is_some() || self.shape.is_some() {
            let found = "`kind` or `shape`";
            return Err(fault("a scalar of `nd`, `type` and `data`", found));
        }
        let dtype = dtype(self.dtype, None)?;
        let data = Cow::Borrowed(data(self.data)?);
        let array = NumpyEncoding::of_shape(Default::default(), data, dtype, None)?;
        Ok(array.into_scalar())
    }
}

fn data(data: Option<Data<'_>>) -> Result<&[u8], Error> {
    match data {
        Some(Data::Bytes(data)) => Ok(data),
        Some(Data::Text(_)) => Err(fault("bytes under `data`", "a string")),
        None => Err(fault("`data` of an array", "none")),
    }
}

fn dtype(dtype: Option<Type>, kind: Option<&[u8]>) -> Result<DType, Error> {
    let dtype = dtype.ok_or_else(|| fault("`type` of an array", "none"))?;
    match kind {
        // Files before 0.4.4 have none, and Python takes a list for what it is.
        None | Some(b"") => {}
        Some(b"V") if dtype.is_list => {}
        Some(b"O") => {
            let found = "a pickle of objects, which is never read";
            return Err(fault("an array of values", found));
        }
        Some(b"V") => return Err(fault("a list of fields for the kind `V`", "a text")),
        Some(other) => {
            let other = String::from_utf8_lossy(other);
            return Err(fault(
                "the kind `` or `V`",
                format!("`{}`", excerpt(&other)),
            ));
        }
    }
    Ok(dtype.dtype)
}
