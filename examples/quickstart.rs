//! Takes over a replay buffer from Python: reads it, works with it, and hands it back.
//!
//! `cargo run --release --example quickstart`, or with `-- FILE` to keep what is written.
//!
//! The buffer is one that Dopamine wrote: 25 transitions with compressed frames, a sum tree of
//! priorities, and NumPy's PCG64 generator in the middle of its sequence.

mod tree;

use std::collections::BTreeMap;
use std::error::Error;

use npcodec::Checkpoint;
use npcodec::ndarray::{Array1, Array2, Array3};
use rand_core::Rng;
use rand_pcg::Pcg64;

/// The keys of the file are the names of the fields.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct ReplayBuffer {
    add_count: u64,
    memory: Memory,
    sampling_distribution: Prioritized,
    transition_accumulator: Accumulator,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Memory {
    keys: Vec<u64>,
    values: Vec<Element>,
    /// A pickle, which nothing here runs: bytes go back as they came.
    treedef: Vec<u8>,
}

/// State, action, reward, next state, is terminal, episode end: a list in the file.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Element(
    #[checkpoint(compress)] Array3<u8>,
    i64,
    f64,
    #[checkpoint(compress)] Array3<u8>,
    bool,
    bool,
);

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Prioritized {
    sum_tree: SumTree,
    key_by_index: Vec<u64>,
    index_by_key: BTreeMap<u64, usize>,
    rng_state: Generator,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct SumTree {
    nodes: Array1<f64>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Generator {
    bit_generator: String,
    state: Words,
    has_uint32: u32,
    uinteger: u32,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Words {
    state: u128,
    #[checkpoint(alias = "increment")]
    inc: u128,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Accumulator {
    trajectory: Vec<(Array2<u8>, i64, f64, bool, bool)>,
    treedef: Vec<u8>,
}

/// What serde sees of rand_pcg's generator: its words, under names of its own.
#[derive(Checkpoint)]
struct Pcg(#[checkpoint(serde)] Pcg64);

#[derive(Checkpoint)]
struct PcgWords {
    state: u128,
    increment: u128,
}

impl Generator {
    // `Pcg64::new` seeds, which changes the words; serde takes them as they are.
    fn resume(&self) -> Result<Pcg64, npcodec::Error> {
        assert_eq!(self.bit_generator, "PCG64");
        let Words {
            state,
            inc: increment,
        } = self.state;
        Ok(Pcg::from_value(PcgWords { state, increment }.to_value()?)?.0)
    }

    fn keep(&mut self, generator: Pcg64) -> Result<(), npcodec::Error> {
        self.state = Words::from_value(Pcg(generator).to_value()?)?;
        Ok(())
    }
}

impl Prioritized {
    /// Finds the key at a point of the cumulated priorities, as Dopamine does.
    fn key_at(&self, point: f64) -> u64 {
        let nodes = &self.sum_tree.nodes;
        let (mut node, mut left) = (0, point * nodes[0]);
        while 2 * node + 1 < nodes.len() {
            node = 2 * node + 1;
            if left >= nodes[node] {
                left -= nodes[node];
                node += 1;
            }
        }
        self.key_by_index[node - nodes.len() / 2]
    }

    /// Adds to the priority of a key, in its leaf and in every sum above.
    fn raise(&mut self, key: u64, by: f64) {
        let nodes = &mut self.sum_tree.nodes;
        let mut node = nodes.len() / 2 + self.index_by_key[&key];
        nodes[node] += by;
        while node > 0 {
            node = (node - 1) / 2;
            nodes[node] += by;
        }
    }
}

/// What NumPy's generator yields next from the state in the file.
const NUMPY_YIELDS: [u64; 4] = [
    11749869230777074271,
    4976686463289251617,
    755828109848996024,
    304881062738325533,
];

/// The keys that Dopamine's sampler draws with those numbers.
const DOPAMINE_DRAWS: [u64; 4] = [41, 31, 25, 25];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/dopamine");
    let file = "replay_prioritized_compressed.msgpack";
    let bytes = std::fs::read(folder.join(file))?;
    let read: ReplayBuffer = rmp_serde::from_slice(&bytes)?;
    println!("read {file}, {} bytes\n", bytes.len());
    let before = tree::lines(&read.to_value()?);
    print!("{}", tree::columns(&before));

    // Frames come out of their Snappy records as arrays.
    let Element(frames, action, reward, ..) = &read.memory.values[0];
    let sum: u64 = frames.iter().map(|&pixel| u64::from(pixel)).sum();
    println!(
        "\nfirst transition: {:?} frames that sum to {sum}, action {action}, reward {reward:.3}",
        frames.shape()
    );
    assert_eq!((frames.shape(), sum), (&[6, 6, 4][..], 17459));

    // The generator goes on where NumPy stopped.
    let mut state = read.clone();
    let sampler = &mut state.sampling_distribution;
    let mut generator = sampler.rng_state.resume()?;
    let drawn = NUMPY_YIELDS.map(|_| generator.next_u64());
    println!("the generator goes on as NumPy's would: {drawn:?}");
    assert_eq!(drawn, NUMPY_YIELDS);
    sampler.rng_state.keep(generator)?;

    let keys = drawn.map(|word| sampler.key_at((word >> 11) as f64 / (1_u64 << 53) as f64));
    println!("drawn by priority: {keys:?}, as Dopamine would; their priorities are raised by one");
    assert_eq!(keys, DOPAMINE_DRAWS);
    keys.iter().for_each(|&key| sampler.raise(key, 1.0));

    let written = rmp_serde::to_vec(&state)?;
    let kept = std::env::args_os().nth(1).map(std::path::PathBuf::from);
    let name = format!("npcodec-quickstart-{}.msgpack", std::process::id());
    let path = kept
        .clone()
        .unwrap_or_else(|| std::env::temp_dir().join(name));
    std::fs::write(&path, &written)?;
    let again: ReplayBuffer = rmp_serde::from_slice(&std::fs::read(&path)?)?;
    if kept.is_none() {
        std::fs::remove_file(&path)?;
    }
    assert_eq!(again, state);
    assert_ne!(again, read);

    println!(
        "\nwrote it to a file of {} bytes and read it back; what changed:\n",
        written.len()
    );
    let mut after = tree::lines(&again.to_value()?);
    after.retain(|line| !before.contains(line));
    print!("{}", tree::columns(&after));
    println!("\nquickstart: the state that was read back equals the one that was written");
    Ok(())
}
