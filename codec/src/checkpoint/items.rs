//! The items of a value that is a list, or that stands for one.

use super::context::Context;
use crate::state::Value;

/// The items of a list, or of a map with the keys "0", "1", ... where such maps are lists.
#[doc(hidden)]
#[derive(Debug)]
pub struct ListItems<'v, 'de>(Kind<'v, 'de>);

#[derive(Debug)]
enum Kind<'v, 'de> {
    List(&'v [Value<'de>]),
    Map(Vec<&'v Value<'de>>),
}

impl<'v, 'de> ListItems<'v, 'de> {
    /// Returns the items of a value, if it is a list here.
    pub(super) fn of(value: &'v Value<'de>, cx: &Context<'_>) -> Option<Self> {
        match value {
            Value::List(items) => Some(Self(Kind::List(items))),
            Value::Map(map) if cx.lists_are_maps() => {
                map.listed().map(|items| Self(Kind::Map(items)))
            }
            _ => None,
        }
    }

    /// Returns how many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::List(items) => items.len(),
            Kind::Map(items) => items.len(),
        }
    }

    /// Returns true if there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the item at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> Option<&'v Value<'de>> {
        match &self.0 {
            Kind::List(items) => items.get(position),
            Kind::Map(items) => items.get(position).copied(),
        }
    }

    /// Iterates over the items.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'v Value<'de>> {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}
