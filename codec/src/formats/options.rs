//! How the files of the neighbours are read.

use crate::error::Error;
use crate::file::check;
use crate::limits::Limits;

/// How a file of another format is read.
///
/// ```
/// use npcodec::Limits;
/// use npcodec::formats::ReadOptions;
///
/// let options = ReadOptions::new().limits(Limits::new().array_bytes(1 << 30)).nested(".");
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    pub(super) limits: Limits,
    pub(super) separator: Option<String>,
}

impl ReadOptions {
    /// Starts from the defaults: those of [`Limits`], and names as the file has them.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits what the file may ask for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes nested maps of the names of `.npz` and safetensors, which are flat: `agent.step` becomes
    /// `step` in a map `agent`.
    ///
    /// A name that is there itself and also begins another one is an error. An empty separator nests
    /// nothing.
    #[must_use]
    pub fn nested(mut self, separator: impl Into<String>) -> Self {
        self.separator = Some(separator.into());
        self
    }

    /// Refuses an input that is longer than the limit.
    #[allow(
        dead_code,
        reason = "the formats of MessagePack have a reader that does it"
    )]
    pub(super) fn check_input(&self, bytes: &[u8]) -> Result<(), Error> {
        check("bytes of input", bytes.len(), self.limits.total_bytes)
    }
}
