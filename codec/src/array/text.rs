//! Arrays of texts (`U`) and of byte strings (`S`).

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension, IxDyn, ShapeBuilder};

use super::ArrayElement;
use super::decode::{by_columns, mismatch};
use super::encode::flat_order;
use crate::dtype::{ByteOrder, Cast, DType, Order};
use crate::encoding::{NumpyEncoding, Outline, Source};
use crate::error::{Error, ErrorKind, Shape};

/// A text or byte string in an array of a fixed width.
trait FixedWidth: ArrayElement {
    /// Returns the dtype of a width in characters or bytes.
    fn dtype(width: usize) -> DType;

    /// Returns the bytes of one character.
    const UNIT: usize;

    /// Returns the length in characters or bytes.
    fn width(&self) -> usize;

    fn ends_with_nul(&self) -> bool;

    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads one item, padding included; the error is what was found, and what was expected.
    fn read(item: &[u8], dtype: &DType) -> Result<Self, (String, &'static str)>;

    /// Returns true if items of the dtype can be read.
    fn accepts(dtype: &DType) -> bool;

    const EXPECTED: &'static str;
}

impl FixedWidth for String {
    const UNIT: usize = 4;
    const EXPECTED: &'static str = "an array of texts, dtype U or S";

    fn dtype(width: usize) -> DType {
        DType::Unicode(width, ByteOrder::Little)
    }

    fn width(&self) -> usize {
        self.chars().count()
    }

    fn ends_with_nul(&self) -> bool {
        self.ends_with('\0')
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.chars().flat_map(|c| u32::from(c).to_le_bytes()));
    }

    fn read(item: &[u8], dtype: &DType) -> Result<Self, (String, &'static str)> {
        let DType::Unicode(_, order) = dtype else {
            let text = Vec::read(item, dtype)?;
            return match String::from_utf8(text) {
                Ok(text) if text.is_ascii() => Ok(text),
                Ok(text) => Err((format!("{text:?}"), "ASCII bytes")),
                Err(error) => Err((error.as_bytes().escape_ascii().to_string(), "ASCII bytes")),
            };
        };
        let mut text = String::new();
        for unit in item.chunks_exact(4) {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(unit);
            let code = match order {
                ByteOrder::Big => u32::from_be_bytes(bytes),
                _ => u32::from_le_bytes(bytes),
            };
            let expected = "a Unicode character";
            text.push(char::from_u32(code).ok_or_else(|| (format!("{code:#x}"), expected))?);
        }
        text.truncate(text.trim_end_matches('\0').len());
        Ok(text)
    }

    fn accepts(dtype: &DType) -> bool {
        matches!(dtype, DType::Unicode(..) | DType::Bytes(_))
    }
}

impl FixedWidth for Vec<u8> {
    const UNIT: usize = 1;
    const EXPECTED: &'static str = "an array of byte strings, dtype S";

    fn dtype(width: usize) -> DType {
        DType::Bytes(width)
    }

    fn width(&self) -> usize {
        self.len()
    }

    fn ends_with_nul(&self) -> bool {
        self.ends_with(b"\0")
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self);
    }

    fn read(item: &[u8], _: &DType) -> Result<Self, (String, &'static str)> {
        let end = item
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(0, |last| last + 1);
        Ok(item[..end].to_vec())
    }

    fn accepts(dtype: &DType) -> bool {
        matches!(dtype, DType::Bytes(_))
    }
}

/// Returns the width of the longest item: NumPy's own dtype of empty strings is one character wide.
fn longest<'v, T: FixedWidth>(items: impl Iterator<Item = &'v T>) -> usize {
    items.map(T::width).max().unwrap_or(0).max(1)
}

