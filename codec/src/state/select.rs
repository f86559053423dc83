//! Reading values in part: what patterns select, and what becomes of the rest.

use super::de::ValueSeed;
use super::recognise::is_part_of_array;
use super::{Key, StateDict, Value};
use crate::encoding::Skip;
use crate::path::{Place, Reach, reach};

impl ValueSeed<'_> {
    /// Returns true if not everything is read.
    pub(super) fn is_partial(&self) -> bool {
        !self.only.is_empty()
    }

    pub(super) fn reach(&self) -> Reach {
        match self.only {
            [] => Reach::Selected,
            only => reach(only, &self.place.path()),
        }
    }

    /// Returns how a value is read past that nobody wants.
    pub(super) fn skip(&self) -> Skip {
        Skip::levels(self.depth)
    }

    /// Returns what is kept of a value, of which all that nobody wants has been left out: lists and
    /// maps that hold something, and what is selected itself.
    pub(crate) fn kept<'de>(&self, value: Value<'de>) -> Option<Value<'de>> {
        let holds_something = match &value {
            Value::List(items) => !items.is_empty(),
            Value::Map(map) => !map.is_empty(),
            _ => false,
        };
        match holds_something || self.reach() == Reach::Selected {
            true => Some(value),
            false => self.keeps_places.then_some(Value::Nil),
        }
    }

    /// Leaves out of a map what stands under the keys of an array, and is no part of one.
    pub(super) fn without_parts<'de>(&self, dict: StateDict<'de>) -> StateDict<'de> {
        let entries = dict.into_iter().filter_map(|(key, value)| {
            if !is_part_of_array(&key) {
                return Some((key, value));
            }
            let value = self.under(&key, |entry| entry.pruned(value))?;
            Some((key, value))
        });
        entries.collect()
    }

    fn under<T>(&self, key: &Key<'_>, look: impl FnOnce(ValueSeed<'_>) -> T) -> T {
        let place = match key {
            Key::String(text) => Place::Key(&self.place, text),
            Key::Integer(value) => Place::Index(&self.place, *value),
        };
        look(self.inner(place))
    }

    /// Leaves out of a value what nobody wants.
    fn pruned<'de>(&self, value: Value<'de>) -> Option<Value<'de>> {
        match self.reach() {
            Reach::Selected => return Some(value),
            Reach::Outside => return self.keeps_places.then_some(Value::Nil),
            Reach::Above => {}
        }
        let value = match value {
            Value::List(items) => {
                let items = items.into_iter().enumerate().filter_map(|(index, item)| {
                    let place = Place::Index(&self.place, index as i128);
                    self.inner(place).pruned(item)
                });
                Value::List(items.collect())
            }
            Value::Map(dict) => {
                let entries = dict.into_iter().filter_map(|(key, value)| {
                    let value = self.under(&key, |entry| entry.pruned(value))?;
                    Some((key, value))
                });
                Value::Map(entries.collect())
            }
            leaf => leaf,
        };
        self.kept(value)
    }
}
