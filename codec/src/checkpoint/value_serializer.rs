//! Plain serde types as values: what `serde` and `with` fields go through.

use std::borrow::Cow;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use crate::encoding::{ARRAY_TOKEN, INTEGER_TOKEN, Integer};
use crate::error::{Error, ErrorKind};
use crate::state::{Key, StateDict, Value, recognise};

/// Builds an owned value of what serde writes: structs as maps of their fields, 128-bit integers in
/// the native or the decimal form, `bytes` as bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct ValueSerializer {
    /// The map is that of an encoding, and not a user's.
    encoding: bool,
}

pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value<'static>, Error> {
    value.serialize(ValueSerializer { encoding: false })
}

type Out = Result<Value<'static>, Error>;

macro_rules! numbers {
    ($($method:ident($type:ty as $wide:ty);)*) => {$(
        fn $method(self, value: $type) -> Out {
            Ok(Value::from(<$wide>::from(value)))
        }
    )*};
}

impl Serializer for ValueSerializer {
    type Ok = Value<'static>;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = Variant<List>;
    type SerializeMap = Map;
    type SerializeStruct = Map;
    type SerializeStructVariant = Variant<Map>;

    numbers! {
        serialize_bool(bool as bool);
        serialize_i8(i8 as i64);
        serialize_i16(i16 as i64);
        serialize_i32(i32 as i64);
        serialize_i64(i64 as i64);
        serialize_i128(i128 as i128);
        serialize_u8(u8 as u64);
        serialize_u16(u16 as u64);
        serialize_u32(u32 as u64);
        serialize_u64(u64 as u64);
        serialize_u128(u128 as u128);
        serialize_f32(f32 as f32);
        serialize_f64(f64 as f64);
        serialize_char(char as String);
    }

    fn serialize_str(self, text: &str) -> Out {
        Ok(Value::from(text.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Out {
        Ok(Value::from(bytes.to_vec()))
    }

    fn serialize_none(self) -> Out {
        Ok(Value::Nil)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Out {
        match value.serialize(self)? {
            Value::Nil => Err(ErrorKind::NestedNil.into()),
            value => Ok(value),
        }
    }

    fn serialize_unit(self) -> Out {
        Ok(Value::Nil)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Out {
        Ok(Value::Nil)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Out {
        Ok(Value::from(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Out {
        match name {
            ARRAY_TOKEN | INTEGER_TOKEN => value.serialize(Self { encoding: true }),
            rmp_serde::MSGPACK_EXT_STRUCT_NAME => extension(value.serialize(self)?),
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Out {
        let content = value.serialize(self)?;
        named(variant, content)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Error> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<List, Error> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List, Error> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<List>, Error> {
        Ok(Variant(variant, List(Vec::new())))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Map, Error> {
        Ok(Map::new(self.encoding))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Map, Error> {
        Ok(Map::new(self.encoding))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<Map>, Error> {
        Ok(Variant(variant, Map::new(false)))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// rmp-serde's form of an extension: a pair of its code and its bytes.
fn extension(pair: Value<'static>) -> Out {
    if let Value::List(mut parts) = pair {
        if let (Some(Value::Bytes(bytes)), Some(Value::Integer(Integer::Signed(code))), None) =
            (parts.pop(), parts.pop(), parts.pop())
        {
            let code = i8::try_from(code).map_err(Error::custom)?;
            return Ok(Value::Extension(code, bytes));
        }
    }
    Err(Error::custom(
        "expected the code and the bytes of an extension",
    ))
}

/// An externally tagged variant: a map that may be mistaken like any other.
fn named(variant: &'static str, content: Value<'static>) -> Out {
    let mut map = Map::new(false);
    map.insert(Key::from(variant), content)?;
    map.finish()
}

pub(crate) struct List(Vec<Value<'static>>);

impl List {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.push(to_value(value)?);
        Ok(())
    }
}

macro_rules! lists {
    ($($name:ident::$method:ident),*) => {$(
        impl $name for List {
            type Ok = Value<'static>;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.push(value)
            }

            fn end(self) -> Out {
                Ok(Value::List(self.0))
            }
        }
    )*};
}

lists!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element
);
lists!(SerializeTupleStruct::serialize_field);

pub(crate) struct Map {
    dict: StateDict<'static>,
    key: Option<Key<'static>>,
    encoding: bool,
}

impl Map {
    fn new(encoding: bool) -> Self {
        Self {
            dict: StateDict::new(),
            key: None,
            encoding,
        }
    }

    fn insert(&mut self, key: Key<'static>, value: Value<'static>) -> Result<(), Error> {
        if self.dict.contains_key(&key) {
            return Err(super::reporting::repeated(&key).into());
        }
        self.dict.insert(key, value);
        Ok(())
    }

    fn finish(self) -> Out {
        if self.encoding {
            return recognise(self.dict, None, None);
        }
        let taken_for = if self.dict.contains_key("integer") {
            "an integer"
        } else if ["shape", "data", "dtype"]
            .iter()
            .all(|&key| self.dict.contains_key(key))
        {
            "an array"
        } else {
            return Ok(Value::Map(self.dict));
        };
        Err(ErrorKind::MistakableMap { taken_for }.into())
    }
}

impl SerializeMap for Map {
    type Ok = Value<'static>;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(match to_value(key)? {
            Value::String(text) => Key::String(text),
            Value::Integer(Integer::Signed(value)) => Key::Integer(value.into()),
            Value::Integer(Integer::Unsigned(value)) => Key::Integer(value.into()),
            other => {
                let found = other.kind().to_owned();
                return Err(ErrorKind::KeyType { found }.into());
            }
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self
            .key
            .take()
            .ok_or_else(|| Error::custom("a value without a key"))?;
        let value = to_value(value)?;
        self.insert(key, value)
    }

    fn end(self) -> Out {
        self.finish()
    }
}

impl SerializeStruct for Map {
    type Ok = Value<'static>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let value = to_value(value)?;
        self.insert(Key::String(Cow::Borrowed(key)), value)
    }

    fn end(self) -> Out {
        self.finish()
    }
}

pub(crate) struct Variant<C>(&'static str, C);

impl SerializeTupleVariant for Variant<List> {
    type Ok = Value<'static>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.1.push(value)
    }

    fn end(self) -> Out {
        named(self.0, Value::List(self.1.0))
    }
}

impl SerializeStructVariant for Variant<Map> {
    type Ok = Value<'static>;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        SerializeStruct::serialize_field(&mut self.1, key, value)
    }

    fn end(self) -> Out {
        named(self.0, self.1.finish()?)
    }
}
