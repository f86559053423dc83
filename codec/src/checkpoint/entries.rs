//! Loading the entries of a state dict into fields.

use super::context::Context;
use super::plan::Plan;
use super::restore::{Restore, replace};
use crate::report::Strictness;
use crate::state::{Key, StateDict, Value};

/// The value of a field in a state dict.
#[doc(hidden)]
#[derive(Debug)]
pub struct Named<'n, 'v, 'de> {
    /// The key that it has there, which is its place; that of the field if it has none.
    pub name: &'n str,
    /// The value, if it is wanted.
    pub value: Option<&'v Value<'de>>,
    /// True if there is one that nobody asked for, so that the field is not absent.
    pub passed_over: bool,
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
        self.take_named(names, cx).value
    }

    /// Takes the value of a field with the name that it has in the dict.
    #[doc(hidden)]
    pub fn take_named<'n>(&mut self, names: &[&'n str], cx: &Context<'_>) -> Named<'n, 'v, 'de> {
        let mut named = Named {
            name: names.first().copied().unwrap_or_default(),
            value: None,
            passed_over: false,
        };
        for &name in names {
            let Some(position) = self.dict.position(name) else {
                continue;
            };
            if std::mem::replace(&mut self.taken[position], true) {
                continue;
            }
            let field = cx.field(name);
            let value = self.dict.entry_at(position).map(|(_, value)| value);
            let Some(value) = value.filter(|value| field.holds_wanted(value)) else {
                named.passed_over = true;
                continue;
            };
            if named.value.is_some() {
                field.mismatch("one value", "another one for the same field");
            } else {
                (named.name, named.value) = (name, Some(value));
            }
        }
        named
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
        Some(value) if field.replaces() => replace::<T, M>(target, value, field, plan),
        Some(value) => target.stage(value, field, plan),
        None if !field.is_selected() => {}
        None if cx.strictness() == Strictness::Strict => match absent() {
            Some(value) => plan.step(move || *target = value),
            None => cx.missing(key),
        },
        None => cx.missing(key),
    }
}
