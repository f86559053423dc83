//! Reading values from any self-describing format.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
};

use super::keys::KeySeed;
use super::recognise::{is_part_of_array, recognise};
use super::{Hooks, Key, StateDict, Value, Witness};
use crate::encoding::{Integer, NumpyEncoding, PAYLOAD_TOKEN, Source, Span};
use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::path::{PathPattern, Place, Reach};

/// What is done with the maps of a value.
#[derive(Clone, Copy)]
enum Maps<'h> {
    /// They stay maps.
    Raw,
    /// Encodings are recognised, hooks see the rest.
    Recognised(&'h Hooks),
}

/// Reads a value that stands at a place.
#[derive(Clone, Copy)]
pub(crate) struct ValueSeed<'h> {
    maps: Maps<'h>,
    pub(super) place: Place<'h>,
    pub(super) depth: usize,
    witness: Option<&'h Witness>,
    /// Where the payloads of arrays stay.
    source: Option<&'h dyn Source>,
    /// True if they are read from there when it is known that they are wanted.
    loads: bool,
    /// What is wanted, if that is not everything.
    pub(super) only: &'h [PathPattern],
    /// True if nil takes the place of what is not wanted, and an error that of an encoding that is
    /// wrong: nobody may want it.
    pub(super) keeps_places: bool,
}

impl<'h> ValueSeed<'h> {
    /// Arrays and integers are recognised.
    pub(crate) fn recognised(place: Place<'h>, hooks: &'h Hooks) -> Self {
        Self {
            maps: Maps::Recognised(hooks),
            place,
            depth: limits::DEPTH,
            witness: None,
            source: None,
            loads: false,
            only: &[],
            keeps_places: false,
        }
    }

    /// Every map stays a map: what a plain serde type is read from.
    pub(crate) fn raw(place: Place<'h>) -> Self {
        let maps = Maps::Raw;
        Self {
            maps,
            ..Self::recognised(place, Hooks::NONE)
        }
    }

    /// Leaves the payloads of arrays in their source.
    pub(crate) fn storing(self, source: &'h dyn Source) -> Self {
        let source = Some(source);
        Self { source, ..self }
    }

    /// Reads the payloads of arrays from their source at once.
    pub(crate) fn loading(self) -> Self {
        let loads = true;
        Self { loads, ..self }
    }

    /// Reads only what is selected, if there are any patterns.
    pub(crate) fn selecting(self, only: &'h [PathPattern]) -> Self {
        Self { only, ..self }
    }

    /// Puts nil where something is not wanted, and errors where encodings are wrong.
    pub(crate) fn keeping_places(self) -> Self {
        let keeps_places = true;
        Self {
            keeps_places,
            ..self
        }
    }

    /// Allows this many levels of lists and maps.
    pub(crate) fn of_depth(self, depth: usize) -> Self {
        Self { depth, ..self }
    }

    /// Leaves kind and path of an error with a witness, for formats that cannot hold them.
    pub(crate) fn witnessed(self, witness: &'h Witness) -> Self {
        let witness = Some(witness);
        Self { witness, ..self }
    }

    pub(super) fn inner<'i>(&'i self, place: Place<'i>) -> ValueSeed<'i> {
        ValueSeed {
            maps: self.maps,
            place,
            depth: self.depth.saturating_sub(1),
            ..*self
        }
    }

