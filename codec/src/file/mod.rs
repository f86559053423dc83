//! Whole values as MessagePack.

mod decode;
mod encode;
mod hooks;
mod reader;
#[cfg(test)]
mod tests;

pub use decode::{decode, decode_with};
pub use encode::{encode, encode_with};
pub use hooks::Hooks;
