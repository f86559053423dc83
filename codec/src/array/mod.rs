//! Between ndarray's arrays and their wire form, in every memory layout.

mod decode;
mod encode;
mod place;
mod stored;
mod text;

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension};

pub(crate) use decode::mismatch;
#[allow(
    unused_imports,
    reason = "only formats need it, each of which is a feature"
)]
pub(crate) use encode::flat_order;
pub(crate) use encode::layout;

use crate::dtype::Element;
use crate::dtype::{Cast, DType, Order};
use crate::encoding::{InMemory, NumpyEncoding, Outline, Source};
use crate::error::Error;
use crate::path::Path;

/// How the payload of an array is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reading {
    /// The conversions that are allowed.
    pub(crate) cast: Cast,
    /// Payloads under an `F` label are row-major all the same.
    pub(crate) row_major: bool,
}

/// What the items of an ndarray can be: every [`Element`], texts and byte strings.
///
/// Sealed: implement [`Element`], or derive [`Structured`](crate::Structured) for rows.
pub trait ArrayElement: sealed::Sealed + Clone + Sized + 'static {
    /// Gives the wire form of an array, borrowing its memory where that is the wire form.
    ///
    /// `width` is the number of characters of texts; the longest text's if there is none.
    ///
    /// # Errors
    /// [`InvalidItem`](crate::ErrorKind::InvalidItem) for texts that are longer than the width, or
    /// that end with NUL.
    fn encode<D: Dimension>(
        array: ArrayView<'_, Self, D>,
        width: Option<usize>,
    ) -> Result<NumpyEncoding<'_>, Error>;

    /// Returns an array of this layout as it lies in memory, where that is its wire form.
    #[doc(hidden)]
    fn in_memory<'p, 'v, D: Dimension>(
        _: ArrayView<'v, Self, D>,
        _: &'p [usize],
        _: Option<Order>,
    ) -> Option<InMemory<'p, 'v>> {
        None
    }

    /// Says what [`encode`](ArrayElement::encode) will give for items in memory of this layout.
    #[doc(hidden)]
    fn outline<'v>(
        shape: &[usize],
        layout: Option<Order>,
        items: impl Iterator<Item = &'v Self>,
        width: Option<usize>,
    ) -> Result<Outline, Error>;

    /// Says what an array of such items and dimensions is, for the report of a mismatch.
    #[doc(hidden)]
    fn expected<D: Dimension>() -> String;

    /// Returns the columns of rows that the type has no place for, if nothing else is wrong.
    #[doc(hidden)]
    fn unexpected(_: &DType, _: Cast) -> Vec<Path> {
        Vec::new()
    }

    /// Reads an array into memory of its own.
    #[doc(hidden)]
    fn decode<D: Dimension>(
        array: &NumpyEncoding<'_>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error>;

    /// Reads an array whose memory may become that of the values.
    #[doc(hidden)]
    fn adopt<D: Dimension>(
        array: NumpyEncoding<'_>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error> {
        Self::decode(&array, cast, row_major)
    }

    /// True if [`fetch`](ArrayElement::fetch), [`check`](ArrayElement::check) and
    /// [`assign`](ArrayElement::assign) take arrays whose payload is still in its source.
    #[doc(hidden)]
    const STORED: bool = false;

    /// Reads an array whose payload is still in its source.
    #[doc(hidden)]
    fn fetch<D: Dimension>(
        array: NumpyEncoding<'_>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error> {
        Self::adopt(array.loaded(source)?, cast, row_major)
    }

    /// Borrows an array from bytes that are in its memory form, aligned and valid; `None` if they
    /// are not.
    #[doc(hidden)]
    fn view<'v, D: Dimension>(
        array: &NumpyEncoding<'_>,
        data: &'v [u8],
        row_major: bool,
    ) -> Result<Option<ArrayView<'v, Self, D>>, Error>;

    /// Checks that an array can be read into `target`, which [`ArrayElement::assign`] then does.
    #[doc(hidden)]
    fn check<D: Dimension>(
        array: &NumpyEncoding<'_>,
        target: &ArrayView<'_, Self, D>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<(), Error>;

    /// Reads an array that has been checked into memory that exists.
    #[doc(hidden)]
    fn assign<D: Dimension>(
        array: &NumpyEncoding<'_>,
        target: ArrayViewMut<'_, Self, D>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<(), Error>;
}

mod sealed {
    use crate::dtype::Element;

    pub trait Sealed {}

    impl<T: Element> Sealed for T {}
    impl Sealed for String {}
    impl Sealed for Vec<u8> {}
}

impl<T: Element> ArrayElement for T {
    fn encode<D: Dimension>(
        array: ArrayView<'_, Self, D>,
        _: Option<usize>,
    ) -> Result<NumpyEncoding<'_>, Error> {
        encode::encode(array)
    }

    fn in_memory<'p, 'v, D: Dimension>(
        array: ArrayView<'v, Self, D>,
        shape: &'p [usize],
        layout: Option<Order>,
    ) -> Option<InMemory<'p, 'v>> {
        encode::in_memory(array, shape, layout)
    }

    fn outline<'v>(
        shape: &[usize],
        layout: Option<Order>,
        _: impl Iterator<Item = &'v Self>,
        _: Option<usize>,
    ) -> Result<Outline, Error> {
        encode::outline::<Self>(shape, layout)
    }

    fn expected<D: Dimension>() -> String {
        decode::expected::<Self, D>()
    }

    fn unexpected(dtype: &DType, cast: Cast) -> Vec<Path> {
        match (dtype, T::reader(dtype, cast)) {
            (DType::Record(_), Err(error)) => error.only_unexpected().unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    fn decode<D: Dimension>(
        array: &NumpyEncoding<'_>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error> {
        decode::decode(array, Reading { cast, row_major })
    }

    fn adopt<D: Dimension>(
        array: NumpyEncoding<'_>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error> {
        decode::adopt(array, Reading { cast, row_major })
    }

    const STORED: bool = true;

    fn fetch<D: Dimension>(
        array: NumpyEncoding<'_>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<Array<Self, D>, Error> {
        stored::fetch(&array, source, Reading { cast, row_major })
    }

    fn view<'v, D: Dimension>(
        array: &NumpyEncoding<'_>,
        data: &'v [u8],
        row_major: bool,
    ) -> Result<Option<ArrayView<'v, Self, D>>, Error> {
        decode::view(array, data, row_major)
    }

    fn check<D: Dimension>(
        array: &NumpyEncoding<'_>,
        target: &ArrayView<'_, Self, D>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<(), Error> {
        place::check(array, target, source, Reading { cast, row_major })
    }

    fn assign<D: Dimension>(
        array: &NumpyEncoding<'_>,
        target: ArrayViewMut<'_, Self, D>,
        source: Option<&dyn Source>,
        cast: Cast,
        row_major: bool,
    ) -> Result<(), Error> {
        place::assign(array, target, source, Reading { cast, row_major })
    }
}

