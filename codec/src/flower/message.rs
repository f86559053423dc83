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
        Self {
            metadata,
            content,
            origin: Origin::default(),
        }
    }

    /// Returns the same message with memory of its own for what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Message<'static> {
        Message {
            metadata: self.metadata,
            content: self.content.map(RecordDict::into_owned),
            origin: self.origin,
        }
    }

    /// Returns the protobuf message, with the data of the arrays.
    ///
    /// # Errors
    /// Those of [`RecordDict::to_protobuf`].
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        let mut parts = Parts::of(&self.fields());
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

impl Message<'_> {
    /// Returns the protobuf message without the content.
    fn fields(&self) -> MessageBody {
        MessageBody {
            metadata: Some(self.metadata.message()),
            error: self.content.as_ref().err().map(MessageError::message),
        }
    }

    /// Returns the body of the object: without the content, which is a child, and without the id.
    fn body(&self) -> Vec<u8> {
        body_of(self.fields())
    }

    /// Returns what was found, if this still is that.
    fn found(&self, children: &[ObjectId]) -> Option<&Found> {
        let canonical = |body: &[u8]| decode(body, "Message").ok().map(body_of);
        let found = self.origin.of_body(&self.body(), canonical)?;
        (found.children == children).then_some(found)
    }
}

fn body_of(mut fields: MessageBody) -> Vec<u8> {
    let metadata = Metadata::of(fields.metadata);
    fields.metadata = Some(
        Metadata {
            message_id: String::new(),
            ..metadata
        }
        .message(),
    );
    fields.encode_to_vec()
}

impl Message<'static> {
    /// Makes a message of the body of its object, and of the child that the head lists.
    pub(super) fn inflated(
        found: Found,
        content: Option<RecordDict<'static>>,
    ) -> Result<Self, Error> {
        let fields: MessageBody = decode(found.body(), "Message")?;
        let content = match (content, fields.error) {
            (Some(content), None) => Ok(content),
            (None, Some(error)) => Err(MessageError::of(error)),
            (Some(_), Some(_)) => return Err(one_of_two("both")),
            (None, None) => return Err(one_of_two("neither")),
        };
        Ok(Self {
            metadata: Metadata::of(fields.metadata),
            content,
            origin: Origin::new(found),
        })
    }
}

impl sealed::Sealed for Message<'_> {}

impl<'a> Inflatable<'a> for Message<'a> {
    const CLASS: Class = Class::Message;

    fn known_id(&self) -> Option<ObjectId> {
        self.origin.found()?;
        let content = self.content.as_ref().ok().map(Inflatable::known_id);
        let children: Vec<_> = content.into_iter().collect::<Option<_>>()?;
        self.found(&children).map(|found| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        let content = self.content.as_ref().ok();
        let children: Vec<_> = content
            .map(|records| records.walk(walk))
            .into_iter()
            .collect();
        match self.found(&children) {
            Some(found) => {
                walk.found(found);
                found.id
            }
            None => walk.made(Class::Message, &children, self.body()),
        }
    }

    fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        let content = self.content.as_ref().ok();
        content.cloned().map(Object::from).into_iter().collect()
    }
}

fn one_of_two(found: &str) -> Error {
    fault("a message with content or with an error", found)
}
