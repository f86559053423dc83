//! Floats and integers of a range, as NumPy's `Generator` draws them.

use super::pcg64::Pcg64;
use crate::error::{Error, ReplayError};

impl Pcg64 {
    /// Draws a float from 0 up to 1, as `Generator.random`.
    pub fn random(&mut self) -> f64 {
        /// The distance of two draws, 2^-53.
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// Draws a float from `low` up to `high`, as `Generator.uniform`.
    ///
    /// # Errors
    /// [`UniformRange`](ReplayError::UniformRange) if `high` is below `low`, or the difference is not
    /// finite; nothing is drawn then.
    pub fn uniform(&mut self, low: f64, high: f64) -> Result<f64, Error> {
        let range = high - low;
        if !range.is_finite() || range < 0.0 {
            return Err(ReplayError::UniformRange { low, high }.into());
        }
        Ok(low + range * self.random())
    }

    /// Draws an integer from 0 up to `high`, as `Generator.integers(high)`: Lemire's method, on 32
    /// bits where they are enough. Below 1 there is only 0, and nothing is drawn.
    ///
    /// # Errors
    /// [`IntegersHigh`](ReplayError::IntegersHigh) for a bound of 0 or of more than 2^63.
    pub fn integers(&mut self, high: u64) -> Result<i64, Error> {
        /// How many values 32 bits have.
        const WORDS: u64 = 1 << 32;
        if high == 0 || high > 1 << 63 {
            return Err(ReplayError::IntegersHigh { high }.into());
        }
        let drawn = match high {
            1 => 0,
            WORDS => u64::from(self.next_u32()),
            _ => match u32::try_from(high) {
                Ok(high) => u64::from(self.below_u32(high)),
                Err(_) => self.below_u64(high),
            },
        };
        Ok(drawn as i64)
    }

    fn below_u32(&mut self, high: u32) -> u32 {
        let mut product = u64::from(self.next_u32()) * u64::from(high);
        if (product as u32) < high {
            // As many values as do not fill another row of `high`.
            let threshold = high.wrapping_neg() % high;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(high);
            }
        }
        (product >> 32) as u32
    }

    fn below_u64(&mut self, high: u64) -> u64 {
        let mut product = u128::from(self.next_u64()) * u128::from(high);
        if (product as u64) < high {
            let threshold = high.wrapping_neg() % high;
            while (product as u64) < threshold {
                product = u128::from(self.next_u64()) * u128::from(high);
            }
        }
        (product >> 64) as u64
    }
}
