//! The messages of Flower's `message.proto`, `error.proto` and of a context's settings.

use prost::{Message, Oneof};

/// What is said of a message. The floats are optional to write them as Python does, which leaves out
/// 0.0 alone and not -0.0.
#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Metadata {
    #[prost(uint64, tag = "1")]
    pub(in crate::flower) run_id: u64,
    #[prost(string, tag = "2")]
    pub(in crate::flower) message_id: String,
    #[prost(uint64, tag = "3")]
    pub(in crate::flower) src_node_id: u64,
    #[prost(uint64, tag = "4")]
    pub(in crate::flower) dst_node_id: u64,
    #[prost(string, tag = "5")]
    pub(in crate::flower) reply_to_message_id: String,
    #[prost(string, tag = "6")]
    pub(in crate::flower) group_id: String,
    #[prost(double, optional, tag = "7")]
    pub(in crate::flower) ttl: Option<f64>,
    #[prost(string, tag = "8")]
    pub(in crate::flower) message_type: String,
    #[prost(double, optional, tag = "9")]
    pub(in crate::flower) created_at: Option<f64>,
    #[prost(uint64, optional, tag = "10")]
    pub(in crate::flower) src_task_id: Option<u64>,
    #[prost(uint64, optional, tag = "11")]
    pub(in crate::flower) dst_task_id: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Error {
    #[prost(sint64, tag = "1")]
    pub(in crate::flower) code: i64,
    #[prost(string, tag = "2")]
    pub(in crate::flower) reason: String,
}

/// What the deflated object of a message holds: everything but its content.
#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct MessageBody {
    #[prost(message, optional, tag = "1")]
    pub(in crate::flower) metadata: Option<Metadata>,
    #[prost(message, optional, tag = "3")]
    pub(in crate::flower) error: Option<Error>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Scalar {
    #[prost(oneof = "ScalarKind", tags = "1, 6, 8, 13, 14, 15")]
    pub(in crate::flower) scalar: Option<ScalarKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(in crate::flower) enum ScalarKind {
    #[prost(double, tag = "1")]
    Double(f64),
    #[prost(uint64, tag = "6")]
    Uint64(u64),
    #[prost(sint64, tag = "8")]
    Sint64(i64),
    #[prost(bool, tag = "13")]
    Bool(bool),
    #[prost(string, tag = "14")]
    String(String),
    #[prost(bytes = "vec", tag = "15")]
    Bytes(Vec<u8>),
}

/// An entry of a map, of which protobuf writes both fields whatever they are.
#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct ConfigEntry {
    #[prost(string, optional, tag = "1")]
    pub(in crate::flower) key: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub(in crate::flower) value: Option<Scalar>,
}
