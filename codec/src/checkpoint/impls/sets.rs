//! Sets, written as sorted lists.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use serde::de::Deserializer;

use crate::checkpoint::context::Context;
use crate::checkpoint::mode::Deep;
use crate::checkpoint::sink::{ListSink, Ref, Sink};
use crate::checkpoint::{Restore, Save};

fn save<'a, T: Save<M> + 'a, M, S: Sink<'a>>(
    items: impl ExactSizeIterator<Item = &'a T>,
    sink: S,
) -> Result<S::Ok, S::Error> {
    let mut list = sink.list(items.len())?;
    for item in items {
        list.item(Ref::<T, M>::new(item))?;
    }
    list.end()
}

/// Collects a set; two equal items are reported, since one of them would be lost.
fn collect<T, C: FromIterator<T>>(
    items: Vec<T>,
    len: impl Fn(&C) -> usize,
    cx: &Context<'_>,
) -> Option<C> {
    let count = items.len();
    let set: C = items.into_iter().collect();
    if len(&set) != count {
        cx.mismatch("a list of different items", "two equal items");
        return None;
    }
    Some(set)
}

impl<M, T: Save<Deep<M>>> Save<Deep<M>> for BTreeSet<T> {
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        save::<T, Deep<M>, S>(self.iter(), sink)
    }
}

impl<'de, M, T: Restore<'de, Deep<M>> + Ord> Restore<'de, Deep<M>> for BTreeSet<T> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::restore_block(d, &[None], cx)?.and_then(|items| collect(items, Self::len, cx)))
    }
}

impl<M, T: Save<Deep<M>> + Ord, H> Save<Deep<M>> for HashSet<T, H> {
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut items: Vec<&T> = self.iter().collect();
        items.sort();
        save::<T, Deep<M>, S>(items.into_iter(), sink)
    }
}

impl<'de, M, T, H> Restore<'de, Deep<M>> for HashSet<T, H>
where
    T: Restore<'de, Deep<M>> + Eq + Hash,
    H: BuildHasher + Default,
{
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::restore_block(d, &[None], cx)?.and_then(|items| collect(items, Self::len, cx)))
    }
}
