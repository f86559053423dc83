//! References and smart pointers: transparent.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use serde::de::Deserializer;

use crate::checkpoint::context::Context;
use crate::checkpoint::mode::Deep;
use crate::checkpoint::plan::Plan;
use crate::checkpoint::restore::replace;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::{Restore, Save};
use crate::state::Value;

macro_rules! transparent {
    ([$($generics:tt)*] $mode:ty => $inner:ty, $type:ty) => {
        impl<$($generics)*> Save<$mode> for $type {
            const NULLABLE: bool = T::NULLABLE;
            const NESTED_NIL: bool = T::NESTED_NIL;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                <T as Save<$inner>>::save(self, sink)
            }
        }
    };
}

transparent!([M, T: Save<Deep<M>> + ?Sized] Deep<M> => Deep<M>, &T);
transparent!([M, T: Save<Deep<M>> + ?Sized] Deep<M> => Deep<M>, &mut T);
transparent!([M, T: Save<Deep<M>> + ?Sized] Deep<M> => Deep<M>, Box<T>);
transparent!([M, T: Save<Deep<M>> + ?Sized] Deep<M> => Deep<M>, Rc<T>);
transparent!([M, T: Save<Deep<M>> + ?Sized] Deep<M> => Deep<M>, Arc<T>);
transparent!([M, T: Save<Deep<M>> + ToOwned + ?Sized] Deep<M> => Deep<M>, Cow<'_, T>);
transparent!([U, T: Save<U>] Box<U> => U, Box<T>);
transparent!([U, T: Save<U>] Rc<U> => U, Rc<T>);
transparent!([U, T: Save<U>] Arc<U> => U, Arc<T>);

macro_rules! owned {
    ($([$($generics:tt)*] $mode:ty => $inner:ty, $pointer:ident;)*) => {$(
        impl<'de, $($generics)*> Restore<'de, $mode> for $pointer<T> {
            const REPLACED: bool = T::REPLACED;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                Ok(<T as Restore<'de, $inner>>::restore(deserializer, cx)?.map($pointer::new))
            }

            fn absent() -> Option<Self> {
                T::absent().map($pointer::new)
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                stage::$pointer::<T, $inner>(self, value, cx, plan);
            }
        }
    )*};
}

owned! {
    [M, T: Restore<'de, Deep<M>>] Deep<M> => Deep<M>, Box;
    [M, T: Restore<'de, Deep<M>>] Deep<M> => Deep<M>, Rc;
    [M, T: Restore<'de, Deep<M>>] Deep<M> => Deep<M>, Arc;
    [U, T: Restore<'de, U>] Box<U> => U, Box;
    [U, T: Restore<'de, U>] Rc<U> => U, Rc;
    [U, T: Restore<'de, U>] Arc<U> => U, Arc;
}

/// What nobody else could see change is all that is loaded in place.
const NOT_SHARED: &str = "a value that nobody else holds (`replace` makes a new one)";

/// What is in a box is loaded in place; shared values only where nobody shares them.
#[allow(non_snake_case)]
mod stage {
    use super::{Arc, Context, NOT_SHARED, Plan, Rc, Restore, Value};
    use crate::checkpoint::restore::restored;

    pub(super) fn Box<'s, 'de: 's, T: Restore<'de, M>, M>(
        target: &'s mut std::boxed::Box<T>,
        value: &Value<'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) {
        (**target).stage(value, cx, plan);
    }

    pub(super) fn Rc<'s, 'de: 's, T: Restore<'de, M>, M>(
        target: &'s mut Rc<T>,
        value: &Value<'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) {
        if Rc::get_mut(target).is_some() {
            if let Some(inner) = Rc::get_mut(target) {
                inner.stage(value, cx, plan);
            }
        } else if !T::REPLACED && !cx.replaces() {
            cx.mismatch(NOT_SHARED, "one that is shared");
        } else if let Some(new) = restored::<T, M>(value, cx) {
            plan.step(move || *target = Rc::new(new));
        }
    }

    pub(super) fn Arc<'s, 'de: 's, T: Restore<'de, M>, M>(
        target: &'s mut Arc<T>,
        value: &Value<'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) {
        if Arc::get_mut(target).is_some() {
            if let Some(inner) = Arc::get_mut(target) {
                inner.stage(value, cx, plan);
            }
        } else if !T::REPLACED && !cx.replaces() {
            cx.mismatch(NOT_SHARED, "one that is shared");
        } else if let Some(new) = restored::<T, M>(value, cx) {
            plan.step(move || *target = Arc::new(new));
        }
    }
}

impl<'de, M, T: Restore<'de, Deep<M>> + Clone> Restore<'de, Deep<M>> for Cow<'_, T> {
    const REPLACED: bool = T::REPLACED;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::restore(d, cx)?.map(Cow::Owned))
    }

    fn absent() -> Option<Self> {
        T::absent().map(Cow::Owned)
    }

    /// What is owned is loaded where it is.
    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        match self {
            Cow::Owned(own) => own.stage(value, cx, plan),
            borrowed => replace::<Self, Deep<M>>(borrowed, value, cx, plan),
        }
    }
}
