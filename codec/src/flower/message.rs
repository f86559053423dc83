//! What Flower's nodes send each other: records, or an error, and where to.

use bytes::Buf;

use super::inline::record_dict;
use super::protobuf::arrays::Content;
use super::protobuf::message::MessageBody;
use super::protobuf::write::Parts;
use super::protobuf::{decode, fault};
use super::{MessageError, Metadata, RecordDict};
use crate::error::Error;

/// What Flower's nodes send each other: records, or the error that there was instead, with the
/// metadata.
///
/// ```
/// use npcodec::flower::{Message, MessageError, Metadata};
///
/// let mut metadata = Metadata::default();
/// metadata.dst_node_id = 7;
/// metadata.message_type = "train".to_owned();
/// let message = Message::new(metadata, Err(MessageError::new(2, "no data")));
/// let bytes = message.to_protobuf()?;
/// assert_eq!(Message::from_protobuf(&bytes[..])?, message);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Where it comes from and where it goes.
    pub metadata: Metadata,
    /// What it holds.
    pub content: Result<RecordDict<'a>, MessageError>,
}

impl<'a> Message<'a> {
    /// Makes a message.
    #[must_use]
    pub fn new(metadata: Metadata, content: Result<RecordDict<'a>, MessageError>) -> Self {
        Self { metadata, content }
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

fn one_of_two(found: &str) -> Error {
    fault("a message with content or with an error", found)
}
