//! Flower's records, with the object ids that flwr computes.

mod array;
mod array_chunk;
mod array_record;
mod config;
mod data;
mod head;
mod inflate;
mod json;
mod metric;
mod number;
mod object;
mod object_id;
mod protobuf;
mod read;
mod record_dict;
mod tree;
mod typed_dict;
mod walk;

pub use array::Array;
pub use array_chunk::ArrayChunk;
pub use array_record::ArrayRecord;
pub use config::{ConfigRecord, ConfigValue};
pub use data::Data;
pub use head::Class;
pub use metric::{MetricRecord, MetricValue};
pub use object::{Inflatable, Object};
pub use object_id::ObjectId;
pub use record_dict::{Record, RecordDict};
pub use tree::ObjectTree;
pub use typed_dict::TypedDict;
pub use walk::DeflateOptions;
