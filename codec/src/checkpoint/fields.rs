//! Reading the fields of structs, in the order of the file.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::block::ListOf;
use super::context::Context;
use super::plan::Plan;
use super::reporting::repeated_entry;
use super::restore::Restore;
use super::visit::{Expect, visit};
use crate::report::Strictness;
use crate::state::{Key, StateDict, Value};

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

/// The entries of a state dict while a state takes what is its own.
#[derive(Debug)]
pub struct Entries<'v, 'de> {
    dict: &'v StateDict<'de>,
    taken: Vec<bool>,
}

impl<'v, 'de> Entries<'v, 'de> {
    pub(crate) fn new(dict: &'v StateDict<'de>) -> Self {
        let taken = vec![false; dict.len()];
        Self { dict, taken }
    }

    /// Takes the value of a field under its key or one of its aliases; two at once are reported.
    pub fn take(&mut self, names: &[&str], cx: &Context<'_>) -> Option<&'v Value<'de>> {
        let mut found = None;
        for name in names {
            let Some(position) = self.dict.position(*name) else {
                continue;
            };
            if std::mem::replace(&mut self.taken[position], true) {
                continue;
            }
            if found.is_some() {
                cx.field(name)
                    .mismatch("one value", "another one for the same field");
            }
            found = found.or_else(|| self.dict.entry_at(position).map(|(_, value)| value));
        }
        found
    }

    /// Takes the value under one key.
    pub(crate) fn take_key(&mut self, key: &Key<'_>) -> Option<&'v Value<'de>> {
        let position = self.dict.position_of(key)?;
        if std::mem::replace(&mut self.taken[position], true) {
            return None;
        }
        self.dict.entry_at(position).map(|(_, value)| value)
    }

    /// Takes all entries that nobody has taken.
    pub(crate) fn take_rest(&mut self) -> impl Iterator<Item = (&'v Key<'de>, &'v Value<'de>)> {
        let dict = self.dict;
        let free = self.taken.iter_mut().enumerate();
        free.filter_map(
            move |(position, taken)| match std::mem::replace(taken, true) {
                true => None,
                false => dict.entry_at(position),
            },
        )
    }
}

/// Plans to load a map into the fields of a value; what is left over is reported as unexpected.
pub fn stage_map<'de, 's>(
    value: &Value<'de>,
    expected: &'static str,
    allow_unknown: bool,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
    stage: impl FnOnce(&mut Entries<'_, 'de>, &Context<'_>, &mut Plan<'s>),
) {
    let Value::Map(dict) = value else {
        cx.mismatch(format!("a map of the fields of {expected}"), value.kind());
        return;
    };
    let mut entries = Entries::new(dict);
    stage(&mut entries, cx, plan);
    if !allow_unknown {
        report_rest(&mut entries, cx);
    }
}

/// Reports the entries that nobody has taken, where they are wanted.
pub(crate) fn report_rest(entries: &mut Entries<'_, '_>, cx: &Context<'_>) {
    for (key, value) in entries.take_rest() {
        if cx.entry(key).holds_wanted(value) {
            cx.unexpected(key);
        }
    }
}

/// Plans to load a field. `cx` is the struct's own context and `field` the field's.
///
/// A field that the dict lacks gets the value that a fresh one would have; under
/// [`Strictness::Lenient`] it stays as it is and is reported.
pub fn stage_field<'de, 's, T: Restore<'de, M> + 's, M>(
    target: &'s mut T,
    value: Option<&Value<'de>>,
    key: &str,
    cx: &Context<'_>,
    field: &Context<'_>,
    plan: &mut Plan<'s>,
    absent: impl FnOnce() -> Option<T>,
) where
    'de: 's,
{
    match value {
        Some(value) if !field.holds_wanted(value) => {}
        Some(value) if field.replaces() => {
            super::restore::replace::<T, M>(target, value, field, plan)
        }
        Some(value) => target.stage(value, field, plan),
        None if !field.is_selected() => {}
        None if cx.strictness() == Strictness::Strict => match absent() {
            Some(value) => plan.step(move || *target = value),
            None => cx.missing(key),
        },
        None => cx.missing(key),
    }
}
