//! Arrays as compressed records.
//!
//! The records of a list are read first and expanded together, by several threads where there are
//! some: to expand them takes far longer than to read them.

use std::fmt;
use std::marker::PhantomData;

use ndarray::{ArcArray, Array, ArrayBase, Data, Dimension};
use serde::de::{Deserializer, MapAccess};

use super::arrays::{decode, encoding, stage, staged};
use crate::array::{ArrayElement, mismatch};
use crate::checkpoint::block::restore_list;
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, form};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::dtype::{Cast, PlainElement};
use crate::encoding::{
    Encoded, Entries, NumpyEncoding, Outline, byte_len, compress, is_compressed, most_bytes,
    uncompress,
};
use crate::error::Error;
use crate::state::Value;

impl<T: PlainElement, S: Data<Elem = T>, D: Dimension> Save<Deep<form::Compressed>>
    for ArrayBase<S, D>
{
    fn save<'a, K: Sink<'a>>(&'a self, sink: K) -> Result<K::Ok, K::Error> {
        sink.array_outlined(
            || {
                let bytes = byte_len(self.shape(), T::SIZE)?;
                Ok(Outline::at_most(most_bytes(bytes, self.ndim())))
            },
            || compress(&NumpyEncoding::from_array(self.view())?),
        )
    }
}

/// Takes records, and arrays that were saved before the field had `compress`.
fn uncompressed(array: NumpyEncoding<'_>) -> Result<NumpyEncoding<'_>, Error> {
    if is_compressed(&array) {
        uncompress(&array)
    } else {
        Ok(array)
    }
}

/// Takes the array of a record, or reports what is wrong with it.
fn expanded<'v>(array: NumpyEncoding<'v>, cx: &Context<'_>) -> Option<NumpyEncoding<'v>> {
    uncompressed(array).map_err(|error| cx.refuse(error)).ok()
}

impl<'de, T: PlainElement, D: Dimension> Restore<'de, Deep<form::Compressed>> for Array<T, D> {
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        let array = encoding(d, T::expected::<D>, cx)?;
        let array = array.and_then(|array| expanded(array, cx));
        Ok(array.and_then(|array| decode(array, cx)))
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
        let array = staged(value, T::expected::<D>, cx).and_then(|array| expanded(array, cx));
        if let Some(array) = array {
            stage(self, array, cx, plan);
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
    match entries.check(None) {
        Encoded::Array(array) => <T as ArrayElement>::adopt(uncompressed(array)?, cast, row_major),
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

#[cfg(feature = "rayon")]
fn map_all<A: Send, B: Send>(items: Vec<A>, map: impl Fn(A) -> B + Sync + Send) -> Vec<B> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map(map).collect()
}

#[cfg(not(feature = "rayon"))]
fn map_all<A, B>(items: Vec<A>, map: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(map).collect()
}
