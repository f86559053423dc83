//! How an array is printed.

use std::fmt;

use super::NumpyEncoding;
use crate::error::Shape;
use crate::path::excerpt;

impl fmt::Debug for NumpyEncoding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = f.debug_struct("NumpyEncoding");
        parts
            .field("shape", &self.0.shape)
            .field("dtype", &self.0.text)
            .field("order", &self.0.order)
            .field("bytes", &self.0.data.len());
        if self.0.scalar {
            parts.field("scalar", &true);
        }
        parts.finish_non_exhaustive()
    }
}

/// Describes the array in a few words: `an array of shape (2, 3) and dtype '<f4'`.
impl fmt::Display for NumpyEncoding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(fault) = &self.0.fault {
            return write!(f, "{fault}");
        }
        let (shape, text) = (Shape(&self.0.shape), excerpt(&self.0.text));
        write!(f, "an array of shape {shape} and dtype {text}")
    }
}
