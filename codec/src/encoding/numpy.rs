//! An array as a file holds it: shape, payload, dtype text and memory order.

mod describe;
mod scalar;

use std::borrow::Cow;

use smallvec::SmallVec;

use super::chunks::Chunks;
use super::size::{byte_len, wrong_length};
use super::stored::{Elsewhere, Source, Span, no_source, read_span};
use crate::dtype::{DType, Order};
use crate::error::{Error, ErrorKind};
use crate::path::Path;

/// An array in its wire form, borrowed from its source where it can be.
///
/// Every value of this type is consistent: the dtype text parses and holds no objects, there are at
/// most 64 dimensions, their product was multiplied with checks, and the payload has exactly as many
/// bytes as shape and dtype say. The items themselves are checked when they become Rust values.
///
/// The payload is in row-major order, or in column-major order under [`Order::F`], as Dopamine's
/// decoder reads it. Text and payload are kept as they were found, so that writing a value that was
/// read gives the same bytes.
///
/// ```
/// use npcodec::NumpyEncoding;
///
/// let array = NumpyEncoding::new(vec![2], vec![0, 0, 128, 63, 0, 0, 0, 64], "'<f4'", None)?;
/// assert_eq!(array.to_array::<f32, npcodec::ndarray::Ix1>()?, npcodec::ndarray::array![1.0, 2.0]);
/// assert!(NumpyEncoding::new(vec![3], vec![0; 8], "'<f4'", None).is_err());
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct NumpyEncoding<'a>(Box<Inner<'a>>);

/// The lengths of the axes, of which there are rarely more than four.
pub(crate) type Extents = SmallVec<[usize; 4]>;

/// Shape, payload, dtype text, order label and filler.
pub(crate) type WireParts<'a> = (
    Extents,
    Cow<'a, [u8]>,
    Cow<'a, str>,
    Option<Order>,
    Option<Cow<'a, [u8]>>,
);

/// Behind a box, so that a value that is no array does not take the room of one.
#[derive(Clone, PartialEq)]
struct Inner<'a> {
    shape: Extents,
    data: Cow<'a, [u8]>,
    /// Where the payload is, if it is not in `data`, which is empty then.
    elsewhere: Option<Box<Elsewhere<'a>>>,
    /// What is wrong with the array, if it is none and only takes the place of one.
    fault: Option<Box<ErrorKind>>,
    dtype: DType,
    text: Cow<'a, str>,
    order: Option<Order>,
    pad: Option<Cow<'a, [u8]>>,
    /// True for one of NumPy's scalars, where a format tells them from 0-d arrays.
    scalar: bool,
}

impl<'a> NumpyEncoding<'a> {
    /// Checks the four parts of an array against each other.
    ///
    /// `text` is Python source text as NumPy prints it, with its quotes: `'<f4'`.
    ///
    /// # Errors
    /// [`ErrorKind::DType`] for a text that is not understood or names objects,
    /// [`ErrorKind::TooManyDimensions`], [`ErrorKind::SizeOverflow`] and
    /// [`ErrorKind::PayloadLength`].
    pub fn new(
        shape: Vec<usize>,
        data: impl Into<Cow<'a, [u8]>>,
        text: impl Into<Cow<'a, str>>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let text = text.into();
        let dtype = text.parse()?;
        Self::checked(Extents::from_vec(shape), data.into(), dtype, text, order)
    }

    /// Makes an array of a dtype that is known already, under the text that NumPy would print.
    ///
    /// # Errors
    /// [`ErrorKind::TooManyDimensions`], [`ErrorKind::SizeOverflow`] and
    /// [`ErrorKind::PayloadLength`].
    pub fn from_dtype(
        shape: Vec<usize>,
        data: impl Into<Cow<'a, [u8]>>,
        dtype: DType,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        Self::of_shape(Extents::from_vec(shape), data.into(), dtype, order)
    }

    #[inline]
    pub(crate) fn of_shape(
        shape: Extents,
        data: Cow<'a, [u8]>,
        dtype: DType,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let text = dtype
            .common_text()
            .map_or_else(|| Cow::Owned(dtype.text()), Cow::Borrowed);
        Self::checked(shape, data, dtype, text, order)
    }

