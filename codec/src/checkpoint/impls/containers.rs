//! Options, lists, vectors and fixed arrays.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Visitor};

use crate::checkpoint::context::Context;
use crate::checkpoint::guard::NotNil;
use crate::checkpoint::mode::Deep;
use crate::checkpoint::plan::Plan;
use crate::checkpoint::restore::{replace, restored};
use crate::checkpoint::sink::Sink;
use crate::checkpoint::{Restore, Save};
use crate::state::Value;

fn save_option<'a, T: Save<M>, M, S: Sink<'a>>(
    value: &'a Option<T>,
    sink: S,
) -> Result<S::Ok, S::Error> {
    match value {
        None => sink.nil(),
        Some(value) => value.save(NotNil(sink)),
    }
}

struct OptionVisitor<'c, T, M>(&'c Context<'c>, PhantomData<(T, M)>);

impl<'de, T: Restore<'de, M>, M> Visitor<'de> for OptionVisitor<'_, T, M> {
    type Value = Option<Option<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or nil")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Some(None))
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Some(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        Ok(T::restore(inner, self.0)?.map(Some))
    }
}

fn stage_option<'s, 'de: 's, T: Restore<'de, M>, M>(
    target: &'s mut Option<T>,
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    match (value, target) {
        (Value::Nil, target) => plan.step(move || *target = None),
        (value, Some(inner)) => inner.stage(value, cx, plan),
        (value, target @ None) => {
            if let Some(new) = restored::<T, M>(value, cx) {
                plan.step(move || *target = Some(new));
            }
        }
    }
}

macro_rules! option {
    ($([$($generics:tt)*] $mode:ty => $inner:ty;)*) => {$(
        impl<$($generics)* T: Save<$inner>> Save<$mode> for Option<T> {
            const NULLABLE: bool = true;
            const NESTED_NIL: bool = T::NULLABLE || T::NESTED_NIL;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                save_option::<T, $inner, S>(self, sink)
            }
        }

        impl<'de, $($generics)* T: Restore<'de, $inner>> Restore<'de, $mode> for Option<T> {
            const REPLACED: bool = T::REPLACED;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                deserializer.deserialize_option(OptionVisitor::<T, $inner>(cx, PhantomData))
            }

            fn absent() -> Option<Self> {
                Some(None)
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                stage_option::<T, $inner>(self, value, cx, plan);
            }
        }
    )*};
}

option! {
    [M,] Deep<M> => Deep<M>;
    [U,] Option<U> => U;
}

macro_rules! vectors {
    ($([$($generics:tt)*] $mode:ty => $inner:ty;)*) => {$(
        impl<$($generics)* T: Save<$inner>> Save<$mode> for Vec<T> {
            const NESTED_NIL: bool = T::NESTED_NIL;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                T::save_block(self, &[self.len()], sink)
            }
        }

        impl<'de, $($generics)* T: Restore<'de, $inner>> Restore<'de, $mode> for Vec<T> {
            const REPLACED: bool = T::REPLACED;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                T::restore_block(deserializer, &[None], cx)
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                if T::REPLACED || cx.replaces() {
                    replace::<Self, $mode>(self, value, cx, plan);
                } else {
                    let extents = [self.len()];
                    T::stage_block(self, &extents, value, cx, plan);
                }
            }
        }
    )*};
}

vectors! {
    [M,] Deep<M> => Deep<M>;
    [U,] Vec<U> => U;
}

/// Slices can be saved; `Box<[T]>` and `&[T]` are this behind a pointer.
impl<M, T: Save<Deep<M>>> Save<Deep<M>> for [T] {
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        T::save_block(self, &[self.len()], sink)
    }
}

impl<'de, M, T: Restore<'de, Deep<M>>> Restore<'de, Deep<M>> for Box<[T]> {
    const REPLACED: bool = T::REPLACED;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::restore_block(d, &[None], cx)?.map(Vec::into_boxed_slice))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        if T::REPLACED || cx.replaces() {
            replace::<Self, Deep<M>>(self, value, cx, plan);
        } else {
            let extents = [self.len()];
            T::stage_block(self, &extents, value, cx, plan);
        }
    }
}

