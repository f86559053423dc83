//! Dopamine's replay buffers pass through Rust and go on as if they had not.

use npcodec::Checkpoint;
use npcodec::ndarray::{Array1, Array2, Array3};
use npcodec_tests::python::{Python, Scratch, say};

#[derive(Checkpoint)]
struct ReplayBuffer {
    add_count: u64,
    memory: Memory,
    sampling_distribution: Sampler,
    transition_accumulator: Accumulator,
}

/// A pickle of Python's, carried along as it is.
#[derive(Checkpoint)]
struct TreeDef(Vec<u8>);

#[derive(Checkpoint)]
struct Memory {
    keys: Vec<u64>,
    values: Vec<Element>,
    treedef: TreeDef,
}

/// The leaves of an element stand in a list.
#[derive(Checkpoint)]
struct Element(
    #[checkpoint(compress)] Array3<u8>,
    i64,
    f64,
    #[checkpoint(compress)] Array3<u8>,
    bool,
    bool,
);

#[derive(Checkpoint)]
struct Sampler {
    #[checkpoint(skip_serializing_if = "Option::is_none")]
    sum_tree: Option<SumTree>,
    key_by_index: Vec<u64>,
    index_by_key: indexmap::IndexMap<u64, usize>,
    rng_state: Pcg64,
}

#[derive(Checkpoint)]
struct SumTree {
    nodes: Array1<f64>,
}

#[derive(Checkpoint)]
struct Pcg64 {
    bit_generator: String,
    state: Pcg64State,
    has_uint32: u32,
    uinteger: u32,
}

#[derive(Checkpoint)]
struct Pcg64State {
    state: u128,
    inc: u128,
}

#[derive(Checkpoint)]
struct Accumulator {
    trajectory: Vec<Transition>,
    treedef: TreeDef,
}

#[derive(Checkpoint)]
struct Transition(Array2<u8>, i64, f64, bool, bool);

#[test]
fn replay_buffers_go_round() {
    let Some(python) = Python::find("replay_buffers_go_round") else {
        return;
    };
    let scratch = Scratch::new("replay");
    python.live("replay_build", scratch.path());
    for kind in ["uniform", "prioritized"] {
        let file = |name| scratch.path().join(kind).join(name);
        let theirs = std::fs::read(file("python.msgpack")).unwrap();
        let buffer: ReplayBuffer =
            rmp_serde::from_slice(&theirs).unwrap_or_else(|error| panic!("{kind}: {error}"));
        check(kind, &buffer);
        let ours = rmp_serde::to_vec(&buffer).unwrap();
        assert!(ours == theirs, "{kind}: not the bytes that Python wrote");
        let dict = rmp_serde::to_vec(&buffer.to_state_dict().unwrap()).unwrap();
        assert!(dict == theirs, "{kind}: the dict has other bytes");
        std::fs::write(file("rust.msgpack"), ours).unwrap();
        say(&format!(
            "replay_buffers_go_round: {kind}: the same {} bytes",
            theirs.len()
        ));
    }
    python.live("replay_continue", scratch.path());
}

/// What `tests/python/replay.py` makes the buffers hold.
fn check(kind: &str, buffer: &ReplayBuffer) {
    let Sampler {
        sum_tree,
        key_by_index,
        index_by_key,
        rng_state,
    } = &buffer.sampling_distribution;
    assert_eq!(buffer.memory.keys.len(), 24);
    assert_eq!(buffer.memory.values.len(), 24);
    assert_eq!(buffer.add_count, buffer.memory.keys[23] + 1);
    for (index, key) in key_by_index.iter().enumerate() {
        assert_eq!(index_by_key[key], index);
    }
    for Element(state, action, _, next, ..) in &buffer.memory.values {
        assert_eq!((state.dim(), next.dim()), ((6, 6, 3), (6, 6, 3)));
        assert!((0..4).contains(action));
    }
    assert!(
        buffer
            .transition_accumulator
            .trajectory
            .iter()
            .all(|t| t.0.dim() == (6, 6))
    );
    assert!(buffer.memory.treedef.0.starts_with(b"\x80"));
    assert_eq!(rng_state.bit_generator, "PCG64");
    assert!(rng_state.state.inc > u128::from(u64::MAX));
    assert_eq!(sum_tree.is_some(), kind == "prioritized");
    if let Some(SumTree { nodes }) = sum_tree {
        assert_eq!(nodes.len(), 63);
        assert!((nodes[0] - nodes[1] - nodes[2]).abs() < 1e-9);
    }
}
