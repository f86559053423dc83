//! How Flax's files are written.

/// The most bytes of an array that Flax writes in one piece, and of each chunk of a longer one.
const CHUNK_BYTES: usize = 1 << 30;

/// The longest payload of an extension: its length has 32 bits, and a head stands before the payload.
pub(super) const LONGEST: usize = u32::MAX as usize - 1024;

/// Which of Flax's functions a file is to be like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// `to_bytes`: lists become maps with the keys "0", "1", ..., integer keys become texts, keys
    /// keep their order.
    #[default]
    ToBytes,
    /// `msgpack_serialize`: lists stay lists, and keys are sorted.
    Serialize,
    /// `msgpack_serialize` with `in_place=True`: lists stay lists, and keys keep their order.
    SerializeInPlace,
}

/// How a file of Flax is written.
///
/// ```
/// use npcodec::formats::flax::{Form, WriteOptions, to_vec_with};
/// use npcodec::{StateDict, Value};
///
/// let map: StateDict = [("b", vec![Value::from(1)]), ("a", vec![])].into_iter().collect();
/// let options = WriteOptions::new().form(Form::Serialize);
/// assert_eq!(to_vec_with(&Value::Map(map.clone()), &options)?, b"\x82\xa1a\x90\xa1b\x91\x01");
/// let options = WriteOptions::new();
/// assert_eq!(to_vec_with(&Value::Map(map), &options)?, b"\x82\xa1b\x81\xa10\x01\xa1a\x80");
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    pub(super) form: Form,
    pub(super) chunk_bytes: usize,
    pub(super) long_integers: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            form: Form::ToBytes,
            chunk_bytes: CHUNK_BYTES,
            long_integers: false,
        }
    }
}

impl WriteOptions {
    /// Starts from the defaults: the bytes of `to_bytes`, and chunks of 2^30 bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says which of Flax's functions the bytes are to be like.
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Says how many bytes an array in one piece has at the most, and a chunk of a longer one; a chunk
    /// has one item at least.
    ///
    /// Flax's own 2^30 is the default, and what gives Flax's bytes. It splits no arrays inside of lists,
    /// which is also done here.
    #[must_use]
    pub fn chunk_bytes(mut self, bytes: usize) -> Self {
        self.chunk_bytes = bytes.min(LONGEST);
        self
    }

    /// Has integers of more than 64 bits written as Dopamine writes them, `{"integer": "<decimal>"}`.
    ///
    /// To Flax that is a dict with a text; the integer fields of a state take it for the integer that it
    /// is. Without this, such integers are refused, as Flax refuses them.
    #[must_use]
    pub fn long_integers(mut self, allow: bool) -> Self {
        self.long_integers = allow;
        self
    }
}