fn encode<T: FixedWidth, D: Dimension>(
    array: ArrayView<'_, T, D>,
    width: Option<usize>,
) -> Result<NumpyEncoding<'_>, Error> {
    let by_columns =
        !array.is_standard_layout() && array.view().reversed_axes().is_standard_layout();
    let items: Vec<&T> = if by_columns {
        array.clone().reversed_axes().into_iter().collect()
    } else {
        array.clone().into_iter().collect()
    };
    let width = width.unwrap_or_else(|| longest(items.iter().copied()));
    let dtype = T::dtype(width);
    let mut data = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let fault = if item.width() > width {
            Some(format!("one of length {}", item.width()))
        } else if item.ends_with_nul() {
            Some("one that ends with NUL, which would be taken for padding".to_owned())
        } else {
            None
        };
        if let Some(found) = fault {
            return Err(ErrorKind::InvalidItem {
                dtype: dtype.text(),
                index,
                expected: format!("a text of length {width} at most"),
                found,
            }
            .into());
        }
        item.write(&mut data);
        data.resize((index + 1) * width * T::UNIT, 0);
    }
    let order = super::layout(&array).and_then(|layout| flat_order(array.shape(), layout));
    NumpyEncoding::from_dtype(array.shape().to_vec(), data, dtype, order)
}

fn decode<T: FixedWidth, D: Dimension>(
    array: &NumpyEncoding<'_>,
    row_major: bool,
) -> Result<Array<T, D>, Error> {
    let dimensions = D::from_dimension(&IxDyn(array.shape())).filter(|_| T::accepts(array.dtype()));
    let dimensions = dimensions.ok_or_else(|| mismatch(T::expected::<D>(), array))?;
    let itemsize = array.dtype().itemsize();
    if itemsize == 0 && !array.is_empty() {
        return Err(mismatch("texts of at least one character", array));
    }
    let mut items = Vec::new();
    for (index, item) in array.data().chunks_exact(itemsize.max(1)).enumerate() {
        let item = T::read(item, array.dtype()).map_err(|(found, expected)| {
            let dtype = array.dtype_text().to_owned();
            let expected = expected.to_owned();
            Error::from(ErrorKind::InvalidItem {
                dtype,
                index,
                expected,
                found,
            })
        })?;
        items.push(item);
    }
    let by_columns = by_columns(array, row_major);
    Array::from_shape_vec(dimensions.set_f(by_columns), items)
        .map_err(|error| mismatch(T::EXPECTED, format_args!("{array}: {error}")))
}

macro_rules! array_element {
    ($($text:ty),*) => {$(
        impl ArrayElement for $text {
            fn encode<D: Dimension>(
                array: ArrayView<'_, Self, D>,
                width: Option<usize>,
            ) -> Result<NumpyEncoding<'_>, Error> {
                encode(array, width)
            }

            fn outline<'v>(
                shape: &[usize],
                layout: Option<Order>,
                items: impl Iterator<Item = &'v Self>,
                width: Option<usize>,
            ) -> Result<Outline, Error> {
                let dtype = Self::dtype(width.unwrap_or_else(|| longest(items)));
                let order = layout.and_then(|layout| flat_order(shape, layout));
                Outline::new(shape.to_vec(), dtype, order)
            }

            fn expected<D: Dimension>() -> String {
                match D::NDIM {
                    Some(1) => format!("{} and 1 dimension", Self::EXPECTED),
                    Some(count) => format!("{} and {count} dimensions", Self::EXPECTED),
                    None => Self::EXPECTED.to_owned(),
                }
            }

            fn decode<D: Dimension>(
                array: &NumpyEncoding<'_>,
                _: Cast,
                row_major: bool,
            ) -> Result<Array<Self, D>, Error> {
                decode(array, row_major)
            }

            fn view<'v, D: Dimension>(
                _: &NumpyEncoding<'_>,
                _: &'v [u8],
                _: bool,
            ) -> Result<Option<ArrayView<'v, Self, D>>, Error> {
                Ok(None)
            }

            fn check<D: Dimension>(
                array: &NumpyEncoding<'_>,
                target: &ArrayView<'_, Self, D>,
                _: Option<&dyn Source>,
                _: Cast,
                row_major: bool,
            ) -> Result<(), Error> {
                let fresh = decode::<Self, D>(array, row_major)?;
                if fresh.shape() != target.shape() {
                    let expected = format!("an array of shape {}", Shape(target.shape()));
                    return Err(mismatch(expected, array));
                }
                Ok(())
            }

            fn assign<D: Dimension>(
                array: &NumpyEncoding<'_>,
                mut target: ArrayViewMut<'_, Self, D>,
                _: Option<&dyn Source>,
                _: Cast,
                row_major: bool,
            ) -> Result<(), Error> {
                target.assign(&decode::<Self, D>(array, row_major)?);
                Ok(())
            }
        }
    )*};
}

array_element!(String, Vec<u8>);
