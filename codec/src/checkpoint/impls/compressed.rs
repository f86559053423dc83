//! Arrays as compressed records.
//!
//! The records of a list are read first and expanded together, by several threads where there are
//! some: to expand them takes far longer than to read them.

use std::fmt;
use std::marker::PhantomData;

use ndarray::{ArcArray, Array, ArrayBase, Data, Dimension};
use serde::de::{Deserializer, MapAccess};

use super::arrays::{encoding, stage, staged};
use super::compress_list;
use crate::array::{ArrayElement, mismatch};
use crate::checkpoint::block::restore_list;
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, form};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::save::save_list;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::dtype::{Cast, PlainElement};
use crate::encoding::{
    Encoded, Entries, NumpyEncoding, Outline, Packed, Source, byte_len, compress, is_compressed,
    map_all, most_bytes,
};
use crate::error::Error;
use crate::state::Value;

impl<T: PlainElement, S: Data<Elem = T>, D: Dimension> Save<Deep<form::Compressed>>
    for ArrayBase<S, D>
{
    fn save<'a, K: Sink<'a>>(&'a self, sink: K) -> Result<K::Ok, K::Error> {
        sink.array_outlined(
            || outline(self),
            || compress(&NumpyEncoding::from_array(self.view())?),
        )
    }

    fn save_block<'a, K: Sink<'a>>(
        items: &'a [Self],
        extents: &[usize],
        sink: K,
    ) -> Result<K::Ok, K::Error> {
        match extents {
            [_] => compress_list::save_list(items, sink),
            _ => save_list::<Self, Deep<form::Compressed>, K>(items, extents, sink),
        }
    }
}

/// Says how large a record can be.
pub(super) fn outline<T: PlainElement, S: Data<Elem = T>, D: Dimension>(
    array: &ArrayBase<S, D>,
) -> Result<Outline, Error> {
    let bytes = byte_len(array.shape(), T::SIZE)?;
    Ok(Outline::at_most(most_bytes(bytes, array.ndim())))
}

/// Reads a record, or an array that was saved before the field had `compress`.
fn read<T: PlainElement, D: Dimension>(
    array: NumpyEncoding<'_>,
    cast: Cast,
    row_major: bool,
) -> Result<Array<T, D>, Error> {
    if !is_compressed(&array) {
        return <T as ArrayElement>::adopt(array, cast, row_major);
    }
    let packed = Packed::open(&array)?;
    <T as ArrayElement>::fetch(packed.header().clone(), Some(&packed), cast, row_major)
}

/// Checks that a record can be read into an array that is there.
fn check<T: PlainElement, D: Dimension>(
    record: &NumpyEncoding<'_>,
    target: &Array<T, D>,
    cast: Cast,
    row_major: bool,
) -> Result<(), Error> {
    let packed = Packed::open(record)?;
    packed.check()?;
    let source: Option<&dyn Source> = Some(&packed);
    <T as ArrayElement>::check(packed.header(), &target.view(), source, cast, row_major)
}

impl<'de, T: PlainElement, D: Dimension> Restore<'de, Deep<form::Compressed>> for Array<T, D> {
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        let array = encoding(d, T::expected::<D>, cx)?;
        Ok(array.and_then(|array| {
            let read = read(array, cx.cast(), cx.row_major());
            read.map_err(|error| cx.refuse(error)).ok()
        }))
    }

    fn restore_block<De: Deserializer<'de>>(
        d: De,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, De::Error> {
        let records =
            restore_list::<Record<'de, T, D>, Deep<form::Compressed>, De>(d, extents, cx)?;
        Ok(records.and_then(|records| expand_all(records, cx)))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        let Some(record) = staged(value, T::expected::<D>, cx) else {
            return;
        };
        if !is_compressed(&record) {
            return stage(self, record, cx, plan);
        }
        let (cast, row_major) = (cx.cast(), cx.row_major());
        match check(&record, self, cast, row_major) {
            Ok(()) => plan.reading_step(move |_| {
                let packed = Packed::open(&record)?;
                let source: Option<&dyn Source> = Some(&packed);
                let target = self.view_mut();
                <T as ArrayElement>::assign(packed.header(), target, source, cast, row_major)
            }),
            Err(error) => cx.refuse(error),
        }
    }
}

impl<'de, T: PlainElement, D: Dimension> Restore<'de, Deep<form::Compressed>> for ArcArray<T, D> {
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        let array = <Array<T, D> as Restore<'de, Deep<form::Compressed>>>::restore(d, cx)?;
        Ok(array.map(Array::into_shared))
    }

    fn restore_block<De: Deserializer<'de>>(
        d: De,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, De::Error> {
        let arrays =
            <Array<T, D> as Restore<'de, Deep<form::Compressed>>>::restore_block(d, extents, cx)?;
        Ok(arrays.map(|arrays| arrays.into_iter().map(Array::into_shared).collect()))
    }
}

/// A record of a list that is not even checked yet; none if the report says why there is none.
struct Record<'de, T, D> {
    entries: Option<Entries<'de>>,
    offset: Option<u64>,
    becomes: PhantomData<fn() -> (T, D)>,
}

impl<'de, T: PlainElement, D: Dimension> Restore<'de, Deep<form::Compressed>>
    for Record<'de, T, D>
{
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        Ok(Some(Self {
            entries: visit(d, AnyMap(T::expected::<D>), cx)?,
            offset: cx.offset(),
            becomes: PhantomData,
        }))
    }
}

/// Any map, whose description is only asked for where there is none.
struct AnyMap(fn() -> String);

impl<'de> Expect<'de> for AnyMap {
    type Output = Entries<'de>;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0())
    }

    fn map<A: MapAccess<'de>>(
        self,
        map: A,
        cx: &Context<'_>,
    ) -> Result<Option<Entries<'de>>, A::Error> {
        Entries::read(map, cx.skip_inside()?, false, true).map(Some)
    }
}

/// Checks a record and expands it.
fn expand<T: PlainElement, D: Dimension>(
    entries: Entries<'_>,
    cast: Cast,
    row_major: bool,
) -> Result<Array<T, D>, Error> {
    match entries.check() {
        Encoded::Array(array) => read(array, cast, row_major),
        Encoded::Faulty(error) => Err(error),
        other => Err(mismatch(T::expected::<D>(), other)),
    }
}

/// Expands the records of a list, and reports everything that is wrong with any of them.
fn expand_all<T: PlainElement, D: Dimension>(
    records: Vec<Record<'_, T, D>>,
    cx: &Context<'_>,
) -> Option<Vec<Array<T, D>>> {
    let (cast, row_major) = (cx.cast(), cx.row_major());
    let expand = |record: Record<'_, T, D>| {
        let array = record
            .entries
            .map(|entries| expand(entries, cast, row_major));
        (array, record.offset)
    };
    let mut complete = true;
    let expanded = map_all(records, expand).into_iter().enumerate();
    let arrays = expanded.filter_map(|(index, (array, offset))| {
        let array = array.and_then(|array| {
            array
                .map_err(|error| cx.item(index).at(offset).refuse(error))
                .ok()
        });
        complete &= array.is_some();
        array
    });
    let arrays = arrays.collect();
    complete.then_some(arrays)
}
