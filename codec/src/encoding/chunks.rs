//! Arrays that are longer than a MessagePack byte string can be: a list of chunks along one axis.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::numpy::byte_len;
use super::{Encoded, NumpyEncoding, Skip, Source, no_memory};
use crate::dtype::{DType, Order};
use crate::error::{Error, ErrorKind, Shape};

/// Joins the chunks of an array along an axis.
///
/// The inverse of how they are written: chunks in column-major order along the last axis follow one
/// another in memory, and so do those of any other order along the first.
///
/// # Errors
/// [`Encoding`](ErrorKind::Encoding) for no chunks, for an axis that they do not have, and for dtypes
/// or other axes that differ; [`SizeOverflow`](ErrorKind::SizeOverflow).
pub(crate) fn join<'a>(
    mut chunks: Vec<NumpyEncoding<'a>>,
    axis: usize,
    source: Option<&dyn Source>,
) -> Result<NumpyEncoding<'a>, Error> {
    let Some(first) = chunks.first() else {
        return Err(fault("at least one array", "none"));
    };
    let (shape, dtype, bytes) = joined(first, &chunks, axis)?;
    if chunks.len() == 1 {
        return Ok(chunks.swap_remove(0));
    }
    let text = first.dtype_text().to_owned();
    // A chunk in which rows and columns are the same has no label, and fits either order.
    let by_columns = axis > 0
        && axis + 1 == shape.len()
        && chunks
            .iter()
            .all(|chunk| chunk.order() == Some(Order::F) || is_flat(chunk.shape()));
    let order = if by_columns { Order::F } else { Order::C };
    let order = Some(order).filter(|_| !is_flat(&shape));
    let follow_one_another = by_columns || shape[..axis].iter().all(|&length| length == 1);
    let data = if follow_one_another || bytes == 0 {
        concatenate(chunks, by_columns, bytes, source)?
    } else {
        let loaded = chunks.into_iter().map(|chunk| chunk.loaded(source));
        let chunks: Vec<_> = loaded.collect::<Result<_, _>>()?;
        interleave(&chunks, axis, dtype.itemsize(), bytes)?
    };
    NumpyEncoding::new(shape, data, text, order)
}

