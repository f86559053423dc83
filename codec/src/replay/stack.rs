//! Leaves of elements, and how those of a sample become one array.

use std::fmt;

use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, aview0};

use crate::checkpoint::{RestoreOwned, Save};
use crate::dtype::Element;
use crate::error::{Error, ErrorKind, ReplayError};

/// A leaf of an element that is stacked along a new first axis when it is sampled: an array, or a
/// number that is one of no dimensions.
///
/// Implemented for what has one dtype in Python: `bool` is `bool`, `i64` an `int`, `f64` a `float`,
/// and NumPy's scalars are `Array0`, such as `Array0<i32>` for `np.int32`.
pub trait Stack: Save + RestoreOwned + Clone + fmt::Debug {
    /// What the array holds.
    type Item: Element + fmt::Debug;
    /// The dimension of one leaf.
    type Dim: Dimension;

    /// Returns the leaf as an array.
    fn as_view(&self) -> ArrayView<'_, Self::Item, Self::Dim>;
}

/// The array of the leaves of a sample.
pub type Stacked<T> = Array<<T as Stack>::Item, <<T as Stack>::Dim as Dimension>::Larger>;

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Stack for $type {
            type Item = Self;
            type Dim = ndarray::Ix0;

            fn as_view(&self) -> ArrayView<'_, Self, ndarray::Ix0> {
                aview0(self)
            }
        }
    )*};
}

numbers!(bool, i64, f64);

impl<T: Element + fmt::Debug, D: Dimension> Stack for Array<T, D> {
    type Item = T;
    type Dim = D;

    fn as_view(&self) -> ArrayView<'_, T, D> {
        (**self).view()
    }
}

pub(super) fn shapes(expected: &[usize], found: &[usize]) -> Error {
    ReplayError::Shapes {
        expected: expected.to_vec(),
        found: found.to_vec(),
    }
    .into()
}

/// Stacks leaves along a new first axis.
///
/// # Errors
/// [`Shapes`](ReplayError::Shapes) if they are not all of one shape.
pub fn stack<'v, T: Stack + 'v>(
    leaves: impl IntoIterator<Item = &'v T>,
) -> Result<Stacked<T>, Error> {
    let views: Vec<_> = leaves.into_iter().map(Stack::as_view).collect();
    if let Some(first) = views.first()
        && let Some(other) = views.iter().find(|view| view.shape() != first.shape())
    {
        return Err(shapes(first.shape(), other.shape()));
    }
    ndarray::stack(Axis(0), &views).map_err(|error| ErrorKind::Custom(error.to_string()).into())
}

/// Stacks leaves into an array that exists.
///
/// # Errors
/// [`Shapes`](ReplayError::Shapes) if it is not of the shape that [`stack`] would give; it may have
/// been filled in part.
pub fn stack_into<'v, T: Stack + 'v>(
    leaves: impl ExactSizeIterator<Item = &'v T>,
    target: &mut Stacked<T>,
) -> Result<(), Error> {
    let mut target = target.view_mut().into_dyn();
    check_count(&target, leaves.len())?;
    for (index, leaf) in leaves.enumerate() {
        assign(&mut target, index, leaf.as_view())?;
    }
    Ok(())
}

/// Checks that an array takes so many leaves.
pub(super) fn check_count<T>(
    target: &ArrayViewMut<'_, T, ndarray::IxDyn>,
    count: usize,
) -> Result<(), Error> {
    let found = target.shape();
    if found.first() == Some(&count) {
        return Ok(());
    }
    let mut expected = found.to_vec();
    if let Some(first) = expected.first_mut() {
        *first = count;
    }
    Err(shapes(&expected, found))
}

/// Copies one leaf to its place.
pub(super) fn assign<T: Clone, D: Dimension>(
    target: &mut ArrayViewMut<'_, T, ndarray::IxDyn>,
    index: usize,
    leaf: ArrayView<'_, T, D>,
) -> Result<(), Error> {
    let mut place = target.index_axis_mut(Axis(0), index);
    if place.shape() != leaf.shape() {
        return Err(shapes(place.shape(), leaf.shape()));
    }
    place.assign(&leaf.into_dyn());
    Ok(())
}
