//! Maps with string and integer keys.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use indexmap::IndexMap;
use serde::de::{Deserializer, MapAccess};

use super::map_key::{MapKey, as_text, read};
use crate::checkpoint::context::Context;
use crate::checkpoint::entries::{Entries, report_rest};
use crate::checkpoint::fields::{RestoreFields, Seed};
use crate::checkpoint::guard::guarded_map;
use crate::checkpoint::mode::Deep;
use crate::checkpoint::plan::Plan;
use crate::checkpoint::restore::{replace, restored};
use crate::checkpoint::save::SaveFields;
use crate::checkpoint::sink::{MapSink, Ref, Sink};
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::report::Strictness;
use crate::state::{Key, Value};

/// What the maps of the standard library and indexmap have in common.
trait Map {
    type Key: MapKey;
    type Value;

    fn empty() -> Self;
    /// Entries in the order in which they are written, which never depends on a hash.
    fn ordered<'a>(&'a self) -> impl Iterator<Item = (&'a Self::Key, &'a Self::Value)>
    where
        Self::Value: 'a;
    fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = (&'a Self::Key, &'a mut Self::Value)>
    where
        Self::Value: 'a,
        Self::Key: 'a;
    /// Puts a value under a key; false if there was one.
    fn put(&mut self, key: Self::Key, value: Self::Value) -> bool;
}

macro_rules! map {
    ($([$($generics:tt)*] $type:ty, |$map:ident| $ordered:expr;)*) => {$(
        impl<$($generics)*, V> Map for $type {
            type Key = K;
            type Value = V;

            fn empty() -> Self {
                Self::default()
            }

            fn ordered<'a>(&'a self) -> impl Iterator<Item = (&'a K, &'a V)>
            where
                V: 'a,
            {
                let $map = self;
                $ordered
            }

            fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = (&'a K, &'a mut V)>
            where
                V: 'a,
                K: 'a,
            {
                self.iter_mut()
            }

            fn put(&mut self, key: K, value: V) -> bool {
                self.insert(key, value).is_none()
            }
        }
    )*};
}

map! {
    [K: MapKey + Ord] BTreeMap<K, V>, |map| map.iter();
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] HashMap<K, V, H>, |map| sorted(map);
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] IndexMap<K, V, H>, |map| map.iter();
}

/// The order of a hash map is that of its keys, and not that of a hash.
fn sorted<K: MapKey, V, H>(map: &HashMap<K, V, H>) -> impl Iterator<Item = (&K, &V)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|(left, _), (right, _)| left.to_key().cmp(&right.to_key()));
    entries.into_iter()
}

fn save_entries<'a, T: Map, M, S: MapSink<'a>>(map: &'a T, sink: &mut S) -> Result<(), S::Error>
where
    T::Value: Save<M>,
{
    for (key, value) in map.ordered() {
        sink.entry(key.to_key(), Ref::<T::Value, M>::new(value))?;
    }
    Ok(())
}

struct MapOf<T, M>(PhantomData<(T, M)>);

impl<'de, T: Map, M> Expect<'de> for MapOf<T, M>
where
    T::Value: Restore<'de, M>,
{
    type Output = T;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn map<A: MapAccess<'de>>(self, mut map: A, cx: &Context<'_>) -> Result<Option<T>, A::Error> {
        let (mut entries, mut complete) = (T::empty(), true);
        while let Some(key) = map.next_key::<Key<'de>>()? {
            complete &= take_entry::<T, M, A>(&mut entries, &key, &mut map, cx)?;
        }
        Ok(complete.then_some(entries))
    }
}

/// Reads one entry into a map; false if the report says why it is not there.
fn take_entry<'de, T: Map, M, A: MapAccess<'de>>(
    entries: &mut T,
    key: &Key<'de>,
    map: &mut A,
    cx: &Context<'_>,
) -> Result<bool, A::Error>
where
    T::Value: Restore<'de, M>,
{
    let entry = cx.entry(key);
    if !entry.is_wanted() {
        map.next_value_seed(entry.skip())?;
        return Ok(true);
    }
    let Some(own_key) = read::<T::Key>(key, cx) else {
        map.next_value_seed(entry.skip())?;
        entry
            .located()
            .mismatch(T::Key::EXPECTED, format!("key {key}"));
        return Ok(false);
    };
    let Some(value) = map.next_value_seed(Seed::<T::Value, M>::new(&entry))? else {
        return Ok(false);
    };
    cx.took(true);
    if !entries.put(own_key, value) {
        entry.mismatch("one value", "another one for the same key");
        return Ok(false);
    }
    Ok(true)
}

/// Plans to load a map into one with the same keys.
fn stage_map<'s, 'de: 's, T: Map, M>(
    target: &'s mut T,
    entries: &mut Entries<'_, 'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) where
    T::Value: Restore<'de, M> + 's,
    T::Key: 's,
{
    for (key, target) in target.values_mut() {
        let key = key.to_key();
        let entry = cx.entry(&key);
        let value = entries.take_key(&key);
        let value = value.or_else(|| entries.take_key(&as_text(&key, cx)?));
        match value {
            Some(value) if !entry.holds_wanted(value) => {}
            Some(value) => target.stage(value, &entry, plan),
            None => cx.missing_key(&key),
        }
    }
    // What has no place is reported; only `replace` makes new entries.
    report_rest(entries, cx);
}

