//! Where a state goes: a serde serializer, a tree of values, a file.

use std::borrow::Cow;
use std::marker::PhantomData;

use num_complex::Complex;

use super::Save;
use crate::encoding::{InMemory, Integer, NumpyEncoding, Outline};
use crate::error::{Error, ErrorKind};
use crate::path::Place;
use crate::state::Key;

/// Takes one value of a state.
///
/// `'a` is how long the state is borrowed: a sink may keep references into it, so that the bytes of
/// contiguous arrays need not be copied.
pub trait Sink<'a>: Sized {
    /// What the sink gives when the value is written.
    type Ok;
    /// What it fails with.
    type Error;
    /// Takes the items of a list.
    type List: ListSink<'a, Ok = Self::Ok, Error = Self::Error>;
    /// Takes the entries of a map.
    type Map: MapSink<'a, Ok = Self::Ok, Error = Self::Error>;

    /// Returns where in the state the value stands.
    fn place(&self) -> Place<'_>;

    /// Makes the sink's error of one of ours, which need not name the path.
    fn fault(&self, error: Error) -> Self::Error;

    /// Has the arrays of this value written in row-major order, whatever their memory order is: for
    /// a field that takes every payload for rows.
    #[must_use]
    fn in_rows(self) -> Self {
        self
    }

    /// Returns true if arrays are to be written in row-major order.
    fn is_in_rows(&self) -> bool {
        false
    }

    /// Writes nil.
    ///
    /// # Errors
    /// Those of the output.
    fn nil(self) -> Result<Self::Ok, Self::Error>;

    /// Writes a bool.
    ///
    /// # Errors
    /// Those of the output.
    fn bool(self, value: bool) -> Result<Self::Ok, Self::Error>;

    /// Writes an integer, in its native or its decimal form.
    ///
    /// # Errors
    /// Those of the output.
    fn integer(self, value: Integer<'a>) -> Result<Self::Ok, Self::Error>;

    /// Writes a float of 32 bits.
    ///
    /// # Errors
    /// Those of the output.
    fn float32(self, value: f32) -> Result<Self::Ok, Self::Error>;

    /// Writes a float of 64 bits.
    ///
    /// # Errors
    /// Those of the output.
    fn float64(self, value: f64) -> Result<Self::Ok, Self::Error>;

    /// Writes a text.
    ///
    /// # Errors
    /// [`TooLong`](crate::ErrorKind::TooLong), and those of the output.
    fn string(self, text: Cow<'a, str>) -> Result<Self::Ok, Self::Error>;

    /// Writes a byte string.
    ///
    /// # Errors
    /// [`TooLong`](crate::ErrorKind::TooLong), and those of the output.
    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<Self::Ok, Self::Error>;

    /// Writes an array.
    ///
    /// # Errors
    /// [`TooLong`](crate::ErrorKind::TooLong), and those of the output.
    fn array(self, array: NumpyEncoding<'a>) -> Result<Self::Ok, Self::Error>;

    /// Writes an array that is made only if the sink has not kept it from an earlier pass.
    ///
    /// # Errors
    /// Those of [`array`](Sink::array), and those of making it.
    fn array_with(
        self,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<Self::Ok, Self::Error> {
        match make() {
            Ok(array) => self.array(array),
            Err(error) => Err(self.fault(error)),
        }
    }

    /// Writes an array of which something is known before it is made: sinks that only size and check
    /// a state need not make it.
    ///
    /// # Errors
    /// Those of [`array_with`](Sink::array_with), and those of the outline.
    fn array_outlined(
        self,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<Self::Ok, Self::Error> {
        let _ = outline;
        self.array_with(make)
    }

    /// Writes an array that may lie in memory as it is written: sinks that only write it need not
    /// make it then.
    ///
    /// # Errors
    /// Those of [`array_outlined`](Sink::array_outlined).
    #[doc(hidden)]
    fn array_in_memory(
        self,
        array: Option<InMemory<'_, 'a>>,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<Self::Ok, Self::Error> {
        let _ = array;
        self.array_outlined(outline, make)
    }

    /// Writes a complex number, which MessagePack cannot hold: only a hook takes it.
    ///
    /// # Errors
    /// [`NotRepresentable`](ErrorKind::NotRepresentable), unless the sink keeps values or has hooks.
    fn complex(self, _: Complex<f64>) -> Result<Self::Ok, Self::Error> {
        let found = "a complex number";
        Err(self.fault(ErrorKind::NotRepresentable { found }.into()))
    }

    /// Writes a MessagePack extension.
    ///
    /// # Errors
    /// [`TooLong`](crate::ErrorKind::TooLong), and those of the output.
    fn extension(self, code: i8, bytes: Cow<'a, [u8]>) -> Result<Self::Ok, Self::Error>;

    /// Opens a list of exactly `len` items.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany), and those of the output.
    fn list(self, len: usize) -> Result<Self::List, Self::Error>;

    /// Opens a map of exactly `len` entries.
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany), and those of the output.
    fn map(self, len: usize) -> Result<Self::Map, Self::Error>;

    /// Opens a map whose keys are known to be different: sinks need not look for equal ones.
    ///
    /// # Errors
    /// Those of [`map`](Sink::map).
    #[doc(hidden)]
    fn map_of_different(self, len: usize) -> Result<Self::Map, Self::Error> {
        self.map(len)
    }
}

/// Takes the items of a list.
pub trait ListSink<'a> {
    /// What the sink gives when the list is written.
    type Ok;
    /// What it fails with.
    type Error;

    /// Writes the next item.
    ///
    /// # Errors
    /// Those of the item.
    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), Self::Error>;

    /// Closes the list.
    ///
    /// # Errors
    /// [`CountOfParts`](crate::ErrorKind::CountOfParts), and those of the output.
    fn end(self) -> Result<Self::Ok, Self::Error>;
}

/// Takes the entries of a map.
pub trait MapSink<'a> {
    /// What the sink gives when the map is written.
    type Ok;
    /// What it fails with.
    type Error;

    /// Makes the sink's error of one of ours.
    fn fault(&self, error: Error) -> Self::Error;

    /// Writes the next entry.
    ///
    /// # Errors
    /// Those of the value, [`KeyType`](crate::ErrorKind::KeyType) for an integer key of more than 64
    /// bits, and [`RepeatedKey`](crate::ErrorKind::RepeatedKey) for a key that was there before.
    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), Self::Error>;

    /// Keeps a key free that is not written, but would be read as a field: one that is left out, or
    /// another name of one.
    ///
    /// # Errors
    /// [`RepeatedKey`](crate::ErrorKind::RepeatedKey) if a flattened map has written it.
    fn reserve(&mut self, _key: &'static str) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Closes the map.
    ///
    /// # Errors
    /// [`CountOfParts`](crate::ErrorKind::CountOfParts), and those of the output.
    fn end(self) -> Result<Self::Ok, Self::Error>;
}

/// A value that is written at most once: what lists and maps take.
pub trait SaveOnce<'a> {
    /// Writes the value.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error>;
}

/// A reference to a value, to be written in the mode `M`.
#[derive(Debug)]
pub struct Ref<'a, T: ?Sized, M>(&'a T, PhantomData<M>);

