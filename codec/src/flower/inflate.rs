//! Objects out of their bytes: every claim is checked before it is believed.

use std::collections::HashMap;

use bytes::Bytes;
use indexmap::{IndexMap, IndexSet};

use super::head::{self, Head};
use super::json;
use super::protobuf::under;
use super::walk::{Found, Origin};
use super::{
    Array, ArrayChunk, ArrayRecord, Class, ConfigRecord, Data, Message, MetricRecord, Object,
    ObjectId, Record, RecordDict,
};
use crate::error::{Error, ErrorKind, FlowerError};
use crate::limits::Limits;

/// Makes an object of one of some classes of its bytes and its children.
pub(super) fn one(
    content: Bytes,
    children: impl IntoIterator<Item = Object<'static>>,
    wanted: &[Class],
) -> Result<Object<'static>, Error> {
    let given = children.into_iter().map(|child| (child.object_id(), child));
    let mut given = Given {
        objects: given.collect(),
        used: IndexSet::new(),
        sizes: HashMap::new(),
        read: content.len(),
        shared: Sharing::default(),
        limits: Limits::new(),
    };
    let id = ObjectId::of(&content);
    let object = object(id, content, wanted, &mut given)?;
    match given.objects.keys().find(|id| !given.used.contains(*id)) {
        Some(id) => Err(head::children("is given and not listed in the head", *id)),
        None => Ok(object),
    }
}

/// Makes an object of one of some classes and all below it.
pub(super) fn all(
    id: ObjectId,
    contents: impl FnMut(ObjectId) -> Option<Bytes>,
    limits: &Limits,
    wanted: &[Class],
) -> Result<Object<'static>, Error> {
    let mut graph = Graph {
        contents,
        limits: *limits,
        made: HashMap::new(),
        read: 0,
        shared: Sharing::default(),
    };
    graph.fetch(id, wanted)
}

/// Where the children of an object come from.
trait Children {
    fn child(&mut self, id: ObjectId, wanted: &[Class]) -> Result<Object<'static>, Error>;

    fn limits(&self) -> Limits;
}

/// The children of one object.
struct Given {
    objects: IndexMap<ObjectId, Object<'static>>,
    used: IndexSet<ObjectId>,
    /// The bytes of those that are used many times.
    sizes: HashMap<ObjectId, usize>,
    /// The bytes of the object and of those.
    read: usize,
    shared: Sharing,
    limits: Limits,
}

impl Children for Given {
    fn child(&mut self, id: ObjectId, wanted: &[Class]) -> Result<Object<'static>, Error> {
        let child = self.objects.get(&id);
        let child =
            child.ok_or_else(|| head::children("is listed in the head and not given", id))?;
        of_class(child.class(), wanted)?;
        if !self.used.insert(id) && is_map(child) {
            let size = *self.sizes.entry(id).or_insert_with(|| {
                let size = child.deflate().len();
                self.read = self.read.saturating_add(size);
                size
            });
            self.shared.again(size, self.read)?;
        }
        Ok(child.clone())
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}

/// Objects that are made as they are asked for, each once.
struct Graph<F> {
    contents: F,
    limits: Limits,
    made: HashMap<ObjectId, (Object<'static>, usize)>,
    /// The bytes that were read.
    read: usize,
    shared: Sharing,
}

impl<F: FnMut(ObjectId) -> Option<Bytes>> Graph<F> {
    fn fetch(&mut self, id: ObjectId, wanted: &[Class]) -> Result<Object<'static>, Error> {
        let missing = || FlowerError::Missing { id: id.to_string() };
        let content = (self.contents)(id).ok_or_else(missing)?;
        self.read = self.read.saturating_add(content.len());
        limit("bytes of objects", self.read, self.limits.total_bytes)?;
        let found = ObjectId::of(&content);
        if found != id {
            let (id, found) = (id.to_string(), found.to_string());
            return Err(FlowerError::Hash { id, found }.into());
        }
        object(id, content, wanted, self)
    }
}

/// The bytes that would have been read if records were not shared.
#[derive(Default)]
struct Sharing(usize);

impl Sharing {
    /// A record that is used many times is a map as many times; small ones may be.
    const MOST: usize = 1 << 24;

    /// Counts one that was used before.
    fn again(&mut self, size: usize, read: usize) -> Result<(), Error> {
        self.0 = self.0.saturating_add(size);
        if self.0 > Self::MOST.max(read.saturating_mul(8)) {
            return Err(FlowerError::Shared { bytes: read }.into());
        }
        Ok(())
    }
}

/// Returns false for those of which clones take no memory that could count.
fn is_map(object: &Object<'_>) -> bool {
    !matches!(object, Object::Array(_) | Object::ArrayChunk(_))
}

impl<F: FnMut(ObjectId) -> Option<Bytes>> Children for Graph<F> {
    fn child(&mut self, id: ObjectId, wanted: &[Class]) -> Result<Object<'static>, Error> {
        if let Some((object, size)) = self.made.get(&id) {
            of_class(object.class(), wanted)?;
            self.shared.again(*size, self.read)?;
            return Ok(object.clone());
        }
        let before = self.read;
        let object = self.fetch(id, wanted)?;
        let size = if is_map(&object) {
            self.read - before
        } else {
            0
        };
        self.made.insert(id, (object.clone(), size));
        Ok(object)
    }

    fn limits(&self) -> Limits {
        self.limits
    }
}

