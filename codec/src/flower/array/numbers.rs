//! Between Flower's arrays and those that one computes with.

use std::borrow::Cow;
use std::sync::Arc;

use ndarray::{ArrayView, Dimension, IxDyn, ShapeBuilder};

use super::header::is_by_columns;
use super::{Array, NUMPY};
use crate::array::{ArrayElement, layout};
use crate::dtype::{Cast, DType, Element, Order};
use crate::encoding::{Extents, NumpyEncoding, Span};
use crate::error::{Error, ErrorKind};
use crate::flower::data::Data;
use crate::formats::npy::header::Header;

impl<'a> Array<'a> {
    /// Makes an array of an array in its wire form, whose payload is borrowed or taken over.
    ///
    /// The types of ml_dtypes are stored as flwr stores them: under their own name, with a header that
    /// says opaque bytes. `float8_e5m2` alone is one that NumPy writes and cannot read.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] for records that no header of NumPy's can say: with fields in another
    /// order than that of their offsets, or so many that NumPy would refuse to read them.
    pub fn from_encoding(encoding: NumpyEncoding<'a>) -> Result<Self, Error> {
        let encoding = encoding.loaded(None)?;
        let shape = encoding.shape().to_vec();
        let dtype = encoding.dtype().clone();
        let by_columns = is_by_columns(&shape, encoding.order());
        Self::of_parts(&dtype, shape, by_columns, encoding.into_data())
    }

    /// Makes an array that borrows the memory of another, or gathers its items if they are not contiguous
    /// or not as they are stored.
    ///
    /// Column-major memory stays so, as in NumPy.
    ///
    /// # Errors
    /// Those of [`NumpyEncoding::from_array`] and of [`from_encoding`](Self::from_encoding).
    pub fn from_view<T: ArrayElement, D: Dimension>(
        view: ArrayView<'a, T, D>,
    ) -> Result<Self, Error> {
        Self::from_encoding(NumpyEncoding::from_array(view)?)
    }

    fn of_parts(
        dtype: &DType,
        shape: Vec<usize>,
        by_columns: bool,
        payload: impl Into<Data<'a>>,
    ) -> Result<Self, Error> {
        let header = Header::bytes(dtype, &shape, by_columns)?;
        // One that is too long would be written, and refused by every reader.
        Header::read(&header)?;
        let mut data = Data::from(header);
        data.append(payload);
        Ok(Self::new(dtype.name(), shape, NUMPY, data))
    }