impl<M, T: Save<Deep<M>>> Save<Deep<M>> for VecDeque<T> {
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        // Where the ring is cut does not show.
        match self.as_slices() {
            (items, []) => T::save_block(items, &[items.len()], sink),
            (front, back) => T::save_split([front, back], &[self.len()], sink),
        }
    }
}

impl<'de, M, T: Restore<'de, Deep<M>>> Restore<'de, Deep<M>> for VecDeque<T> {
    const REPLACED: bool = T::REPLACED;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::restore_block(d, &[None], cx)?.map(VecDeque::from))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        if T::REPLACED || cx.replaces() {
            replace::<Self, Deep<M>>(self, value, cx, plan);
        } else {
            let extents = [self.len()];
            T::stage_block(self.make_contiguous(), &extents, value, cx, plan);
        }
    }
}

fn extended<E: Copy>(extents: &[E], last: E) -> Vec<E> {
    let mut extents = extents.to_vec();
    extents.push(last);
    extents
}

macro_rules! fixed {
    ($([$($generics:tt)*] $mode:ty => $inner:ty;)*) => {$(
        impl<$($generics)* T: Save<$inner>, const N: usize> Save<$mode> for [T; N] {
            const NESTED_NIL: bool = T::NESTED_NIL;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                T::save_block(self, &[N], sink)
            }

            fn save_block<'a, S: Sink<'a>>(
                items: &'a [Self],
                extents: &[usize],
                sink: S,
            ) -> Result<S::Ok, S::Error> {
                T::save_block(items.as_flattened(), &extended(extents, N), sink)
            }

            fn save_split<'a, S: Sink<'a>>(
                halves: [&'a [Self]; 2],
                extents: &[usize],
                sink: S,
            ) -> Result<S::Ok, S::Error> {
                T::save_split(halves.map(<[Self]>::as_flattened), &extended(extents, N), sink)
            }
        }

        impl<'de, $($generics)* T: Restore<'de, $inner>, const N: usize> Restore<'de, $mode> for [T; N] {
            const REPLACED: bool = T::REPLACED;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                let items = T::restore_block(deserializer, &[Some(N)], cx)?;
                // Cannot fail: the block has exactly as many items as were asked for.
                Ok(items.and_then(|items| items.try_into().ok()))
            }

            fn restore_block<D: Deserializer<'de>>(
                deserializer: D,
                extents: &[Option<usize>],
                cx: &Context<'_>,
            ) -> Result<Option<Vec<Self>>, D::Error> {
                let (extended, length) = (extended(extents, Some(N)), Cell::new(0));
                let items = T::restore_block(deserializer, &extended, &cx.counting(&length))?;
                cx.counted(length.get());
                Ok(items.map(|items| rows(items, extents, length.get())))
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                if T::REPLACED {
                    replace::<Self, $mode>(self, value, cx, plan);
                } else {
                    T::stage_block(self, &[N], value, cx, plan);
                }
            }

            fn stage_block<'s>(
                items: &'s mut [Self],
                extents: &[usize],
                value: &Value<'de>,
                cx: &Context<'_>,
                plan: &mut Plan<'s>,
            ) where
                'de: 's,
            {
                T::stage_block(items.as_flattened_mut(), &extended(extents, N), value, cx, plan);
            }
        }
    )*};
}

fixed! {
    [M,] Deep<M> => Deep<M>;
    [U,] Vec<U> => U;
}

/// Cuts a block of the given extents into rows of `N` items, which may be none. `length` stands for
/// the extent that was not known.
fn rows<T, const N: usize>(items: Vec<T>, extents: &[Option<usize>], length: usize) -> Vec<[T; N]> {
    let mut items = items.into_iter();
    let extents = extents.iter().map(|extent| extent.unwrap_or(length));
    let count = items.len().checked_div(N).unwrap_or(extents.product());
    let row = |_| <[T; N]>::try_from(items.by_ref().take(N).collect::<Vec<_>>()).ok();
    let mut rows = Vec::new();
    // What the items take; rows of none take nothing.
    rows.reserve_exact(count);
    rows.extend((0..count).filter_map(row));
    rows
}
