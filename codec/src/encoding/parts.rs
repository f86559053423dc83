//! serde for the wire forms: maps with fixed keys, in a fixed order.

use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::entries::Entries;
use super::part::Part;
use super::part_key::PartKey;
use super::skip::Skip;
use super::{LongIntegerEncoding, NumpyEncoding};
use crate::dtype::Order;
use crate::error::{Error, ErrorKind};
use crate::limits;

/// The newtype names under which encodings are serialized: transparent to every format, a sign to
/// our own sinks that the map inside is an encoding and not a user's.
pub(crate) const ARRAY_TOKEN: &str = "$npcodec::array";
pub(crate) const INTEGER_TOKEN: &str = "$npcodec::integer";

impl Serialize for NumpyEncoding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Fields<'e>(&'e NumpyEncoding<'e>);

        impl Serialize for Fields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let array = self.0;
                if array.data().len() > limits::LONGEST {
                    let bytes = array.data().len();
                    return Err(S::Error::custom(ErrorKind::TooLong { bytes }));
                }
                let optional =
                    usize::from(array.order().is_some()) + usize::from(array.pad().is_some());
                let mut map = serializer.serialize_map(Some(3 + optional))?;
                if let Some(pad) = array.pad() {
                    map.serialize_entry("pad", &Bytes(pad))?;
                }
                map.serialize_entry("shape", array.shape())?;
                map.serialize_entry("data", &Bytes(array.data()))?;
                map.serialize_entry("dtype", array.dtype_text())?;
                if let Some(order) = array.order() {
                    map.serialize_entry("order", order.as_str())?;
                }
                map.end()
            }
        }

        serializer.serialize_newtype_struct(ARRAY_TOKEN, &Fields(self))
    }
}

impl Serialize for LongIntegerEncoding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Fields<'e>(&'e str);

        impl Serialize for Fields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("integer", self.0)?;
                map.end()
            }
        }

        serializer.serialize_newtype_struct(INTEGER_TOKEN, &Fields(self.as_str()))
    }
}

pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The parts of an encoded array as they come in, in any order.
#[derive(Debug, Default)]
pub(crate) struct Parts<'a> {
    shape: Option<Part<'a>>,
    data: Option<Part<'a>>,
    dtype: Option<Part<'a>>,
    order: Option<Part<'a>>,
    pad: Option<Part<'a>>,
}

impl<'a> Parts<'a> {
    /// Keeps the part under a key; false if it was there before, or is no part of an array.
    pub(crate) fn set(&mut self, key: PartKey, part: Part<'a>) -> bool {
        let slot = match key {
            PartKey::Shape => &mut self.shape,
            PartKey::Data => &mut self.data,
            PartKey::Dtype => &mut self.dtype,
            PartKey::Order => &mut self.order,
            PartKey::Pad => &mut self.pad,
            PartKey::Integer | PartKey::Chunks | PartKey::Axis | PartKey::Other => return false,
        };
        slot.replace(part).is_none()
    }

    pub(super) fn are_those_of_an_array(&self) -> bool {
        self.shape.is_some() && self.data.is_some() && self.dtype.is_some()
    }

    /// Checks the parts and makes the array.
    pub(crate) fn build(self) -> Result<NumpyEncoding<'a>, Error> {
        let shape = match required("shape", "a list of lengths", self.shape)? {
            Part::Shape(shape) => shape,
            part => return Err(wrong("shape", "a list of lengths", &part)),
        };
        let data = match required("data", "bytes", self.data)? {
            Part::Bytes(data) => Ok(data),
            Part::Stored(span) => Err(span),
            part => return Err(wrong("data", "bytes", &part)),
        };
        let text = match required("dtype", "a dtype text", self.dtype)? {
            Part::Text(text) => text,
            part => return Err(wrong("dtype", "a dtype text", &part)),
        };
        let order = match self.order {
            None => None,
            Some(Part::Text(text)) if text == "C" => Some(Order::C),
            Some(Part::Text(text)) if text == "F" => Some(Order::F),
            Some(part) => return Err(wrong("order", "\"C\" or \"F\"", &part)),
        };
        let pad = match self.pad {
            None => None,
            Some(Part::Bytes(pad)) => Some(pad),
            Some(part) => return Err(wrong("pad", "bytes", &part)),
        };
        let array = match data {
            Ok(data) => NumpyEncoding::read(shape, data, text, order)?,
            Err(span) => NumpyEncoding::stored(shape, span, text, order)?,
        };
        Ok(array.with_pad(pad))
    }
}

fn required<'a>(
    key: &'static str,
    expected: &'static str,
    part: Option<Part<'a>>,
) -> Result<Part<'a>, Error> {
    part.ok_or_else(|| {
        let found = "nothing".to_owned();
        ErrorKind::Encoding {
            key,
            expected,
            found,
        }
        .into()
    })
}

pub(super) fn wrong(key: &'static str, expected: &'static str, part: &Part<'_>) -> Error {
    let found = match part {
        Part::Text(text) if key == "order" => format!("{:?}", crate::path::excerpt(text)),
        part => part.describe(),
    };
    ErrorKind::Encoding {
        key,
        expected,
        found,
    }
    .into()
}

/// What a map turned out to be when it was read to its end.
#[derive(Debug)]
pub(crate) enum Encoded<'de> {
    Array(NumpyEncoding<'de>),
    Integer(LongIntegerEncoding<'de>),
    /// It has the keys of an encoding, and something is wrong with it.
    Faulty(Error),
    /// Any other map.
    Map,
}

impl<'de> Encoded<'de> {
    /// Reads a map; `inside` says how deep what is in it may be, `stored` that the payload of an
    /// array may stay in its source. An array in chunks is joined.
    pub(crate) fn from_map<A: MapAccess<'de>>(
        map: A,
        inside: Skip,
        stored: bool,
    ) -> Result<Self, A::Error> {
        Entries::read(map, inside, stored, true).map(Entries::check)
    }

    /// Reads a map that may be a chunk, and is not made of any.
    pub(super) fn whole<A: MapAccess<'de>>(
        map: A,
        inside: Skip,
        stored: bool,
    ) -> Result<Self, A::Error> {
        Entries::read(map, inside, stored, false).map(Entries::check)
    }
}

/// Describes the value for the report of a mismatch.
impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(array) => write!(f, "{array}"),
            Self::Integer(integer) => write!(f, "integer {}", integer.as_str()),
            Self::Faulty(error) => write!(f, "{error}"),
            Self::Map => f.write_str("a map"),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for NumpyEncoding<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;

        impl<'de> Visitor<'de> for MapVisitor {
            type Value = NumpyEncoding<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an encoded array")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                match Encoded::from_map(map, Skip::anything(), false)? {
                    Encoded::Array(array) => array.loaded(None).map_err(A::Error::custom),
                    Encoded::Faulty(error) => Err(A::Error::custom(error)),
                    other => Err(A::Error::custom(format_args!(
                        "expected an array, found {other}"
                    ))),
                }
            }
        }

        deserializer.deserialize_map(MapVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LongIntegerEncoding<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MapVisitor;

        impl<'de> Visitor<'de> for MapVisitor {
            type Value = LongIntegerEncoding<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an encoded integer")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                match Encoded::from_map(map, Skip::anything(), false)? {
                    Encoded::Integer(integer) => Ok(integer),
                    Encoded::Faulty(error) => Err(A::Error::custom(error)),
                    other => Err(A::Error::custom(format_args!(
                        "expected an integer, found {other}"
                    ))),
                }
            }
        }

        deserializer.deserialize_map(MapVisitor)
    }
}
