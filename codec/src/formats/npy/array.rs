//! One array as a file.

use std::io::Write;

use super::super::flat::found;
use super::super::options::ReadOptions;
use super::header::{self, Header};
use crate::array::flat_order;
use crate::dtype::{DType, MlType, Order};
use crate::encoding::{NumpyEncoding, no_memory};
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::file::check;
use crate::path::Path;
use crate::state::Value;

/// The name of the format in errors.
pub(crate) const NAME: &str = "npy";

/// Reads a file: one array, whose payload is borrowed from `bytes`.
///
/// ```
/// use npcodec::formats::npy;
/// use npcodec::ndarray::{Ix1, array};
/// use npcodec::{NumpyEncoding, Value};
///
/// let array = array![1.0f32, 2.0];
/// let bytes = npy::to_vec(&Value::from(NumpyEncoding::from_array(array.view())?))?;
/// assert_eq!(&bytes[128..], [0, 0, 128, 63, 0, 0, 0, 64]);
///
/// let value = npy::from_slice(&bytes)?;
/// let read = value.as_array().map(|read| read.to_array::<f32, Ix1>());
/// assert_eq!(read.transpose()?, Some(array));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Format`](ErrorKind::Format) for bytes that are no header, [`DType`](ErrorKind::DType) for a
/// dtype that is not known and for objects, [`Truncated`](ErrorKind::Truncated),
/// [`TrailingBytes`](ErrorKind::TrailingBytes) for what follows the array,
/// [`TooManyDimensions`](ErrorKind::TooManyDimensions), [`SizeOverflow`](ErrorKind::SizeOverflow).
pub fn from_slice(bytes: &[u8]) -> Result<Value<'_>, Error> {
    from_slice_with(bytes, &ReadOptions::new())
}

/// Reads a file under limits.
///
/// # Errors
/// Those of [`from_slice`], and [`Limit`](ErrorKind::Limit).
pub fn from_slice_with<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<Value<'a>, Error> {
    options.check_input(bytes)?;
    let (array, rest) = one(bytes, options)?;
    if rest.is_empty() {
        return Ok(Value::Array(array));
    }
    let count = rest.len();
    Err(Error::from(ErrorKind::TrailingBytes { count }).at((bytes.len() - count) as u64))
}

/// Reads the first array of a file into which `numpy.save` wrote several, and returns what follows it.
///
/// # Errors
/// Those of [`from_slice`], but for bytes after the array.
pub fn split_first(bytes: &[u8]) -> Result<(NumpyEncoding<'_>, &[u8]), Error> {
    one(bytes, &ReadOptions::new())
}

fn one<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<(NumpyEncoding<'a>, &'a [u8]), Error> {
    let header = Header::read(bytes)?;
    let start = header.payload;
    let length = payload_length(&header, options).map_err(|error| error.at(start as u64))?;
    let needed = start.saturating_add(length);
    let (file, rest) = bytes.split_at_checked(needed).ok_or_else(|| {
        let found = bytes.len();
        Error::from(ErrorKind::Truncated { needed, found }).at(0)
    })?;
    let payload = file.get(start..).unwrap_or_default();
    Ok((array(header, payload)?, rest))
}

/// Returns how many bytes the payload has by its header.
pub(crate) fn payload_length(header: &Header, options: &ReadOptions) -> Result<usize, Error> {
    let length = header.byte_len()?;
    check("bytes in one array", length, options.limits.array_bytes)?;
    Ok(length)
}

/// Puts a header and its payload together.
pub(crate) fn array<'a>(
    header: Header,
    payload: impl Into<std::borrow::Cow<'a, [u8]>>,
) -> Result<NumpyEncoding<'a>, Error> {
    let order = match header.fortran_order {
        true => Order::F,
        false => Order::C,
    };
    let order = flat_order(&header.shape, order);
    NumpyEncoding::from_dtype(header.shape, payload, header.dtype, order)
}

/// Makes the header of an array.
pub(crate) fn header_of(array: &NumpyEncoding<'_>) -> Result<Vec<u8>, Error> {
    let shape = array.shape();
    let columns = array.order() == Some(Order::F) && flat_order(shape, Order::F).is_some();
    Header::bytes(array.dtype(), shape, columns)
}

/// Says why an array cannot be a file that NumPy reads.
pub(crate) fn refusal(array: &NumpyEncoding<'_>) -> Option<String> {
    if has_unreadable(array.dtype()) {
        return Some("NumPy writes float8_e5m2 as `<f1`, which it does not read".to_owned());
    }
    let Some(descr) = header::descr(array.dtype()) else {
        return Some("its fields are not in the order of their offsets".to_owned());
    };
    // What stands around the dtype takes less than 2,000 characters with 64 axes.
    if descr.chars().count() + 2_000 > header::LONGEST {
        let too_long = Header::read(&header_of(array).ok()?).is_err();
        return too_long.then(|| "NumPy reads no header of more than 10,000 characters".to_owned());
    }
    None
}

/// Returns true for float8_e5m2, and for records with a field of it.
fn has_unreadable(dtype: &DType) -> bool {
    match dtype {
        DType::Ml(ml) => *ml == MlType::Float8E5M2,
        DType::Record(record) => {
            let mut fields = record.fields().iter();
            fields.any(|field| has_unreadable(field.dtype()))
        }
        _ => false,
    }
}

/// Writes an array into memory of its size.
///
/// The bytes are those of `numpy.save`: a header whose length is a multiple of 64, the payload in its
/// own order and byte order. The types of ml_dtypes are opaque bytes there, as NumPy has them:
/// bfloat16 is `<V2`, which a field of `bf16` reads all the same.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) for anything but one array, for float8_e5m2, and for
/// records that NumPy's header does not describe.
pub fn to_vec(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    let array = only_array(value)?;
    let mut bytes = header_of(array)?;
    let length = array.data().len();
    bytes
        .try_reserve_exact(length)
        .map_err(|_| no_memory(length))?;
    bytes.extend_from_slice(array.data());
    Ok(bytes)
}

/// Writes an array to a writer, its payload from where it is.
///
/// # Errors
/// Those of [`to_vec`], before the first byte is written, and [`Io`](ErrorKind::Io).
pub fn to_writer(mut writer: impl Write, value: &Value<'_>) -> Result<(), Error> {
    let array = only_array(value)?;
    let parts = [&*header_of(array)?, array.data()];
    let written = parts.iter().try_for_each(|part| writer.write_all(part));
    let written = written.and_then(|()| writer.flush());
    Ok(written.map_err(ErrorKind::io)?)
}

fn only_array<'v, 'a>(value: &'v Value<'a>) -> Result<&'v NumpyEncoding<'a>, Error> {
    let leaves = unsupported(value);
    match value {
        Value::Array(array) if leaves.is_empty() => Ok(array),
        _ => {
            let format = NAME;
            Err(ErrorKind::Unsupported { format, leaves }.into())
        }
    }
}

/// Returns the value itself if it is no array that an `.npy` file can hold, with the reason.
#[must_use]
pub fn unsupported(value: &Value<'_>) -> Vec<UnsupportedLeaf> {
    let reason = match value {
        Value::Array(array) => refusal(array),
        _ => Some("the file is one array".to_owned()),
    };
    let leaf = reason.map(|reason| UnsupportedLeaf::new(Path::root(), found(value), reason));
    leaf.into_iter().collect()
}
