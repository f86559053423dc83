//! `bool`: one byte, of which only two values are one.

use super::convert::{Convert, integer};
use super::number::{cast_hint, cast_item};
use super::source::{Range, Source, Wide, not_bool};
use super::{Cast, Element, InvalidItem, Items, ReaderError};
use crate::dtype::{ByteOrder, DType, Number};

/// How the bools of one dtype are read.
#[derive(Debug, Clone, Copy)]
pub struct BoolReader(Option<(Source, bool)>);

impl Convert for bool {
    fn convert(wide: Wide, _lossy: bool) -> Option<Self> {
        match integer(wide, false)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl BoolReader {
    fn first_invalid(self, items: Items<'_>) -> Result<(), InvalidItem> {
        if self.0.is_none() && items.itemsize() == 1 {
            let bad = items.bytes().iter().position(|&byte| byte > 1);
            return match bad.and_then(|index| Some((index, items.bytes().get(index..=index)?))) {
                None => Ok(()),
                Some((index, item)) => Err(not_bool(item).at(index)),
            };
        }
        for (index, item) in items.distinct().enumerate() {
            bool::read(&self, item).map_err(|invalid| invalid.at(index))?;
        }
        Ok(())
    }
}

impl Element for bool {
    type Reader = BoolReader;

    const SIZE: usize = 1;

    fn dtype() -> DType {
        DType::Number(Number::Bool, ByteOrder::NotApplicable)
    }

    fn reader(dtype: &DType, cast: Cast) -> Result<BoolReader, ReaderError> {
        if matches!(dtype, DType::Number(Number::Bool, _)) {
            return Ok(BoolReader(None));
        }
        let real = Range::of(dtype).is_some_and(|range| !range.is_complex());
        match Source::of(dtype) {
            Some(source) if real && cast != Cast::Exact => {
                Ok(BoolReader(Some((source, cast == Cast::Lossy))))
            }
            _ => {
                let own = Self::dtype();
                let hint = cast_hint(&own, dtype).map(|_| "`cast` allows it for 0 and 1");
                Err(ReaderError::dtype(&own, dtype, hint))
            }
        }
    }

    fn read(reader: &BoolReader, item: &[u8]) -> Result<Self, InvalidItem> {
        match (reader.0, item) {
            (Some((source, lossy)), _) => cast_item(source, lossy, item),
            (None, [0]) => Ok(false),
            (None, [1]) => Ok(true),
            (None, _) => Err(not_bool(item)),
        }
    }

    fn write(&self, item: &mut [u8]) {
        if let [byte] = item {
            *byte = u8::from(*self);
        }
    }

    fn as_bytes(items: &[Self]) -> Option<&[u8]> {
        Some(bytemuck::cast_slice(items))
    }

    fn view<'a>(reader: &BoolReader, items: Items<'a>) -> Result<Option<&'a [Self]>, InvalidItem> {
        if reader.0.is_some() || items.itemsize() != 1 {
            return Ok(None);
        }
        reader.first_invalid(items)?;
        Ok(bytemuck::checked::try_cast_slice(items.bytes()).ok())
    }

    fn read_all(reader: &BoolReader, items: Items<'_>) -> Result<Vec<Self>, InvalidItem> {
        if let Some(values) = Self::view(reader, items)? {
            return Ok(values.to_vec());
        }
        let mut values = items.room()?;
        for (index, item) in items.iter().enumerate() {
            values.push(Self::read(reader, item).map_err(|invalid| invalid.at(index))?);
        }
        Ok(values)
    }

    fn read_array<const N: usize>(
        reader: &BoolReader,
        items: Items<'_>,
    ) -> Result<[Self; N], InvalidItem> {
        let mut values = [false; N];
        Self::read_into(reader, items, &mut values)?;
        Ok(values)
    }

    fn check(reader: &BoolReader, items: Items<'_>) -> Result<(), InvalidItem> {
        reader.first_invalid(items)
    }

    fn write_all<'a>(items: impl Iterator<Item = &'a Self>, out: &mut Vec<u8>) {
        out.extend(items.map(|&value| u8::from(value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_0_and_1_are_bools() {
        let reader = bool::reader(&bool::dtype(), Cast::Exact).unwrap();
        let good = Items::new(&[0, 1, 1], 1, 3).unwrap();
        assert_eq!(
            bool::view(&reader, good),
            Ok(Some(&[false, true, true][..]))
        );
        let bad = Items::new(&[0, 1, 2, 3], 1, 4).unwrap();
        let error = bool::read_all(&reader, bad).unwrap_err();
        assert_eq!(
            error.to_string(),
            "item 2: expected 0 or 1, found bool of byte 2"
        );
        assert_eq!(bool::check(&reader, bad), Err(error));
        assert!(u8::reader(&bool::dtype(), Cast::Exact).is_err());
        let reader = u8::reader(&bool::dtype(), Cast::Safe).unwrap();
        assert!(u8::check(&reader, bad).is_err());
    }
}
