//! Whole replay buffers, as typed states.

use npcodec::Checkpoint;
use npcodec::checkpoint::RestoreOwned;
use npcodec::indexmap::IndexMap;
use npcodec::ndarray::Array3;
use npcodec_tests::fact::Fact;
use npcodec_tests::replay::{Compressed, Plain, Prioritized, ReplayBuffer, Uniform};
use npcodec_tests::vector::Vector;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Either form of an element.
trait Element {
    fn leaves(&self) -> (&Array3<u8>, i64, f64, &Array3<u8>, bool, bool);
}

impl Element for Plain {
    fn leaves(&self) -> (&Array3<u8>, i64, f64, &Array3<u8>, bool, bool) {
        (&self.0, self.1, self.2, &self.3, self.4, self.5)
    }
}

impl Element for Compressed {
    fn leaves(&self) -> (&Array3<u8>, i64, f64, &Array3<u8>, bool, bool) {
        (&self.0, self.1, self.2, &self.3, self.4, self.5)
    }
}

fn sum(frames: &Array3<u8>) -> u64 {
    frames.iter().map(|&pixel| u64::from(pixel)).sum()
}

/// Reads the buffer, compares it with what the index says it held, and writes it again.
fn buffer<E, S>(vector: &Vector) -> S
where
    E: Element,
    ReplayBuffer<E, S>: Checkpoint + RestoreOwned + Serialize + DeserializeOwned,
{
    let Vector { name, bytes, entry } = vector;
    let state: ReplayBuffer<E, S> =
        rmp_serde::from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let written = rmp_serde::to_vec(&state).unwrap();
    assert!(&written == bytes, "{name} is written in other bytes");

    assert_eq!(state.add_count, u64::fact(&entry["add_count"]), "{name}");
    assert_eq!(
        state.memory.keys,
        <Vec<i64>>::fact(&entry["keys"]),
        "{name}"
    );
    let elements = entry["elements"].as_array().unwrap();
    assert_eq!(state.memory.values.len(), elements.len(), "{name}");
    for (element, fact) in state.memory.values.iter().zip(elements) {
        let (state, action, reward, next_state, is_terminal, episode_end) = element.leaves();
        assert_eq!(
            state.shape(),
            <Vec<usize>>::fact(&fact["state_shape"]),
            "{name}"
        );
        assert_eq!(sum(state), u64::fact(&fact["state_sum"]), "{name}");
        assert_eq!(action, i64::fact(&fact["action"]), "{name}");
        assert_eq!(reward, f64::fact(&fact["reward"]), "{name}");
        assert_eq!(
            sum(next_state),
            u64::fact(&fact["next_state_sum"]),
            "{name}"
        );
        assert_eq!(is_terminal, bool::fact(&fact["is_terminal"]), "{name}");
        assert_eq!(episode_end, bool::fact(&fact["episode_end"]), "{name}");
    }
    // Pickles of protocol 2 and later start and end with these bytes.
    for pickle in [&state.memory.treedef, &state.transition_accumulator.treedef] {
        assert_eq!(
            (pickle.first(), pickle.last()),
            (Some(&0x80), Some(&b'.')),
            "{name}"
        );
    }
    for (frame, ..) in &state.transition_accumulator.trajectory {
        assert_eq!(
            frame.shape(),
            &<Vec<usize>>::fact(&elements[0]["state_shape"])[..2],
            "{name}"
        );
    }
    state.sampling_distribution
}

fn sampler(vector: &Vector, uniform: Uniform) {
    let Vector { name, entry, .. } = vector;
    let Uniform {
        key_by_index,
        index_by_key,
        rng_state,
    } = uniform;
    let mut sorted = key_by_index.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, <Vec<i64>>::fact(&entry["keys"]), "{name}");
    let inverse: IndexMap<i64, usize> = key_by_index
        .into_iter()
        .enumerate()
        .map(|(index, key)| (key, index))
        .collect();
    assert_eq!(index_by_key, inverse, "{name}");

    let facts = &entry["rng_state"];
    assert_eq!(
        rng_state.bit_generator,
        String::fact(&facts["bit_generator"]),
        "{name}"
    );
    assert_eq!(
        rng_state.has_uint32,
        u32::fact(&facts["has_uint32"]),
        "{name}"
    );
    assert_eq!(rng_state.uinteger, u32::fact(&facts["uinteger"]), "{name}");
    let mut generator = rng_state.state;
    assert_eq!(
        generator.state,
        u128::fact(&facts["state"]["state"]),
        "{name}"
    );
    assert_eq!(generator.inc, u128::fact(&facts["state"]["inc"]), "{name}");
    let draws = <Vec<String>>::fact(&entry["next_raw_u64"]);
    assert_eq!(draws.len(), 8, "{name}");
    for draw in draws {
        assert_eq!(generator.draw().to_string(), draw, "{name}");
    }
}

pub(crate) fn check(vector: &Vector) -> bool {
    let uniform = match &*vector.name {
        "replay_uniform_compressed" => buffer::<Compressed, Uniform>(vector),
        "replay_uniform_plain" | "replay_sequential_plain" => buffer::<Plain, Uniform>(vector),
        "replay_prioritized_compressed" => {
            let Prioritized { sum_tree, uniform } = buffer::<Compressed, Prioritized>(vector);
            let nodes = sum_tree.nodes;
            // Each inner node is the sum of the two below it.
            let inner = nodes.len() / 2;
            assert!(inner >= uniform.key_by_index.len());
            for node in 0..inner {
                let below = nodes[2 * node + 1] + nodes[2 * node + 2];
                assert!((nodes[node] - below).abs() < 1e-9, "node {node} of {nodes}");
            }
            assert!(nodes[0] > 0.0);
            uniform
        }
        _ => return false,
    };
    sampler(vector, uniform);
    true
}
