//! A value as the source of any serde type.

use std::borrow::Cow;

use serde::de::value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::array_entries::{complex, visit_array};
use super::{Key, LIST_TOKEN, StateDict, Value};
use crate::encoding::{Integer, LongIntegerEncoding};
use crate::error::{Error, ErrorKind};

impl<'de> IntoDeserializer<'de, Error> for Value<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> IntoDeserializer<'de, Error> for Key<'de> {
    type Deserializer = Value<'de>;

    fn into_deserializer(self) -> Value<'de> {
        match self {
            Self::String(text) => Value::String(text),
            Self::Integer(value) => Value::Integer(value.into()),
        }
    }
}

/// Arrays and long integers are offered as the maps that they are on the wire.
impl<'de> Deserializer<'de> for Value<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Nil => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Integer(Integer::Signed(value)) => match u64::try_from(value) {
                Ok(value) => visitor.visit_u64(value),
                Err(_) => visitor.visit_i64(value),
            },
            Self::Integer(Integer::Unsigned(value)) => visitor.visit_u64(value),
            Self::Integer(Integer::Long(text)) => visitor.visit_map(integer_map(text)),
            Self::Float32(value) => visitor.visit_f32(value),
            Self::Float64(value) => visitor.visit_f64(value),
            Self::Complex(value) => visit_array(complex(value)?, visitor),
            Self::String(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Self::String(Cow::Owned(text)) => visitor.visit_string(text),
            Self::Bytes(Cow::Borrowed(bytes)) => visitor.visit_borrowed_bytes(bytes),
            Self::Bytes(Cow::Owned(bytes)) => visitor.visit_byte_buf(bytes),
            Self::List(items) => visit_items(items.into_iter(), visitor),
            Self::Map(map) => visit_entries(map, visitor),
            Self::Array(array) => visit_array(array, visitor),
            Self::Extension(code, bytes) => {
                let code = Value::Integer(i64::from(code).into());
                visitor.visit_newtype_struct(Value::List(vec![code, Value::Bytes(bytes)]))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Nil => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    /// A list, or bytes where a list of bytes may be wanted.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Bytes(bytes) => visit_items(bytes.iter().copied(), visitor),
            value => value.deserialize_any(visitor),
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
        if name == LIST_TOKEN {
            return match self {
                Self::Map(map) => match map.into_listed() {
                    Ok(items) => visit_items(items.into_iter(), visitor),
                    Err(map) => visit_entries(map, visitor),
                },
                other => other.deserialize_any(visitor),
            };
        }
        match self {
            Self::Extension(..) => self.deserialize_any(visitor),
            value => visitor.visit_newtype_struct(value),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match integer(&self).and_then(|integer| integer.to_i128()) {
            Some(value) => visitor.visit_i128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match integer(&self).and_then(|integer| integer.to_u128()) {
            Some(value) => visitor.visit_u128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let found = self.kind();
        let (name, content) = match self {
            Self::String(name) => (name, None),
            Self::Map(map) if map.len() == 1 => match map.into_iter().next() {
                Some((Key::String(name), content)) => (name, Some(content)),
                _ => return Err(mismatch("the name of a variant", "an integer key")),
            },
            _ => {
                return Err(mismatch(
                    "the name of a variant, alone or with its content",
                    found,
                ));
            }
        };
        visitor.visit_enum(Variant { name, content })
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit
        unit_struct map struct identifier ignored_any
    }
}

pub(super) fn mismatch(expected: impl Into<String>, found: impl Into<String>) -> Error {
    ErrorKind::Mismatch {
        expected: expected.into(),
        found: found.into(),
    }
    .into()
}

/// Shows the items of a list to a visitor, which has to take all of them.
pub(crate) fn visit_items<'de, I, V: Visitor<'de>>(items: I, visitor: V) -> Result<V::Value, Error>
where
    I: ExactSizeIterator<Item: IntoDeserializer<'de, Error>>,
{
    let count = items.len();
    let mut items = SeqDeserializer::new(items);
    let value = visitor.visit_seq(&mut items)?;
    all_taken("items", "list", count, items.size_hint()).map(|()| value)
}

fn visit_entries<'de, V: Visitor<'de>>(map: StateDict<'de>, visitor: V) -> Result<V::Value, Error> {
    let count = map.len();
    let mut entries = MapDeserializer::new(map.into_iter());
    let value = visitor.visit_map(&mut entries)?;
    all_taken("entries", "map", count, MapAccess::size_hint(&entries)).map(|()| value)
}

/// Refuses a visitor that stopped before the end.
pub(crate) fn all_taken(
    items: &str,
    list: &str,
    count: usize,
    left: Option<usize>,
) -> Result<(), Error> {
    match left {
        None | Some(0) => Ok(()),
        Some(left) => Err(mismatch(
            format!("{} {items}", count.saturating_sub(left)),
            format!("a {list} of {count}"),
        )),
    }
}

/// Reads an integer out of its native or its decimal form, recognised or not.
fn integer<'v>(value: &'v Value<'_>) -> Option<Integer<'v>> {
    match value {
        Value::Integer(integer) => Some(integer.borrowed()),
        Value::Map(map) if map.len() == 1 => match map.get("integer") {
            Some(Value::String(text)) => LongIntegerEncoding::new(text.as_ref())
                .ok()
                .map(Integer::Long),
            _ => None,
        },
        _ => None,
    }
}

type OneEntry<'de> = std::iter::Once<(&'static str, Value<'de>)>;

fn integer_map(text: LongIntegerEncoding<'_>) -> MapDeserializer<'_, OneEntry<'_>, Error> {
    let text = Value::String(text.into_text());
    MapDeserializer::new(std::iter::once(("integer", text)))
}

struct Variant<'de> {
    name: Cow<'de, str>,
    content: Option<Value<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Content<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'de>), Error> {
        let name = match self.name {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::<Error>::new(name))?,
            Cow::Owned(name) => {
                seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name))?
            }
        };
        Ok((name, Content(self.content)))
    }
}

struct Content<'de>(Option<Value<'de>>);

impl<'de> Content<'de> {
    fn value(self) -> Result<Value<'de>, Error> {
        self.0
            .ok_or_else(|| mismatch("a variant with content", "its name alone"))
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            None | Some(Value::Nil) => Ok(()),
            Some(content) => Err(mismatch("a variant without content", content.kind())),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value()?.deserialize_any(visitor)
    }
}
