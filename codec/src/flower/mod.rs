//! Flower's records, with the object ids that flwr computes.

mod config;
mod metric;
mod number;
mod protobuf;
mod read;
mod typed_dict;

pub use config::{ConfigRecord, ConfigValue};
pub use metric::{MetricRecord, MetricValue};
pub use typed_dict::TypedDict;
