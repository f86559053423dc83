//! The types that can be part of a state.

mod arrays;
#[cfg(feature = "compress")]
mod compress_list;
#[cfg(feature = "compress")]
mod compressed;
mod containers;
mod integers;
mod map_key;
mod maps;
mod numbers;
mod others;
mod pointers;
mod rows;
mod sets;
mod text;
mod tuples;
mod values;

pub use map_key::MapKey;
pub use others::restore_nil;
pub use rows::{restore_rows, restore_scalar, save_rows, save_scalar, save_split_rows, stage_rows};
pub(crate) use values::describe;