    fn enter<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.depth == 0 {
            let limit = limits::DEPTH;
            return Err(self.fault(ErrorKind::TooDeep { limit }.into()));
        }
        Ok(())
    }

    pub(super) fn fault<E: serde::de::Error>(&self, error: Error) -> E {
        let error = error.under(&self.place.path());
        let told = E::custom(&error);
        if let Some(witness) = self.witness {
            witness.saw(error);
        }
        told
    }

    /// Tells the witness where it was that the format found an error.
    fn passing<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if let (Err(_), Some(witness)) = (&result, self.witness) {
            witness.passed(&self.place);
        }
        result
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValueSeed::recognised(Place::Root, &Hooks::new()).deserialize(deserializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for StateDict<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Map(map) => Ok(map),
            other => Err(D::Error::custom(ErrorKind::NotAMap {
                found: other.kind(),
            })),
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a checkpoint")
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Nil)
    }

    fn visit_none<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Value<'de>, D::Error> {
        self.deserialize(inner)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value<'de>, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_f32<E>(self, value: f32) -> Result<Value<'de>, E> {
        Ok(Value::Float32(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value<'de>, E> {
        Ok(Value::Float64(value))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Value<'de>, E> {
        Ok(Value::String(Cow::Owned(text)))
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Borrowed(bytes)))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Owned(bytes.to_vec())))
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Value<'de>, E> {
        Ok(Value::Bytes(Cow::Owned(bytes)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value<'de>, A::Error> {
        self.enter()?;
        let (mut items, mut index) = (limits::cautious::<Value<'_>>(seq.size_hint()), 0);
        loop {
            let inner = self.inner(Place::Index(&self.place, index));
            index += 1;
            if inner.reach() == Reach::Outside {
                if seq.next_element_seed(inner.skip())?.is_none() {
                    return Ok(Value::List(items));
                }
                items.extend(self.keeps_places.then_some(Value::Nil));
                continue;
            }
            match inner.passing(seq.next_element_seed(inner))? {
                Some(item) => items.extend(inner.kept(item)),
                None => return Ok(Value::List(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
        self.enter()?;
        let (mut dict, mut stored) = (StateDict::new(), None);
        while let Some(key) = map.next_key_seed(KeySeed::new(self, &dict))? {
            let place = match &key {
                Key::String(text) => Place::Key(&self.place, text),
                Key::Integer(value) => Place::Index(&self.place, *value),
            };
            let inner = self.inner(place);
            // What an array is made of is read whole, and looked at when it is known to be none.
            let is_part = inner.is_partial() && is_part_of_array(&key);
            let inner = if is_part { inner.selecting(&[]) } else { inner };
            if inner.reach() == Reach::Outside {
                map.next_value_seed(inner.skip())?;
                if self.keeps_places {
                    dict.insert(key, Value::Nil);
                }
                continue;
            }
            let value = if self.source.is_some() && key.as_str() == Some("data") {
                match inner.passing(map.next_value_seed(PayloadSeed(inner)))? {
                    Payload::Value(value) => value,
                    Payload::Stored(span) => {
                        stored = Some(span);
                        Value::Bytes(Cow::Borrowed(&[]))
                    }
                }
            } else {
                inner.passing(map.next_value_seed(inner))?
            };
            if let Some(value) = inner.kept(value) {
                dict.insert(key, value);
            }
        }
        let Maps::Recognised(hooks) = self.maps else {
            return Ok(Value::Map(dict));
        };
        let value = match recognise(dict, stored, self.source) {
            Ok(value) => value,
            Err(error) if self.keeps_places && !matches!(error.kind(), ErrorKind::Io { .. }) => {
                Value::Array(NumpyEncoding::faulty(&error))
            }
            Err(error) => return Err(self.fault(error)),
        };
        let value = match value {
            Value::Array(array) if self.loads && self.reach() == Reach::Selected => Value::Array(
                array
                    .loaded(self.source)
                    .map_err(|error| self.fault(error))?,
            ),
            value => value,
        };
        let value = match value {
            Value::Map(dict) if self.is_partial() => Value::Map(self.without_parts(dict)),
            value => value,
        };
        let Value::Map(dict) = &value else {
            return Ok(value);
        };
        let replaced = hooks.decoded(dict).map_err(|error| self.fault(error))?;
        Ok(replaced.unwrap_or(value))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value<'de>, D::Error> {
        // rmp-serde hands an extension over as a pair of its code and its bytes.
        let maps = Maps::Raw;
        match (Self { maps, ..self }).deserialize(inner)? {
            Value::List(mut parts) => match (parts.pop(), parts.pop(), parts.pop()) {
                (Some(Value::Bytes(bytes)), Some(Value::Integer(Integer::Signed(code))), None) => {
                    let code = i8::try_from(code).map_err(D::Error::custom)?;
                    Ok(Value::Extension(code, bytes))
                }
                _ => Err(D::Error::custom(
                    "expected the code and the bytes of an extension",
                )),
            },
            other => Ok(other),
        }
    }
}

/// What stands under the key `data` of a map that may be an array.
enum Payload<'de> {
    Value(Value<'de>),
    Stored(Span),
}

/// Asks for where a payload is, and takes any value.
struct PayloadSeed<'h>(ValueSeed<'h>);

impl<'de> DeserializeSeed<'de> for PayloadSeed<'_> {
    type Value = Payload<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_newtype_struct(PAYLOAD_TOKEN, self)
    }
}

impl<'de> Visitor<'de> for PayloadSeed<'_> {
    type Value = Payload<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the payload of an array")
    }

    fn visit_i128<E: serde::de::Error>(self, packed: i128) -> Result<Self::Value, E> {
        Span::unpack(packed)
            .map(Payload::Stored)
            .ok_or_else(|| E::custom("no span"))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(Payload::Value(Value::Bytes(Cow::Owned(bytes))))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(inner).map(Payload::Value)
    }
}
