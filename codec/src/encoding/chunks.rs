//! Arrays that are longer than a MessagePack byte string can be: a list of chunks along one axis.

use std::borrow::Cow;

use super::size::byte_len;
use super::{Extents, NumpyEncoding, Source, no_memory};
use crate::dtype::{DType, Order};
use crate::error::{Error, ErrorKind, Shape};

/// The chunks of an array along an axis, of one dtype and alike in the other axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chunks<'a> {
    arrays: Vec<NumpyEncoding<'a>>,
    axis: usize,
    /// True if their payloads, one behind the other, are the payload of the array.
    in_order: bool,
}

impl<'a> Chunks<'a> {
    pub(super) fn length(&self) -> usize {
        let lengths = self.arrays.iter().map(NumpyEncoding::payload_length);
        lengths.fold(0, usize::saturating_add)
    }

    pub(super) fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// Fills bytes from a place of the payload, if the chunks are in order.
    pub(super) fn read_exact_at(
        &self,
        source: Option<&dyn Source>,
        mut bytes: &mut [u8],
        mut offset: usize,
    ) -> Result<(), Error> {
        for chunk in &self.arrays {
            let length = chunk.payload_length();
            if offset >= length {
                offset -= length;
                continue;
            }
            let (here, rest) = bytes.split_at_mut(bytes.len().min(length - offset));
            match chunk.elsewhere() {
                Some(elsewhere) => elsewhere.read_exact_at(source, here, offset)?,
                None => here.copy_from_slice(&chunk.data()[offset..][..here.len()]),
            }
            (bytes, offset) = (rest, 0);
            if bytes.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the payload of the array.
    pub(super) fn joined(
        self,
        itemsize: usize,
        source: Option<&dyn Source>,
    ) -> Result<Cow<'a, [u8]>, Error> {
        let length = self.length();
        if self.in_order {
            let mut data: Vec<u8> =
                bytemuck::try_zeroed_vec(length).map_err(|()| no_memory(length))?;
            self.read_exact_at(source, &mut data, 0)?;
            return Ok(Cow::Owned(data));
        }
        let arrays = self.arrays.into_iter().map(|array| array.loaded(source));
        let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
        let mut data = Vec::new();
        data.try_reserve_exact(length)
            .map_err(|_| no_memory(length))?;
        interleave(&arrays, self.axis, itemsize, &mut data);
        Ok(Cow::Owned(data))
    }

    pub(super) fn into_owned(self) -> Chunks<'static> {
        let arrays = self.arrays.into_iter().map(NumpyEncoding::into_owned);
        Chunks {
            arrays: arrays.collect(),
            axis: self.axis,
            in_order: self.in_order,
        }
    }
}

/// Joins the chunks of an array along an axis; the payloads stay where they are.
///
/// The inverse of how they are written: chunks in column-major order along the last axis follow one
/// another in memory, and so do those of any other order along the first.
///
/// # Errors
/// [`Encoding`](ErrorKind::Encoding) for no chunks, for an axis that they do not have, and for dtypes
/// or other axes that differ; [`SizeOverflow`](ErrorKind::SizeOverflow).
pub(crate) fn join<'a>(
    mut arrays: Vec<NumpyEncoding<'a>>,
    axis: usize,
) -> Result<NumpyEncoding<'a>, Error> {
    let Some(first) = arrays.first() else {
        return Err(fault("at least one array", "none"));
    };
    let (shape, dtype, _) = joined(first, &arrays, axis)?;
    if arrays.len() == 1 {
        return Ok(arrays.swap_remove(0));
    }
    let text = first.dtype_text().to_owned();
    // A chunk in which rows and columns are the same has no label, and fits either order.
    let is_last = axis > 0 && axis + 1 == shape.len();
    let fits =
        |array: &NumpyEncoding<'_>| array.order() == Some(Order::F) || is_flat(array.shape());
    let by_columns = is_last && arrays.iter().all(fits);
    let by_rows = shape[..axis].iter().all(|&length| length == 1)
        && arrays.iter().all(|array| array.order() != Some(Order::F));
    let order = if by_columns { Order::F } else { Order::C };
    let order = Some(order).filter(|_| !is_flat(&shape));
    let in_order = by_columns || by_rows || shape.contains(&0);
    let chunks = Chunks {
        arrays,
        axis,
        in_order,
    };
    NumpyEncoding::in_chunks(Extents::from_vec(shape), chunks, dtype, text.into(), order)
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

pub(super) fn fault(expected: &'static str, found: impl Into<String>) -> Error {
    let (key, found) = ("chunks", found.into());
    ErrorKind::Encoding {
        key,
        expected,
        found,
    }
    .into()
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
            let whole = join(chunks, axis).unwrap().loaded(None).unwrap();
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
