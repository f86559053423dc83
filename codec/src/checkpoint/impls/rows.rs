//! Elements as 0-d arrays and as blocks: what NumPy's scalars and vectors become.

use std::fmt;

use ndarray::{Array, ArrayView, ArrayViewMut, Ix0, IxDyn};
use serde::de::Deserializer;

use super::arrays::{decode, fitted, staged_as};
use crate::array::{ArrayElement, mismatch};
use crate::checkpoint::context::Context;
use crate::checkpoint::plan::Plan;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::dtype::{Cast, Element, Order};
use crate::encoding::{Encoded, NumpyEncoding};
use crate::error::Shape;
use crate::limits::EMPTY_ITEMS;
use crate::state::Value;

/// Writes an element as a 0-d array.
///
/// # Errors
/// Those of the sink.
pub fn save_scalar<'a, T: Element, S: Sink<'a>>(value: &'a T, sink: S) -> Result<S::Ok, S::Error> {
    save_rows(std::slice::from_ref(value), &[], None, sink)
}

/// Writes items that fill a block as one array.
///
/// # Errors
/// Those of the sink.
pub fn save_rows<'a, T: ArrayElement, S: Sink<'a>>(
    items: &'a [T],
    extents: &[usize],
    width: Option<usize>,
    sink: S,
) -> Result<S::Ok, S::Error> {
    sink.array_outlined(
        || T::outline(extents, Some(Order::C), items.iter(), width),
        || {
            let array = ArrayView::from_shape(IxDyn(extents), items)
                .map_err(|error| mismatch("a block of items", error))?;
            T::encode(array, width)
        },
    )
}

/// Writes items that fill a block in two halves as one array.
///
/// # Errors
/// Those of the sink.
#[doc(hidden)]
pub fn save_split_rows<'a, T: ArrayElement, S: Sink<'a>>(
    halves: [&'a [T]; 2],
    extents: &[usize],
    width: Option<usize>,
    sink: S,
) -> Result<S::Ok, S::Error> {
    sink.array_outlined(
        || T::outline(extents, Some(Order::C), halves.into_iter().flatten(), width),
        || {
            let items = halves.concat();
            let array = ArrayView::from_shape(IxDyn(extents), &items)
                .map_err(|error| mismatch("a block of items", error))?;
            T::encode(array, width).map(NumpyEncoding::into_owned)
        },
    )
}

/// Reads an element from a 0-d array.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_scalar<'de, T: Element, D: Deserializer<'de>>(
    deserializer: D,
    cx: &Context<'_>,
) -> Result<Option<T>, D::Error> {
    visit(deserializer, ZeroD(std::marker::PhantomData), cx)
}

struct ZeroD<T>(std::marker::PhantomData<T>);

impl<'de, T: Element> Expect<'de> for ZeroD<T> {
    type Output = T;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a 0-d array of dtype {}", T::dtype())
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<T> {
        match encoded {
            Encoded::Array(array) => match item(&fitted::<T>(array, cx), cx.cast()) {
                Ok(item) => Some(item),
                Err(error) => {
                    cx.refuse(error);
                    None
                }
            },
            other => self.refuse(other, cx),
        }
    }
}

/// Reads the item of a 0-d array.
pub(super) fn item<T: Element>(
    array: &NumpyEncoding<'_>,
    cast: Cast,
) -> Result<T, crate::error::Error> {
    let item: Array<T, Ix0> = T::decode(array, cast, false)?;
    Ok(item.into_scalar())
}

/// Reads one array into items that fill a block of the given extents, `None` for any length.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_rows<'de, T: ArrayElement, D: Deserializer<'de>>(
    deserializer: D,
    extents: &[Option<usize>],
    cx: &Context<'_>,
) -> Result<Option<Vec<T>>, D::Error> {
    let items = std::marker::PhantomData;
    visit(deserializer, Rows { extents, items }, cx)
}

struct Rows<'e, T> {
    extents: &'e [Option<usize>],
    items: std::marker::PhantomData<T>,
}

impl<'de, T: ArrayElement> Expect<'de> for Rows<'_, T> {
    type Output = Vec<T>;

    const STORED: bool = true;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.extents.iter().copied().collect::<Option<Vec<usize>>>() {
            Some(shape) => write!(f, "an array of shape {}", Shape(&shape)),
            None if self.extents.len() == 1 => f.write_str("an array of 1 dimension"),
            None => write!(f, "an array of {} dimensions", self.extents.len()),
        }
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<Vec<T>> {
        let Encoded::Array(array) = encoded else {
            return self.refuse(encoded, cx);
        };
        let shape = array.shape();
        let fits = shape.len() == self.extents.len()
            && shape
                .iter()
                .zip(self.extents)
                .all(|(length, extent)| extent.is_none_or(|e| e == *length));
        if !fits {
            return self.refuse(array, cx);
        }
        let length = shape.first().copied().unwrap_or(0);
        if length > EMPTY_ITEMS && self.extents.contains(&Some(0)) {
            let expected = format!("at most {EMPTY_ITEMS} items of no bytes");
            cx.refuse(mismatch(expected, array));
            return None;
        }
        cx.counted(length);
        let array = fitted::<T>(array, cx);
        let items = decode::<T, IxDyn>(array, cx)?;
        Some(match items.is_standard_layout() {
            true => items.into_raw_vec_and_offset().0,
            false => items.into_iter().collect(),
        })
    }
}

/// Plans to load one array into items that fill a block of the given extents.
pub fn stage_rows<'s, 'de: 's, T: ArrayElement>(
    items: &'s mut [T],
    extents: &[usize],
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    let Some(array) = staged_as::<T>(value, T::expected::<IxDyn>, cx) else {
        return;
    };
    let (cast, row_major) = (cx.cast(), cx.row_major());
    let target = match ArrayViewMut::from_shape(IxDyn(extents), items) {
        Ok(target) => target,
        Err(error) => return cx.refuse(mismatch("a block of items", error)),
    };
    match T::check(&array, &target.view(), cx.source(), cast, row_major) {
        Ok(()) => {
            plan.reading_step(move |source| T::assign(&array, target, source, cast, row_major))
        }
        Err(error) => cx.refuse(error),
    }
}
