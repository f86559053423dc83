//! Arrays that Flax has split into chunks.

use super::MARKER;
use super::read::fault;
use crate::encoding::{Extents, NumpyEncoding, byte_len};
use crate::error::{Error, ErrorKind};
use crate::formats::msgpack::in_one_allocation;
use crate::limits;
use crate::state::{StateDict, Value};

/// Joins the array whose chunks a map holds.
///
/// The rule is Flax's `_unchunk`: `shape` and `chunks` have the keys "0", "1", ... in any order, chunks
/// are runs of the array's items in row-major order, and what stands under the marker is not looked at.
///
/// # Errors
/// [`Format`](ErrorKind::Format) for other keys and other things under them, for no chunks, and for
/// chunks of different dtypes; [`PayloadLength`](ErrorKind::PayloadLength),
/// [`SizeOverflow`](ErrorKind::SizeOverflow) and
/// [`TooManyDimensions`](ErrorKind::TooManyDimensions).
pub(super) fn joined<'a>(map: StateDict<'a>) -> Result<NumpyEncoding<'a>, Error> {
    let (Some(shape), Some(chunks), 3, Some(Value::Bool(_))) = (
        map.get("shape"),
        map.get("chunks"),
        map.len(),
        map.get(MARKER),
    ) else {
        let keys: Vec<String> = map.keys().take(4).map(ToString::to_string).collect();
        let expected = format!("`{MARKER}`: true, with `shape` and `chunks` and nothing else");
        return Err(fault(expected, format!("the keys {}", keys.join(", "))));
    };
    let shape = lengths(shape)?;
    let chunks = arrays(chunks)?;
    let Some((first, rest)) = chunks.split_first() else {
        return Err(fault("at least one chunk", "none"));
    };
    let dtype = first.dtype();
    if let Some(other) = rest.iter().find(|chunk| chunk.dtype() != dtype) {
        let found = format!("{} and {}", first.dtype_text(), other.dtype_text());
        return Err(fault("chunks of one dtype", found));
    }
    // The chunks are in memory already, so that their sum is no claim.
    let found = chunks.iter().fold(0, |sum: usize, chunk| {
        sum.saturating_add(chunk.data().len())
    });
    let expected = byte_len(&shape, dtype.itemsize())?;
    if expected != found {
        return Err(ErrorKind::PayloadLength {
            shape: shape.into_vec(),
            dtype: first.dtype_text().to_owned(),
            expected,
            found,
        }
        .into());
    }
    let mut data = in_one_allocation(found)?;
    for chunk in &chunks {
        data.extend_from_slice(chunk.data());
    }
    NumpyEncoding::of_shape(shape, data.into(), dtype.clone(), None)
}

fn lengths(shape: &Value<'_>) -> Result<Extents, Error> {
    let expected = "lengths under the keys \"0\", \"1\", ... of `shape`";
    let items = items(shape, expected)?;
    if items.len() > limits::DIMENSIONS {
        let found = items.len();
        return Err(ErrorKind::TooManyDimensions { found }.into());
    }
    let lengths = items.into_iter().map(|length| match length {
        Value::Integer(length) => length
            .to_u128()
            .and_then(|length| usize::try_from(length).ok())
            .ok_or_else(|| fault(expected, length.to_string())),
        other => Err(fault(expected, other.kind())),
    });
    lengths.collect()
}

fn arrays<'v, 'a>(chunks: &'v Value<'a>) -> Result<Vec<&'v NumpyEncoding<'a>>, Error> {
    let expected = "arrays of one axis under the keys \"0\", \"1\", ... of `chunks`";
    let items = items(chunks, expected)?;
    let arrays = items.into_iter().map(|chunk| match chunk {
        Value::Array(array) if array.shape().len() == 1 => Ok(array),
        Value::Array(array) => Err(fault(expected, array.to_string())),
        other => Err(fault(expected, other.kind())),
    });
    arrays.collect()
}

fn items<'v, 'a>(value: &'v Value<'a>, expected: &str) -> Result<Vec<&'v Value<'a>>, Error> {
    let Value::Map(map) = value else {
        return Err(fault(expected, value.kind()));
    };
    map.listed()
        .ok_or_else(|| fault(expected, "a map with other keys"))
}