/// Checks the chunks against the first one; returns the shape, dtype and bytes of the whole.
fn joined(
    first: &NumpyEncoding<'_>,
    chunks: &[NumpyEncoding<'_>],
    axis: usize,
) -> Result<(Vec<usize>, DType, usize), Error> {
    let mut shape = first.shape().to_vec();
    if axis >= shape.len() {
        let found = format!("axis {axis} of shape {}", Shape(&shape));
        return Err(fault("arrays that have the axis", found));
    }
    for chunk in &chunks[1..] {
        if chunk.dtype() != first.dtype() {
            let found = format!("{} and {}", first.dtype_text(), chunk.dtype_text());
            return Err(fault("arrays of one dtype", found));
        }
        let alike = chunk.shape().len() == shape.len()
            && (0..shape.len()).all(|at| at == axis || chunk.shape()[at] == shape[at]);
        if !alike {
            let found = format!("{} and {}", Shape(first.shape()), Shape(chunk.shape()));
            return Err(fault("arrays that differ along the axis only", found));
        }
        let sum = shape[axis].checked_add(chunk.shape()[axis]);
        shape[axis] = sum.ok_or_else(|| overflow(&shape, first))?;
    }
    let bytes = byte_len(&shape, first.dtype().itemsize())?;
    Ok((shape, first.dtype().clone(), bytes))
}

/// Returns true if rows and columns are the same: at most one axis is longer than 1, or no items.
fn is_flat(shape: &[usize]) -> bool {
    shape.contains(&0) || shape.iter().filter(|&&length| length > 1).count() < 2
}

/// Puts the payloads of chunks one behind the other: those that are still in their source are read to
/// where they belong.
fn concatenate(
    chunks: Vec<NumpyEncoding<'_>>,
    by_columns: bool,
    bytes: usize,
    source: Option<&dyn Source>,
) -> Result<Vec<u8>, Error> {
    let mut data: Vec<u8> = bytemuck::try_zeroed_vec(bytes).map_err(|()| no_memory(bytes))?;
    let mut rest = data.as_mut_slice();
    for chunk in chunks {
        let as_it_lies = by_columns || chunk.order() != Some(Order::F);
        if let (Some(span), Some(source), true) = (chunk.span(), source, as_it_lies) {
            let (part, behind) = rest.split_at_mut(span.length.min(rest.len()));
            source.read_exact_at(part, span.offset)?;
            rest = behind;
            continue;
        }
        let chunk = chunk.loaded(source)?;
        let bytes = match as_it_lies {
            true => Cow::Borrowed(chunk.data()),
            false => chunk.row_major(),
        };
        let (part, behind) = rest.split_at_mut(bytes.len().min(rest.len()));
        part.copy_from_slice(&bytes[..part.len()]);
        rest = behind;
    }
    Ok(data)
}

/// Joins in row-major order: for each index of the axes before, the rows of each chunk in turn.
fn interleave(
    chunks: &[NumpyEncoding<'_>],
    axis: usize,
    itemsize: usize,
    bytes: usize,
) -> Result<Vec<u8>, Error> {
    let mut data = Vec::new();
    data.try_reserve_exact(bytes)
        .map_err(|_| no_memory(bytes))?;
    let rows: Vec<(Cow<'_, [u8]>, usize)> = chunks
        .iter()
        .map(|chunk| {
            let inner: usize = chunk.shape()[axis..].iter().product();
            (chunk.row_major(), inner * itemsize)
        })
        .collect();
    let outer: usize = chunks[0].shape()[..axis].iter().product();
    for index in 0..outer {
        for (rows, length) in &rows {
            data.extend_from_slice(&rows[index * length..][..*length]);
        }
    }
    Ok(data)
}

fn overflow(shape: &[usize], first: &NumpyEncoding<'_>) -> Error {
    let (shape, itemsize) = (shape.to_vec(), first.dtype().itemsize());
    ErrorKind::SizeOverflow { shape, itemsize }.into()
}

fn fault(expected: &'static str, found: impl Into<String>) -> Error {
    let (key, found) = ("chunks", found.into());
    ErrorKind::Encoding {
        key,
        expected,
        found,
    }
    .into()
}

/// What stands under `chunks` or `axis`.
#[derive(Debug)]
pub(super) enum Found<'a> {
    Arrays(Vec<NumpyEncoding<'a>>),
    Array(NumpyEncoding<'a>),
    Axis(usize),
    Faulty(Error),
    /// Anything else, described.
    Other(String),
}

/// Makes the array of the two entries of a map.
pub(super) fn build<'a>(
    chunks: Found<'a>,
    axis: Found<'a>,
    source: Option<&dyn Source>,
) -> Result<NumpyEncoding<'a>, Error> {
    let chunks = match chunks {
        Found::Arrays(chunks) => chunks,
        Found::Faulty(error) => return Err(error),
        found => return Err(fault("a list of arrays", found.describe())),
    };
    match axis {
        Found::Axis(axis) => join(chunks, axis, source),
        found => Err(ErrorKind::Encoding {
            key: "axis",
            expected: "the number of an axis",
            found: found.describe(),
        }
        .into()),
    }
}

impl Found<'_> {
    fn describe(&self) -> String {
        match self {
            Self::Arrays(_) => "a list".to_owned(),
            Self::Array(array) => array.to_string(),
            Self::Axis(axis) => axis.to_string(),
            Self::Faulty(error) => error.to_string(),
            Self::Other(what) => what.clone(),
        }
    }
}

/// Reads what stands under `chunks` or `axis`, or one of the chunks.
#[derive(Clone, Copy)]
pub(super) struct FoundSeed {
    pub(super) inside: Skip,
    /// True for a value whose items are to be arrays.
    pub(super) list: bool,
    /// True if the payloads of the arrays may stay in their source.
    pub(super) stored: bool,
}

impl<'de> DeserializeSeed<'de> for FoundSeed {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FoundSeed {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of an array in chunks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let inside = self.inside.inside()?;
        if !self.list {
            inside.items(&mut seq)?;
            return Ok(Found::Other("a list".to_owned()));
        }
        let mut arrays = Vec::new();
        let item = Self {
            inside,
            list: false,
            ..self
        };
        while let Some(found) = seq.next_element_seed(item)? {
            let error = match found {
                Found::Array(array) => {
                    arrays.push(array);
                    continue;
                }
                Found::Faulty(error) => error,
                other => fault("a list of arrays", other.describe()),
            };
            inside.items(&mut seq)?;
            return Ok(Found::Faulty(error));
        }
        Ok(Found::Arrays(arrays))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(
            match Encoded::whole(map, self.inside.inside()?, self.stored)? {
                Encoded::Array(array) => Found::Array(array),
                Encoded::Faulty(error) => Found::Faulty(error),
                other => Found::Other(other.to_string()),
            },
        )
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Found::Other(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(usize::try_from(value).map_or_else(|_| Found::Other(value.to_string()), Found::Axis))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(usize::try_from(value).map_or_else(|_| Found::Other(value.to_string()), Found::Axis))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Found::Other(format!("float {value}")))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Found::Other("a string".to_owned()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Found::Other(format!("{} bytes", bytes.len())))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Found::Other("nil".to_owned()))
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Found::Other("nil".to_owned()))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        self.inside.deserialize(inner)?;
        Ok(Found::Other("an extension".to_owned()))
    }
}

#[cfg(test)]
mod tests;
