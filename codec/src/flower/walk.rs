//! The walk over an object and all that are below it, children first.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bytes::Bytes;
use indexmap::IndexSet;

use super::data::Data;
use super::head::framed;
use super::{Class, ObjectId, json};

/// How many bytes of an array flwr puts into one chunk, from version 1.23 on.
const CHUNK_BYTES: NonZeroUsize = match NonZeroUsize::new(5_242_880) {
    Some(bytes) => bytes,
    None => NonZeroUsize::MAX,
};

/// How objects are deflated.
///
/// What was inflated and has not been changed keeps its bytes, whatever the options say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeflateOptions {
    pub(super) chunk_bytes: NonZeroUsize,
}

impl Default for DeflateOptions {
    fn default() -> Self {
        Self {
            chunk_bytes: CHUNK_BYTES,
        }
    }
}

impl DeflateOptions {
    /// Starts from flwr's default: chunks of 5,242,880 bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many bytes of an array's data one chunk has at most, the header included.
    ///
    /// The object ids of larger arrays depend on it: flwr's is
    /// `FLWR_PRIVATE_MAX_ARRAY_CHUNK_SIZE`, and was 20,971,520 before version 1.23.
    #[must_use]
    pub fn chunk_bytes(mut self, bytes: NonZeroUsize) -> Self {
        self.chunk_bytes = bytes;
        self
    }
}

/// One object of a walk.
#[derive(Debug)]
pub(super) struct Visited<'a> {
    pub(super) id: ObjectId,
    pub(super) children: Vec<ObjectId>,
    pub(super) content: Data<'a>,
}

/// A walk over objects: what it is told, and who is told of each object.
pub struct Walk<'v, 'a> {
    pub(super) options: DeflateOptions,
    /// None where only ids are wanted: those that are known need no walk then.
    visit: Option<&'v mut dyn FnMut(Visited<'a>)>,
}

impl std::fmt::Debug for Walk<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").finish_non_exhaustive()
    }
}

impl<'v, 'a> Walk<'v, 'a> {
    pub(super) fn ids(options: &DeflateOptions) -> Self {
        Self {
            options: *options,
            visit: None,
        }
    }

    pub(super) fn all(options: &DeflateOptions, visit: &'v mut dyn FnMut(Visited<'a>)) -> Self {
        Self {
            options: *options,
            visit: Some(visit),
        }
    }

    pub(super) fn wants_ids_only(&self) -> bool {
        self.visit.is_none()
    }

    /// Tells of an object that still is what was found.
    pub(super) fn found(&mut self, found: &Found) {
        self.tell(found.id, &found.children, found.content.clone().into());
    }

    fn tell(&mut self, id: ObjectId, children: &[ObjectId], content: Data<'a>) {
        if let Some(visit) = &mut self.visit {
            visit(Visited {
                id,
                children: children.to_vec(),
                content,
            });
        }
    }

    /// Makes an object of its body, and tells of it.
    pub(super) fn made(
        &mut self,
        class: Class,
        children: &[ObjectId],
        body: impl Into<Data<'a>>,
    ) -> ObjectId {
        let content = framed(class, children, body.into());
        let id = ObjectId::of_parts(content.pieces());
        self.tell(id, children, content);
        id
    }

    /// Makes a record of the ids of its values: as it was found, if it still is that.
    pub(super) fn record(
        &mut self,
        class: Class,
        origin: &Origin,
        entries: &[(&str, ObjectId)],
    ) -> ObjectId {
        if let Some(found) = origin.of_entries(entries) {
            self.found(found);
            return found.id;
        }
        let children: IndexSet<ObjectId> = entries.iter().map(|&(_, id)| id).collect();
        let children: Vec<_> = children.into_iter().collect();
        let body = json::entries(entries.iter().copied());
        self.made(class, &children, body.into_bytes())
    }

    /// Makes an object without children: as it was found, if `canonical` turns the body of what was found
    /// into this one.
    pub(super) fn leaf(
        &mut self,
        class: Class,
        origin: &Origin,
        body: Vec<u8>,
        canonical: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> ObjectId {
        if let Some(found) = origin.of_body(&body, canonical) {
            self.found(found);
            return found.id;
        }
        self.made(class, &[], body)
    }
}

/// The bytes that an object was inflated from.
pub(super) struct Found {
    pub(super) id: ObjectId,
    pub(super) children: Vec<ObjectId>,
    pub(super) content: Bytes,
    /// How many bytes come before the body.
    pub(super) body: usize,
}

impl Found {
    pub(super) fn body(&self) -> &[u8] {
        self.content.get(self.body..).unwrap_or_default()
    }
}

impl std::fmt::Debug for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Found({})", self.id)
    }
}

/// What a record was inflated from, if it was; whether it is still that is seen when it is asked for.
///
/// No part of what a record is: any two are equal.
#[derive(Debug, Clone, Default)]
pub(super) struct Origin(Option<Arc<Found>>);

impl Origin {
    pub(super) fn new(found: Found) -> Self {
        Self(Some(Arc::new(found)))
    }

    /// Returns what was found, if it holds these entries in their order.
    pub(super) fn of_entries(&self, entries: &[(&str, ObjectId)]) -> Option<&Found> {
        let found = self.0.as_deref()?;
        let before = json::read_entries(found.body()).ok()?;
        let before = before.iter().map(|(key, id)| (key.as_str(), *id));
        before.eq(entries.iter().copied()).then_some(found)
    }

    /// Returns what was found, if its body says what this one says.
    pub(super) fn of_body(
        &self,
        body: &[u8],
        canonical: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> Option<&Found> {
        let found = self.0.as_deref()?;
        (canonical(found.body()).as_deref() == Some(body)).then_some(found)
    }

    /// Returns what was found, whatever has become of it.
    pub(super) fn found(&self) -> Option<&Found> {
        self.0.as_deref()
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
