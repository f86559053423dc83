//! NumPy's PCG64 with the buffer that it draws 32 bits from.

use std::convert::Infallible;

use rand_core::TryRng;

use super::seed;

/// What the state is multiplied with at every step.
const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// NumPy's bit generator `PCG64`: PCG XSL RR 128/64, and the half that a draw of 32 bits leaves.
///
/// Its fields are those of `rng.bit_generator.state`, and every draw is the one that NumPy's
/// `Generator` makes of them. It implements rand_core's traits, whose `fill_bytes` is
/// `Generator.bytes`.
///
/// ```
/// use npcodec::replay::Pcg64;
///
/// let mut rng = Pcg64::seeded(42);                          // np.random.default_rng(42)
/// assert_eq!(rng.random(), 0.7739560485559633);             // rng.random()
/// assert_eq!(rng.integers(10)?, 6);                         // rng.integers(10)
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pcg64 {
    /// The state, which NumPy calls `state["state"]["state"]`.
    pub state: u128,
    /// The increment, `state["state"]["inc"]`: odd in every state that NumPy makes itself.
    pub inc: u128,
    /// True if `uinteger` is the next draw of 32 bits.
    pub has_uint32: bool,
    /// The half that was left by the last draw of 64 bits for 32; stale if `has_uint32` is false,
    /// and saved all the same.
    pub uinteger: u32,
}

impl Pcg64 {
    /// Returns the generator that `np.random.default_rng(seed)` is.
    #[must_use]
    pub fn seeded(seed: u128) -> Self {
        let [state, inc] = seed::generate(seed);
        let mut generator = Self {
            state: 0,
            inc: inc << 1 | 1,
            has_uint32: false,
            uinteger: 0,
        };
        generator.step();
        generator.state = generator.state.wrapping_add(state);
        generator.step();
        generator
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.inc);
    }

    /// Draws 64 bits; the 32 in the buffer stay there.
    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// Draws 32 bits: the ones in the buffer, or half of 64 of which the other half is kept.
    pub fn next_u32(&mut self) -> u32 {
        if self.has_uint32 {
            self.has_uint32 = false;
            return self.uinteger;
        }
        let drawn = self.next_u64();
        self.has_uint32 = true;
        self.uinteger = (drawn >> 32) as u32;
        drawn as u32
    }
}

impl TryRng for Pcg64 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(4) {
            let drawn = self.next_u32().to_le_bytes();
            part.copy_from_slice(&drawn[..part.len()]);
        }
        Ok(())
    }
}
