//! What is said of a message: where it comes from, where it goes, how long it lasts.

use super::protobuf::message;

/// What Flower says of a message beside its content.
///
/// Fields that one version of flwr does not have are absent in its messages: the task ids came
/// after 1.28.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Metadata {
    /// The run that the message belongs to.
    pub run_id: u64,
    /// The id of the message, which the SuperLink gives it: empty until then, and never a part of the
    /// deflated object.
    pub message_id: String,
    /// The node that sends it.
    pub src_node_id: u64,
    /// The node that receives it.
    pub dst_node_id: u64,
    /// The id of the message that it answers; empty if it answers none.
    pub reply_to_message_id: String,
    /// The group of messages that it belongs to, in some settings the round.
    pub group_id: String,
    /// How many seconds it lasts.
    pub ttl: f64,
    /// What the receiver is to do: `train`, `evaluate`, `query`, and `train.name`.
    pub message_type: String,
    /// When it was made, in seconds since 1970.
    pub created_at: f64,
    /// The task that sends it.
    pub src_task_id: Option<u64>,
    /// The task that receives it.
    pub dst_task_id: Option<u64>,
}

impl Metadata {
    pub(super) fn message(&self) -> message::Metadata {
        message::Metadata {
            run_id: self.run_id,
            message_id: self.message_id.clone(),
            src_node_id: self.src_node_id,
            dst_node_id: self.dst_node_id,
            reply_to_message_id: self.reply_to_message_id.clone(),
            group_id: self.group_id.clone(),
            ttl: written(self.ttl),
            message_type: self.message_type.clone(),
            created_at: written(self.created_at),
            src_task_id: self.src_task_id,
            dst_task_id: self.dst_task_id,
        }
    }

    /// Takes the metadata out of a message, of which Flower makes an empty one if it has none.
    pub(super) fn of(message: Option<message::Metadata>) -> Self {
        let message = message.unwrap_or_default();
        Self {
            run_id: message.run_id,
            message_id: message.message_id,
            src_node_id: message.src_node_id,
            dst_node_id: message.dst_node_id,
            reply_to_message_id: message.reply_to_message_id,
            group_id: message.group_id,
            ttl: message.ttl.unwrap_or_default(),
            message_type: message.message_type,
            created_at: message.created_at.unwrap_or_default(),
            src_task_id: message.src_task_id,
            dst_task_id: message.dst_task_id,
        }
    }
}

/// Returns the float if it is one that is written: anything but positive zero.
fn written(value: f64) -> Option<f64> {
    (value.to_bits() != 0).then_some(value)
}

/// What went wrong where a message was handled: Flower's `Error`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageError {
    /// Flower's code of the error.
    pub code: i64,
    /// What was said of it; an empty text is none.
    pub reason: Option<String>,
}

impl MessageError {
    /// Makes an error of its code and of what is said of it.
    #[must_use]
    pub fn new(code: i64, reason: impl Into<String>) -> Self {
        let reason = Some(reason.into()).filter(|reason| !reason.is_empty());
        Self { code, reason }
    }

    pub(super) fn message(&self) -> message::Error {
        message::Error {
            code: self.code,
            reason: self.reason.clone().unwrap_or_default(),
        }
    }

    pub(super) fn of(message: message::Error) -> Self {
        Self::new(message.code, message.reason)
    }
}
