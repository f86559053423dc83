//! Arrays that are longer than a MessagePack byte string can be: a list of chunks along one axis.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::numpy::byte_len;
use super::{Encoded, NumpyEncoding, Skip, no_memory};
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
    let mut data = Vec::new();
    data.try_reserve_exact(bytes)
        .map_err(|_| no_memory(bytes))?;
    if by_columns {
        for chunk in &chunks {
            data.extend_from_slice(chunk.data());
        }
    } else if bytes > 0 {
        interleave(&chunks, axis, dtype.itemsize(), &mut data);
    }
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

/// Joins in row-major order: for each index of the axes before, the rows of each chunk in turn.
fn interleave(chunks: &[NumpyEncoding<'_>], axis: usize, itemsize: usize, data: &mut Vec<u8>) {
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
pub(super) fn build<'a>(chunks: Found<'a>, axis: Found<'a>) -> Result<NumpyEncoding<'a>, Error> {
    let chunks = match chunks {
        Found::Arrays(chunks) => chunks,
        Found::Faulty(error) => return Err(error),
        found => return Err(fault("a list of arrays", found.describe())),
    };
    match axis {
        Found::Axis(axis) => join(chunks, axis),
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
        Ok(match Encoded::whole(map, self.inside.inside()?)? {
            Encoded::Array(array) => Found::Array(array),
            Encoded::Faulty(error) => Found::Faulty(error),
            other => Found::Other(other.to_string()),
        })
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
mod tests {
    use super::*;

    fn array(shape: &[usize], data: &[u8], order: Option<Order>) -> NumpyEncoding<'static> {
        NumpyEncoding::new(shape.to_vec(), data.to_vec(), "'|u1'", order).unwrap()
    }

    #[test]
    fn chunks_are_joined_along_any_axis_in_any_order() {
        let (c, f) = (Some(Order::C), Some(Order::F));
        // [[0, 1, 2], [3, 4, 5]] in parts.
        let rows = [0, 1, 2, 3, 4, 5].as_slice();
        let columns = [0, 3, 1, 4, 2, 5].as_slice();
        for (chunks, axis, order, data) in [
            (
                vec![
                    array(&[1, 3], &[0, 1, 2], None),
                    array(&[1, 3], &[3, 4, 5], None),
                ],
                0,
                c,
                rows,
            ),
            (
                vec![
                    array(&[2, 2], &[0, 1, 3, 4], c),
                    array(&[2, 1], &[2, 5], None),
                ],
                1,
                c,
                rows,
            ),
            (
                vec![
                    array(&[2, 2], &[0, 3, 1, 4], f),
                    array(&[2, 1], &[2, 5], None),
                ],
                1,
                f,
                columns,
            ),
            (
                vec![array(&[2, 2], &[0, 3, 1, 4], f), array(&[0, 2], &[], None)],
                0,
                c,
                &[0, 1, 3, 4],
            ),
            (vec![array(&[2, 3], columns, f)], 0, f, columns),
            (
                vec![array(&[0, 3], &[], None), array(&[0, 3], &[], None)],
                0,
                None,
                &[],
            ),
        ] {
            let whole = join(chunks, axis).unwrap();
            assert_eq!((whole.order(), whole.data()), (order, data));
        }
    }

    #[test]
    fn chunks_that_are_no_array_are_refused() {
        let fault = |chunks: Vec<NumpyEncoding<'static>>, axis| join(chunks, axis).unwrap_err();
        let start = "of an encoded value, found";
        for (chunks, axis, text) in [
            (
                vec![],
                0,
                format!("expected at least one array under `chunks` {start} none"),
            ),
            (
                vec![array(&[1], &[0], None)],
                1,
                format!(
                    "expected arrays that have the axis under `chunks` {start} axis 1 of shape (1,)"
                ),
            ),
            (
                vec![array(&[1, 2], &[0, 1], None), array(&[1, 1], &[0], None)],
                0,
                format!(
                    "expected arrays that differ along the axis only under `chunks` {start} (1, 2) and (1, 1)"
                ),
            ),
            (
                vec![array(&[1], &[0], None), array(&[], &[0], None)],
                0,
                format!(
                    "expected arrays that differ along the axis only under `chunks` {start} (1,) and ()"
                ),
            ),
            (
                vec![
                    array(&[1], &[0], None),
                    NumpyEncoding::new(vec![1], vec![0], "'|i1'", None).unwrap(),
                ],
                0,
                format!("expected arrays of one dtype under `chunks` {start} '|u1' and '|i1'"),
            ),
        ] {
            assert_eq!(fault(chunks, axis).to_string(), text);
        }
        let nothing = || NumpyEncoding::new(vec![1 << 63], vec![], "'|V0'", None).unwrap();
        let error = fault(vec![nothing(), nothing()], 0);
        assert!(
            matches!(error.kind(), ErrorKind::SizeOverflow { .. }),
            "{error}"
        );
    }
}
