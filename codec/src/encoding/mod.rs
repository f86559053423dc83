//! The wire forms of what MessagePack cannot hold, checked before anything is believed.

#[cfg(feature = "compress")]
mod compressed;
mod integer;
mod layout;
mod numpy;
mod parts;
mod record;

#[cfg(feature = "compress")]
pub use compressed::{compress, uncompress};
pub use integer::{Integer, LongIntegerEncoding};
pub use numpy::NumpyEncoding;
#[cfg(feature = "compress")]
pub(crate) use numpy::byte_len;
pub(crate) use parts::{ARRAY_TOKEN, Bytes, Encoded, INTEGER_TOKEN, Part, Parts};
pub(crate) use record::is_compressed;
