//! Arrays to their wire form.

use std::borrow::Cow;

use ndarray::{ArrayView, Dimension};

use crate::dtype::{Element, Order};
use crate::encoding::{Extents, InMemory, NumpyEncoding, Outline, byte_len, no_memory};
use crate::error::Error;

/// Borrows the memory of a contiguous array, and gathers any other in row-major order.
pub(super) fn encode<T: Element, D: Dimension>(
    array: ArrayView<'_, T, D>,
) -> Result<NumpyEncoding<'_>, Error> {
    let mut shape = Extents::from_slice(array.shape());
    shape.extend(T::sub_shape());
    let (order, data) = match array.to_slice() {
        Some(rows) => (flat_order(&shape, Order::C), bytes(rows, &shape)?),
        None => {
            let columns = array.clone().reversed_axes();
            // A sub-array's own axes stay row-major, so that the whole is in neither order.
            match columns.to_slice().filter(|_| shape.len() == array.ndim()) {
                Some(columns) => (flat_order(&shape, Order::F), bytes(columns, &shape)?),
                None => (None, Cow::Owned(gather(array.iter(), &shape)?)),
            }
        }
    };
    NumpyEncoding::of_shape(shape, data, T::dtype(), order)
}

/// Says what [`encode`] will give, of an array whose memory is laid out like this.
pub(super) fn outline<T: Element>(
    shape: &[usize],
    layout: Option<Order>,
) -> Result<Outline, Error> {
    let axes = shape.len();
    let mut shape = Extents::from_slice(shape);
    shape.extend(T::sub_shape());
    let layout = layout.filter(|&layout| layout == Order::C || shape.len() == axes);
    let order = layout.and_then(|layout| flat_order(&shape, layout));
    Outline::of_shape(shape, T::dtype(), order)
}

/// Returns an array of this layout as it lies in memory, where that is what [`encode`] gives.
pub(super) fn in_memory<'p, 'v, T: Element, D: Dimension>(
    array: ArrayView<'v, T, D>,
    shape: &'p [usize],
    layout: Option<Order>,
) -> Option<InMemory<'p, 'v>> {
    let text = T::dtype().common_text()?;
    let layout = layout.filter(|_| T::sub_shape().is_empty())?;
    let items = match layout {
        Order::C => array.to_slice()?,
        Order::F => array.reversed_axes().to_slice()?,
    };
    Some(InMemory {
        payload: T::as_bytes(items)?,
        shape,
        text,
        order: flat_order(shape, layout),
    })
}

/// Returns the order in which the memory of an array is contiguous: that of rows if it is both.
pub(crate) fn layout<T, D: Dimension>(array: &ArrayView<'_, T, D>) -> Option<Order> {
    if array.is_standard_layout() {
        Some(Order::C)
    } else {
        let columns = array.view().reversed_axes().is_standard_layout();
        columns.then_some(Order::F)
    }
}

fn bytes<'v, T: Element>(items: &'v [T], shape: &[usize]) -> Result<Cow<'v, [u8]>, Error> {
    match T::as_bytes(items) {
        Some(bytes) => Ok(Cow::Borrowed(bytes)),
        None => gather(items.iter(), shape).map(Cow::Owned),
    }
}

/// Gathers items into memory of exactly their size: a vector that grows would take up to three times as
/// much on the way.
fn gather<'v, T: Element>(
    items: impl Iterator<Item = &'v T>,
    shape: &[usize],
) -> Result<Vec<u8>, Error> {
    let size = byte_len(shape, T::dtype().itemsize())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size).map_err(|_| no_memory(size))?;
    T::write_all(items, &mut bytes);
    Ok(bytes)
}

/// Returns the label of a contiguous array: none where both orders are the same, which is so if at
/// most one axis is longer than 1, or if there are no items.
#[inline]
pub(crate) fn flat_order(shape: &[usize], order: Order) -> Option<Order> {
    let long = shape.iter().filter(|&&length| length > 1).count();
    (long > 1 && !shape.contains(&0)).then_some(order)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, Array3, ArrayView2, ShapeBuilder, arr0, array, s};

    use super::*;

    fn facts<'a, D: Dimension>(array: ArrayView<'a, i16, D>) -> (Option<Order>, bool, Vec<u8>) {
        let encoding = encode(array).unwrap();
        (
            encoding.order(),
            encoding.is_borrowed(),
            encoding.data().to_vec(),
        )
    }

    #[test]
    fn contiguous_memory_is_borrowed_and_any_other_gathered() {
        let rows = array![[0i16, 1, 2], [3, 4, 5]];
        let in_rows = vec![0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0];
        let in_columns = vec![0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0];
        assert_eq!(facts(rows.view()), (Some(Order::C), true, in_rows.clone()));

        let mut columns = Array2::zeros((2, 3).f());
        columns.assign(&rows);
        assert_eq!(
            facts(columns.view()),
            (Some(Order::F), true, in_columns.clone())
        );
        assert_eq!(facts(columns.t()), (Some(Order::C), true, in_columns));

        assert_eq!(
            facts(rows.slice(s![.., ..2])),
            (None, false, vec![0, 0, 1, 0, 3, 0, 4, 0])
        );
        let reversed = vec![5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0];
        assert_eq!(facts(rows.slice(s![..;-1, ..;-1])), (None, false, reversed));
        let row = array![1i16, 2];
        let broadcast: ArrayView2<'_, i16> = row.broadcast((2, 2)).unwrap();
        assert_eq!(
            facts(broadcast),
            (None, false, vec![1, 0, 2, 0, 1, 0, 2, 0])
        );

        assert_eq!(facts(arr0(7).view()), (None, true, vec![7, 0]));
        assert_eq!(
            facts(array![[1], [2]].view()),
            (None, true, vec![1, 0, 2, 0])
        );
        assert_eq!(facts(Array3::zeros((0, 3, 2)).view()), (None, true, vec![]));
    }
}
