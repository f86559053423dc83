//! Whole values as MessagePack, in memory and in files.

mod decode;
mod encode;
#[cfg(feature = "mmap")]
mod index;
mod load;
#[cfg(feature = "mmap")]
mod map;
mod publish;
mod reader;
mod save;
mod source;
#[cfg(test)]
mod tests;
mod write;

pub use decode::{decode, decode_with, from_reader, from_reader_with, from_slice, from_slice_with};
pub use encode::{encode, encode_with};
pub use load::{load, load_from, load_into, load_into_from, load_into_with, load_with};
#[cfg(feature = "mmap")]
pub use map::{MappedArray, MappedCheckpoint};
pub use publish::Durability;
pub use save::{Progress, SaveOptions, save, save_with};
pub use write::{to_vec, to_vec_with, to_writer, to_writer_with};
#[cfg(any(
    feature = "flax",
    feature = "flower",
    feature = "msgpack-numpy",
    feature = "npy",
    feature = "safetensors"
))]
pub(crate) use {
    publish::publish,
    reader::{Slice, Token, Tokens, check},
};
