//! An array as the map that it is on the wire, for any deserializer.

use std::borrow::Cow;

use num_complex::Complex;
use serde::de::value::{BorrowedStrDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, MapAccess, Visitor};

use super::Value;
use super::deserializer::all_taken;
use crate::dtype::{ByteOrder, DType, Number, Order};
use crate::encoding::{Extents, NumpyEncoding};
use crate::error::Error;

/// Shows an array to a visitor, which has to take all of its entries.
pub(super) fn visit_array<'de, V: Visitor<'de>>(
    array: NumpyEncoding<'de>,
    visitor: V,
) -> Result<V::Value, Error> {
    let (shape, data, text, order, pad) = array.into_parts();
    let mut entries = ArrayEntries {
        pad,
        shape: Some(shape),
        data: Some(data),
        text: Some(text),
        order,
    };
    let count = entries.left();
    let value = visitor.visit_map(&mut entries)?;
    all_taken("entries", "map", count, Some(entries.left())).map(|()| value)
}

/// Makes the 0-d array that holds a complex number, as typed fields have it.
pub(super) fn complex(value: Complex<f64>) -> Result<NumpyEncoding<'static>, Error> {
    let mut data = value.re.to_le_bytes().to_vec();
    data.extend(value.im.to_le_bytes());
    let dtype = DType::Number(Number::Complex128, ByteOrder::Little);
    NumpyEncoding::of_shape(Extents::new(), Cow::Owned(data), dtype, None)
}

/// The entries that are still to come, in the order of the wire.
struct ArrayEntries<'de> {
    pad: Option<Cow<'de, [u8]>>,
    shape: Option<Extents>,
    data: Option<Cow<'de, [u8]>>,
    text: Option<Cow<'de, str>>,
    order: Option<Order>,
}

impl ArrayEntries<'_> {
    fn key(&self) -> Option<&'static str> {
        if self.pad.is_some() {
            Some("pad")
        } else if self.shape.is_some() {
            Some("shape")
        } else if self.data.is_some() {
            Some("data")
        } else if self.text.is_some() {
            Some("dtype")
        } else {
            self.order.map(|_| "order")
        }
    }

    fn left(&self) -> usize {
        let left = [
            self.pad.is_some(),
            self.shape.is_some(),
            self.data.is_some(),
            self.text.is_some(),
            self.order.is_some(),
        ];
        left.into_iter().filter(|&left| left).count()
    }
}

impl<'de> MapAccess<'de> for ArrayEntries<'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let key = self.key().map(BorrowedStrDeserializer::<Error>::new);
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        if let Some(pad) = self.pad.take() {
            return seed.deserialize(Value::Bytes(pad));
        }
        if let Some(shape) = self.shape.take() {
            let lengths = shape.into_iter().map(|length| length as u64);
            return seed.deserialize(SeqDeserializer::<_, Error>::new(lengths));
        }
        if let Some(data) = self.data.take() {
            return seed.deserialize(Value::Bytes(data));
        }
        if let Some(text) = self.text.take() {
            return seed.deserialize(Value::String(text));
        }
        let order = self.order.take().map_or("", Order::as_str);
        seed.deserialize(Value::String(Cow::Borrowed(order)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}
