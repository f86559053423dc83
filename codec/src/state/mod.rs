//! State without Rust types: values, state dicts, and serde for both.

mod de;
mod deserializer;
mod dict;
mod recognise;
mod ser;
mod value;
mod witness;

pub(crate) use de::{MapHook, ValueSeed};
pub use dict::{Key, StateDict};
pub(crate) use recognise::recognise;
pub(crate) use ser::{At, check_array, check_length, serialize_extension};
pub use value::Value;
pub(crate) use witness::Witness;
