//! NumPy's scalars, which some formats tell from 0-d arrays.

use super::NumpyEncoding;

impl NumpyEncoding<'_> {
    /// Returns true for one of NumPy's scalars, `np.float32(1.5)`, where the format that it was read from
    /// tells them from 0-d arrays.
    ///
    /// Dopamine's files do not: their scalars are 0-d arrays.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        self.0.scalar
    }

    /// Returns the same 0-d array as one of NumPy's scalars, for the formats that tell them apart; any
    /// other array as it is.
    ///
    /// ```
    /// use npcodec::NumpyEncoding;
    ///
    /// let item = NumpyEncoding::new(vec![], 1.5f32.to_le_bytes().to_vec(), "'<f4'", None)?;
    /// assert!(!item.is_scalar());
    /// assert!(item.into_scalar().is_scalar());
    /// # Ok::<(), npcodec::Error>(())
    /// ```
    #[must_use]
    pub fn into_scalar(mut self) -> Self {
        self.0.scalar = self.0.shape.is_empty();
        self
    }
}
