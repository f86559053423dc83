//! What all of Flower's objects have in common: they deflate to bytes, under ids that are hashes.

use bytes::Bytes;
use indexmap::IndexMap;

use super::data::Data;
use super::inflate;
use super::walk::{DeflateOptions, Walk};
use super::{
    Array, ArrayChunk, ArrayRecord, Class, ConfigRecord, Message, MetricRecord, ObjectId,
    ObjectTree, RecordDict,
};
use crate::error::{Error, FlowerError};
use crate::limits::Limits;

/// Any of Flower's objects.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Object<'a> {
    /// A part of the data of an array.
    ArrayChunk(ArrayChunk<'a>),
    /// An array.
    Array(Array<'a>),
    /// A map of arrays.
    ArrayRecord(ArrayRecord<'a>),
    /// A map of settings.
    ConfigRecord(ConfigRecord),
    /// A map of measurements.
    MetricRecord(MetricRecord),
    /// A map of records.
    RecordDict(RecordDict<'a>),
    /// What nodes send each other.
    Message(Message<'a>),
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// What deflates to bytes and inflates from them: every class of Flower's objects.
///
/// An object is a head, a NUL and a body; its id is the SHA-256 of them, and its head lists the ids of
/// its children. The bytes are those of flwr 1.42, so that ids are equal. Ids are computed when they are
/// asked for, and an object that was inflated and has not been changed keeps the bytes that it was
/// inflated from, in whichever layout they were. Nothing of this copies the data of an array.
///
/// ```
/// use npcodec::flower::{Array, ArrayRecord, Inflatable};
/// use npcodec::ndarray::array;
///
/// let mut record = ArrayRecord::new();
/// record.insert("w", Array::from_ndarray(array![1f32, 2.0])?);
/// let id = record.object_id();
/// assert_eq!(id.to_string(), "9cc27e52b16e582ac34013441ac0e361efdbf601d640bcc535be992da2c17612");
///
/// let objects = record.objects(); // the chunk, the array and the record
/// let found = ArrayRecord::inflate_all(id, |id| objects.get(&id).cloned().map(Into::into))?;
/// assert_eq!(found, record);
/// assert!(!found.is_dirty());
/// # Ok::<(), npcodec::Error>(())
/// ```
pub trait Inflatable<'a>: sealed::Sealed + Sized {
    /// The name in the head of the object.
    const CLASS: Class;

    /// Returns the id if it is known without hashing.
    #[doc(hidden)]
    fn known_id(&self) -> Option<ObjectId>;

    /// Goes over the objects below this one and then over this one.
    #[doc(hidden)]
    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId;

    /// Returns the objects that the head lists, perhaps some of them several times.
    #[doc(hidden)]
    fn child_objects(&self, walk: &Walk<'_, 'a>) -> Vec<Object<'a>>;

    /// Returns true if the bytes of the object must be made: it was not inflated, or it or something
    /// below it has been changed since.
    fn is_dirty(&self) -> bool {
        self.known_id().is_none()
    }

    /// Returns the id of the object, with chunks of flwr's default size.
    fn object_id(&self) -> ObjectId {
        self.object_id_with(&DeflateOptions::new())
    }

    /// Returns the id of the object.
    fn object_id_with(&self, options: &DeflateOptions) -> ObjectId {
        self.known_id()
            .unwrap_or_else(|| self.walk(&mut Walk::ids(options)))
    }

    /// Returns the bytes of the object, without those of its children.
    fn deflate(&self) -> Data<'a> {
        self.deflate_with(&DeflateOptions::new())
    }

    /// Returns the bytes of the object, without those of its children.
    fn deflate_with(&self, options: &DeflateOptions) -> Data<'a> {
        let mut content = Data::default();
        // The object itself comes last.
        self.walk(&mut Walk::all(options, &mut |visited| {
            content = visited.content
        }));
        content
    }

    /// Returns the objects that the head lists, in its order.
    fn children(&self) -> IndexMap<ObjectId, Object<'a>> {
        self.children_with(&DeflateOptions::new())
    }

    /// Returns the objects that the head lists, in its order.
    fn children_with(&self, options: &DeflateOptions) -> IndexMap<ObjectId, Object<'a>> {
        let children = self.child_objects(&Walk::ids(options));
        let mut children: IndexMap<_, _> = children
            .into_iter()
            .map(|child| (child.object_id_with(options), child))
            .collect();
        if self.is_dirty() {
            // The head that will be made lists each where it is first used.
            return children;
        }
        let mut head = Vec::new();
        self.walk(&mut Walk::all(options, &mut |visited| {
            head = visited.children
        }));
        let listed = head.into_iter();
        let listed = listed.filter_map(|id| children.swap_remove_entry(&id));
        listed.collect()
    }

    /// Returns the bytes of this object and of all below it, each once: children before what lists
    /// them, this object last. It is what a sender pushes.
    fn objects(&self) -> IndexMap<ObjectId, Data<'a>> {
        self.objects_with(&DeflateOptions::new())
    }

    /// Returns the bytes of this object and of all below it, as [`objects`](Self::objects) does.
    fn objects_with(&self, options: &DeflateOptions) -> IndexMap<ObjectId, Data<'a>> {
        let mut objects = IndexMap::new();
        self.walk(&mut Walk::all(options, &mut |visited| {
            objects.entry(visited.id).or_insert(visited.content);
        }));
        objects
    }

    /// Returns the ids of this object and of all below it, as a tree.
    fn object_tree(&self) -> ObjectTree {
        self.object_tree_with(&DeflateOptions::new())
    }

    /// Returns the ids of this object and of all below it, as a tree.
    fn object_tree_with(&self, options: &DeflateOptions) -> ObjectTree {
        let mut trees: IndexMap<ObjectId, ObjectTree> = IndexMap::new();
        let root = self.walk(&mut Walk::all(options, &mut |visited| {
            // What is there is shared by all that list it.
            if !trees.contains_key(&visited.id) {
                let children = visited.children.iter();
                let children = children.filter_map(|id| trees.get(id).cloned()).collect();
                trees.insert(visited.id, ObjectTree::new(visited.id, children));
            }
        }));
        let tree = trees.swap_remove(&root);
        tree.unwrap_or_else(|| ObjectTree::new(root, Vec::new()))
    }

    /// Makes the object of its bytes and of the objects that its head lists.
    ///
    /// Whether `children` are those is seen by their own ids. Arrays share the memory of `content`.
    ///
    /// # Errors
    /// [`FlowerError`](crate::FlowerError) for a head, class or length that is not right, and for children
    /// that are missing, not listed or not used; [`ErrorKind::Format`](crate::ErrorKind::Format) and
    /// [`ErrorKind::RepeatedKey`](crate::ErrorKind::RepeatedKey) for a body that is none.
    fn inflate(
        content: impl Into<Bytes>,
        children: impl IntoIterator<Item = Object<'static>>,
    ) -> Result<Self, Error>
    where
        Self: TryFrom<Object<'a>, Error = Error>,
    {
        inflate::one(content.into(), children, &[Self::CLASS])?.try_into()
    }

    /// Makes the object of its id and of what holds the bytes of all objects, such as a map of them.
    ///
    /// All bytes are hashed, and arrays share their memory. How deep and how large the result is, is bounded
    /// by the classes and by the bytes that were read.
    ///
    /// # Errors
    /// Those of [`inflate`](Self::inflate), [`FlowerError::Missing`] and [`FlowerError::Hash`]; with the
    /// path of keys to the object.
    fn inflate_all(
        id: ObjectId,
        contents: impl FnMut(ObjectId) -> Option<Bytes>,
    ) -> Result<Self, Error>
    where
        Self: TryFrom<Object<'a>, Error = Error>,
    {
        Self::inflate_all_with(id, contents, &Limits::new())
    }

    /// Makes the object as [`inflate_all`](Self::inflate_all) does, within limits: of the keys of a record,
    /// of the bytes of a key, of an array's data and of all objects together.
    ///
    /// # Errors
    /// Those of [`inflate_all`](Self::inflate_all), and [`ErrorKind::Limit`](crate::ErrorKind::Limit).
    fn inflate_all_with(
        id: ObjectId,
        contents: impl FnMut(ObjectId) -> Option<Bytes>,
        limits: &Limits,
    ) -> Result<Self, Error>
    where
        Self: TryFrom<Object<'a>, Error = Error>,
    {
        inflate::all(id, contents, limits, &[Self::CLASS])?.try_into()
    }
}

