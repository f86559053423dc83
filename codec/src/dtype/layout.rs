//! Sizes and offsets: checked, and limited as NumPy limits them.

/// The largest size, offset or dimension: NumPy keeps them in a C int.
pub(super) const MOST: usize = i32::MAX as usize;

/// Returns the bytes that a sub-array takes; none where that is too much.
pub(super) fn byte_size(item: usize, shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    let small = |&size: &usize| size <= MOST;
    let count = shape
        .iter()
        .try_fold(1_usize, |count, &n| count.checked_mul(n).filter(small))?;
    count.checked_mul(item).filter(small)
}

/// Puts fields behind each other, packed or as C does it.
#[derive(Debug)]
pub(super) struct Layout {
    align: bool,
    end: usize,
    alignment: usize,
}

impl Layout {
    pub(super) fn new(align: bool) -> Self {
        Self {
            align,
            end: 0,
            alignment: 1,
        }
    }

    /// Returns the offset of the next field; none where it passes what an item can hold.
    pub(super) fn place(&mut self, size: usize, alignment: usize) -> Option<usize> {
        let mut offset = self.end;
        if self.align {
            self.alignment = self.alignment.max(alignment);
            offset = offset.checked_next_multiple_of(alignment)?;
        }
        self.end = offset.checked_add(size).filter(|&end| end <= MOST)?;
        Some(offset)
    }

    /// Returns the size of the item, padding at its end included.
    pub(super) fn itemsize(&self) -> Option<usize> {
        self.end
            .checked_next_multiple_of(self.alignment)
            .filter(|&size| size <= MOST)
    }
}
