//! Reading lists of lists into one block of items.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, SeqAccess};

use super::context::Context;
use super::items::ListItems;
use super::plan::Plan;
use super::restore::Restore;
use super::visit::{Expect, visit};
use crate::encoding::{Encoded, Integer};
use crate::limits;
use crate::state::Value;

/// What a field of numbers or texts lacks where the file has an array.
pub(crate) const NEEDS_ARRAY: &str = " (the field needs `array`)";

/// Refuses an encoded value, with advice if it is an array.
pub(crate) fn refuse_encoded<'de, E: Expect<'de>>(
    expect: E,
    encoded: Encoded<'de>,
    advice: &str,
    cx: &Context<'_>,
) -> Option<E::Output> {
    match encoded {
        Encoded::Integer(text) => expect.integer(Integer::Long(text), cx),
        Encoded::Array(array) => expect.refuse(format_args!("{array}{advice}"), cx),
        other => expect.refuse(other, cx),
    }
}

/// Prints a list of a length: `a list of 1 item`.
pub(crate) struct ListOf(pub(crate) usize);

impl fmt::Display for ListOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "a list of {} item{plural}", self.0)
    }
}

/// Reads nested lists of the given extents, `None` for any length, into one run of items.
pub(crate) fn restore_list<'de, T: Restore<'de, M>, M, D: Deserializer<'de>>(
    deserializer: D,
    extents: &[Option<usize>],
    cx: &Context<'_>,
) -> Result<Option<Vec<T>>, D::Error> {
    restore_nested(deserializer, extents, "", cx)
}

/// Reads nested lists of what could be the items of one array.
pub(crate) fn restore_elements<'de, T: Restore<'de, M>, M, D: Deserializer<'de>>(
    deserializer: D,
    extents: &[Option<usize>],
    cx: &Context<'_>,
) -> Result<Option<Vec<T>>, D::Error> {
    restore_nested(deserializer, extents, NEEDS_ARRAY, cx)
}

fn restore_nested<'de, T: Restore<'de, M>, M, D: Deserializer<'de>>(
    deserializer: D,
    extents: &[Option<usize>],
    advice: &'static str,
    cx: &Context<'_>,
) -> Result<Option<Vec<T>>, D::Error> {
    let (outer, inner) = match extents {
        [] => (None, &[][..]),
        [outer, inner @ ..] => (*outer, inner),
    };
    let items = PhantomData;
    visit(
        deserializer,
        List::<T, M> {
            outer,
            inner,
            advice,
            items,
        },
        cx,
    )
}

struct List<'e, T, M> {
    outer: Option<usize>,
    inner: &'e [Option<usize>],
    advice: &'static str,
    items: PhantomData<(T, M)>,
}

impl<'de, T: Restore<'de, M>, M> Expect<'de> for List<'_, T, M> {
    type Output = Vec<T>;

    fn takes_lists(&self) -> bool {
        true
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outer {
            Some(length) => write!(f, "{}", ListOf(length)),
            None => f.write_str("a list"),
        }
    }

    fn list<A: SeqAccess<'de>>(
        self,
        mut seq: A,
        cx: &Context<'_>,
    ) -> Result<Option<Vec<T>>, A::Error> {
        let mut items = limits::cautious::<T>(seq.size_hint());
        let (mut length, mut complete) = (0, true);
        loop {
            if self.outer.is_some_and(|outer| length >= outer) {
                length += cx.skip_inside()?.items(&mut seq)?;
                break;
            }
            let item = cx.item(length);
            let row = if self.inner.is_empty() {
                seq.next_element_seed(super::fields::Seed::<T, M>::new(&item))?
                    .map(|item| item.map(|item| items.push(item)))
            } else {
                seq.next_element_seed(RowSeed::<T, M>(self.inner, &item, PhantomData))?
                    .map(|row| row.map(|row| items.extend(row)))
            };
            match row {
                Some(row) => complete &= row.is_some(),
                None => break,
            }
            length += 1;
        }
        if self.outer.is_some_and(|outer| length != outer) {
            return Ok(self.refuse(format_args!("a list of {length}"), cx));
        }
        cx.counted(length);
        Ok(complete.then_some(items))
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<Vec<T>> {
        let advice = self.advice;
        refuse_encoded(self, encoded, advice, cx)
    }
}

struct RowSeed<'e, T, M>(&'e [Option<usize>], &'e Context<'e>, PhantomData<(T, M)>);

impl<'de, T: Restore<'de, M>, M> DeserializeSeed<'de> for RowSeed<'_, T, M> {
    type Value = Option<Vec<T>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let rows = T::restore_block(deserializer, self.0, &self.1.located());
        self.1.passing(rows)
    }
}

/// Plans to load nested lists into the items of a block, which has equal lengths.
pub(crate) fn stage_list<'s, 'de: 's, T: Restore<'de, M>, M>(
    items: &'s mut [T],
    extents: &[usize],
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    let (length, inner) = match extents {
        [] => (items.len(), &[][..]),
        [length, inner @ ..] => (*length, inner),
    };
    let Some(values) = ListItems::of(value, cx) else {
        return cx.mismatch("a list", super::impls::describe(value));
    };
    if values.len() != length {
        return cx.mismatch(
            format!("{} (`replace` takes any length)", ListOf(length)),
            format!("a list of {}", values.len()),
        );
    }
    if inner.is_empty() {
        for (index, (item, value)) in items.iter_mut().zip(values.iter()).enumerate() {
            let cx = cx.item(index);
            if cx.holds_wanted(value) {
                item.stage(value, &cx, plan);
            }
        }
        return;
    }
    let step = inner.iter().product::<usize>();
    let mut rest = items;
    for (index, value) in values.iter().enumerate() {
        let (row, others) = rest.split_at_mut(step.min(rest.len()));
        rest = others;
        let cx = cx.item(index);
        if cx.holds_wanted(value) {
            T::stage_block(row, inner, value, &cx, plan);
        }
    }
}
