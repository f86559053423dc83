//! Texts.

use std::borrow::Cow;
use std::fmt;

use serde::de::Deserializer;

use super::rows::{restore_rows, save_rows, save_split_rows, stage_rows};
use crate::checkpoint::block::{restore_elements, stage_list};
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, Ordinary};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::save::{save_list, save_split_list};
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::state::Value;

impl<F: Ordinary> Save<Deep<F>> for str {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.string(Cow::Borrowed(self))
    }
}

impl<F: Ordinary> Save<Deep<F>> for String {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.string(Cow::Borrowed(self))
    }

    fn save_block<'a, S: Sink<'a>>(
        items: &'a [Self],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error> {
        if F::ARRAYS {
            save_rows(items, extents, F::WIDTH, sink)
        } else {
            save_list::<Self, Deep<F>, S>(items, extents, sink)
        }
    }

    fn save_split<'a, S: Sink<'a>>(
        halves: [&'a [Self]; 2],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error> {
        if F::ARRAYS {
            save_split_rows(halves, extents, F::WIDTH, sink)
        } else {
            save_split_list::<Self, Deep<F>, S>(halves, extents, sink)
        }
    }
}

impl<F: Ordinary> Save<Deep<F>> for char {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.string(Cow::Owned(self.to_string()))
    }
}

struct Text;

impl<'de> Expect<'de> for Text {
    type Output = Cow<'de, str>;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn text(self, text: Cow<'de, str>, _: &Context<'_>) -> Option<Cow<'de, str>> {
        Some(text)
    }
}

impl<'de, F: Ordinary> Restore<'de, Deep<F>> for String {
    const REPLACED: bool = !F::ARRAYS;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(visit(d, Text, cx)?.map(Cow::into_owned))
    }

    fn restore_block<D: Deserializer<'de>>(
        deserializer: D,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, D::Error> {
        if F::ARRAYS {
            restore_rows(deserializer, extents, cx)
        } else {
            restore_elements::<Self, Deep<F>, D>(deserializer, extents, cx)
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
        if F::ARRAYS {
            stage_rows(items, extents, value, cx, plan);
        } else {
            stage_list::<Self, Deep<F>>(items, extents, value, cx, plan);
        }
    }
}

impl<'de, F: Ordinary> Restore<'de, Deep<F>> for Box<str> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(visit(d, Text, cx)?.map(|text| text.into_owned().into_boxed_str()))
    }
}

/// Borrows from a slice or a map, and owns what comes from a reader.
impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for Cow<'a, str> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        visit(d, Text, cx)
    }
}

/// Borrows, and refuses what comes from a reader.
impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for &'a str {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(match visit(d, Text, cx)? {
            Some(Cow::Borrowed(text)) => Some(text),
            Some(Cow::Owned(_)) => {
                cx.mismatch("a string that can be borrowed", "one from a reader");
                None
            }
            None => None,
        })
    }
}

impl<'de, F: Ordinary> Restore<'de, Deep<F>> for char {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let Some(text) = visit(d, Text, cx)? else {
            return Ok(None);
        };
        let mut chars = text.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Ok(Some(c));
        }
        cx.mismatch(
            "a string of one character",
            format!("one of {}", text.chars().count()),
        );
        Ok(None)
    }
}

struct Bytes;

impl<'de> Expect<'de> for Bytes {
    type Output = Cow<'de, [u8]>;

    fn takes_lists(&self) -> bool {
        true
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn bytes(self, bytes: Cow<'de, [u8]>, _: &Context<'_>) -> Option<Cow<'de, [u8]>> {
        Some(bytes)
    }

    fn list<A: serde::de::SeqAccess<'de>>(
        self,
        seq: A,
        cx: &Context<'_>,
    ) -> Result<Option<Cow<'de, [u8]>>, A::Error> {
        let list = serde::de::value::SeqAccessDeserializer::new(seq);
        let bytes = restore_elements::<u8, crate::checkpoint::mode::Native, _>(list, &[None], cx)?;
        Ok(bytes.map(Cow::Owned))
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for Cow<'a, [u8]> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        visit(d, Bytes, cx)
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for &'a [u8] {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(match visit(d, Bytes, cx)? {
            Some(Cow::Borrowed(bytes)) => Some(bytes),
            Some(Cow::Owned(_)) => {
                cx.mismatch("bytes that can be borrowed", "bytes of a reader, or a list");
                None
            }
            None => None,
        })
    }
}
