//! Whole values as MessagePack.

mod decode;
mod encode;
mod publish;
mod reader;
mod save;
#[cfg(test)]
mod tests;
mod write;

pub use decode::{decode, decode_with, from_reader, from_reader_with, from_slice, from_slice_with};
pub use encode::{encode, encode_with};
pub use publish::Durability;
pub use save::{Progress, SaveOptions, save, save_with};
pub use write::{to_vec, to_vec_with, to_writer, to_writer_with};
