//! Arrays into memory that exists.

use ndarray::{ArrayView, ArrayViewMut, Dimension};

use super::Reading;
use super::decode::{by_columns, checked, decode, header, invalid, mismatch, sub_arrays_in_rows};
use super::stored;
use crate::dtype::Element;
use crate::encoding::{NumpyEncoding, Source};
use crate::error::{Error, Shape};

/// Checks that an array has the dtype and the shape of the target, and that all its items are valid.
pub(super) fn check<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    target: &ArrayView<'_, T, D>,
    source: Option<&dyn Source>,
    reading: Reading,
) -> Result<(), Error> {
    sub_arrays_in_rows::<T>(array, reading.row_major)?;
    let header = header::<T, D>(array, reading.cast)?;
    if header.dimensions.slice() != target.shape() {
        let expected = format!("an array of shape {}", Shape(target.shape()));
        return Err(mismatch(expected, array));
    }
    let loaded;
    let array = match array.elsewhere() {
        Some(payload) if payload.is_in_order() => {
            return stored::check(array, payload, source, &header);
        }
        Some(_) => {
            loaded = array.clone().loaded(source)?;
            &loaded
        }
        None => array,
    };
    let checked = checked::<T, D>(array, array.data(), reading.cast)?;
    T::check(&checked.reader, checked.items).map_err(|item| invalid(array, &item))
}

/// Copies the items straight into the target where both have one layout, else through an array.
///
/// Fails only where the payload is still in its source: `check` has seen all else.
pub(super) fn assign<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    mut target: ArrayViewMut<'_, T, D>,
    source: Option<&dyn Source>,
    reading: Reading,
) -> Result<(), Error> {
    let same_layout = if by_columns(array, reading.row_major) {
        target.view().reversed_axes().is_standard_layout()
    } else {
        target.is_standard_layout()
    };
    match (array.elsewhere(), target.as_slice_memory_order_mut()) {
        (Some(payload), Some(memory)) if same_layout && payload.is_in_order() => {
            let header = header::<T, D>(array, reading.cast)?;
            stored::read_into(array, payload, source, &header, memory)
        }
        (None, Some(memory)) if same_layout => {
            let checked = checked::<T, D>(array, array.data(), reading.cast)?;
            T::read_into(&checked.reader, checked.items, memory)
                .map_err(|item| invalid(array, &item))
        }
        (Some(_), _) => {
            target.assign(&stored::fetch::<T, D>(array, source, reading)?);
            Ok(())
        }
        (None, _) => {
            target.assign(&decode::<T, D>(array, reading)?);
            Ok(())
        }
    }
}
