//! The bytes of several items, with their sizes checked once.

use super::InvalidItem;

/// A number of items of one size, lying side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Items<'a> {
    bytes: &'a [u8],
    itemsize: usize,
    count: usize,
}

impl<'a> Items<'a> {
    /// Takes the bytes for `count` items; none if they have another length.
    #[must_use]
    pub fn new(bytes: &'a [u8], itemsize: usize, count: usize) -> Option<Self> {
        (itemsize.checked_mul(count) == Some(bytes.len())).then_some(Self {
            bytes,
            itemsize,
            count,
        })
    }

    /// Returns the bytes of all items.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the size of one item in bytes.
    #[must_use]
    pub fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// Returns how many items there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Goes over the items.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let Self {
            bytes, itemsize, ..
        } = *self;
        (0..self.count).map(move |index| {
            let start = index.wrapping_mul(itemsize);
            bytes
                .get(start..start.wrapping_add(itemsize))
                .unwrap_or_default()
        })
    }

    /// Goes over the items that can differ: items of no bytes are all the same.
    pub(super) fn distinct(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let most = if self.itemsize == 0 { 1 } else { usize::MAX };
        self.iter().take(most)
    }

    /// Looks at each item as `parts` items; none if it cannot be divided so.
    pub(super) fn divided(&self, parts: usize) -> Option<Self> {
        let itemsize = self.itemsize.checked_div(parts).unwrap_or(0);
        Self::new(self.bytes, itemsize, self.count.checked_mul(parts)?)
    }

    /// Returns an empty vector with room for all items, if memory has it.
    ///
    /// Values much larger than their items get no room beforehand: a count is only as honest as
    /// the bytes behind it.
    pub(super) fn room<T>(&self) -> Result<Vec<T>, InvalidItem> {
        let mut values = Vec::new();
        if size_of::<T>() / 16 <= self.itemsize && self.itemsize > 0 {
            let reserved = values.try_reserve_exact(self.count);
            reserved.map_err(|_| self.no_memory())?;
        }
        Ok(values)
    }

    pub(super) fn no_memory(&self) -> InvalidItem {
        InvalidItem::new(
            format!("{} items", self.count),
            "as many items as memory holds",
        )
    }

    pub(super) fn expect_count(&self, count: usize) -> Result<(), InvalidItem> {
        if self.count == count {
            Ok(())
        } else {
            Err(InvalidItem::of_count(self.count, count))
        }
    }

    /// Expects items of a size, unless there are none.
    pub(super) fn expect_native(&self, size: usize) -> Result<(), InvalidItem> {
        match self.count {
            0 => Ok(()),
            _ => self.expect_size(size),
        }
    }

    pub(super) fn expect_size(&self, size: usize) -> Result<(), InvalidItem> {
        if self.itemsize == size {
            Ok(())
        } else {
            Err(InvalidItem::of_size(self.itemsize, size))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_only_made_for_what_the_bytes_justify() {
        let items = Items::new(&[0; 64], 1, 64).unwrap();
        assert_eq!(items.room::<u64>().unwrap().capacity(), 64);
        assert_eq!(items.room::<[u8; 1 << 20]>().unwrap().capacity(), 0);
        let nothings = Items::new(&[], 0, usize::MAX).unwrap();
        assert_eq!(nothings.room::<u8>().unwrap().capacity(), 0);
    }
}
