//! Sinks that refuse what could not be read back: mistakable and repeated keys, `Some` of nil.

use std::borrow::Cow;
use std::collections::HashSet;

use num_complex::Complex;

use super::impls::MapKey;
use super::reporting::repeated;
use super::sink::{MapSink, SaveOnce, Sink};
use crate::encoding::{InMemory, Integer, NumpyEncoding, Outline};
use crate::error::{Error, ErrorKind};
use crate::path::Place;
use crate::state::Key;

/// Watches the keys of a map whose keys are not known when the program is compiled.
#[derive(Debug)]
pub struct Guarded<'a, M> {
    map: M,
    /// The keys so far, where two sources could give the same one.
    seen: Option<HashSet<Key<'a>>>,
    mistakable: Mistakable,
}

/// Looks for the keys by which Python's decoder takes a map for an array or an integer.
#[derive(Debug, Default)]
pub(crate) struct Mistakable {
    array: u8,
}

impl Mistakable {
    /// Takes the next key; returns what a map with the keys so far is taken for.
    pub(crate) fn note(&mut self, key: &Key<'_>) -> Option<&'static str> {
        self.array |= match key.as_str()? {
            "integer" => return Some("an integer"),
            "shape" => 1,
            "data" => 2,
            "dtype" => 4,
            _ => 0,
        };
        (self.array == 7).then_some("an array")
    }
}

/// Opens a guarded map: with flattened fields, or with the keys of a user's map.
///
/// # Errors
/// Those of the sink.
pub fn guarded<'a, S: Sink<'a>>(sink: S, len: usize) -> Result<Guarded<'a, S::Map>, S::Error> {
    Ok(Guarded {
        map: sink.map_of_different(len)?,
        seen: Some(HashSet::new()),
        mistakable: Mistakable::default(),
    })
}

/// Opens a map with the keys of another one, which are different if their type says so.
pub(crate) fn guarded_map<'a, K: MapKey, S: Sink<'a>>(
    sink: S,
    len: usize,
) -> Result<Guarded<'a, S::Map>, S::Error> {
    Ok(Guarded {
        map: sink.map_of_different(len)?,
        seen: (!K::DIFFERENT).then(HashSet::new),
        mistakable: Mistakable::default(),
    })
}

impl<'a, M: MapSink<'a>> Guarded<'a, M> {
    fn check(&mut self, key: &Key<'a>) -> Result<(), ErrorKind> {
        match self.mistakable.note(key) {
            Some(taken_for) => Err(ErrorKind::MistakableMap { taken_for }),
            None => Ok(()),
        }
    }

    /// Keeps a key, and refuses one that was there.
    fn note(&mut self, key: &Key<'a>) -> Result<(), M::Error> {
        let seen = self.seen.as_mut();
        if seen.is_some_and(|seen| !seen.insert(key.clone())) {
            return Err(self.map.fault(repeated(key).into()));
        }
        Ok(())
    }
}

impl<'a, M: MapSink<'a>> MapSink<'a> for Guarded<'a, M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn fault(&self, error: Error) -> M::Error {
        self.map.fault(error)
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), M::Error> {
        self.check(&key)
            .map_err(|kind| self.map.fault(kind.into()))?;
        self.note(&key)?;
        self.map.entry(key, value)
    }

    fn reserve(&mut self, key: &'static str) -> Result<(), M::Error> {
        self.note(&Key::from(key))
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.map.end()
    }
}

/// Takes the value of a `Some`, which must not be nil itself.
pub(crate) struct NotNil<S>(pub(crate) S);

impl<'a, S: Sink<'a>> Sink<'a> for NotNil<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type List = S::List;
    type Map = S::Map;

    fn place(&self) -> Place<'_> {
        self.0.place()
    }

    fn fault(&self, error: Error) -> S::Error {
        self.0.fault(error)
    }

    fn in_rows(self) -> Self {
        Self(self.0.in_rows())
    }

    fn is_in_rows(&self) -> bool {
        self.0.is_in_rows()
    }

    fn nil(self) -> Result<S::Ok, S::Error> {
        Err(self.0.fault(ErrorKind::NestedNil.into()))
    }

    fn bool(self, value: bool) -> Result<S::Ok, S::Error> {
        self.0.bool(value)
    }

    fn integer(self, value: Integer<'a>) -> Result<S::Ok, S::Error> {
        self.0.integer(value)
    }

    fn float32(self, value: f32) -> Result<S::Ok, S::Error> {
        self.0.float32(value)
    }

    fn float64(self, value: f64) -> Result<S::Ok, S::Error> {
        self.0.float64(value)
    }

    fn string(self, text: Cow<'a, str>) -> Result<S::Ok, S::Error> {
        self.0.string(text)
    }

    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<S::Ok, S::Error> {
        self.0.bytes(bytes)
    }

    fn array(self, array: NumpyEncoding<'a>) -> Result<S::Ok, S::Error> {
        self.0.array(array)
    }

    fn array_with(
        self,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<S::Ok, S::Error> {
        self.0.array_with(make)
    }

    fn array_outlined(
        self,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<S::Ok, S::Error> {
        self.0.array_outlined(outline, make)
    }

    fn array_in_memory(
        self,
        array: Option<InMemory<'_, 'a>>,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<S::Ok, S::Error> {
        self.0.array_in_memory(array, outline, make)
    }

    fn complex(self, value: Complex<f64>) -> Result<S::Ok, S::Error> {
        self.0.complex(value)
    }

    fn extension(self, code: i8, bytes: Cow<'a, [u8]>) -> Result<S::Ok, S::Error> {
        self.0.extension(code, bytes)
    }

    fn list(self, len: usize) -> Result<S::List, S::Error> {
        self.0.list(len)
    }

    fn map(self, len: usize) -> Result<S::Map, S::Error> {
        self.0.map(len)
    }

    fn map_of_different(self, len: usize) -> Result<S::Map, S::Error> {
        self.0.map_of_different(len)
    }
}
