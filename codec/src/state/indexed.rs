//! A value for plain serde types, of which lists may be maps with the keys "0", "1", ...

use std::borrow::Cow;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::deserializer::{all_taken, mismatch};
use super::{Key, StateDict, Value};
use crate::error::Error;

/// A value that gives a list where one is asked for, also if it is a map with the keys of one.
pub(crate) struct Indexed<'de>(pub(crate) Value<'de>);

impl<'de> IntoDeserializer<'de, Error> for Indexed<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

fn visit_items<'de, V: Visitor<'de>>(
    items: Vec<Value<'de>>,
    visitor: V,
) -> Result<V::Value, Error> {
    let count = items.len();
    let mut items = SeqDeserializer::new(items.into_iter().map(Indexed));
    let value = visitor.visit_seq(&mut items)?;
    let left = serde::de::SeqAccess::size_hint(&items);
    all_taken("items", "list", count, left).map(|()| value)
}

fn visit_entries<'de, V: Visitor<'de>>(map: StateDict<'de>, visitor: V) -> Result<V::Value, Error> {
    let count = map.len();
    let mut entries =
        MapDeserializer::new(map.into_iter().map(|(key, value)| (key, Indexed(value))));
    let value = visitor.visit_map(&mut entries)?;
    let left = serde::de::MapAccess::size_hint(&entries);
    all_taken("entries", "map", count, left).map(|()| value)
}

impl<'de> Deserializer<'de> for Indexed<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::List(items) => visit_items(items, visitor),
            Value::Map(map) => visit_entries(map, visitor),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Nil => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Map(map) => match map.into_listed() {
                Ok(items) => visit_items(items, visitor),
                Err(map) => visit_entries(map, visitor),
            },
            Value::List(items) => visit_items(items, visitor),
            other => other.deserialize_seq(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Extension(..) => self.0.deserialize_newtype_struct(name, visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_i128(visitor)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_u128(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Map(map) if map.len() == 1 => match map.into_iter().next() {
                Some((Key::String(name), content)) => visitor.visit_enum(Variant { name, content }),
                _ => Err(mismatch("the name of a variant", "an integer key")),
            },
            other => other.deserialize_enum(name, variants, visitor),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit
        unit_struct map struct identifier ignored_any
    }
}

/// A variant with its content.
struct Variant<'de> {
    name: Cow<'de, str>,
    content: Value<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Indexed<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Indexed<'de>), Error> {
        let name = match self.name {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::<Error>::new(name)),
            Cow::Owned(name) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name))
            }
        };
        Ok((name?, Indexed(self.content)))
    }
}

impl<'de> VariantAccess<'de> for Indexed<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            Value::Nil => Ok(()),
            content => Err(mismatch("a variant without content", content.kind())),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }
}
