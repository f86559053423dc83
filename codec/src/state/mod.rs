//! State without Rust types: values, state dicts, and serde for both.

mod array_entries;
mod de;
mod deserializer;
mod dict;
mod hooks;
mod indexed;
mod keys;
mod listed;
mod recognise;
mod select;
mod ser;
mod value;
mod witness;

pub(crate) use de::ValueSeed;
pub(crate) use deserializer::{all_taken, visit_items};
pub use dict::{Key, StateDict};
pub use hooks::Hooks;
pub(crate) use indexed::Indexed;
pub(crate) use listed::LIST_TOKEN;
pub(crate) use recognise::{joined, recognise};
pub(crate) use ser::{check_array, check_count, check_length, serialize_extension};
pub use value::Value;
pub(crate) use witness::Witness;
