//! Arrays of every shape, and the ways in which one can lie in memory.

use npcodec::ndarray::{ArrayD, IxDyn, Slice};
use proptest::collection::vec;
use proptest::prelude::*;

/// A shape, the order of its axes in memory, and how they are stepped through.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub(crate) shape: Vec<usize>,
    /// The axes, the slowest first.
    axes: Vec<usize>,
    steps: Vec<isize>,
}

impl Layout {
    /// Makes an array that lies so, of items in the order of the memory.
    pub(crate) fn array<T>(&self, item: impl FnMut() -> T) -> ArrayD<T> {
        let length = |axis: &usize| self.shape[*axis] * self.steps[*axis].unsigned_abs();
        let memory: Vec<usize> = self.axes.iter().map(length).collect();
        let memory = ArrayD::from_shape_simple_fn(IxDyn(&memory), item);
        let mut places = self.axes.clone();
        for (place, &axis) in self.axes.iter().enumerate() {
            places[axis] = place;
        }
        let mut array = memory.permuted_axes(IxDyn(&places));
        array.slice_each_axis_inplace(|axis| Slice::new(0, None, self.steps[axis.axis.index()]));
        assert_eq!(array.shape(), self.shape);
        array
    }
}

/// Any layout: rows, columns, transposed, sliced with steps in both directions.
pub(crate) fn layout() -> impl Strategy<Value = Layout> {
    let lengths = prop_oneof![1 => Just(0), 9 => 1..5usize];
    vec(lengths, 0..5).prop_flat_map(|shape| {
        let axes: Vec<_> = (0..shape.len()).collect();
        let columns = axes.iter().rev().copied().collect();
        let steps = prop_oneof![3 => Just(1isize), 1 => Just(-1), 1 => Just(2), 1 => Just(-3)];
        let whole = vec![1; shape.len()];
        let axes = prop_oneof![Just(axes.clone()), Just(columns), Just(axes).prop_shuffle(),];
        let steps = prop_oneof![Just(whole), vec(steps, shape.len())];
        (axes, steps).prop_map(move |(axes, steps)| Layout {
            shape: shape.clone(),
            axes,
            steps,
        })
    })
}
