//! The formats by name.

use std::fmt;

use super::fault::fault;
use crate::error::Error;

/// A format of files that npcodec reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// MessagePack as [`encode`](crate::encode) writes it, and Dopamine: arrays are maps of `shape`,
    /// `data` and `dtype`, and no other map has these keys.
    MessagePack,
    /// MessagePack as Flax writes it: arrays are extensions. Needs the feature `flax`.
    Flax,
    /// MessagePack as Python's msgpack-numpy writes it: arrays are maps with the key `b'nd'`. Needs the
    /// feature `msgpack-numpy`.
    MsgpackNumpy,
    /// NumPy's file of one array. Needs the feature `npy`.
    Npy,
    /// NumPy's archive of arrays. Needs the feature `npy`.
    Npz,
    /// The file of safetensors. Needs the feature of that name.
    Safetensors,
}

impl Format {
    /// Every format, those among them whose features are off.
    pub const ALL: [Self; 6] = [
        Self::MessagePack,
        Self::Flax,
        Self::MsgpackNumpy,
        Self::Npy,
        Self::Npz,
        Self::Safetensors,
    ];

    /// Returns the name, as errors have it: `npz`, `flax`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MessagePack => "messagepack",
            Self::Flax => "flax",
            Self::MsgpackNumpy => "msgpack-numpy",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Safetensors => "safetensors",
        }
    }

    /// Returns the cargo feature that the format needs; none for MessagePack.
    #[must_use]
    pub fn feature(self) -> Option<&'static str> {
        match self {
            Self::MessagePack => None,
            Self::Npz => Some("npy"),
            other => Some(other.name()),
        }
    }

    /// Makes the error of a format that was left out of this build.
    #[allow(dead_code, reason = "not where every format is there")]
    pub(super) fn left_out(self) -> Error {
        let feature = self.feature().unwrap_or_default();
        let expected = format!("the feature `{feature}` of npcodec");
        fault(self.name(), expected, "a build without it")
    }
}

/// Prints the name.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