fn limit(what: &'static str, found: usize, limit: usize) -> Result<(), Error> {
    if found > limit {
        return Err(ErrorKind::Limit { what, limit, found }.into());
    }
    Ok(())
}

/// Makes an object whose bytes have been hashed.
fn object(
    id: ObjectId,
    content: Bytes,
    wanted: &[Class],
    children: &mut impl Children,
) -> Result<Object<'static>, Error> {
    let head = Head::read(&content)?;
    of_class(head.class, wanted)?;
    let found = Found {
        id,
        children: head.children,
        content,
        body: head.body,
    };
    if let ([], Some(id)) = (head.class.children(), found.children.first()) {
        return Err(head::children("is listed by an object that has none", *id));
    }
    Ok(match head.class {
        Class::ArrayChunk => ArrayChunk::of_content(found).into(),
        Class::Array => array(found, children)?.into(),
        Class::ArrayRecord => {
            let arrays = record(&found, head.class, children, Array::try_from)?;
            ArrayRecord(arrays, Origin::new(found)).into()
        }
        Class::RecordDict => {
            let records = record(&found, head.class, children, Record::try_from)?;
            RecordDict(records, Origin::new(found)).into()
        }
        Class::ConfigRecord => {
            let mut record = ConfigRecord::from_protobuf(found.body())?;
            record.1 = Origin::new(found);
            record.into()
        }
        Class::MetricRecord => {
            let mut record = MetricRecord::from_protobuf(found.body())?;
            record.1 = Origin::new(found);
            record.into()
        }
        Class::Message => {
            let content = message_content(&found.children, children)?;
            Message::inflated(found, content)?.into()
        }
    })
}

/// Makes the content of a message, of which the head lists one or none.
fn message_content(
    listed: &[ObjectId],
    children: &mut impl Children,
) -> Result<Option<RecordDict<'static>>, Error> {
    let (first, more) = (listed.first(), listed.get(1));
    if let Some(id) = more {
        return Err(head::children(
            "is listed by a message that has content already",
            *id,
        ));
    }
    let content =
        first.map(|id| RecordDict::try_from(children.child(*id, Class::Message.children())?));
    content.transpose().map_err(|error| under(error, "content"))
}

/// Refuses an object of another class than those that can stand at its place.
fn of_class(class: Class, wanted: &[Class]) -> Result<(), Error> {
    if wanted.contains(&class) {
        return Ok(());
    }
    let expected = match wanted {
        [one] => one.name(),
        _ => "ArrayRecord, ConfigRecord or MetricRecord",
    };
    Err(head::class_error(expected, class.name()))
}

/// Makes the entries of a record, whose body and head have to list the same children.
fn record<V>(
    found: &Found,
    class: Class,
    children: &mut impl Children,
    make: impl Fn(Object<'static>) -> Result<V, Error>,
) -> Result<super::TypedDict<V>, Error> {
    let entries = json::read_entries(found.body())?;
    limit("keys of a record", entries.len(), children.limits().keys)?;
    let mut unused: IndexSet<_> = found.children.iter().copied().collect();
    let listed = unused.clone();
    let mut dict = super::TypedDict::new();
    for (key, id) in entries {
        limit("bytes of a key", key.len(), children.limits().key_bytes)?;
        let mut one = || {
            if !listed.contains(&id) {
                return Err(head::children(
                    "is used by the body and not listed in the head",
                    id,
                ));
            }
            make(children.child(id, class.children())?)
        };
        let value = one().map_err(|error| under(error, &key))?;
        unused.swap_remove(&id);
        dict.insert(key, value);
    }
    all_used(&unused)?;
    Ok(dict)
}

fn all_used(unused: &IndexSet<ObjectId>) -> Result<(), Error> {
    match unused.first() {
        Some(id) => Err(head::children(
            "is listed in the head and not used by the body",
            *id,
        )),
        None => Ok(()),
    }
}

/// Makes an array of its chunks, of which some may be there many times.
fn array(found: Found, children: &mut impl Children) -> Result<Array<'static>, Error> {
    let body = json::read_array(found.body())?;
    let mut chunks = Vec::new();
    for &id in &found.children {
        let chunk = children.child(id, Class::Array.children())?;
        chunks.push(ArrayChunk::try_from(chunk)?);
    }
    let mut unused: IndexSet<_> = found.children.iter().copied().collect();
    let mut data = Data::default();
    for &index in &body.chunks {
        let (Some(chunk), Some(id)) = (chunks.get(index), found.children.get(index)) else {
            let count = chunks.len();
            return Err(FlowerError::ChunkIndex { index, count }.into());
        };
        unused.swap_remove(id);
        data.append(chunk.data().clone());
    }
    all_used(&unused)?;
    let most = children.limits().array_bytes.min(isize::MAX as usize);
    limit("bytes of an array", data.len(), most)?;
    Ok(Array::inflated(body, data, found, chunks))
}
