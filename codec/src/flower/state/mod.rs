//! States as records: their arrays under the paths that they have, and everything else as settings.

mod convert;
mod flatten;
mod leaf;
mod list;
mod markers;
mod rebuild;

pub use convert::{
    ARRAYS, CONFIG, from_records, from_records_with, load_records, load_records_with, to_records,
};
pub use list::{load_list, to_list};

#[cfg(test)]
mod tests;
