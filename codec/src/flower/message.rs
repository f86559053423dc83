//! What Flower's nodes send each other: records, or an error, and where to.

use bytes::Buf;
use prost::Message as _;

use super::inline::record_dict;
use super::object::{Inflatable, Object, sealed};
use super::protobuf::arrays::Content;
use super::protobuf::message::MessageBody;
use super::protobuf::write::Parts;
use super::protobuf::{decode, fault};
use super::walk::{Found, Origin, Walk};
use super::{Class, MessageError, Metadata, ObjectId, RecordDict};
use crate::error::Error;

/// What Flower's nodes send each other: records, or the error that there was instead, with the
/// metadata.
///
/// As an [object](Inflatable) it holds the records as its child, and no `message_id`.
///
/// ```
/// use npcodec::flower::{Inflatable, Message, MessageError, Metadata};
///
/// let mut metadata = Metadata::default();
/// metadata.dst_node_id = 7;
/// metadata.message_type = "train".to_owned();
/// let message = Message::new(metadata, Err(MessageError::new(2, "no data")));
/// let bytes = message.to_protobuf()?;
/// assert_eq!(Message::from_protobuf(&bytes[..])?, message);
/// assert_eq!(Message::inflate(message.deflate().to_bytes().into_owned(), [])?, message);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Where it comes from and where it goes.
    pub metadata: Metadata,
    /// What it holds.
    pub content: Result<RecordDict<'a>, MessageError>,
    origin: Origin,
}

impl<'a> Message<'a> {
    /// Makes a message.
    #[must_use]
    pub fn new(metadata: Metadata, content: Result<RecordDict<'a>, MessageError>) -> Self {
        Self::found(metadata, content, Origin::default())
    }

    /// Makes the message that an object was inflated to.
    pub(super) fn found(
        metadata: Metadata,
        content: Result<RecordDict<'a>, MessageError>,
        origin: Origin,
    ) -> Self {
        Self {
            metadata,
            content,
            origin,
        }
    }

    /// Returns the same message with memory of its own for what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Message<'static> {
        let content = self.content.map(RecordDict::into_owned);
        Message::found(self.metadata, content, self.origin)
    }

    /// Returns the body of the deflated object: everything but the content, and no id, since the
    /// message has none before it is sent.
    fn body(&self) -> Vec<u8> {
        let mut metadata = self.metadata.message();
        metadata.message_id.clear();
        let error = self.content.as_ref().err().map(MessageError::message);
        let metadata = Some(metadata);
        MessageBody { metadata, error }.encode_to_vec()
    }

    /// Returns what the object was inflated from, if it still is that.
    fn origin(&self, children: &[ObjectId]) -> Option<&Found> {
        let found = self.origin.of_body(&self.body(), |body| {
            let message = MessageBody::decode(body).ok()?;
            Some(message.encode_to_vec())
        });
        found.filter(|found| found.children == children)
    }

    /// Returns the protobuf message, with the data of the arrays.
    ///
    /// # Errors
    /// Those of [`RecordDict::to_protobuf`].
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        let metadata = Some(self.metadata.message());
        let error = self.content.as_ref().err().map(MessageError::message);
        let mut parts = Parts::of(&MessageBody { metadata, error });
        if let Ok(content) = &self.content {
            parts.field(2, content.parts()?);
        }
        parts.join()
    }

    /// Reads the protobuf message. Of `bytes::Bytes` the data of the arrays is shared, of anything else it
    /// is copied once.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) for bytes that are no such message, and for one
    /// with both content and an error or with neither; those of [`RecordDict::from_protobuf`].
    pub fn from_protobuf(bytes: impl Buf) -> Result<Message<'static>, Error> {
        let message: Content = decode(bytes, "Message")?;
        let content = match (message.content, message.error) {
            (Some(content), None) => Ok(record_dict(content)?),
            (None, Some(error)) => Err(MessageError::of(error)),
            (Some(_), Some(_)) => return Err(one_of_two("both")),
            (None, None) => return Err(one_of_two("neither")),
        };
        Ok(Message::new(Metadata::of(message.metadata), content))
    }
}

impl sealed::Sealed for Message<'_> {}

impl<'a> Inflatable<'a> for Message<'a> {
    const CLASS: Class = Class::Message;

    fn known_id(&self) -> Option<ObjectId> {
        let children: Vec<_> = match &self.content {
            Ok(content) => vec![content.known_id()?],
            Err(_) => Vec::new(),
        };
        self.origin(&children).map(|found| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        let content = self.content.as_ref();
        let children: Vec<_> = content
            .map(|content| content.walk(walk))
            .into_iter()
            .collect();
        match self.origin(&children) {
            Some(found) => {
                walk.found(found);
                found.id
            }
            None => walk.made(Class::Message, &children, self.body()),
        }
    }

    fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        let content = self.content.iter().cloned();
        content.map(Object::from).collect()
    }
}

pub(super) fn one_of_two(found: &str) -> Error {
    fault("a message with content or with an error", found)
}
