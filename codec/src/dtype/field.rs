//! One field of a structured dtype.

use super::DType;
use super::layout::byte_size;

/// One field of a structured dtype.
///
/// A field on its own may claim anything; [`Record::new`](super::Record::new) checks it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    name: String,
    title: Option<String>,
    dtype: DType,
    shape: Vec<usize>,
    offset: usize,
}

impl Field {
    /// Returns a field at an offset; an empty shape stands for one that is no sub-array.
    #[must_use]
    pub fn new(name: impl Into<String>, dtype: DType, shape: Vec<usize>, offset: usize) -> Self {
        Self {
            name: name.into(),
            title: None,
            dtype,
            shape,
            offset,
        }
    }

    /// Returns this field under a title, which NumPy takes for a second name.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the title, if there is one.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Returns the dtype, for a sub-array that of its items.
    #[must_use]
    pub fn dtype(&self) -> &DType {
        &self.dtype
    }

    /// Returns this field with another dtype in its place.
    #[cfg(feature = "flower")]
    pub(super) fn with_dtype(&self, dtype: DType) -> Self {
        Self {
            dtype,
            ..self.clone()
        }
    }

    /// Returns the shape of a sub-array, outer to inner; empty for any other field.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns how many bytes of the item come before the field.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns how many bytes the field takes, all items of a sub-array together.
    ///
    /// For a field that no record can hold this is `usize::MAX`.
    #[must_use]
    pub fn size(&self) -> usize {
        byte_size(self.dtype.itemsize(), &self.shape).unwrap_or(usize::MAX)
    }

    pub(super) fn end(&self) -> usize {
        self.offset.saturating_add(self.size())
    }
}