    /// Takes the parts of an array as a reader finds them.
    pub(super) fn read(
        shape: Extents,
        data: Cow<'a, [u8]>,
        text: Cow<'a, str>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let dtype = text.parse()?;
        Self::checked(shape, data, dtype, text, order)
    }

    #[inline]
    fn checked(
        shape: Extents,
        data: Cow<'a, [u8]>,
        dtype: DType,
        text: Cow<'a, str>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let found = data.len();
        Self::checked_length(shape, data, found, dtype, text, order)
    }

    #[inline]
    fn checked_length(
        shape: Extents,
        data: Cow<'a, [u8]>,
        found: usize,
        dtype: DType,
        text: Cow<'a, str>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let expected = byte_len(&shape, dtype.itemsize())?;
        if found != expected {
            return Err(wrong_length(shape, text, expected, found));
        }
        Ok(Self(Box::new(Inner {
            shape,
            data,
            elsewhere: None,
            fault: None,
            dtype,
            text,
            order,
            pad: None,
            scalar: false,
        })))
    }

    /// Makes an array whose payload stays in its source, with the checks of [`new`](Self::new).
    pub(crate) fn stored(
        shape: Extents,
        span: Span,
        text: Cow<'a, str>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let dtype = text.parse()?;
        let nothing = Cow::Borrowed(&[][..]);
        let mut array = Self::checked_length(shape, nothing, span.length, dtype, text, order)?;
        array.0.elsewhere = Some(Box::new(Elsewhere::Span(span)));
        Ok(array)
    }

    /// Puts an error in the place of a value that is no encoding, until somebody wants the value.
    pub(crate) fn faulty(error: &Error) -> Self {
        Self(Box::new(Inner {
            shape: Extents::new(),
            data: Cow::Borrowed(&[]),
            elsewhere: None,
            fault: Some(Box::new(error.kind().clone())),
            dtype: DType::Bytes(0),
            text: Cow::Borrowed(""),
            order: None,
            pad: None,
            scalar: false,
        }))
    }

    /// Returns the array, or the error that stands in its place.
    pub(crate) fn sound(self) -> Result<Self, Error> {
        match self.0.fault {
            Some(fault) => Err((*fault).into()),
            None => Ok(self),
        }
    }

    /// Makes an array whose payload stays in its chunks, which have as many bytes as it needs.
    pub(super) fn in_chunks(
        shape: Extents,
        chunks: Chunks<'a>,
        dtype: DType,
        text: Cow<'a, str>,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let (nothing, found) = (Cow::Borrowed(&[][..]), chunks.length());
        let mut array = Self::checked_length(shape, nothing, found, dtype, text, order)?;
        array.0.elsewhere = Some(Box::new(Elsewhere::Chunks(chunks)));
        Ok(array)
    }

