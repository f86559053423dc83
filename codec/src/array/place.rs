//! Arrays into memory that exists.

use ndarray::{ArrayView, ArrayViewMut, Dimension};

use super::Reading;
use super::decode::{by_columns, checked, decode, invalid, mismatch, sub_arrays_in_rows};
use crate::dtype::Element;
use crate::encoding::NumpyEncoding;
use crate::error::{Error, Shape};

/// Checks that an array has the dtype and the shape of the target, and that all its items are valid.
pub(super) fn check<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    target: &ArrayView<'_, T, D>,
    reading: Reading,
) -> Result<(), Error> {
    sub_arrays_in_rows::<T>(array, reading.row_major)?;
    let checked = checked::<T, D>(array, array.data(), reading.cast)?;
    if checked.dimensions.slice() != target.shape() {
        let expected = format!("an array of shape {}", Shape(target.shape()));
        return Err(mismatch(expected, array));
    }
    T::check(&checked.reader, checked.items).map_err(|item| invalid(array, &item))
}

/// Copies the items straight into the target where both have one layout, else through an array.
pub(super) fn assign<T: Element, D: Dimension>(
    array: &NumpyEncoding<'_>,
    mut target: ArrayViewMut<'_, T, D>,
    reading: Reading,
) {
    let same_layout = if by_columns(array, reading.row_major) {
        target.view().reversed_axes().is_standard_layout()
    } else {
        target.is_standard_layout()
    };
    if let (true, Some(memory)) = (same_layout, target.as_slice_memory_order_mut()) {
        if let Ok(checked) = checked::<T, D>(array, array.data(), reading.cast) {
            // Cannot fail: `check` has read every item.
            let _ = T::read_into(&checked.reader, checked.items, memory);
        }
    } else if let Ok(fresh) = decode::<T, D>(array, reading) {
        target.assign(&fresh);
    }
}
