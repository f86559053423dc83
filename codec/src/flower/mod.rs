//! Flower's records, with the object ids that flwr computes.
//!
//! - [`Array`], [`ArrayRecord`], [`ConfigRecord`], [`MetricRecord`], [`RecordDict`], [`Message`]: what
//!   Flower's nodes exchange. Records are ordered maps, each a [`TypedDict`].
//! - [`Inflatable`]: their bytes and ids, as those of flwr 1.42; [`Object`] is any of them.
//! - [`to_records`], [`from_records`] and [`load_records`]: states as records, by name; [`to_list`] and
//!   [`load_list`] without names.
//! - `to_protobuf` and `from_protobuf` of records, [`Message`] and [`Context`]: everything in one message.
//!
//! ```
//! use npcodec::flower::{ArrayRecord, Inflatable, MetricRecord, RecordDict};
//! use npcodec::ndarray::{Array1, array};
//!
//! let mut reply = RecordDict::new();
//! reply.insert("arrays", ArrayRecord::from_ndarrays([array![1f32, 2.0]])?);
//! reply.insert("metrics", MetricRecord::from_iter([("num-examples", 10)]));
//! let objects = reply.objects(); // what is pushed: bytes by id, children first
//!
//! let id = reply.object_id(); // that of flwr for the same records
//! let mut pulled = RecordDict::inflate_all(id, |id| objects.get(&id).cloned().map(Into::into))?;
//! assert_eq!(pulled, reply);
//! let arrays = pulled.array_record_mut("arrays").map(std::mem::take).unwrap_or_default();
//! let weights: Vec<Array1<f32>> = arrays.into_ndarrays()?;
//! assert_eq!(weights, [array![1f32, 2.0]]);
//! # Ok::<(), npcodec::Error>(())
//! ```
//!
//! The [guide](crate::guide::flower) has the forms of states, and where flwr itself does otherwise.
//!
//! Source of the formats: flwr 1.42.0 (`flwr/supercore/inflatable`, `recorddict.proto`,
//! `message.proto`), from what it writes and reads.

mod array;
mod array_chunk;
mod array_record;
mod config;
mod context;
mod data;
mod head;
mod inflate;
mod inline;
mod json;
mod message;
mod metadata;
mod metric;
mod number;
mod object;
mod object_id;
mod protobuf;
mod record_dict;
mod state;
mod tree;
mod typed_dict;
mod user_config;
mod value_records;
mod walk;

pub use array::Array;
pub use array_chunk::ArrayChunk;
pub use array_record::ArrayRecord;
pub use config::{ConfigRecord, ConfigValue};
pub use context::Context;
pub use data::Data;
pub use head::Class;
pub use message::Message;
pub use metadata::{MessageError, Metadata};
pub use metric::{MetricRecord, MetricValue};
pub use object::{Inflatable, Object};
pub use object_id::ObjectId;
pub use record_dict::{Record, RecordDict};
pub use state::{
    ARRAYS, CONFIG, from_records, from_records_with, load_list, load_records, load_records_with,
    to_list, to_records,
};
pub use tree::ObjectTree;
pub use typed_dict::TypedDict;
pub use user_config::{UserConfig, UserConfigValue};
pub use walk::DeflateOptions;
