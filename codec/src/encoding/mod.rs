//! The wire forms of what MessagePack cannot hold, checked before anything is believed.

mod chunk_parts;
mod chunks;
#[cfg(feature = "compress")]
mod compressed;
mod entries;
mod integer;
mod layout;
mod numpy;
mod outline;
mod part;
mod part_key;
mod parts;
mod record;
mod size;
mod skip;
#[cfg(feature = "compress")]
mod snappy;
mod stored;
#[cfg(feature = "compress")]
mod threads;

pub(crate) use chunks::join;
#[cfg(feature = "replay")]
pub(crate) use compressed::compress_columns;
#[cfg(feature = "compress")]
pub(crate) use compressed::{Packed, most_bytes};
#[cfg(feature = "compress")]
pub use compressed::{compress, uncompress};
#[cfg(feature = "compress")]
pub(crate) use entries::Entries;
pub use integer::{Integer, LongIntegerEncoding};
pub(crate) use numpy::Extents;
pub use numpy::NumpyEncoding;
pub(crate) use outline::InMemory;
pub use outline::Outline;
pub(crate) use part::Part;
pub(crate) use part_key::PartKey;
pub(crate) use parts::{ARRAY_TOKEN, Bytes, Encoded, INTEGER_TOKEN, Parts};
pub(crate) use record::is_compressed;
pub(crate) use size::byte_len;
pub(crate) use skip::Skip;
pub(crate) use stored::{Elsewhere, PAYLOAD_TOKEN, Source, Span, no_memory, read_span};
#[cfg(feature = "compress")]
pub(crate) use threads::map_all;
