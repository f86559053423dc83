//! `[T; N]`: sub-arrays of rows.

use super::{Cast, Element, InvalidItem, Items, ReaderError};
use crate::dtype::DType;
use crate::path::Segment;

/// Turns the index of an item into a place in a sub-array.
fn inside(invalid: InvalidItem) -> InvalidItem {
    let index = i128::try_from(invalid.index()).unwrap_or(i128::MAX);
    invalid.under(Segment::Index(index)).at(0)
}

fn parts<const N: usize>(item: &[u8]) -> Result<Items<'_>, InvalidItem> {
    let whole = Items::new(item, item.len(), 1);
    whole
        .and_then(|whole| whole.divided(N))
        .ok_or_else(|| InvalidItem::new(format!("{} bytes", item.len()), format!("{N} parts")))
}

impl<T: Element, const N: usize> Element for [T; N] {
    type Reader = T::Reader;

    const SIZE: usize = T::SIZE.saturating_mul(N);
    const ALIGN: usize = T::ALIGN;

    fn dtype() -> DType {
        T::dtype()
    }

    fn sub_shape() -> Vec<usize> {
        let mut shape = vec![N];
        shape.extend(T::sub_shape());
        shape
    }

    fn reader(dtype: &DType, cast: Cast) -> Result<T::Reader, ReaderError> {
        T::reader(dtype, cast)
    }

    fn read(reader: &T::Reader, item: &[u8]) -> Result<Self, InvalidItem> {
        T::read_array(reader, parts::<N>(item)?).map_err(inside)
    }

    fn write(&self, item: &mut [u8]) {
        match T::as_bytes(self) {
            Some(bytes) if bytes.len() == item.len() => item.copy_from_slice(bytes),
            _ if T::SIZE == 0 || item.len() != Self::SIZE => {}
            _ => {
                for (value, part) in self.iter().zip(item.chunks_exact_mut(T::SIZE)) {
                    value.write(part);
                }
            }
        }
    }

    fn as_bytes(items: &[Self]) -> Option<&[u8]> {
        T::as_bytes(items.as_flattened())
    }

    fn bytes_mut<'m>(reader: &T::Reader, items: &'m mut [Self]) -> Option<&'m mut [u8]> {
        T::bytes_mut(reader, items.as_flattened_mut())
    }

    fn accepts_all(reader: &T::Reader) -> bool {
        T::accepts_all(reader)
    }

    fn read_into(
        reader: &T::Reader,
        items: Items<'_>,
        out: &mut [Self],
    ) -> Result<(), InvalidItem> {
        items.expect_count(out.len())?;
        for (index, (item, value)) in items.iter().zip(out).enumerate() {
            let read = T::read_into(reader, parts::<N>(item)?, value);
            read.map_err(|invalid| inside(invalid).at(index))?;
        }
        Ok(())
    }

    fn check(reader: &T::Reader, items: Items<'_>) -> Result<(), InvalidItem> {
        if T::accepts_all(reader) || N == 0 {
            return Ok(());
        }
        for (index, item) in items.distinct().enumerate() {
            let checked = T::check(reader, parts::<N>(item)?);
            checked.map_err(|invalid| inside(invalid).at(index))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_listed_outer_to_inner() {
        assert_eq!(<[[f32; 3]; 2]>::sub_shape(), [2, 3]);
        assert_eq!(<[[f32; 3]; 2]>::dtype(), f32::dtype());
        assert_eq!(<[[f32; 3]; 2]>::SIZE, 24);
    }

    #[test]
    fn items_are_in_row_major_order() {
        let array = [[1_u16, 2, 3], [4, 5, 0x0607]];
        let mut item = [0; 12];
        array.write(&mut item);
        assert_eq!(item, [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 7, 6]);
        let reader = u16::reader(&u16::dtype(), Cast::Exact).unwrap();
        assert_eq!(<[[u16; 3]; 2]>::read(&reader, &item), Ok(array));
        assert!(<[[u16; 3]; 2]>::read(&reader, &item[1..]).is_err());
        assert_eq!(<[u16; 0]>::read(&reader, &[]), Ok([]));
    }

    #[test]
    fn an_error_says_where_in_the_array() {
        let reader = bool::reader(&bool::dtype(), Cast::Exact).unwrap();
        let items = Items::new(&[0, 0, 0, 0, 0, 0, 9, 0], 4, 2).unwrap();
        let error = <[[bool; 2]; 2]>::check(&reader, items).unwrap_err();
        assert_eq!(
            error.to_string(),
            "item 1, column `[1][0]`: expected 0 or 1, found bool of byte 9"
        );
        assert_eq!(<[[bool; 2]; 2]>::read_all(&reader, items), Err(error));
    }
}