impl<'a, T: ?Sized, M> Ref<'a, T, M> {
    /// Refers to a value.
    pub fn new(value: &'a T) -> Self {
        Self(value, PhantomData)
    }
}

impl<'a, T: Save<M> + ?Sized, M> SaveOnce<'a> for Ref<'a, T, M> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        self.0.save(sink)
    }
}

/// A value whose arrays are written in row-major order.
#[derive(Debug)]
pub(crate) struct InRows<V>(pub(crate) V);

impl<'a, V: SaveOnce<'a>> SaveOnce<'a> for InRows<V> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        self.0.save_once(sink.in_rows())
    }
}

/// Writes a value that is a part of nothing else.
impl<'a> SaveOnce<'a> for crate::state::Value<'a> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        use crate::state::Value;

        match self {
            Value::Nil => sink.nil(),
            Value::Bool(value) => sink.bool(value),
            Value::Integer(value) => sink.integer(value),
            Value::Float32(value) => sink.float32(value),
            Value::Float64(value) => sink.float64(value),
            Value::Complex(value) => sink.complex(value),
            Value::String(text) => sink.string(text),
            Value::Bytes(bytes) => sink.bytes(bytes),
            Value::List(items) => {
                let mut list = sink.list(items.len())?;
                for item in items {
                    list.item(item)?;
                }
                list.end()
            }
            Value::Map(map) => {
                let mut entries = sink.map_of_different(map.len())?;
                for (key, value) in map {
                    entries.entry(key, value)?;
                }
                entries.end()
            }
            Value::Array(array) => sink.array(array),
            Value::Extension(code, bytes) => sink.extension(code, bytes),
        }
    }
}
