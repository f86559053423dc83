//! How many bytes an array takes.

use std::borrow::Cow;

use super::Extents;
use crate::error::{Error, ErrorKind};
use crate::limits;

/// Multiplies a shape with an itemsize: the one place where the bytes of an array are counted.
#[inline]
pub(crate) fn byte_len(shape: &[usize], itemsize: usize) -> Result<usize, Error> {
    if shape.len() > limits::DIMENSIONS {
        return Err(ErrorKind::TooManyDimensions { found: shape.len() }.into());
    }
    if shape.contains(&0) {
        return Ok(0);
    }
    shape
        .iter()
        .try_fold(itemsize, |bytes, &length| bytes.checked_mul(length))
        .filter(|&bytes| isize::try_from(bytes).is_ok())
        .ok_or_else(|| {
            let shape = shape.to_vec();
            ErrorKind::SizeOverflow { shape, itemsize }.into()
        })
}

/// The error of a payload that has not as many bytes as shape and dtype say.
#[cold]
pub(super) fn wrong_length(
    shape: Extents,
    text: Cow<'_, str>,
    expected: usize,
    found: usize,
) -> Error {
    ErrorKind::PayloadLength {
        shape: shape.into_vec(),
        dtype: text.into_owned(),
        expected,
        found,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use crate::encoding::NumpyEncoding;

    #[test]
    fn sizes_are_multiplied_with_checks() {
        let fault = |shape: &[usize], bytes: usize| {
            NumpyEncoding::new(shape.to_vec(), vec![0; bytes], "'<f4'", None)
                .map_err(|e| e.to_string())
                .err()
        };
        assert_eq!(fault(&[2], 8), None);
        assert_eq!(fault(&[0, 1 << 62], 0), None);
        for bytes in [7, 9] {
            let text = format!("array of shape (2,) and dtype '<f4' needs 8 bytes, found {bytes}");
            assert_eq!(fault(&[2], bytes), Some(text));
        }
        for shape in [[1 << 62, 4], [1 << 32, 1 << 32]] {
            let text = format!(
                "array of shape ({}, {}) with items of 4 bytes is larger than memory can be",
                shape[0], shape[1]
            );
            assert_eq!(fault(&shape, 0), Some(text));
        }
        let text = "array of shape (2305843009213693952,) with items of 4 bytes is larger than memory can be";
        assert_eq!(fault(&[1 << 61], 0).as_deref(), Some(text));
        assert_eq!(
            fault(&[1; 65], 4).as_deref(),
            Some("array of 65 dimensions, expected at most 64")
        );
        let nothing = NumpyEncoding::new(vec![1_000_000_000], vec![], "'|V0'", None);
        assert_eq!(nothing.map(|array| array.len()).ok(), Some(1_000_000_000));
    }
}
