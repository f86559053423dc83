//! Reading a part of a state: the value at a path, past everything beside it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::context::Context;
use super::plan::Plan;
use super::reporting::repeated_entry;
use super::restore::Restore;
use super::visit::{Expect, visit};
use crate::path::Segment;
use crate::state::{Key, Value};

/// Reads the value at a path below the place.
pub(super) fn restore_at<'de, T: Restore<'de, M>, M, D: Deserializer<'de>>(
    deserializer: D,
    path: &[Segment],
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    match path.split_first() {
        None => T::restore(deserializer, cx),
        Some((next, below)) => {
            let types = PhantomData::<(T, M)>;
            visit(deserializer, Descend { next, below, types }, cx)
        }
    }
}

/// Stages a value of a state that is a part of a larger one.
pub(super) fn stage_at<'s, 'de: 's, T: Restore<'de>>(
    target: &'s mut T,
    path: &[Segment],
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    match path.split_first() {
        None if !cx.holds_wanted(value) => {}
        None => target.stage(value, cx, plan),
        Some((next, below)) => stage_at(target, below, value, &under(next, cx), plan),
    }
}

fn under<'c>(segment: &'c Segment, cx: &'c Context<'_>) -> Context<'c> {
    match segment {
        Segment::Key(key) => cx.field(key),
        Segment::Index(index) => cx.at_index(*index),
    }
}

fn is_key(segment: &Segment, key: &Key<'_>) -> bool {
    match (segment, key) {
        (Segment::Key(own), Key::String(key)) => own == key,
        (Segment::Index(own), Key::Integer(key)) => own == key,
        _ => false,
    }
}

/// Steps down into a map or list.
struct Descend<'p, T, M> {
    next: &'p Segment,
    below: &'p [Segment],
    types: PhantomData<(T, M)>,
}

impl<T, M> Descend<'_, T, M> {
    fn missing(&self, cx: &Context<'_>) {
        match self.next {
            Segment::Key(key) => cx.missing(key),
            Segment::Index(index) => cx.missing_key(&Key::Integer(*index)),
        }
    }
}

impl<'de, T: Restore<'de, M>, M> Expect<'de> for Descend<'_, T, M> {
    type Output = T;

    fn takes_lists(&self) -> bool {
        matches!(self.next, Segment::Index(_))
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next {
            Segment::Key(key) => write!(f, "a map with the key {key:?}"),
            Segment::Index(index) => write!(f, "a list or map with [{index}]"),
        }
    }

    fn map<A: MapAccess<'de>>(self, mut map: A, cx: &Context<'_>) -> Result<Option<T>, A::Error> {
        let inside = cx.skip_inside()?;
        let mut found = None;
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let is_next = is_key(self.next, &key);
            if found.is_none() && is_next {
                found = Some(map.next_value_seed(Below(&self, cx))?);
                continue;
            }
            map.next_value_seed(inside)?;
            if is_next {
                repeated_entry(&key, cx);
                found = Some(None);
            }
        }
        if found.is_none() {
            self.missing(cx);
        }
        Ok(found.flatten())
    }

    fn list<A: SeqAccess<'de>>(self, mut seq: A, cx: &Context<'_>) -> Result<Option<T>, A::Error> {
        let inside = cx.skip_inside()?;
        let (mut found, mut index) = (None, 0);
        loop {
            let item = if *self.next == Segment::Index(index) {
                let item = seq.next_element_seed(Below(&self, cx))?;
                let is_there = item.is_some();
                found = item;
                is_there
            } else {
                seq.next_element_seed(inside)?.is_some()
            };
            if !item {
                break;
            }
            index += 1;
        }
        if found.is_none() {
            self.missing(cx);
        }
        Ok(found.flatten())
    }
}

/// Reads on below the next step.
struct Below<'p, 'c, T, M>(&'p Descend<'p, T, M>, &'c Context<'c>);

impl<'de, T: Restore<'de, M>, M> DeserializeSeed<'de> for Below<'_, '_, T, M> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        let Self(descend, cx) = self;
        restore_at(
            deserializer,
            descend.below,
            &under(descend.next, cx).located(),
        )
    }
}

/// The tree of values of a file, whose payloads stay in their source.
pub(crate) struct Structure<'de>(pub(crate) Value<'de>);

impl<'de> Restore<'de> for Structure<'de> {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        cx.structure_seed().deserialize(d).map(Self).map(Some)
    }
}