    /// Returns the array in its wire form, which borrows the payload if it lies in one piece.
    ///
    /// The header in the data is what is believed. The names of ml_dtypes are taken from the field, where
    /// the header says opaque bytes of their size.
    ///
    /// # Errors
    /// [`Serialization`](crate::FlowerError::Serialization) for another `stype` than `numpy.ndarray`;
    /// [`Field`](crate::FlowerError::Field) for a field that contradicts the header, unless both are
    /// empty, as in the arrays of Flower's older interface; [`ErrorKind::PayloadLength`] and
    /// [`ErrorKind::TrailingBytes`]; [`ErrorKind::Format`] and [`ErrorKind::DType`] for a header that is
    /// none, with the byte.
    pub fn to_encoding(&self) -> Result<NumpyEncoding<'_>, Error> {
        let header = self.header()?;
        let payload = self.data().tail(header.payload)?;
        NumpyEncoding::from_dtype(header.shape, payload, header.dtype, header.order)
    }

    /// Returns the array in its wire form, with the payload that it was made of if that was borrowed, or
    /// is bytes that nobody else has; with a copy if not.
    ///
    /// # Errors
    /// Those of [`to_encoding`](Self::to_encoding).
    pub fn into_encoding(self) -> Result<NumpyEncoding<'a>, Error> {
        let header = self.header()?;
        let inner = Arc::try_unwrap(self.0);
        let data = inner.map_or_else(|shared| shared.data.clone(), |inner| inner.data);
        let payload = data.into_tail(header.payload)?;
        NumpyEncoding::from_dtype(header.shape, payload, header.dtype, header.order)
    }

    /// Reads the items into memory of their own, in the memory order that they have.
    ///
    /// # Errors
    /// Those of [`to_encoding`](Self::to_encoding) and of [`NumpyEncoding::to_array`].
    pub fn to_ndarray<T: ArrayElement, D: Dimension>(&self) -> Result<ndarray::Array<T, D>, Error> {
        let header = self.header()?;
        let span = Span {
            offset: header.payload as u64,
            length: self.data().len() - header.payload,
        };
        let text = Cow::Owned(header.dtype.text());
        let shape = Extents::from_vec(header.shape);
        let encoding = NumpyEncoding::stored(shape, span, text, header.order)?;
        T::fetch(encoding, Some(self.data()), Cast::Exact, false)
    }

    /// Returns the array that this one was made of, with its memory, if nobody else has it; reads the
    /// items into memory of their own if not.
    ///
    /// # Errors
    /// Those of [`to_ndarray`](Self::to_ndarray).
    pub fn into_ndarray<T: Element, D: Dimension>(self) -> Result<ndarray::Array<T, D>, Error> {
        let header = self.header()?;
        let is_same = header.dtype == T::dtype() && T::sub_shape().is_empty();
        let Some(dimensions) = D::from_dimension(&IxDyn(&header.shape)).filter(|_| is_same) else {
            return self.to_ndarray();
        };
        let mut inner = match Arc::try_unwrap(self.0) {
            Ok(inner) => inner,
            Err(shared) => return Self(shared).to_ndarray(),
        };
        match std::mem::take(&mut inner.data).into_items::<T>(header.payload) {
            Ok(items) => {
                let shape = dimensions.set_f(header.order == Some(Order::F));
                let array = ndarray::Array::from_shape_vec(shape, items);
                array.map_err(|error| ErrorKind::Custom(error.to_string()).into())
            }
            Err(data) => {
                inner.data = data;
                Self(Arc::new(inner)).to_ndarray()
            }
        }
    }
}

impl Array<'static> {
    /// Makes an array that takes over the memory of another; items that are not contiguous, or are not
    /// stored as they lie in memory, are gathered.
    ///
    /// Column-major memory stays so, as in NumPy.
    ///
    /// ```
    /// use npcodec::flower::Array;
    /// use npcodec::ndarray::{Array2, array};
    ///
    /// let weights = array![[1f32, 2.0], [3.0, 4.0]];
    /// let array = Array::from_ndarray(weights.clone())?;
    /// assert_eq!((array.dtype(), array.shape()), ("float32", &[2, 2][..]));
    /// let back: Array2<f32> = array.into_ndarray()?; // the very memory
    /// assert_eq!(back, weights);
    /// # Ok::<(), npcodec::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`NumpyEncoding::from_array`] and of [`from_encoding`](Self::from_encoding).
    pub fn from_ndarray<T: Element, D: Dimension>(
        array: ndarray::Array<T, D>,
    ) -> Result<Self, Error> {
        let items = array.as_slice_memory_order();
        let bytes = items.and_then(T::as_bytes).map(<[u8]>::len);
        let in_form = bytes == Some(array.len() * size_of::<T>()) && T::sub_shape().is_empty();
        let Some(memory) = layout(&array.view()).filter(|_| in_form) else {
            let encoding = NumpyEncoding::from_array(array.view())?;
            return Ok(Array::from_encoding(encoding)?.into_owned());
        };
        let shape = array.shape().to_vec();
        let by_columns = is_by_columns(&shape, Some(memory));
        let count = array.len();
        let (items, start) = array.into_raw_vec_and_offset();
        let start = start.unwrap_or(0) * size_of::<T>();
        let payload = Data::taken(items, start..start + count * size_of::<T>());
        Self::of_parts(&T::dtype(), shape, by_columns, payload)
    }
}