macro_rules! each {
    ($object:expr, $one:ident => $made:expr) => {
        match $object {
            Object::ArrayChunk($one) => $made,
            Object::Array($one) => $made,
            Object::ArrayRecord($one) => $made,
            Object::ConfigRecord($one) => $made,
            Object::MetricRecord($one) => $made,
            Object::RecordDict($one) => $made,
            Object::Message($one) => $made,
        }
    };
}

impl<'a> Object<'a> {
    /// Returns the class.
    #[must_use]
    pub fn class(&self) -> Class {
        fn class<'a, T: Inflatable<'a>>(_: &T) -> Class {
            T::CLASS
        }
        each!(self, object => class(object))
    }

    /// Returns the id of the object, with chunks of flwr's default size.
    #[must_use]
    pub fn object_id(&self) -> ObjectId {
        self.object_id_with(&DeflateOptions::new())
    }

    /// Returns the id of the object.
    #[must_use]
    pub fn object_id_with(&self, options: &DeflateOptions) -> ObjectId {
        each!(self, object => object.object_id_with(options))
    }

    /// Returns the bytes of the object, without those of its children.
    #[must_use]
    pub fn deflate(&self) -> Data<'a> {
        self.deflate_with(&DeflateOptions::new())
    }

    /// Returns the bytes of the object, without those of its children.
    #[must_use]
    pub fn deflate_with(&self, options: &DeflateOptions) -> Data<'a> {
        each!(self, object => object.deflate_with(options))
    }

    /// Makes the object of its bytes and of the objects that its head lists, whatever its class is.
    ///
    /// # Errors
    /// Those of [`Inflatable::inflate`].
    pub fn inflate(
        content: impl Into<Bytes>,
        children: impl IntoIterator<Item = Object<'static>>,
    ) -> Result<Self, Error> {
        inflate::one(content.into(), children, &Class::ALL)
    }

    /// Makes the object of its id and of what holds the bytes of all objects, whatever its class is.
    ///
    /// # Errors
    /// Those of [`Inflatable::inflate_all`].
    pub fn inflate_all(
        id: ObjectId,
        contents: impl FnMut(ObjectId) -> Option<Bytes>,
    ) -> Result<Self, Error> {
        Self::inflate_all_with(id, contents, &Limits::new())
    }

    /// Makes the object as [`inflate_all`](Self::inflate_all) does, within limits.
    ///
    /// # Errors
    /// Those of [`Inflatable::inflate_all_with`].
    pub fn inflate_all_with(
        id: ObjectId,
        contents: impl FnMut(ObjectId) -> Option<Bytes>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        inflate::all(id, contents, limits, &Class::ALL)
    }
}

macro_rules! classes {
    ($($class:ident $(<$life:lifetime>)?;)*) => {$(
        impl<'a> From<$class $(<$life>)?> for Object<'a> {
            fn from(object: $class $(<$life>)?) -> Self {
                Self::$class(object)
            }
        }

        impl<'a> TryFrom<Object<'a>> for $class $(<$life>)? {
            type Error = Error;

            fn try_from(object: Object<'a>) -> Result<Self, Error> {
                match object {
                    Object::$class(object) => Ok(object),
                    other => Err(FlowerError::Class {
                        expected: Class::$class.name(),
                        found: other.class().name().to_owned(),
                    }
                    .into()),
                }
            }
        }
    )*};
}

classes! {
    ArrayChunk<'a>;
    Array<'a>;
    ArrayRecord<'a>;
    ConfigRecord;
    MetricRecord;
    RecordDict<'a>;
    Message<'a>;
}
