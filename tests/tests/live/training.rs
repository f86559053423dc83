//! A whole run that Python saved, as one struct.

use npcodec::half::bf16;
use npcodec::ndarray::{Array0, Array1, Array2};
use npcodec::num_bigint::BigInt;
use npcodec::{Checkpoint, NumpyEncoding, StateDict, Value};

#[derive(Checkpoint)]
struct Run<'a> {
    agent: Agent,
    optimizer: (Vec<Layer>, Scale),
    #[checkpoint(compress)]
    frames: Vec<Array2<u8>>,
    transitions: NumpyEncoding<'a>,
    rng: StateDict<'a>,
    index_by_key: npcodec::indexmap::IndexMap<u64, usize>,
    schedule: Schedule,
    step: u64,
    seed: BigInt,
    fingerprint: Vec<u8>,
    empty: Empty,
    nothing: Vec<Value<'a>>,
}

#[derive(Checkpoint)]
struct Agent {
    params: Params,
}

#[derive(Checkpoint)]
struct Params {
    layers: [Layer; 2],
    #[checkpoint(rename = "a.b")]
    dotted: Array0<f64>,
    half: Array2<bf16>,
}

#[derive(Checkpoint)]
struct Layer {
    #[checkpoint(fortran = "row_major")]
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint)]
struct Scale {
    #[checkpoint(scalar)]
    count: i32,
    #[checkpoint(scalar)]
    scale: f32,
}

#[derive(Checkpoint)]
struct Schedule {
    learning_rate: f64,
    warm: bool,
    name: String,
    note: Option<String>,
}

#[derive(Checkpoint)]
struct Empty {}

/// Reads the state that `training_state` of `tests/python/cases.py` makes.
pub(super) fn check(bytes: &[u8]) {
    let run: Run<'_> = rmp_serde::from_slice(bytes).unwrap_or_else(|error| panic!("{error}"));
    let (moments, scale) = &run.optimizer;
    for (layer, moments) in run.agent.params.layers.iter().zip(moments) {
        assert_eq!(layer.kernel.dim(), (3, 4));
        assert_eq!(moments.kernel, &layer.kernel * 2.0);
        assert_eq!(moments.bias, &layer.bias * 2.0);
    }
    assert_eq!((scale.count, scale.scale), (7, 0.5));
    assert_eq!(run.agent.params.half.dim(), (2, 2));
    assert!(run.agent.params.dotted.first().is_some());
    assert!(run.frames.iter().all(|frame| frame.dim() == (4, 4)));
    assert_eq!((run.frames.len(), run.transitions.shape()), (3, &[4][..]));
    let keys: Vec<_> = run.index_by_key.into_iter().collect();
    assert_eq!(keys, [(10, 0), (11, 1), (1 << 33, 2)]);
    assert_eq!(run.rng.get("bit_generator"), Some(&Value::from("PCG64")));
    let Schedule {
        learning_rate,
        warm,
        name,
        note,
    } = run.schedule;
    assert_eq!(
        (learning_rate, warm, name.as_str(), note),
        (1e-3, true, "cosine", None)
    );
    assert_eq!((run.step, run.seed), (1 << 40, BigInt::from(1u128 << 70)));
    assert_eq!(run.fingerprint, [0, 255]);
    assert!(run.nothing.is_empty());
    let Empty {} = run.empty;
}
