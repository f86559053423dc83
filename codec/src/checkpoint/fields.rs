//! Reading the fields of structs, in the order of the file.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::block::ListOf;
use super::context::Context;
use super::entries::Entries;
use super::plan::Plan;
use super::reporting::repeated_entry;
use super::restore::Restore;
use super::visit::{Expect, visit};
use crate::report::Strictness;
use crate::state::Key;

/// A type that is read from the entries of a map: a named struct, or a variant of an enum with
/// named fields, which `V` then names.
pub trait RestoreFields<'de, V = ()>: Sized {
    /// True for types that take any key, as maps do: they come after the others.
    const OPEN: bool = false;
    /// Where the fields are kept until all have come.
    type Slots;

    /// Returns empty slots.
    fn slots() -> Self::Slots;

    /// Reads the value of a key into its slot; false if it has none, and the value is still unread.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn take<A: MapAccess<'de>>(
        slots: &mut Self::Slots,
        key: &Key<'de>,
        map: &mut A,
        cx: &Context<'_>,
    ) -> Result<bool, A::Error>;

    /// Makes the value of its slots; `None` if the report says why there is none.
    fn finish(slots: Self::Slots, cx: &Context<'_>) -> Option<Self>;

    /// Plans to load the entries of a state dict into the fields of this value.
    fn stage_fields<'s>(
        &'s mut self,
        entries: &mut Entries<'_, 'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) where
        'de: 's;
}

/// A type that is read from the items of a list: a tuple, a tuple struct, or a variant of an enum
/// with unnamed fields, which `V` then names.
pub trait RestoreItems<'de, V = ()>: Sized {
    /// How many items there are.
    const LEN: usize;
    /// Where the items are kept until all have come.
    type Slots;

    /// Returns empty slots.
    fn slots() -> Self::Slots;

    /// Reads the item at `index` into its slot; false if the list has ended.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn take_item<A: SeqAccess<'de>>(
        slots: &mut Self::Slots,
        index: usize,
        seq: &mut A,
        cx: &Context<'_>,
    ) -> Result<bool, A::Error>;

    /// Makes the value of its slots; `None` if the report says why there is none.
    fn finish(slots: Self::Slots, cx: &Context<'_>) -> Option<Self>;
}

/// Where a field is kept until all have come.
#[derive(Debug)]
pub enum Slot<T> {
    /// It has not come.
    Empty,
    /// It has come; `None` if the report says why there is no value.
    Taken(Option<T>),
}

impl<T> Slot<T> {
    /// Returns true if the value is to be had elsewhere: it has not come, or what came was reported
    /// and is to be passed over.
    pub fn falls_back(&self, cx: &Context<'_>) -> bool {
        match self {
            Self::Empty => true,
            Self::Taken(value) => value.is_none() && cx.strictness() == Strictness::SkipMismatched,
        }
    }
}

/// Reads a value through [`Restore`].
pub(crate) struct Seed<'c, T, M>(pub(crate) &'c Context<'c>, PhantomData<(T, M)>);

impl<'c, T, M> Seed<'c, T, M> {
    pub(crate) fn new(cx: &'c Context<'c>) -> Self {
        Self(cx, PhantomData)
    }
}

impl<'de, T: Restore<'de, M>, M> DeserializeSeed<'de> for Seed<'_, T, M> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        self.0.passing(T::restore(deserializer, &self.0.located()))
    }
}

/// Reads the value of a field into its slot. `cx` is the field's own.
///
/// # Errors
/// Those of the deserializer.
pub fn take_field<'de, T: Restore<'de, M>, M, A: MapAccess<'de>>(
    slot: &mut Slot<T>,
    map: &mut A,
    cx: &Context<'_>,
) -> Result<(), A::Error> {
    if let Slot::Taken(_) = slot {
        map.next_value_seed(cx.skip())?;
        cx.located()
            .mismatch("one value", "another one for the same field");
        *slot = Slot::Taken(None);
        return Ok(());
    }
    if !cx.is_wanted() {
        return map.next_value_seed(cx.skip());
    }
    let value = map.next_value_seed(Seed::<T, M>::new(cx))?;
    cx.took(value.is_some());
    *slot = Slot::Taken(value);
    Ok(())
}

