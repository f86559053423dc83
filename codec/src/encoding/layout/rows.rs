//! A column-major payload, written row by row without a copy of the whole.

use std::io::{self, Write};
use std::ops::Range;

use super::super::{Extents, NumpyEncoding};
use crate::dtype::Order;

/// How many bytes are gathered before they are written.
const BLOCK: usize = 1 << 16;

impl NumpyEncoding<'_> {
    /// Writes some of the items in row-major order, counted in that order.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn write_rows(
        &self,
        items: Range<usize>,
        writer: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
        let (size, data) = (self.dtype().itemsize(), self.data());
        // A 0-d array can be labelled too.
        let by_rows = self.order() != Some(Order::F) || self.shape().is_empty();
        if by_rows || data.is_empty() {
            return writer.write_all(&data[items.start * size..items.end * size]);
        }
        match size {
            1 => Gathering::new(self, items.start).run(items.len(), writer, push::<1>),
            2 => Gathering::new(self, items.start).run(items.len(), writer, push::<2>),
            4 => Gathering::new(self, items.start).run(items.len(), writer, push::<4>),
            8 => Gathering::new(self, items.start).run(items.len(), writer, push::<8>),
            16 => Gathering::new(self, items.start).run(items.len(), writer, push::<16>),
            _ => Gathering::new(self, items.start).run(items.len(), writer, push_any),
        }
    }
}

/// Where the gathering of a column-major payload is.
struct Gathering<'e> {
    data: &'e [u8],
    size: usize,
    shape: &'e [usize],
    /// How many items lie between neighbours along each axis.
    strides: Extents,
    /// The index of the next item along each axis.
    index: Extents,
}

impl<'e> Gathering<'e> {
    fn new(array: &'e NumpyEncoding<'_>, start: usize) -> Self {
        let shape = array.shape();
        let mut strides = Extents::new();
        let mut stride = 1;
        for &length in shape {
            strides.push(stride);
            stride *= length;
        }
        let mut index = Extents::from_elem(0, shape.len());
        let mut rest = start;
        for (place, &length) in index.iter_mut().zip(shape).rev() {
            *place = rest % length;
            rest /= length;
        }
        Self {
            data: array.data(),
            size: array.dtype().itemsize(),
            shape,
            strides,
            index,
        }
    }

    /// Gathers so many items; `push` takes them along the last axis.
    fn run(
        mut self,
        mut left: usize,
        writer: &mut (impl Write + ?Sized),
        push: impl Fn(&mut Vec<u8>, &[u8], usize, usize, usize),
    ) -> io::Result<()> {
        let most = (BLOCK / self.size).max(1);
        let mut block = Vec::new();
        block.reserve_exact(left.min(most) * self.size);
        let last = self.shape.len().saturating_sub(1);
        while left > 0 {
            let room = most - block.len() / self.size;
            let count = (self.shape[last] - self.index[last]).min(left).min(room);
            let at: usize = self
                .index
                .iter()
                .zip(&self.strides)
                .map(|(i, s)| i * s)
                .sum();
            let step = self.strides[last] * self.size;
            push(
                &mut block,
                &self.data[at * self.size..],
                step,
                count,
                self.size,
            );
            left -= count;
            self.advance(last, count);
            if block.len() / self.size == most || left == 0 {
                writer.write_all(&block)?;
                block.clear();
            }
        }
        Ok(())
    }

    fn advance(&mut self, last: usize, count: usize) {
        self.index[last] += count;
        let mut axis = last;
        while self.index[axis] == self.shape[axis] && axis > 0 {
            self.index[axis] = 0;
            axis -= 1;
            self.index[axis] += 1;
        }
    }
}

/// Takes items of `N` bytes that lie `step` bytes apart.
fn push<const N: usize>(block: &mut Vec<u8>, data: &[u8], step: usize, count: usize, _: usize) {
    let items = data.chunks(step).take(count);
    block.extend(items.filter_map(|item| item.first_chunk::<N>()).flatten());
}

fn push_any(block: &mut Vec<u8>, data: &[u8], step: usize, count: usize, size: usize) {
    for item in data.chunks(step).take(count) {
        block.extend_from_slice(&item[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn any_run_of_rows_is_a_run_of_the_whole() -> Result<(), Error> {
        for (size, text) in [
            (1, "'|u1'"),
            (2, "'<i2'"),
            (3, "[('', '|V3')]"),
            (4, "'<f4'"),
            (8, "'<f8'"),
            (16, "'<c16'"),
        ] {
            let bytes: Vec<u8> = (0..2 * 3 * 5 * size).map(|byte| byte as u8).collect();
            let array = NumpyEncoding::new(vec![2, 3, 5], bytes, text, Some(Order::F))?;
            let whole = array.row_major();
            for start in 0..30 {
                for end in start..=30 {
                    let mut rows = Vec::new();
                    array
                        .write_rows(start..end, &mut rows)
                        .map_err(crate::ErrorKind::io)?;
                    assert_eq!(
                        rows,
                        whole[start * size..end * size],
                        "{text} {start}..{end}"
                    );
                }
            }
        }
        Ok(())
    }

    #[test]
    fn blocks_follow_one_another() -> Result<(), Error> {
        let bytes: Vec<u8> = (0..300 * 301 * 3u32)
            .map(|byte| (byte % 251) as u8)
            .collect();
        let array = NumpyEncoding::new(vec![300, 301], bytes, "[('', '|V3')]", Some(Order::F))?;
        let mut rows = Vec::new();
        array
            .write_rows(0..300 * 301, &mut rows)
            .map_err(crate::ErrorKind::io)?;
        assert!(rows == *array.row_major());
        Ok(())
    }
}
