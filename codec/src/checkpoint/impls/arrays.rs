//! ndarray's arrays, of every owner and dimension.

use std::fmt;

use ndarray::{ArcArray, Array, ArrayBase, ArrayView, CowArray, Data, Dimension};
use serde::de::Deserializer;

use crate::array::{ArrayElement, layout, mismatch};
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, Ordinary};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::dtype::Order;
use crate::encoding::{Encoded, NumpyEncoding};
use crate::state::{Value, joined};

impl<F: Ordinary, T: ArrayElement, S: Data<Elem = T>, D: Dimension> Save<Deep<F>>
    for ArrayBase<S, D>
{
    fn save<'a, K: Sink<'a>>(&'a self, sink: K) -> Result<K::Ok, K::Error> {
        let rows = sink.is_in_rows();
        let layout = if rows {
            Some(Order::C)
        } else {
            layout(&self.view())
        };
        sink.array_in_memory(
            T::in_memory(self.view(), self.shape(), layout),
            || T::outline(self.shape(), layout, self.iter(), F::WIDTH),
            || {
                let array = T::encode(self.view(), F::WIDTH)?;
                Ok(if rows { array.in_rows() } else { array })
            },
        )
    }
}

/// Any array, whose description is only asked for where there is none.
struct AnyArray<const STORED: bool>(fn() -> String);

impl<'de, const STORED: bool> Expect<'de> for AnyArray<STORED> {
    type Output = NumpyEncoding<'de>;

    const STORED: bool = STORED;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0())
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<NumpyEncoding<'de>> {
        match encoded {
            Encoded::Array(array) => Some(array),
            Encoded::Faulty(error) => {
                cx.refuse(error);
                None
            }
            other => self.refuse(other, cx),
        }
    }
}

/// Reads an array in its wire form.
pub(super) fn encoding<'de, D: Deserializer<'de>>(
    deserializer: D,
    expected: fn() -> String,
    cx: &Context<'_>,
) -> Result<Option<NumpyEncoding<'de>>, D::Error> {
    visit(deserializer, AnyArray::<false>(expected), cx)
}

/// Reads an array of `T` in its wire form, whose payload may still be in its source.
fn array_of<'de, T: ArrayElement, D: Dimension, De: Deserializer<'de>>(
    deserializer: De,
    cx: &Context<'_>,
) -> Result<Option<NumpyEncoding<'de>>, De::Error> {
    let array = visit(deserializer, AnyArray::<true>(T::expected::<D>), cx)?;
    Ok(array.map(|array| fitted::<T>(array, cx)))
}

/// Reports the columns of rows that the type has no place for, and takes them for padding.
pub(super) fn fitted<'de, T: ArrayElement>(
    array: NumpyEncoding<'de>,
    cx: &Context<'_>,
) -> NumpyEncoding<'de> {
    let unexpected = T::unexpected(array.dtype(), cx.cast());
    if unexpected.is_empty() {
        return array;
    }
    unexpected
        .iter()
        .for_each(|column| cx.unexpected_column(column));
    array.without_columns(&unexpected)
}

pub(super) fn decode<T: ArrayElement, D: Dimension>(
    array: NumpyEncoding<'_>,
    cx: &Context<'_>,
) -> Option<Array<T, D>> {
    let (cast, row_major) = (cx.cast(), cx.row_major());
    let read = match array.elsewhere() {
        Some(_) => T::fetch(array, cx.source(), cast, row_major),
        None => T::adopt(array, cast, row_major),
    };
    match read {
        Ok(array) => Some(array),
        Err(error) => {
            cx.refuse(error);
            None
        }
    }
}

impl<'de, F: Ordinary, T: ArrayElement, D: Dimension> Restore<'de, Deep<F>> for Array<T, D> {
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        Ok(array_of::<T, D, De>(d, cx)?.and_then(|array| decode(array, cx)))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        if let Some(array) = staged_as::<T>(value, T::expected::<D>, cx) {
            stage(self, array, cx, plan);
        }
    }
}

/// Returns the array that a value is, or reports what else it is. A state dict that is loaded
/// borrows its payloads, which a clone then does too.
#[cfg(feature = "compress")]
pub(super) fn staged<'de>(
    value: &Value<'de>,
    expected: fn() -> String,
    cx: &Context<'_>,
) -> Option<NumpyEncoding<'de>> {
    loaded(found(value, expected, cx)?, cx)
}