/// Reads the next item of a list into its slot; false if the list has ended.
///
/// # Errors
/// Those of the deserializer.
pub fn take_item<'de, T: Restore<'de, M>, M, A: SeqAccess<'de>>(
    slot: &mut Slot<T>,
    seq: &mut A,
    cx: &Context<'_>,
) -> Result<bool, A::Error> {
    if !cx.is_wanted() {
        return Ok(seq.next_element_seed(cx.skip())?.is_some());
    }
    match seq.next_element_seed(Seed::<T, M>::new(cx))? {
        Some(value) => {
            cx.took(value.is_some());
            *slot = Slot::Taken(value);
            Ok(true)
        }
        None => Ok(false),
    }
}

/// Takes a field out of its slot, or makes it without; reports it missing where nothing can.
pub fn finish_field<T>(
    slot: Slot<T>,
    key: &str,
    cx: &Context<'_>,
    absent: impl FnOnce() -> Option<T>,
) -> Option<T> {
    match slot {
        slot @ Slot::Taken(None) if slot.falls_back(cx) => absent(),
        Slot::Taken(value) => value,
        Slot::Empty => {
            let value = absent();
            if value.is_none() {
                cx.missing(key);
            }
            value
        }
    }
}

/// Reads a map into the fields of `T`.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_map<'de, T: RestoreFields<'de, V>, V, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    allow_unknown: bool,
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    struct Fields<T, V> {
        expected: &'static str,
        allow_unknown: bool,
        types: PhantomData<(T, V)>,
    }

    impl<'de, T: RestoreFields<'de, V>, V> Expect<'de> for Fields<T, V> {
        type Output = T;

        fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a map of the fields of {}", self.expected)
        }

        fn map<A: MapAccess<'de>>(
            self,
            mut map: A,
            cx: &Context<'_>,
        ) -> Result<Option<T>, A::Error> {
            let (mut slots, mut unknown) = (T::slots(), HashSet::new());
            while let Some(key) = map.next_key::<Key<'de>>()? {
                if T::take(&mut slots, &key, &mut map, cx)? {
                    continue;
                }
                map.next_value_seed(cx.skip_inside()?)?;
                if unknown.contains(&key) {
                    repeated_entry(&key, cx);
                    continue;
                }
                if !self.allow_unknown {
                    cx.unexpected(&key);
                }
                unknown.insert(key);
            }
            Ok(T::finish(slots, cx))
        }
    }

    let types = PhantomData::<(T, V)>;
    visit(
        deserializer,
        Fields {
            expected,
            allow_unknown,
            types,
        },
        cx,
    )
}

/// Reads a list into the items of `T`.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_list<'de, T: RestoreItems<'de, V>, V, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    struct Items<T, V>(&'static str, PhantomData<(T, V)>);

    impl<'de, T: RestoreItems<'de, V>, V> Expect<'de> for Items<T, V> {
        type Output = T;

        fn takes_lists(&self) -> bool {
            true
        }

        fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of the {} items of {}", T::LEN, self.0)
        }

        fn list<A: SeqAccess<'de>>(
            self,
            mut seq: A,
            cx: &Context<'_>,
        ) -> Result<Option<T>, A::Error> {
            let mut slots = T::slots();
            for index in 0..T::LEN {
                if !T::take_item(&mut slots, index, &mut seq, cx)? {
                    cx.mismatch(ListOf(T::LEN).to_string(), format!("one of {index}"));
                    return Ok(None);
                }
            }
            let length = T::LEN + cx.skip_inside()?.items(&mut seq)?;
            if length > T::LEN {
                cx.mismatch(ListOf(T::LEN).to_string(), format!("one of {length}"));
                return Ok(None);
            }
            Ok(T::finish(slots, cx))
        }
    }

    visit(deserializer, Items::<T, V>(expected, PhantomData), cx)
}
