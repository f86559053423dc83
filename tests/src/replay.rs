//! Dopamine's replay buffers as typed states.

use npcodec::Checkpoint;
use npcodec::indexmap::IndexMap;
use npcodec::ndarray::{Array1, Array2, Array3};

/// A buffer of elements `E` and a sampler `S`.
#[derive(Checkpoint, Debug)]
pub struct ReplayBuffer<E, S> {
    pub add_count: u64,
    pub memory: Memory<E>,
    pub sampling_distribution: S,
    pub transition_accumulator: Accumulator,
}

/// The elements by their keys.
#[derive(Checkpoint, Debug)]
pub struct Memory<E> {
    pub keys: Vec<i64>,
    pub values: Vec<E>,
    /// A pickle, which is carried along.
    pub treedef: Vec<u8>,
}

/// The leaves of an element in their order.
#[derive(Checkpoint, Debug)]
pub struct Plain(
    pub Array3<u8>,
    pub i64,
    pub f64,
    pub Array3<u8>,
    pub bool,
    pub bool,
);

/// The same, with the observations as Snappy records.
#[derive(Checkpoint, Debug)]
pub struct Compressed(
    #[checkpoint(compress)] pub Array3<u8>,
    pub i64,
    pub f64,
    #[checkpoint(compress)] pub Array3<u8>,
    pub bool,
    pub bool,
);

/// The sampler that draws evenly, and what the others have in common with it.
#[derive(Checkpoint, Debug)]
pub struct Uniform {
    pub key_by_index: Vec<i64>,
    pub index_by_key: IndexMap<i64, usize>,
    pub rng_state: RngState,
}

/// The sampler that draws by priority.
#[derive(Checkpoint, Debug)]
pub struct Prioritized {
    pub sum_tree: SumTree,
    #[checkpoint(flatten)]
    pub uniform: Uniform,
}

/// Priorities as the leaves of a tree of sums.
#[derive(Checkpoint, Debug)]
pub struct SumTree {
    pub nodes: Array1<f64>,
}

/// The state of NumPy's generator.
#[derive(Checkpoint, Debug)]
pub struct RngState {
    pub bit_generator: String,
    pub state: Pcg64,
    pub has_uint32: u32,
    pub uinteger: u32,
}

/// The 128-bit state and increment.
#[derive(Checkpoint, Debug)]
pub struct Pcg64 {
    pub state: u128,
    pub inc: u128,
}

impl Pcg64 {
    /// PCG XSL RR 128/64 as its paper has it.
    pub fn draw(&mut self) -> u64 {
        let multiplier = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        self.state = self.state.wrapping_mul(multiplier).wrapping_add(self.inc);
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }
}

/// The open trajectory.
#[derive(Checkpoint, Debug)]
pub struct Accumulator {
    pub trajectory: Vec<(Array2<u8>, i64, f64, bool, bool)>,
    pub treedef: Vec<u8>,
}
