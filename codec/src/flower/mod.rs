//! Flower's records, with the object ids that flwr computes.

mod config;
mod typed_dict;

pub use config::{ConfigRecord, ConfigValue};
pub use typed_dict::TypedDict;
