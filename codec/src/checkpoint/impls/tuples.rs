//! Tuples: lists of a fixed length.

use serde::de::{Deserializer, SeqAccess};

use crate::checkpoint::context::Context;
use crate::checkpoint::fields::{RestoreItems, Slot, finish_field, restore_list, take_item};
use crate::checkpoint::items::ListItems;
use crate::checkpoint::mode::Deep;
use crate::checkpoint::plan::Plan;
use crate::checkpoint::sink::{ListSink, Ref, Sink};
use crate::checkpoint::{Restore, Save};
use crate::state::Value;

macro_rules! tuples {
    ($($len:literal: $($index:tt $type:ident $mode:ident),*;)*) => {$(
        tuple!($len; Deep<M>, [M]; $($index $type Deep<M>),*);
        tuple!($len; ($($mode,)*), [$($mode),*]; $($index $type $mode),*);
    )*};
}

macro_rules! tuple {
    ($len:literal; $outer:ty, [$($generics:ident),*]; $($index:tt $type:ident $inner:ty),*) => {
        impl<$($generics,)* $($type: Save<$inner>),*> Save<$outer> for ($($type,)*) {
            const NESTED_NIL: bool = false $(|| $type::NESTED_NIL)*;

            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                let mut list = sink.list($len)?;
                $(list.item(Ref::<$type, $inner>::new(&self.$index))?;)*
                list.end()
            }
        }

        impl<'de, $($generics,)* $($type: Restore<'de, $inner>),*> RestoreItems<'de, $outer>
            for ($($type,)*)
        {
            const LEN: usize = $len;
            type Slots = ($(Slot<$type>,)*);

            fn slots() -> Self::Slots {
                ($(Slot::<$type>::Empty,)*)
            }

            fn take_item<X: SeqAccess<'de>>(
                slots: &mut Self::Slots,
                index: usize,
                seq: &mut X,
                cx: &Context<'_>,
            ) -> Result<bool, X::Error> {
                match index {
                    $($index => take_item::<$type, $inner, X>(&mut slots.$index, seq, &cx.item(index)),)*
                    _ => Ok(false),
                }
            }

            fn finish(slots: Self::Slots, cx: &Context<'_>) -> Option<Self> {
                let values = ($(finish_field(slots.$index, stringify!($index), cx, || None),)*);
                Some(($(values.$index?,)*))
            }
        }

        impl<'de, $($generics,)* $($type: Restore<'de, $inner>),*> Restore<'de, $outer>
            for ($($type,)*)
        {
            const REPLACED: bool = true $(&& $type::REPLACED)*;

            fn restore<X: Deserializer<'de>>(
                deserializer: X,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, X::Error> {
                restore_list::<Self, $outer, X>(deserializer, "a tuple", cx)
            }

            fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
            where
                'de: 's,
            {
                match ListItems::of(value, cx) {
                    Some(items) if items.len() == $len => {
                        $(if let Some(item) = items.get($index) {
                            if cx.item($index).holds_wanted(item) {
                                self.$index.stage(item, &cx.item($index), plan);
                            }
                        })*
                    }
                    _ => cx.mismatch(
                        concat!("a list of the ", $len, " items of a tuple"),
                        super::values::describe(value),
                    ),
                }
            }
        }
    };
}

tuples! {
    1: 0 A P;
    2: 0 A P, 1 B Q;
    3: 0 A P, 1 B Q, 2 C R;
    4: 0 A P, 1 B Q, 2 C R, 3 E T;
    5: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U;
    6: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V;
    7: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W;
    8: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W, 7 I Y;
    9: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W, 7 I Y, 8 J Z;
    10: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W, 7 I Y, 8 J Z, 9 K A1;
    11: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W, 7 I Y, 8 J Z, 9 K A1, 10 L A2;
    12: 0 A P, 1 B Q, 2 C R, 3 E T, 4 F U, 5 G V, 6 H W, 7 I Y, 8 J Z, 9 K A1, 10 L A2, 11 N A3;
}
