//! Arrays whose payload is still in its source: read into the memory where it belongs, or through a
//! small buffer where it has to be looked at.

use ndarray::{Array, Dimension, ShapeBuilder};

use super::Reading;
use super::decode::{Header, adopt, expected, header, invalid, mismatch, sub_arrays_in_rows};
use crate::dtype::{Element, InvalidItem, Items};
use crate::encoding::{Elsewhere, NumpyEncoding, Source, no_memory};
use crate::error::Error;

/// How many bytes are looked at at a time.
const BUFFER: usize = 1 << 18;

/// Checks all items, without keeping any.
pub(super) fn check<T: Element, D>(
    array: &NumpyEncoding<'_>,
    payload: &Elsewhere<'_>,
    source: Option<&dyn Source>,
    header: &Header<T, D>,
) -> Result<(), Error> {
    if T::accepts_all(&header.reader) {
        return Ok(());
    }
    in_pieces(array, payload, source, header, |_, items| {
        T::check(&header.reader, items)
    })
}

/// Reads all items into values that are there already.
pub(super) fn read_into<T: Element, D>(
    array: &NumpyEncoding<'_>,
    payload: &Elsewhere<'_>,
    source: Option<&dyn Source>,
    header: &Header<T, D>,
    values: &mut [T],
) -> Result<(), Error> {
    if let Some(bytes) = T::bytes_mut(&header.reader, values) {
        if bytes.len() == header.itemsize.saturating_mul(header.count) {
            return payload.read_exact_at(source, bytes, 0);
        }
    }
    in_pieces(array, payload, source, header, |start, items| {
        let values = values.get_mut(start..).unwrap_or_default();
        let count = items.count().min(values.len());
        T::read_into(&header.reader, items, &mut values[..count])
    })
}

/// Reads an array into memory of its own.
pub(super) fn fetch<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    source: Option<&dyn Source>,
    reading: Reading,
) -> Result<Array<T, D>, Error> {
    let payload = match array.elsewhere() {
        Some(payload) if payload.is_in_order() => payload,
        _ => return adopt(array.clone().loaded(source)?, reading),
    };
    let by_columns = sub_arrays_in_rows::<T>(array, reading.row_major)?;
    let header = header::<T, D>(array, reading.cast)?;
    let values = match T::blank(&header.reader, header.count) {
        Some(mut values) => {
            read_into(array, payload, source, &header, &mut values)?;
            values
        }
        None => {
            let mut values = Vec::new();
            // The source has the bytes of as many items; values may be larger than those.
            if size_of::<T>() / 16 <= header.itemsize {
                let reserved = values.try_reserve_exact(header.count);
                let bytes = header.count.saturating_mul(size_of::<T>());
                reserved.map_err(|_| no_memory(bytes))?;
            }
            in_pieces(array, payload, source, &header, |_, items| {
                values.extend(T::read_all(&header.reader, items)?);
                Ok(())
            })?;
            values
        }
    };
    Array::from_shape_vec(header.dimensions.set_f(by_columns), values)
        .map_err(|error| mismatch(expected::<T, D>(), format_args!("{array}: {error}")))
}

/// Goes over the items in pieces, each with the index of its first item.
fn in_pieces<T: Element, D>(
    array: &NumpyEncoding<'_>,
    payload: &Elsewhere<'_>,
    source: Option<&dyn Source>,
    header: &Header<T, D>,
    mut look: impl FnMut(usize, Items<'_>) -> Result<(), InvalidItem>,
) -> Result<(), Error> {
    let Header {
        itemsize, count, ..
    } = *header;
    let fault = |start, item: InvalidItem| {
        let index = item.index().saturating_add(start);
        invalid(array, &item.at(index))
    };
    let nothing = Items::new(&[], itemsize, count);
    if let Some(nothing) = nothing {
        return look(0, nothing).map_err(|item| fault(0, item));
    }
    let each = (BUFFER / itemsize.max(1)).clamp(1, count.max(1));
    let bytes = each.saturating_mul(itemsize);
    let mut buffer: Vec<u8> = bytemuck::try_zeroed_vec(bytes).map_err(|()| no_memory(bytes))?;
    let mut start = 0;
    while start < count {
        let piece = each.min(count - start);
        let bytes = &mut buffer[..piece * itemsize];
        payload.read_exact_at(source, bytes, start * itemsize)?;
        let items =
            Items::new(bytes, itemsize, piece).ok_or_else(|| mismatch("whole items", array))?;
        look(start, items).map_err(|item| fault(start, item))?;
        start += piece;
    }
    Ok(())
}
