//! The messages of Flower's `recorddict.proto` that hold arrays, as they are read.
//!
//! They are written without them, so that no data is copied but into the message itself.

use bytes::Bytes;
use prost::{Message, Oneof};

use super::message::{ConfigEntry, Error, Metadata};
use super::values::{ConfigRecord, MetricRecord};

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Array {
    #[prost(string, tag = "1")]
    pub(in crate::flower) dtype: String,
    #[prost(int32, repeated, tag = "2")]
    pub(in crate::flower) shape: Vec<i32>,
    #[prost(string, tag = "3")]
    pub(in crate::flower) stype: String,
    #[prost(bytes = "bytes", tag = "4")]
    pub(in crate::flower) data: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct ArrayRecord {
    #[prost(message, repeated, tag = "1")]
    pub(in crate::flower) items: Vec<ArrayItem>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct ArrayItem {
    #[prost(string, tag = "1")]
    pub(in crate::flower) key: String,
    // Behind a box, so that items without an array do not take the room of one.
    #[prost(message, optional, boxed, tag = "2")]
    pub(in crate::flower) value: Option<Box<Array>>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct RecordDict {
    #[prost(message, repeated, tag = "1")]
    pub(in crate::flower) items: Vec<RecordItem>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct RecordItem {
    #[prost(string, tag = "1")]
    pub(in crate::flower) key: String,
    #[prost(oneof = "RecordKind", tags = "2, 3, 4")]
    pub(in crate::flower) value: Option<RecordKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(in crate::flower) enum RecordKind {
    #[prost(message, tag = "2")]
    Array(ArrayRecord),
    #[prost(message, tag = "3")]
    Metric(MetricRecord),
    #[prost(message, tag = "4")]
    Config(ConfigRecord),
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Content {
    #[prost(message, optional, tag = "1")]
    pub(in crate::flower) metadata: Option<Metadata>,
    #[prost(message, optional, tag = "2")]
    pub(in crate::flower) content: Option<RecordDict>,
    #[prost(message, optional, tag = "3")]
    pub(in crate::flower) error: Option<Error>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct Context {
    #[prost(uint64, tag = "1")]
    pub(in crate::flower) run_id: u64,
    #[prost(uint64, tag = "2")]
    pub(in crate::flower) node_id: u64,
    #[prost(message, repeated, tag = "3")]
    pub(in crate::flower) node_config: Vec<ConfigEntry>,
    #[prost(message, optional, tag = "4")]
    pub(in crate::flower) state: Option<RecordDict>,
    #[prost(message, repeated, tag = "5")]
    pub(in crate::flower) run_config: Vec<ConfigEntry>,
    #[prost(uint64, tag = "6")]
    pub(in crate::flower) series_id: u64,
}
