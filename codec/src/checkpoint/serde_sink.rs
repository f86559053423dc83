//! The sink that writes through any serde serializer.

use std::borrow::Cow;
use std::cell::Cell;

use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Save;
use super::count::{PartCount, SeenKeys};
use super::sink::{ListSink, MapSink, SaveOnce, Sink};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::Error;
use crate::path::Place;
use crate::state::{Key, check_array, check_count, check_length, serialize_extension};

/// Writes a value through a serializer: the body of every derived `serde::Serialize`.
///
/// # Errors
/// Those of the serializer, and ours as its custom error, with the path.
pub fn serialize<T: Save + ?Sized, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    save_as::<T, super::mode::Native, S>(value, serializer)
}

/// Writes a value in a mode through a serializer.
pub(crate) fn save_as<T: Save<M> + ?Sized, M, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let place = Place::Root;
    value.save(SerdeSink {
        serializer,
        place,
        rows: false,
    })
}

/// A serializer at a place of the state.
struct SerdeSink<'p, S> {
    serializer: S,
    place: Place<'p>,
    rows: bool,
}

fn custom<E: serde::ser::Error>(error: Error, place: &Place<'_>) -> E {
    E::custom(error.under(&place.path()))
}

impl<'a, 'p, S: Serializer> Sink<'a> for SerdeSink<'p, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type List = SerdeList<'p, S::SerializeSeq>;
    type Map = SerdeMap<'a, 'p, S::SerializeMap>;

    fn place(&self) -> Place<'_> {
        self.place
    }

    fn fault(&self, error: Error) -> S::Error {
        custom(error, &self.place)
    }

    fn in_rows(self) -> Self {
        Self { rows: true, ..self }
    }

    fn is_in_rows(&self) -> bool {
        self.rows
    }

    fn nil(self) -> Result<S::Ok, S::Error> {
        self.serializer.serialize_unit()
    }

    fn bool(self, value: bool) -> Result<S::Ok, S::Error> {
        self.serializer.serialize_bool(value)
    }

    fn integer(self, value: Integer<'a>) -> Result<S::Ok, S::Error> {
        match value {
            Integer::Signed(value) => self.serializer.serialize_i64(value),
            Integer::Unsigned(value) => self.serializer.serialize_u64(value),
            Integer::Long(text) => text.serialize(self.serializer),
        }
    }

    fn float32(self, value: f32) -> Result<S::Ok, S::Error> {
        self.serializer.serialize_f32(value)
    }

    fn float64(self, value: f64) -> Result<S::Ok, S::Error> {
        self.serializer.serialize_f64(value)
    }

    fn string(self, text: Cow<'a, str>) -> Result<S::Ok, S::Error> {
        check_length(text.len()).map_err(|kind| Sink::fault(&self, kind.into()))?;
        self.serializer.serialize_str(&text)
    }

    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<S::Ok, S::Error> {
        check_length(bytes.len()).map_err(|kind| Sink::fault(&self, kind.into()))?;
        self.serializer.serialize_bytes(&bytes)
    }

    fn array(self, array: NumpyEncoding<'a>) -> Result<S::Ok, S::Error> {
        check_array(&array).map_err(|kind| Sink::fault(&self, kind.into()))?;
        array.serialize(self.serializer)
    }

    fn extension(self, code: i8, bytes: Cow<'a, [u8]>) -> Result<S::Ok, S::Error> {
        check_length(bytes.len()).map_err(|kind| Sink::fault(&self, kind.into()))?;
        serialize_extension(code, &bytes, self.serializer)
    }

    fn list(self, len: usize) -> Result<Self::List, S::Error> {
        check_count(len).map_err(|kind| Sink::fault(&self, kind.into()))?;
        Ok(SerdeList {
            seq: self.serializer.serialize_seq(Some(len))?,
            place: self.place,
            rows: self.rows,
            count: PartCount::opened(len),
        })
    }

    fn map(self, len: usize) -> Result<Self::Map, S::Error> {
        let seen = SeenKeys::watched(true);
        let map = self.map_of_different(len)?;
        Ok(SerdeMap { seen, ..map })
    }

    fn map_of_different(self, len: usize) -> Result<Self::Map, S::Error> {
        check_count(len).map_err(|kind| Sink::fault(&self, kind.into()))?;
        Ok(SerdeMap {
            map: self.serializer.serialize_map(Some(len))?,
            count: PartCount::opened(len),
            seen: SeenKeys::default(),
            place: self.place,
            rows: self.rows,
        })
    }
}

struct SerdeList<'p, S> {
    seq: S,
    place: Place<'p>,
    rows: bool,
    count: PartCount,
}

impl<'a, S: SerializeSeq> ListSink<'a> for SerdeList<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), S::Error> {
        let value = Cell::new(Some(value));
        let place = Place::Index(&self.place, self.count.next() as i128);
        self.seq.serialize_element(&At {
            value,
            place,
            rows: self.rows,
        })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        let counted = self.count.check();
        counted.map_err(|error| custom(error, &self.place))?;
        self.seq.end()
    }
}

struct SerdeMap<'a, 'p, S> {
    map: S,
    count: PartCount,
    seen: SeenKeys<'a>,
    place: Place<'p>,
    rows: bool,
}

impl<'a, S: SerializeMap> MapSink<'a> for SerdeMap<'a, '_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn fault(&self, error: Error) -> S::Error {
        custom(error, &self.place)
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), S::Error> {
        self.count.next();
        let seen = self.seen.add(&key);
        seen.map_err(|error| custom(error, &self.place))?;
        let value = Cell::new(Some(value));
        let place = match &key {
            Key::String(text) => Place::Key(&self.place, text),
            Key::Integer(index) => Place::Index(&self.place, *index),
        };
        self.map.serialize_entry(
            &key,
            &At {
                value,
                place,
                rows: self.rows,
            },
        )
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        let counted = self.count.check();
        counted.map_err(|error| custom(error, &self.place))?;
        self.map.end()
    }
}

/// A value that serde may serialize through a reference, though it can be written only once.
struct At<'p, V> {
    value: Cell<Option<V>>,
    place: Place<'p>,
    rows: bool,
}

impl<'a, V: SaveOnce<'a>> Serialize for At<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value.take() {
            Some(value) => value.save_once(SerdeSink {
                serializer,
                place: self.place,
                rows: self.rows,
            }),
            None => Err(S::Error::custom("a value of a state was serialized twice")),
        }
    }
}