/// Returns the array of `T` that a value is, whose payload may still be in its source.
pub(super) fn staged_as<'de, T: ArrayElement>(
    value: &Value<'de>,
    expected: fn() -> String,
    cx: &Context<'_>,
) -> Option<NumpyEncoding<'de>> {
    let array = fitted::<T>(found(value, expected, cx)?, cx);
    if T::STORED {
        return Some(array);
    }
    loaded(array, cx)
}

fn found<'de>(
    value: &Value<'de>,
    expected: fn() -> String,
    cx: &Context<'_>,
) -> Option<NumpyEncoding<'de>> {
    let array = match value {
        Value::Array(array) => Some(array.clone().sound()),
        Value::Map(map) => joined(map),
        _ => None,
    };
    match array {
        Some(Ok(array)) => Some(array),
        Some(Err(error)) => {
            cx.refuse(error);
            None
        }
        None => {
            cx.mismatch(expected(), super::values::describe(value));
            None
        }
    }
}

fn loaded<'de>(array: NumpyEncoding<'de>, cx: &Context<'_>) -> Option<NumpyEncoding<'de>> {
    array
        .loaded(cx.source())
        .map_err(|error| cx.refuse(error))
        .ok()
}

/// Checks an array against the one in memory, and plans to copy its items there.
pub(super) fn stage<'s, 'de: 's, T: ArrayElement, D: Dimension>(
    target: &'s mut Array<T, D>,
    array: NumpyEncoding<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    let (cast, row_major) = (cx.cast(), cx.row_major());
    match T::check(&array, &target.view(), cx.source(), cast, row_major) {
        Ok(()) => plan.reading_step(move |source| {
            T::assign(&array, target.view_mut(), source, cast, row_major)
        }),
        Err(error) => cx.refuse(error),
    }
}

impl<'de, F: Ordinary, T: ArrayElement, D: Dimension> Restore<'de, Deep<F>> for ArcArray<T, D> {
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        Ok(array_of::<T, D, De>(d, cx)?
            .and_then(|array| decode(array, cx))
            .map(Array::into_shared))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        let Some(array) = staged_as::<T>(value, T::expected::<D>, cx) else {
            return;
        };
        let (cast, row_major) = (cx.cast(), cx.row_major());
        match T::check(&array, &self.view(), cx.source(), cast, row_major) {
            // A shared array is taken out of the sharing when it is written to.
            Ok(()) => plan.reading_step(move |source| {
                T::assign(&array, self.view_mut(), source, cast, row_major)
            }),
            Err(error) => cx.refuse(error),
        }
    }
}

/// Borrows where the payload is in the source's memory, aligned and in this machine's form.
fn view<'de: 'a, 'a, T: ArrayElement, D: Dimension>(
    array: &NumpyEncoding<'de>,
    cx: &Context<'_>,
) -> Result<Option<ArrayView<'a, T, D>>, crate::error::Error> {
    match array.borrowed_data() {
        Some(data) => T::view(array, data, cx.row_major()),
        None => Ok(None),
    }
}

impl<'de: 'a, 'a, F: Ordinary, T: ArrayElement, D: Dimension> Restore<'de, Deep<F>>
    for CowArray<'a, T, D>
{
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        let Some(array) = array_of::<T, D, De>(d, cx)? else {
            return Ok(None);
        };
        Ok(match view(&array, cx) {
            Ok(Some(view)) => Some(view.into()),
            Ok(None) | Err(_) => decode(array, cx).map(Into::into),
        })
    }
}

/// Borrows only: an array that is misaligned, big-endian or not in memory is a mismatch.
impl<'de: 'a, 'a, F: Ordinary, T: ArrayElement, D: Dimension> Restore<'de, Deep<F>>
    for ArrayView<'a, T, D>
{
    fn restore<De: Deserializer<'de>>(d: De, cx: &Context<'_>) -> Result<Option<Self>, De::Error> {
        let Some(array) = array_of::<T, D, De>(d, cx)? else {
            return Ok(None);
        };
        match view(&array, cx) {
            Ok(Some(view)) => return Ok(Some(view)),
            Err(error) => cx.refuse(error),
            Ok(None) => {
                let found = match array.borrowed_data() {
                    None => format!("{array} from a reader"),
                    Some(data) => match data.as_ptr().addr() % align_of::<T>() {
                        0 => format!("{array}, whose items cannot be borrowed"),
                        rest => format!(
                            "{array} at an address that is {rest} modulo {}",
                            align_of::<T>()
                        ),
                    },
                };
                let expected =
                    "an aligned array of this machine's byte order (`CowArray` takes any)";
                cx.refuse(mismatch(expected, found));
            }
        }
        Ok(None)
    }
}
