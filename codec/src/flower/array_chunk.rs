//! A part of the data of an array.

use super::data::Data;
use super::object::{Inflatable, Object, sealed};
use super::walk::{Found, Origin, Walk};
use super::{Class, ObjectId};

/// A part of the data of an [`Array`](super::Array), as Flower sends it.
///
/// ```
/// use npcodec::flower::{ArrayChunk, Inflatable};
///
/// let chunk = ArrayChunk::new(b"xyz");
/// assert_eq!(*chunk.deflate().to_bytes(), *b"ArrayChunk  3\0xyz");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayChunk<'a> {
    data: Data<'a>,
    origin: Origin,
}

impl<'a> ArrayChunk<'a> {
    /// Makes a chunk of its bytes.
    #[must_use]
    pub fn new(data: impl Into<Data<'a>>) -> Self {
        Self {
            data: data.into(),
            origin: Origin::default(),
        }
    }

    /// Returns the bytes.
    #[must_use]
    pub fn data(&self) -> &Data<'a> {
        &self.data
    }
}

impl ArrayChunk<'static> {
    pub(super) fn of_content(found: Found) -> Self {
        Self {
            data: found.content.slice(found.body..).into(),
            origin: Origin::new(found),
        }
    }
}

impl sealed::Sealed for ArrayChunk<'_> {}

impl<'a> Inflatable<'a> for ArrayChunk<'a> {
    const CLASS: Class = Class::ArrayChunk;

    // A chunk cannot be changed.
    fn known_id(&self) -> Option<ObjectId> {
        self.origin.found().map(|found| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        match self.origin.found() {
            Some(found) => {
                walk.found(found);
                found.id
            }
            None => walk.made(Class::ArrayChunk, &[], self.data.clone()),
        }
    }

    fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        Vec::new()
    }
}
