//! The sink that builds a tree of values, borrowing the state's memory.

use std::borrow::Cow;

use num_complex::Complex;

use super::Save;
use super::count::PartCount;
use super::reporting::repeated;
use super::sink::{ListSink, MapSink, SaveOnce, Sink};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind};
use crate::path::Place;
use crate::state::{Key, StateDict, Value, check_array, check_length};

/// Builds the value that a state is written as.
pub(crate) fn to_value<T: Save + ?Sized>(value: &T) -> Result<Value<'_>, Error> {
    value.save(ValueSink {
        place: Place::Root,
        rows: false,
        any_length: false,
    })
}

/// Builds the value for a format whose arrays may be longer than MessagePack's byte strings.
#[cfg(feature = "flax")]
pub(crate) fn to_value_of_any_length<T: Save + ?Sized>(value: &T) -> Result<Value<'_>, Error> {
    value.save(ValueSink {
        place: Place::Root,
        rows: false,
        any_length: true,
    })
}

/// For how many items room is made at once: whoever implements `Save` by hand may say anything.
const MOST_RESERVED: usize = 1 << 17;

/// A value to be built at a place of the state.
pub(crate) struct ValueSink<'p> {
    place: Place<'p>,
    rows: bool,
    any_length: bool,
}

impl ValueSink<'_> {
    fn check(&self, length: Result<(), ErrorKind>) -> Result<(), Error> {
        length.map_err(|kind| self.fault(kind.into()))
    }
}

impl<'a, 'p> Sink<'a> for ValueSink<'p> {
    type Ok = Value<'a>;
    type Error = Error;
    type List = ValueList<'a, 'p>;
    type Map = ValueMap<'a, 'p>;

    fn place(&self) -> Place<'_> {
        self.place
    }

    fn fault(&self, error: Error) -> Error {
        error.under(&self.place.path())
    }

    fn in_rows(self) -> Self {
        Self { rows: true, ..self }
    }

    fn is_in_rows(&self) -> bool {
        self.rows
    }

    fn nil(self) -> Result<Value<'a>, Error> {
        Ok(Value::Nil)
    }

    fn bool(self, value: bool) -> Result<Value<'a>, Error> {
        Ok(Value::Bool(value))
    }

    fn integer(self, value: Integer<'a>) -> Result<Value<'a>, Error> {
        Ok(Value::Integer(value))
    }

    fn float32(self, value: f32) -> Result<Value<'a>, Error> {
        Ok(Value::Float32(value))
    }

    fn float64(self, value: f64) -> Result<Value<'a>, Error> {
        Ok(Value::Float64(value))
    }

    fn string(self, text: Cow<'a, str>) -> Result<Value<'a>, Error> {
        self.check(check_length(text.len()))?;
        Ok(Value::String(text))
    }

    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<Value<'a>, Error> {
        self.check(check_length(bytes.len()))?;
        Ok(Value::Bytes(bytes))
    }

    fn array(self, array: NumpyEncoding<'a>) -> Result<Value<'a>, Error> {
        if !self.any_length {
            self.check(check_array(&array))?;
        }
        Ok(Value::Array(array))
    }

    fn complex(self, value: Complex<f64>) -> Result<Value<'a>, Error> {
        Ok(Value::Complex(value))
    }

    fn extension(self, code: i8, bytes: Cow<'a, [u8]>) -> Result<Value<'a>, Error> {
        self.check(check_length(bytes.len()))?;
        Ok(Value::Extension(code, bytes))
    }

    fn list(self, len: usize) -> Result<ValueList<'a, 'p>, Error> {
        let mut items = Vec::new();
        items.reserve_exact(len.min(MOST_RESERVED));
        Ok(ValueList {
            items,
            count: PartCount::opened(len),
            place: self.place,
            rows: self.rows,
            any_length: self.any_length,
        })
    }

    fn map(self, len: usize) -> Result<ValueMap<'a, 'p>, Error> {
        let mut dict = StateDict::new();
        dict.reserve(len.min(MOST_RESERVED));
        Ok(ValueMap {
            dict,
            count: PartCount::opened(len),
            place: self.place,
            rows: self.rows,
            any_length: self.any_length,
        })
    }
}

pub(crate) struct ValueList<'a, 'p> {
    items: Vec<Value<'a>>,
    count: PartCount,
    place: Place<'p>,
    rows: bool,
    any_length: bool,
}

impl<'a> ListSink<'a> for ValueList<'a, '_> {
    type Ok = Value<'a>;
    type Error = Error;

    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), Error> {
        let place = Place::Index(&self.place, self.count.next() as i128);
        let (rows, any_length) = (self.rows, self.any_length);
        self.items.push(value.save_once(ValueSink {
            place,
            rows,
            any_length,
        })?);
        Ok(())
    }

    fn end(self) -> Result<Value<'a>, Error> {
        let counted = self.count.check();
        counted.map_err(|error| error.under(&self.place.path()))?;
        Ok(Value::List(self.items))
    }
}

pub(crate) struct ValueMap<'a, 'p> {
    dict: StateDict<'a>,
    count: PartCount,
    place: Place<'p>,
    rows: bool,
    any_length: bool,
}

impl<'a> MapSink<'a> for ValueMap<'a, '_> {
    type Ok = Value<'a>;
    type Error = Error;

    fn fault(&self, error: Error) -> Error {
        error.under(&self.place.path())
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), Error> {
        self.count.next();
        let place = match &key {
            Key::String(text) => Place::Key(&self.place, text),
            Key::Integer(index) => Place::Index(&self.place, *index),
        };
        let (rows, any_length) = (self.rows, self.any_length);
        let value = value.save_once(ValueSink {
            place,
            rows,
            any_length,
        })?;
        match self.dict.insert_new(key, value).map(repeated) {
            Some(repeated) => Err(MapSink::fault(self, repeated.into())),
            None => Ok(()),
        }
    }

    fn end(self) -> Result<Value<'a>, Error> {
        let counted = self.count.check();
        counted.map_err(|error| MapSink::fault(&self, error))?;
        Ok(Value::Map(self.dict))
    }
}