impl NumpyEncoding<'_> {
    /// Reads the array into memory of its own, in the memory order that the file has.
    ///
    /// # Errors
    /// [`Mismatch`](crate::ErrorKind::Mismatch) for another dtype or number of dimensions,
    /// [`InvalidItem`](crate::ErrorKind::InvalidItem) for bytes that are no value of `T`.
    pub fn to_array<T: ArrayElement, D: Dimension>(&self) -> Result<Array<T, D>, Error> {
        T::decode(self, Cast::Exact, false)
    }

    /// Borrows the array, if its payload is aligned, native-endian and of the very dtype.
    ///
    /// # Errors
    /// Those of [`to_array`](NumpyEncoding::to_array); `None` if only the memory does not allow it.
    pub fn view<T: ArrayElement, D: Dimension>(
        &self,
    ) -> Result<Option<ArrayView<'_, T, D>>, Error> {
        T::view(self, self.data(), false)
    }

    /// Gives the wire form of an array, borrowing its memory where that is the wire form.
    ///
    /// # Errors
    /// [`InvalidItem`](crate::ErrorKind::InvalidItem) for texts that end with NUL, which NumPy could
    /// not tell from padding.
    pub fn from_array<T: ArrayElement, D: Dimension>(
        array: ArrayView<'_, T, D>,
    ) -> Result<NumpyEncoding<'_>, Error> {
        T::encode(array, None)
    }
}
