//! Dopamine's replay buffers pass through Rust and go on as if they had not.

use npcodec::Checkpoint;
use npcodec::checkpoint::RestoreOwned;
use npcodec_tests::python::{Python, Scratch, say};
use npcodec_tests::replay::{Compressed, Prioritized, ReplayBuffer, Uniform};
use serde::Serialize;
use serde::de::DeserializeOwned;

#[test]
fn replay_buffers_go_round() {
    let Some(python) = Python::find("replay_buffers_go_round") else {
        return;
    };
    let scratch = Scratch::new("replay");
    python.live("replay_build", scratch.path());
    let uniform = go_round::<Uniform>(&scratch, "uniform");
    check(&uniform, &uniform.sampling_distribution);
    let prioritized = go_round::<Prioritized>(&scratch, "prioritized");
    check(&prioritized, &prioritized.sampling_distribution.uniform);
    let nodes = &prioritized.sampling_distribution.sum_tree.nodes;
    assert_eq!(nodes.len(), 63);
    assert!((nodes[0] - nodes[1] - nodes[2]).abs() < 1e-9);
    python.live("replay_continue", scratch.path());
}

/// Reads what Python wrote and writes it again, through the type and through its dict.
fn go_round<S>(scratch: &Scratch, kind: &str) -> ReplayBuffer<Compressed, S>
where
    ReplayBuffer<Compressed, S>: Checkpoint + RestoreOwned + Serialize + DeserializeOwned,
{
    let file = |name| scratch.path().join(kind).join(name);
    let theirs = std::fs::read(file("python.msgpack")).unwrap();
    let buffer: ReplayBuffer<Compressed, S> =
        rmp_serde::from_slice(&theirs).unwrap_or_else(|error| panic!("{kind}: {error}"));
    let ours = rmp_serde::to_vec(&buffer).unwrap();
    assert!(ours == theirs, "{kind}: not the bytes that Python wrote");
    let dict = rmp_serde::to_vec(&buffer.to_state_dict().unwrap()).unwrap();
    assert!(dict == theirs, "{kind}: the dict has other bytes");
    std::fs::write(file("rust.msgpack"), ours).unwrap();
    let count = theirs.len();
    say(&format!(
        "replay_buffers_go_round: {kind}: the same {count} bytes"
    ));
    buffer
}

/// What `tests/python/replay.py` makes the buffers hold.
fn check<S>(buffer: &ReplayBuffer<Compressed, S>, sampler: &Uniform) {
    let memory = &buffer.memory;
    assert_eq!((memory.keys.len(), memory.values.len()), (24, 24));
    assert_eq!(buffer.add_count, memory.keys[23] as u64 + 1);
    for (index, key) in sampler.key_by_index.iter().enumerate() {
        assert_eq!(sampler.index_by_key[key], index);
    }
    for Compressed(state, action, _, next, ..) in &memory.values {
        assert_eq!((state.dim(), next.dim()), ((6, 6, 3), (6, 6, 3)));
        assert!((0..4).contains(action));
    }
    let trajectory = &buffer.transition_accumulator.trajectory;
    assert!(trajectory.iter().all(|element| element.0.dim() == (6, 6)));
    assert!(memory.treedef.starts_with(b"\x80"));
    assert_eq!(sampler.rng_state.bit_generator, "PCG64");
    assert!(sampler.rng_state.state.inc > u128::from(u64::MAX));
}
