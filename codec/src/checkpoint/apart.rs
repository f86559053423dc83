//! A mode that keeps the fields of one type apart.

use std::marker::PhantomData;

use serde::de::Deserializer;

use super::context::Context;
use super::plan::Plan;
use super::restore::Restore;
use super::save::Save;
use super::sink::Sink;
use crate::state::Value;

/// The mode `M` of field `N`.
///
/// Where clauses that differ in lifetimes only, `&'a str: Restore<'de>` and `&'b str: Restore<'de>`,
/// are ambiguous to the compiler; as `Nth<0, M>` and `Nth<1, M>` they are not.
#[derive(Debug)]
pub struct Nth<const N: usize, M>(PhantomData<M>);

impl<T: Save<M> + ?Sized, M, const N: usize> Save<Nth<N, M>> for T {
    const NULLABLE: bool = T::NULLABLE;
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        <T as Save<M>>::save(self, sink)
    }
}

impl<'de, T: Restore<'de, M>, M, const N: usize> Restore<'de, Nth<N, M>> for T {
    const REPLACED: bool = T::REPLACED;

    fn restore<D: Deserializer<'de>>(
        deserializer: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error> {
        <T as Restore<'de, M>>::restore(deserializer, cx)
    }

    fn absent() -> Option<Self> {
        <T as Restore<'de, M>>::absent()
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        <T as Restore<'de, M>>::stage(self, value, cx, plan);
    }
}