    /// Returns where the payload is, if it is not here.
    #[inline]
    pub(crate) fn elsewhere(&self) -> Option<&Elsewhere<'a>> {
        self.0.elsewhere.as_deref()
    }

    /// Returns how many bytes the payload has, wherever it is.
    pub(super) fn payload_length(&self) -> usize {
        match self.elsewhere() {
            None => self.0.data.len(),
            Some(Elsewhere::Span(span)) => span.length,
            Some(Elsewhere::Chunks(chunks)) => chunks.length(),
        }
    }

    /// Returns the array with its payload, which is read if it has not been.
    pub(crate) fn loaded(self, source: Option<&dyn Source>) -> Result<Self, Error> {
        let mut array = self.sound()?;
        array.0.data = match array.0.elsewhere.take().map(|elsewhere| *elsewhere) {
            None => return Ok(array),
            Some(Elsewhere::Span(span)) => match source {
                Some(source) => Cow::Owned(read_span(source, span)?),
                None => return Err(no_source()),
            },
            Some(Elsewhere::Chunks(chunks)) => chunks.joined(array.0.dtype.itemsize(), source)?,
        };
        Ok(array)
    }

    /// Takes some columns of a record for padding; the payload stays as it is.
    pub(crate) fn without_columns(mut self, columns: &[Path]) -> Self {
        if let DType::Record(record) = &self.0.dtype {
            if let Some(record) = record.without(columns) {
                self.0.dtype = DType::Record(record);
            }
        }
        self
    }

    /// Takes the same items in row-major order for the payload.
    pub(super) fn with_rows(mut self, rows: Vec<u8>) -> Self {
        self.0.data = Cow::Owned(rows);
        self.0.order = Some(Order::C);
        self
    }

    pub(crate) fn with_pad(mut self, pad: Option<Cow<'a, [u8]>>) -> Self {
        self.0.pad = pad;
        self
    }

    /// Returns the lengths of the axes; none for a 0-d array.
    #[must_use]
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// Returns the payload.
    #[must_use]
    #[inline]
    pub fn data(&self) -> &[u8] {
        &self.0.data
    }

    /// Returns the dtype.
    #[must_use]
    #[inline]
    pub fn dtype(&self) -> &DType {
        &self.0.dtype
    }

    /// Returns the dtype text as it stands in the file.
    #[must_use]
    #[inline]
    pub fn dtype_text(&self) -> &str {
        &self.0.text
    }

    /// Returns the order label, which is there only where exactly one of C and F is true.
    #[must_use]
    #[inline]
    pub fn order(&self) -> Option<Order> {
        self.0.order
    }

    /// Returns the filler that an aligned file puts before the payload.
    #[must_use]
    #[inline]
    pub fn pad(&self) -> Option<&[u8]> {
        self.0.pad.as_deref()
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        // Cannot overflow where items have bytes; where they have none, it is only a number.
        self.0
            .shape
            .iter()
            .fold(1, |n: usize, &d| n.saturating_mul(d))
    }

    /// Returns true if there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.shape.contains(&0)
    }

    /// Returns true if the payload is a part of the source and not a copy.
    #[must_use]
    #[inline]
    pub fn is_borrowed(&self) -> bool {
        self.borrowed_data().is_some()
    }

    /// Returns the same array, borrowing from this one.
    #[must_use]
    pub fn borrowed(&self) -> NumpyEncoding<'_> {
        NumpyEncoding(Box::new(Inner {
            shape: self.0.shape.clone(),
            data: Cow::Borrowed(&self.0.data),
            elsewhere: self.0.elsewhere.clone(),
            fault: self.0.fault.clone(),
            dtype: self.0.dtype.clone(),
            text: Cow::Borrowed(&self.0.text),
            order: self.0.order,
            pad: self.0.pad.as_deref().map(Cow::Borrowed),
            scalar: self.0.scalar,
        }))
    }

    /// Returns the same array with its own copy of the payload.
    #[must_use]
    pub fn into_owned(self) -> NumpyEncoding<'static> {
        let inner = *self.0;
        NumpyEncoding(Box::new(Inner {
            shape: inner.shape,
            data: Cow::Owned(inner.data.into_owned()),
            elsewhere: inner
                .elsewhere
                .map(|elsewhere| Box::new(elsewhere.into_owned())),
            fault: inner.fault,
            dtype: inner.dtype,
            text: Cow::Owned(inner.text.into_owned()),
            order: inner.order,
            pad: inner.pad.map(|pad| Cow::Owned(pad.into_owned())),
            scalar: inner.scalar,
        }))
    }

    /// Takes the payload out, to be put back with [`with_data`](Self::with_data).
    pub(crate) fn split(mut self) -> (Self, Cow<'a, [u8]>) {
        let data = std::mem::take(&mut self.0.data);
        (self, data)
    }

    pub(crate) fn with_data(mut self, data: Vec<u8>) -> Self {
        self.0.data = Cow::Owned(data);
        self
    }

    /// Returns the payload for as long as the source lives, if it is a part of the source.
    #[inline]
    pub(crate) fn borrowed_data(&self) -> Option<&'a [u8]> {
        match (self.elsewhere(), &self.0.data) {
            (None, Cow::Borrowed(data)) => Some(*data),
            _ => None,
        }
    }

    /// Takes shape, payload, dtype text, order label and filler out.
    pub(crate) fn into_parts(self) -> WireParts<'a> {
        let inner = *self.0;
        (inner.shape, inner.data, inner.text, inner.order, inner.pad)
    }

    /// Returns the payload, borrowed for as long as the source if it was.
    #[must_use]
    pub fn into_data(self) -> Cow<'a, [u8]> {
        self.0.data
    }
}
