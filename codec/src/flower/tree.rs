//! The ids of an object and of all below it.

use std::sync::Arc;

use indexmap::IndexSet;
use prost::Message;

use super::ObjectId;
use super::protobuf::decode;
use crate::error::Error;

/// The ids of an object and of all that are below it, as a tree: what a sender announces.
///
/// Clones share what is below, and so do the places of one object in a tree that was made of objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectTree {
    object_id: ObjectId,
    children: Arc<[ObjectTree]>,
}

#[derive(Clone, PartialEq, Message)]
struct TreeMessage {
    #[prost(string, tag = "1")]
    object_id: String,
    #[prost(message, repeated, tag = "2")]
    children: Vec<TreeMessage>,
}

impl ObjectTree {
    /// Makes a tree of an id and the trees of the children.
    #[must_use]
    pub fn new(object_id: ObjectId, children: Vec<Self>) -> Self {
        let children = children.into();
        Self {
            object_id,
            children,
        }
    }

    /// Returns the id of the object.
    #[must_use]
    pub fn object_id(&self) -> ObjectId {
        self.object_id
    }

    /// Returns the trees of the children, each once, in the order in which the head lists them.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        &self.children
    }

    /// Returns all ids, each once: children before what lists them, the object itself last.
    #[must_use]
    pub fn post_order(&self) -> IndexSet<ObjectId> {
        let mut ids = IndexSet::new();
        self.visit(&mut ids);
        ids
    }

    fn visit(&self, ids: &mut IndexSet<ObjectId>) {
        for child in self.children() {
            child.visit(ids);
        }
        ids.insert(self.object_id);
    }

    /// Returns the protobuf message `ObjectTree` of Flower's `message.proto`.
    #[must_use]
    pub fn to_protobuf(&self) -> Vec<u8> {
        self.message().encode_to_vec()
    }

    fn message(&self) -> TreeMessage {
        TreeMessage {
            object_id: self.object_id.to_string(),
            children: self.children.iter().map(Self::message).collect(),
        }
    }

    /// Reads the protobuf message, at most 100 levels of it.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) and
    /// [`FlowerError::ObjectId`](crate::FlowerError::ObjectId).
    pub fn from_protobuf(bytes: &[u8]) -> Result<Self, Error> {
        Self::of(&decode(bytes, "ObjectTree")?)
    }

    fn of(message: &TreeMessage) -> Result<Self, Error> {
        let children = message.children.iter().map(Self::of);
        Ok(Self {
            object_id: message.object_id.parse()?,
            children: children.collect::<Result<_, _>>()?,
        })
    }
}
