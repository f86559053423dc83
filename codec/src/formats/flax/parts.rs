//! The lists and maps of states that are written from their own memory.

use super::Form;
use super::check::Keys;
use super::sink::{At, FlaxSink, Pass};
use crate::checkpoint::{ListSink, MapSink, PartCount, SaveOnce, SeenKeys};
use crate::error::Error;
use crate::formats::msgpack::{Refused, Target, is_long};
use crate::path::Place;
use crate::state::Key;

/// The items of a list or the entries of a map.
pub(super) struct Parts<'s, 'w, 'p, 'a, T> {
    pub(super) pass: &'s mut Pass<'w, T>,
    pub(super) at: At<'p>,
    /// Where in the list of leaves those of a map itself stand, before those of its values.
    first: usize,
    count: PartCount,
    /// True if there is no room for parts.
    pub(super) refused: bool,
    keys: Keys,
    pub(super) seen: SeenKeys<'a>,
}

impl<'s, 'w, 'p, 'a, T: Target> Parts<'s, 'w, 'p, 'a, T> {
    pub(super) fn new(
        pass: &'s mut Pass<'w, T>,
        at: At<'p>,
        count: usize,
        first: usize,
        refused: bool,
    ) -> Self {
        Self {
            pass,
            at,
            first,
            count: PartCount::opened(count),
            refused,
            keys: Keys::default(),
            seen: SeenKeys::default(),
        }
    }

    fn save<V: SaveOnce<'a>>(&mut self, value: V, place: Place<'_>) -> Result<(), Error> {
        let levels = self.at.levels.saturating_sub(1);
        value.save_once(FlaxSink {
            pass: &mut *self.pass,
            at: At {
                place,
                levels,
                ..self.at
            },
        })
    }

    /// Notes a key in the pass that looks for what Flax cannot hold; true if it is refused.
    fn noted(&mut self, key: &Key<'_>) -> bool {
        if !self.pass.is_first {
            return false;
        }
        let options = self.pass.options;
        self.keys.note(key, options);
        match key {
            Key::String(text) => self.own(|refused| refused.length("a key", text.len())),
            Key::Integer(_) => options.form != Form::ToBytes && is_long(key),
        }
    }

    fn close(self) -> Result<(), Error> {
        if self.refused {
            return Ok(());
        }
        let counted = self.count.check();
        counted.map_err(|error| error.under(&self.at.place.path()))
    }

    /// Lets a check refuse the map itself, before its values; true if it did.
    fn own(&mut self, check: impl FnOnce(&mut Refused<'_, '_>)) -> bool {
        if !self.pass.is_first {
            return false;
        }
        let mut own = Vec::new();
        check(&mut Refused::new(&mut own, self.at.place));
        let count = own.len();
        self.pass.leaves.splice(self.first..self.first, own);
        self.first += count;
        count > 0
    }
}

impl<'a, T: Target> ListSink<'a> for Parts<'_, '_, '_, 'a, T> {
    type Ok = ();
    type Error = Error;

    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), Error> {
        if self.refused {
            return Ok(());
        }
        let (up, index) = (self.at.place, self.count.next());
        let place = Place::Index(&up, index as i128);
        self.pass
            .writer
            .item_key(index)
            .map_err(|error| error.under(&place.path()))?;
        self.save(value, place)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl<'a, T: Target> MapSink<'a> for Parts<'_, '_, '_, 'a, T> {
    type Ok = ();
    type Error = Error;

    fn fault(&self, error: Error) -> Error {
        error.under(&self.at.place.path())
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), Error> {
        if self.refused {
            return Ok(());
        }
        self.count.next();
        let up = self.at.place;
        if !self.noted(&key) {
            let written = self.pass.writer.key(&key);
            written.map_err(|error| error.under(&up.path()))?;
        }
        let place = match &key {
            Key::String(text) => Place::Key(&up, text),
            Key::Integer(index) => Place::Index(&up, *index),
        };
        self.save(value, place)?;
        let seen = self.seen.add(&key);
        seen.map_err(|error| error.under(&up.path()))
    }

    fn end(mut self) -> Result<(), Error> {
        let (keys, options) = (std::mem::take(&mut self.keys), self.pass.options);
        let in_list = self.at.in_list;
        self.own(|refused| keys.refuse(options, in_list, refused));
        self.close()
    }
}
