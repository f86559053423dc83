//! Reading the keys of maps.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::de::ValueSeed;
use super::{Key, StateDict};
use crate::error::ErrorKind;

/// Reads the next key of a map that has these already. Nothing inside a key is read: a list or map is
/// no key, however deep it goes.
pub(super) struct KeySeed<'h, 'd, 'de>(ValueSeed<'h>, &'d StateDict<'de>);

impl<'h, 'd, 'de> KeySeed<'h, 'd, 'de> {
    pub(super) fn new(map: ValueSeed<'h>, keys: &'d StateDict<'de>) -> Self {
        Self(map, keys)
    }

    fn first<E: serde::de::Error>(self, key: Key<'de>) -> Result<Key<'de>, E> {
        if self.1.contains_key(&key) {
            let key = key.to_string();
            return Err(self.0.fault(ErrorKind::RepeatedKey { key }.into()));
        }
        Ok(key)
    }

    fn refuse<E: serde::de::Error>(self, found: &str) -> Result<Key<'de>, E> {
        let found = found.to_owned();
        Err(self.0.fault(ErrorKind::KeyType { found }.into()))
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_, 'de> {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_, '_, 'de> {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a 64-bit integer as map key")
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
        self.first(Key::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Key<'de>, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Key<'de>, E> {
        self.first(Key::String(Cow::Owned(text)))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Key<'de>, E> {
        self.first(Key::Integer(value.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Key<'de>, E> {
        self.first(Key::Integer(value.into()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Key<'de>, E> {
        self.refuse("nil")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Key<'de>, E> {
        self.refuse("nil")
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<Key<'de>, E> {
        self.refuse("a bool")
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<Key<'de>, E> {
        self.refuse("a float")
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Key<'de>, E> {
        self.refuse("bytes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Key<'de>, A::Error> {
        self.refuse("a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Key<'de>, A::Error> {
        self.refuse("a map")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<Key<'de>, D::Error> {
        self.refuse("an extension")
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a 64-bit integer as map key")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key::String(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key::String(Cow::Owned(text.to_owned())))
            }

            fn visit_string<E>(self, text: String) -> Result<Key<'de>, E> {
                Ok(Key::String(Cow::Owned(text)))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Key<'de>, E> {
                Ok(Key::Integer(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Key<'de>, E> {
                Ok(Key::Integer(value.into()))
            }
        }

        deserializer.deserialize_any(KeyVisitor)
    }
}
