//! Row-major bytes of a column-major payload.

#[cfg(any(feature = "flax", feature = "msgpack-numpy"))]
mod rows;

use std::borrow::Cow;

use super::NumpyEncoding;
use crate::dtype::Order;

impl NumpyEncoding<'_> {
    /// Returns the payload in row-major order, borrowed unless the array is labelled `F`.
    #[must_use]
    pub fn row_major(&self) -> Cow<'_, [u8]> {
        let itemsize = self.dtype().itemsize();
        if self.order() != Some(Order::F) || self.data().is_empty() {
            return Cow::Borrowed(self.data());
        }
        let shape = self.shape();
        let mut index = vec![0; shape.len()];
        let mut rows = Vec::new();
        rows.reserve_exact(self.data().len());
        loop {
            let item = shape
                .iter()
                .zip(&index)
                .rev()
                .fold(0, |at, (length, i)| at * length + i);
            rows.extend_from_slice(&self.data()[item * itemsize..][..itemsize]);
            let Some(axis) = (0..shape.len())
                .rev()
                .find(|&axis| index[axis] + 1 < shape[axis])
            else {
                return Cow::Owned(rows);
            };
            index[axis] += 1;
            index[axis + 1..].fill(0);
        }
    }

    /// Returns the same array with its payload in row-major order, and labelled so.
    pub(crate) fn in_rows(mut self) -> Self {
        if self.order() == Some(Order::F) {
            let rows = self.row_major().into_owned();
            self = self.with_rows(rows);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() -> Result<(), crate::Error> {
        // Columns of [[0, 1, 2], [3, 4, 5]].
        let columns = vec![0, 3, 1, 4, 2, 5];
        let array = NumpyEncoding::new(vec![2, 3], columns, "'|u1'", Some(Order::F))?;
        assert_eq!(*array.row_major(), [0, 1, 2, 3, 4, 5]);
        Ok(())
    }
}
