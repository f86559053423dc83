//! An array as Flower sends it: its name, its shape and an `.npy` file.

mod header;
mod numbers;

use std::fmt;
use std::sync::Arc;

use indexmap::IndexSet;

use super::data::Data;
use super::object::{Inflatable, Object, sealed};
use super::walk::{Found, Walk};
use super::{ArrayChunk, Class, ObjectId, json};

/// The serialization of all arrays that flwr itself makes: an `.npy` file.
const NUMPY: &str = "numpy.ndarray";

/// An array as Flower sends it: four fields, of which `data` is an `.npy` file.
///
/// `dtype` and `shape` are what Python's `str(array.dtype)` and `array.shape` are; the header in the data
/// says the same, and is what the items are read by. [`from_ndarray`](Self::from_ndarray) takes the memory
/// of an array over, [`from_view`](Self::from_view) and [`from_encoding`](Self::from_encoding) borrow it.
/// Clones share the data.
///
/// ```
/// use npcodec::flower::Array;
///
/// let array = Array::new("raw", [5], "custom", b"hello");
/// assert_eq!((array.dtype(), array.shape(), array.stype()), ("raw", &[5][..], "custom"));
/// assert!(array.to_encoding().is_err()); // no numbers can be read from a "custom" serialization
/// ```
#[derive(Clone)]
pub struct Array<'a>(Arc<Inner<'a>>);

#[derive(Clone)]
struct Inner<'a> {
    dtype: String,
    shape: Vec<usize>,
    stype: String,
    data: Data<'a>,
    /// What the array was inflated from, until a field is set.
    found: Option<Arc<(Found, Vec<ArrayChunk<'static>>)>>,
}

impl<'a> Array<'a> {
    /// Makes an array of its four fields, which are not compared with each other, as in Flower.
    ///
    /// `dtype` is NumPy's name of it (`float32`, `>f4`), `stype` how `data` is to be read:
    /// `numpy.ndarray` for an `.npy` file. Data is borrowed from a slice, taken over from a `Vec`, and shared
    /// with `Bytes`.
    #[must_use]
    pub fn new(
        dtype: impl Into<String>,
        shape: impl Into<Vec<usize>>,
        stype: impl Into<String>,
        data: impl Into<Data<'a>>,
    ) -> Self {
        Self(Arc::new(Inner {
            dtype: dtype.into(),
            shape: shape.into(),
            stype: stype.into(),
            data: data.into(),
            found: None,
        }))
    }

    /// Returns NumPy's name of the dtype; empty in the arrays of Flower's older interface.
    #[must_use]
    pub fn dtype(&self) -> &str {
        &self.0.dtype
    }

    /// Returns the lengths of the axes; none in the arrays of Flower's older interface.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// Returns how the data is to be read.
    #[must_use]
    pub fn stype(&self) -> &str {
        &self.0.stype
    }

    /// Returns the data.
    #[must_use]
    pub fn data(&self) -> &Data<'a> {
        &self.0.data
    }

    /// Sets NumPy's name of the dtype.
    pub fn set_dtype(&mut self, dtype: impl Into<String>) {
        self.touch().dtype = dtype.into();
    }

    /// Sets the lengths of the axes.
    pub fn set_shape(&mut self, shape: impl Into<Vec<usize>>) {
        self.touch().shape = shape.into();
    }

    /// Sets how the data is to be read.
    pub fn set_stype(&mut self, stype: impl Into<String>) {
        self.touch().stype = stype.into();
    }

    /// Sets the data.
    pub fn set_data(&mut self, data: impl Into<Data<'a>>) {
        self.touch().data = data.into();
    }

    /// Returns the same array with memory of its own for what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Array<'static> {
        let inner = Arc::unwrap_or_clone(self.0);
        Array(Arc::new(Inner {
            dtype: inner.dtype,
            shape: inner.shape,
            stype: inner.stype,
            data: inner.data.into_owned(),
            found: inner.found,
        }))
    }

    fn touch(&mut self) -> &mut Inner<'a> {
        let inner = Arc::make_mut(&mut self.0);
        inner.found = None;
        inner
    }

    fn body(&self, chunks: &[usize]) -> String {
        let mut json = "{\"dtype\": ".to_owned();
        json::text(&mut json, self.dtype());
        json.push_str(", \"shape\": ");
        json::list(&mut json, self.shape());
        json.push_str(", \"stype\": ");
        json::text(&mut json, self.stype());
        json.push_str(", \"arraychunk_ids\": ");
        json::list(&mut json, chunks);
        json.push('}');
        json
    }
}

impl Array<'static> {
    /// Makes an array of the body of its object and of the chunks that the head lists.
    pub(super) fn inflated(
        body: json::ArrayBody,
        data: Data<'static>,
        found: Found,
        chunks: Vec<ArrayChunk<'static>>,
    ) -> Self {
        Self(Arc::new(Inner {
            dtype: body.dtype,
            shape: body.shape,
            stype: body.stype,
            data,
            found: Some(Arc::new((found, chunks))),
        }))
    }
}

impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("dtype", &self.dtype())
            .field("shape", &self.shape())
            .field("stype", &self.stype())
            .field("data", self.data())
            .finish_non_exhaustive()
    }
}

/// As in Flower, two arrays are equal if their four fields are.
impl PartialEq for Array<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
            || (self.dtype() == other.dtype()
                && self.shape() == other.shape()
                && self.stype() == other.stype()
                && self.data() == other.data())
    }
}

impl Eq for Array<'_> {}

impl sealed::Sealed for Array<'_> {}

impl<'a> Inflatable<'a> for Array<'a> {
    const CLASS: Class = Class::Array;

    fn known_id(&self) -> Option<ObjectId> {
        self.0.found.as_deref().map(|(found, _)| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        if let Some((found, chunks)) = self.0.found.as_deref() {
            if !walk.wants_ids_only() {
                for chunk in chunks {
                    chunk.walk(walk);
                }
                walk.found(found);
            }
            return found.id;
        }
        let mut chunks = IndexSet::new();
        let mut order = Vec::new();
        for chunk in self.data().chunks(walk.options.chunk_bytes) {
            let id = walk.made(Class::ArrayChunk, &[], chunk);
            order.push(chunks.insert_full(id).0);
        }
        let chunks: Vec<_> = chunks.into_iter().collect();
        walk.made(Class::Array, &chunks, self.body(&order).into_bytes())
    }

    fn child_objects(&self, walk: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        if let Some((_, chunks)) = self.0.found.as_deref() {
            return chunks.iter().cloned().map(Object::from).collect();
        }
        let chunks = self.data().chunks(walk.options.chunk_bytes);
        chunks.map(|chunk| ArrayChunk::new(chunk).into()).collect()
    }
}
