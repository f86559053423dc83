//! Where the payloads of arrays go: in how many chunks, behind how much padding.

use crate::checkpoint::WriteOptions;
use crate::dtype::Order;
use crate::error::ErrorKind;
use crate::limits::LONGEST;
use crate::state::check_length;

/// How an array is split into chunks.
#[derive(Debug, PartialEq)]
pub(super) struct Split {
    /// The axis along which the chunks follow one another in memory.
    pub(super) axis: usize,
    /// How many rows a chunk has at the most.
    pub(super) rows: usize,
    /// The bytes of one row.
    pub(super) row: usize,
}

impl Split {
    /// Decides how an array is written: whole, if there is no split.
    ///
    /// # Errors
    /// [`TooLong`](ErrorKind::TooLong) for an array that must be split and may not be,
    /// [`RowTooLong`](ErrorKind::RowTooLong) for one that cannot be.
    pub(super) fn of(
        shape: &[usize],
        order: Option<Order>,
        bytes: usize,
        options: &WriteOptions,
    ) -> Result<Option<Self>, ErrorKind> {
        let Some(limit) = options.chunk_bytes else {
            return check_length(bytes).map(|()| None);
        };
        // A 0-d array, such as a compressed record, is only as long as MessagePack lets it be.
        let limit = if shape.is_empty() { LONGEST } else { limit };
        if bytes <= limit {
            return Ok(None);
        }
        let axis = match order {
            Some(Order::F) => shape.len().saturating_sub(1),
            _ => 0,
        };
        // An array that has bytes has no axis of length 0.
        let row = bytes / shape.get(axis).copied().unwrap_or(1);
        match limit / row {
            0 => Err(ErrorKind::RowTooLong { bytes: row, limit }),
            _ if shape.is_empty() => Err(ErrorKind::RowTooLong { bytes, limit }),
            rows => Ok(Some(Self { axis, rows, row })),
        }
    }
}

/// Returns how many bytes of padding put a payload on a multiple of `align`, the fewest there can be.
///
/// `at` is where the head of the padding begins, and `between` the bytes from the padding to the
/// payload. The head is longer for more padding, so that it cannot be left out of the sum.
pub(super) fn padding(at: usize, between: usize, align: usize) -> Result<usize, ErrorKind> {
    let fits = |(head, least): (usize, usize)| {
        let over = (at + head + between) % align;
        let pad = (align - over) % align;
        pad + least.saturating_sub(pad).div_ceil(align) * align
    };
    for (head, least, most) in [
        (2, 0, u8::MAX as usize),
        (3, 1 << 8, u16::MAX as usize),
        (5, 1 << 16, LONGEST),
    ] {
        let pad = fits((head, least));
        if pad <= most {
            return Ok(pad);
        }
    }
    let bytes = align;
    Err(ErrorKind::TooLong { bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_the_least_that_aligns() {
        for align in [1, 2, 3, 64, 255, 256, 257, 4096, 65_537] {
            for at in (0..300).chain(65_270..65_290) {
                let between = 20 + at % 7;
                let pad = padding(at, between, align).unwrap();
                let aligned = |pad: usize| {
                    let head = match pad {
                        0..=0xff => 2,
                        0x100..=0xffff => 3,
                        _ => 5,
                    };
                    (at + head + pad + between) % align == 0
                };
                let least = (0..).find(|&pad| aligned(pad));
                assert_eq!(Some(pad), least, "{at} {align}");
            }
        }
        assert!(padding(0, 20, 1 << 40).is_err());
    }

    #[test]
    fn arrays_are_split_along_the_axis_that_memory_has_last() {
        let split = |shape: &[usize], order, bytes, limit: Option<usize>| {
            let mut options = WriteOptions::new();
            options.chunk_bytes = limit;
            Split::of(shape, order, bytes, &options)
        };
        let (c, f, all) = (Some(Order::C), Some(Order::F), u32::MAX as usize);
        assert_eq!(split(&[all], None, all, None), Ok(None));
        let bytes = all + 1;
        assert_eq!(
            split(&[bytes], None, bytes, None),
            Err(ErrorKind::TooLong { bytes })
        );
        let halves = |axis| {
            Ok(Some(Split {
                axis,
                rows: 1,
                row: 1 << 31,
            }))
        };
        assert_eq!(split(&[3, 1 << 31], c, 3 << 31, Some(all)), halves(0));
        assert_eq!(split(&[1 << 31, 3], f, 3 << 31, Some(all)), halves(1));
        assert_eq!(
            split(&[2, 10], c, 20, Some(9)),
            Err(ErrorKind::RowTooLong {
                bytes: 10,
                limit: 9
            })
        );
        assert_eq!(
            split(&[10], None, 10, Some(4)),
            Ok(Some(Split {
                axis: 0,
                rows: 4,
                row: 1
            }))
        );
        assert_eq!(split(&[], None, 100, Some(4)), Ok(None));
        assert_eq!(
            split(&[], None, bytes, Some(4)),
            Err(ErrorKind::RowTooLong { bytes, limit: all })
        );
    }
}
