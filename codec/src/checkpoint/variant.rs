//! Enums: a variant is its name, or a map of its name to its content.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess};

use super::context::Context;
use super::items::ListItems;
use super::plan::Plan;
use super::sink::{MapSink, SaveOnce, Sink};
use super::visit::{Expect, visit};
use crate::state::{Key, Value};

/// An enum that writes the content of the variant that it is.
pub trait SaveVariant {
    /// Writes the content, which a unit variant has none of.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_content<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error>;
}

/// Writes a variant with content: `{name: content}`.
///
/// # Errors
/// Those of the sink.
pub fn save_variant<'a, T: SaveVariant, S: Sink<'a>>(
    value: &'a T,
    name: &'static str,
    sink: S,
) -> Result<S::Ok, S::Error> {
    struct Content<'a, T>(&'a T);

    impl<'a, T: SaveVariant> SaveOnce<'a> for Content<'a, T> {
        fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
            self.0.save_content(sink)
        }
    }

    let mut map = sink.map_of_different(1)?;
    map.entry(Key::from(name), Content(value))?;
    map.end()
}

/// What a name stands for.
#[derive(Debug)]
pub enum Found<T> {
    /// A variant without content.
    Unit(T),
    /// The number of a variant with content.
    Content(usize),
}

/// An enum that is read by the name of its variant.
pub trait RestoreVariant<'de>: Sized {
    /// The names of all variants, aliases left out.
    const NAMES: &'static [&'static str];

    /// Finds the variant with a name or alias.
    fn find(name: &str) -> Option<Found<Self>>;

    /// Reads the content of a variant, by the number that [`find`](Self::find) gave.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn restore_content<D: Deserializer<'de>>(
        number: usize,
        deserializer: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error>;
}

/// Reads an enum.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_variant<'de, T: RestoreVariant<'de>, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    visit(deserializer, Variant::<T>(expected, PhantomData), cx)
}

struct Variant<T>(&'static str, PhantomData<T>);

impl<'de, T: RestoreVariant<'de>> Variant<T> {
    fn unknown(&self, name: &str, cx: &Context<'_>) -> Option<T> {
        self.refuse(format_args!("the variant {name:?}"), cx)
    }
}

impl<'de, T: RestoreVariant<'de>> Expect<'de> for Variant<T> {
    type Output = T;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a variant of {}: {}", self.0, T::NAMES.join(", "))
    }

    fn text(self, name: Cow<'de, str>, cx: &Context<'_>) -> Option<T> {
        match T::find(&name) {
            Some(Found::Unit(value)) => Some(value),
            Some(Found::Content(_)) => {
                cx.mismatch(
                    format!("a map of {name:?} to its content"),
                    "the name alone",
                );
                None
            }
            None => self.unknown(&name, cx),
        }
    }

    fn map<A: MapAccess<'de>>(self, mut map: A, cx: &Context<'_>) -> Result<Option<T>, A::Error> {
        let Some(key) = map.next_key::<Key<'de>>()? else {
            return Ok(self.refuse("an empty map", cx));
        };
        let value = match key.as_str().and_then(T::find) {
            Some(Found::Content(number)) => {
                map.next_value_seed(Content(number, &cx.entry(&key), PhantomData))?
            }
            Some(Found::Unit(_)) => {
                map.next_value_seed(cx.skip_inside()?)?;
                cx.mismatch(
                    format!("{key}, which has no content"),
                    format!("a map of {key}"),
                );
                None
            }
            None => {
                map.next_value_seed(cx.skip_inside()?)?;
                self.refuse(format_args!("a map with the key {key}"), cx)
            }
        };
        let more = cx.skip_inside()?.entries(&mut map)?;
        if more > 0 && value.is_some() {
            return Ok(self.refuse(
                format_args!("a map of {} entries", more.saturating_add(1)),
                cx,
            ));
        }
        Ok(value)
    }
}

struct Content<'c, T>(usize, &'c Context<'c>, PhantomData<T>);

impl<'de, T: RestoreVariant<'de>> DeserializeSeed<'de> for Content<'_, T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        T::restore_content(self.0, deserializer, &self.1.located())
    }
}

/// Returns the name and the content of a value that is a variant with content.
#[must_use]
pub fn variant<'v, 'de>(value: &'v Value<'de>) -> Option<(&'v str, &'v Value<'de>)> {
    let map = value.as_map().filter(|map| map.len() == 1)?;
    let (key, content) = map.iter().next()?;
    Some((key.as_str()?, content))
}

/// Plans to load a list into the `len` items of a value.
pub fn stage_list<'de, 's>(
    value: &Value<'de>,
    expected: &'static str,
    len: usize,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
    stage: impl FnOnce(&ListItems<'_, 'de>, &Context<'_>, &mut Plan<'s>),
) {
    match ListItems::of(value, cx) {
        Some(items) if items.len() == len => stage(&items, cx, plan),
        Some(items) => {
            cx.mismatch(
                format!("a list of {len} items"),
                format!("one of {}", items.len()),
            );
        }
        None => cx.mismatch(
            format!("a list of the {len} items of {expected}"),
            value.kind(),
        ),
    }
}
