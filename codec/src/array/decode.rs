//! Arrays out of their wire form.

use std::fmt;

use ndarray::{Array, ArrayView, Dimension, IxDyn, ShapeBuilder};

use super::Reading;
use crate::dtype::{Cast, Element, InvalidItem, Items, MismatchKind, Order, ReaderError};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, Shape};
use crate::limits::EMPTY_ITEMS;

/// What is expected of an array of `T` with the dimensions `D`.
pub(super) struct Expected<T, D>(std::marker::PhantomData<(T, D)>);

impl<T: Element, D: Dimension> fmt::Display for Expected<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of ")?;
        if let Some(dimensions) = D::NDIM {
            let s = if dimensions == 1 { "" } else { "s" };
            write!(f, "{dimensions} dimension{s} and ")?;
        }
        write!(f, "dtype {}", T::dtype())?;
        match T::sub_shape() {
            shape if shape.is_empty() => Ok(()),
            shape => write!(f, " with items of shape {}", Shape(&shape)),
        }
    }
}

pub(super) fn expected<T: Element, D: Dimension>() -> String {
    Expected::<T, D>(std::marker::PhantomData).to_string()
}

pub(crate) fn mismatch(expected: impl Into<String>, found: impl fmt::Display) -> Error {
    ErrorKind::Mismatch {
        expected: expected.into(),
        found: found.to_string(),
    }
    .into()
}

/// What an array is, that has been found to be one of `T` with dimensions `D`.
pub(super) struct Header<T: Element, D> {
    pub(super) reader: T::Reader,
    pub(super) dimensions: D,
    pub(super) itemsize: usize,
    pub(super) count: usize,
}

/// The same with its payload.
pub(super) struct Checked<'v, T: Element, D> {
    pub(super) reader: T::Reader,
    pub(super) items: Items<'v>,
    pub(super) dimensions: D,
}

/// Checks dtype and dimensions of an array, and lays its payload out as items.
pub(super) fn checked<'v, T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    data: &'v [u8],
    cast: Cast,
) -> Result<Checked<'v, T, D>, Error> {
    let header = header::<T, D>(array, cast)?;
    let items = Items::new(data, header.itemsize, header.count)
        .ok_or_else(|| mismatch(expected::<T, D>(), array))?;
    Ok(Checked {
        reader: header.reader,
        items,
        dimensions: header.dimensions,
    })
}

/// Checks dtype and dimensions of an array, whatever its payload is.
pub(super) fn header<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    cast: Cast,
) -> Result<Header<T, D>, Error> {
    let reader = T::reader(array.dtype(), cast).map_err(|error| {
        mismatch(
            expected::<T, D>(),
            format_args!("{array}{}", advice(array, &error)),
        )
    })?;
    let sub_shape = T::sub_shape();
    let outer = array
        .shape()
        .len()
        .checked_sub(sub_shape.len())
        .filter(|&outer| array.shape()[outer..] == sub_shape[..])
        .map(|outer| &array.shape()[..outer]);
    let dimensions = outer.and_then(|shape| D::from_dimension(&IxDyn(shape)));
    let (Some(shape), Some(dimensions)) = (outer, dimensions) else {
        return Err(mismatch(expected::<T, D>(), array));
    };
    let count = shape
        .iter()
        .fold(1, |count: usize, &length| count.saturating_mul(length));
    let itemsize = array.dtype().itemsize() * sub_shape.iter().product::<usize>();
    if itemsize == 0 && count > EMPTY_ITEMS {
        let expected = format!("at most {EMPTY_ITEMS} items of no bytes");
        return Err(mismatch(expected, array));
    }
    Ok(Header {
        reader,
        dimensions,
        itemsize,
        count,
    })
}

/// Says of a dtype that is another one what the two texts do not say.
fn advice(array: &NumpyEncoding<'_>, error: &ReaderError) -> String {
    if crate::encoding::is_compressed(array) {
        return " (a compressed record: the field needs `compress`)".to_owned();
    }
    match error.mismatches() {
        [only] if only.column().is_root() => match only.kind() {
            MismatchKind::DType {
                hint: Some(hint), ..
            } => format!(" ({hint})"),
            _ => String::new(),
        },
        _ => format!(" ({error})"),
    }
}

pub(super) fn invalid(array: &NumpyEncoding<'_>, item: &InvalidItem) -> Error {
    ErrorKind::InvalidItem {
        dtype: array.dtype_text().to_owned(),
        index: item.index(),
        expected: item.expected().to_owned(),
        found: item.found().to_owned(),
    }
    .into()
}

/// Returns true if the payload is to be read as column-major.
pub(super) fn by_columns(array: &NumpyEncoding<'_>, row_major: bool) -> bool {
    array.order() == Some(Order::F) && !row_major
}

pub(super) fn decode<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    reading: Reading,
) -> Result<Array<T, D>, Error> {
    let by_columns = sub_arrays_in_rows::<T>(array, reading.row_major)?;
    let checked = checked::<T, D>(array, array.data(), reading.cast)?;
    let values =
        T::read_all(&checked.reader, checked.items).map_err(|item| invalid(array, &item))?;
    Array::from_shape_vec(checked.dimensions.set_f(by_columns), values)
        .map_err(|error| mismatch(expected::<T, D>(), format_args!("{array}: {error}")))
}

/// Reads an array out of memory of its own, which may become that of the values.
pub(super) fn adopt<T: Element, D: Dimension>(
    array: NumpyEncoding<'_>,
    reading: Reading,
) -> Result<Array<T, D>, Error> {
    if array.is_borrowed() || array.is_empty() {
        return decode(&array, reading);
    }
    let by_columns = sub_arrays_in_rows::<T>(&array, reading.row_major)?;
    let Checked {
        reader, dimensions, ..
    } = checked::<T, D>(&array, array.data(), reading.cast)?;
    let (array, data) = array.split();
    match T::adopt(&reader, data.into_owned()) {
        Ok(values) => Array::from_shape_vec(dimensions.set_f(by_columns), values)
            .map_err(|error| mismatch(expected::<T, D>(), error)),
        Err(bytes) => decode(&array.with_data(bytes), reading),
    }
}

/// Sub-arrays are items only where their axes are the fastest.
pub(super) fn sub_arrays_in_rows<T: Element>(
    array: &NumpyEncoding<'_>,
    row_major: bool,
) -> Result<bool, Error> {
    let by_columns = by_columns(array, row_major);
    if by_columns && !T::sub_shape().is_empty() {
        return Err(mismatch(
            "an array in row-major order",
            format_args!("{array} in F order"),
        ));
    }
    Ok(by_columns)
}

pub(super) fn view<'v, T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    data: &'v [u8],
    row_major: bool,
) -> Result<Option<ArrayView<'v, T, D>>, Error> {
    let by_columns = sub_arrays_in_rows::<T>(array, row_major)?;
    let checked = checked::<T, D>(array, data, Cast::Exact)?;
    let items = match checked.items.count() {
        // No items are aligned anywhere.
        0 => Some(&[][..]),
        _ => T::view(&checked.reader, checked.items).map_err(|item| invalid(array, &item))?,
    };
    let Some(items) = items else { return Ok(None) };
    ArrayView::from_shape(checked.dimensions.set_f(by_columns), items)
        .map(Some)
        .map_err(|error| mismatch(expected::<T, D>(), format_args!("{array}: {error}")))
}
