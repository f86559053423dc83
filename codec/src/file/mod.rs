//! Whole values as MessagePack.

mod decode;
mod encode;
mod hooks;

pub use decode::{decode, decode_with};
pub use encode::{encode, encode_with};
pub use hooks::Hooks;
