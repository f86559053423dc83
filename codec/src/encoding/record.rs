//! Which arrays are compressed records.

use super::NumpyEncoding;
use crate::dtype::{ByteOrder, DType, Field, Number};

/// The three columns of a record, if it is one that `compress` could have made.
#[cfg_attr(
    not(feature = "compress"),
    expect(dead_code, reason = "only uncompressing reads the columns")
)]
pub(super) struct Columns<'r> {
    pub(super) data: &'r Field,
    pub(super) shape: &'r Field,
    /// The byte order of the shape.
    pub(super) order: ByteOrder,
    pub(super) dtype: &'r Field,
}

pub(super) fn columns(dtype: &DType) -> Option<Columns<'_>> {
    let DType::Record(record) = dtype else {
        return None;
    };
    if record.fields().len() != 3 {
        return None;
    }
    let data = record.field("data")?;
    let shape = record.field("shape")?;
    let name = record.field("dtype")?;
    match (data.dtype(), shape.dtype(), name.dtype()) {
        (DType::Number(Number::UInt8, _), DType::Number(Number::Int32, order), DType::Bytes(_))
            if data.shape().len() == 1 && shape.shape().len() == 1 && name.shape().is_empty() =>
        {
            Some(Columns {
                data,
                shape,
                order: *order,
                dtype: name,
            })
        }
        _ => None,
    }
}

/// Returns true for an array that has the dtype of a compressed record.
pub(crate) fn is_compressed(array: &NumpyEncoding<'_>) -> bool {
    array.shape().is_empty() && columns(array.dtype()).is_some()
}
