//! A map that refuses keys which Python's decoder would mistake, and repeated ones.

use std::collections::HashSet;

use super::fields::repeated;
use super::sink::{MapSink, SaveOnce, Sink};
use crate::error::{Error, ErrorKind};
use crate::state::Key;

/// Watches the keys of a map whose keys are not known when the program is compiled.
#[derive(Debug)]
pub struct Guarded<'a, M> {
    map: M,
    seen: HashSet<Key<'a>>,
    array: u8,
}

/// Opens a guarded map: with flattened fields, or with the keys of a user's map.
///
/// # Errors
/// Those of the sink.
pub fn guarded<'a, S: Sink<'a>>(sink: S, len: usize) -> Result<Guarded<'a, S::Map>, S::Error> {
    Ok(Guarded {
        map: sink.map(len)?,
        seen: HashSet::new(),
        array: 0,
    })
}

impl<'a, M: MapSink<'a>> Guarded<'a, M> {
    fn check(&mut self, key: &Key<'a>) -> Result<(), ErrorKind> {
        let Key::String(text) = key else {
            return Ok(());
        };
        self.array |= match text.as_ref() {
            "integer" => {
                let taken_for = "an integer";
                return Err(ErrorKind::MistakableMap { taken_for });
            }
            "shape" => 1,
            "data" => 2,
            "dtype" => 4,
            _ => 0,
        };
        if self.array == 7 {
            let taken_for = "an array";
            return Err(ErrorKind::MistakableMap { taken_for });
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
        if !self.seen.insert(key.clone()) {
            return Err(self.map.fault(repeated(&key).into()));
        }
        self.map.entry(key, value)
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.map.end()
    }
}