/// Returns true for a map that is loaded in place as one value, whatever keys it has.
fn is_whole<'de, T: Map, M>(cx: &Context<'_>) -> bool
where
    T::Value: Restore<'de, M>,
{
    <T::Value as Restore<'de, M>>::REPLACED
        && cx.strictness() == Strictness::Strict
        && cx.is_selected()
}

fn stage<'s, 'de: 's, T: Map + Restore<'de, W>, M, W>(
    target: &'s mut T,
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) where
    T::Value: Restore<'de, M> + 's,
    T::Key: 's,
{
    match value {
        _ if is_whole::<T, M>(cx) || cx.replaces() => replace::<T, W>(target, value, cx, plan),
        Value::Map(dict) => stage_map::<T, M>(target, &mut Entries::new(dict), cx, plan),
        other => cx.mismatch("a map", super::values::describe(other)),
    }
}

macro_rules! maps {
    ($([$($generics:tt)*] $type:ty, [$($mode:tt)*] $outer:ty => $inner:ty;)*) => {$(
        impl<$($generics)*, $($mode)*, V: Save<$inner>> Save<$outer> for $type {
            const NESTED_NIL: bool = V::NESTED_NIL;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                let mut map = guarded_map::<K, S>(sink, self.len())?;
                save_entries::<Self, $inner, _>(self, &mut map)?;
                map.end()
            }
        }

        impl<'de, $($generics)*, $($mode)*, V: Restore<'de, $inner>> Restore<'de, $outer> for $type {
            const REPLACED: bool = V::REPLACED;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                visit(deserializer, MapOf::<Self, $inner>(PhantomData), cx)
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                stage::<Self, $inner, $outer>(self, value, cx, plan);
            }
        }
    )*};
}

maps! {
    [K: MapKey + Ord] BTreeMap<K, V>, [M] Deep<M> => Deep<M>;
    [K: MapKey + Ord] BTreeMap<K, V>, [U] BTreeMap<K, U> => U;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] HashMap<K, V, H>, [M] Deep<M> => Deep<M>;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] HashMap<K, V, H>, [U] HashMap<K, U> => U;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] IndexMap<K, V, H>, [M] Deep<M> => Deep<M>;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] IndexMap<K, V, H>, [U] IndexMap<K, U> => U;
}

/// A flattened map takes every entry that no field has taken.
macro_rules! flattened {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*, V: Save> SaveFields for $type {
            fn count(&self) -> usize {
                self.len()
            }

            fn save_fields<'a, S: MapSink<'a>>(&'a self, map: &mut S) -> Result<(), S::Error> {
                save_entries::<Self, crate::checkpoint::mode::Native, S>(self, map)
            }
        }

        impl<'de, $($generics)*, V: Restore<'de>> RestoreFields<'de> for $type {
            const OPEN: bool = true;
            type Slots = (Self, bool);

            fn slots() -> Self::Slots {
                (Self::empty(), true)
            }

            fn take<A: MapAccess<'de>>(
                slots: &mut Self::Slots,
                key: &Key<'de>,
                map: &mut A,
                cx: &Context<'_>,
            ) -> Result<bool, A::Error> {
                slots.1 &= take_entry::<Self, crate::checkpoint::mode::Native, A>(&mut slots.0, key, map, cx)?;
                Ok(true)
            }

            fn finish((entries, complete): Self::Slots, _: &Context<'_>) -> Option<Self> {
                complete.then_some(entries)
            }

            fn stage_fields<'s>(
                &'s mut self,
                entries: &mut Entries<'_, 'de>,
                cx: &Context<'_>,
                plan: &mut Plan<'s>,
            ) where
                'de: 's,
            {
                if !is_whole::<Self, crate::checkpoint::mode::Native>(cx) {
                    return stage_map::<Self, crate::checkpoint::mode::Native>(self, entries, cx, plan);
                }
                let (mut fresh, mut complete) = (Self::empty(), true);
                for (key, value) in entries.take_rest() {
                    let entry = cx.entry(key);
                    let value = restored::<V, crate::checkpoint::mode::Native>(value, &entry);
                    match (read::<K>(key, cx), value) {
                        (Some(key), Some(value)) => complete &= fresh.put(key, value),
                        (None, _) => {
                            complete = false;
                            entry.mismatch(K::EXPECTED, format!("key {key}"));
                        }
                        (_, None) => complete = false,
                    }
                }
                if complete {
                    plan.step(move || *self = fresh);
                }
            }
        }
    )*};
}

flattened! {
    [K: MapKey + Ord] BTreeMap<K, V>;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] HashMap<K, V, H>;
    [K: MapKey + Eq + Hash, H: BuildHasher + Default] IndexMap<K, V, H>;
}
