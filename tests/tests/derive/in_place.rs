//! Loading in place: memory, variants, all or nothing.

use npcodec::ndarray::{Array1, array};

use super::*;

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct State {
    weights: Array1<f32>,
    layers: Vec<Layer>,
    #[checkpoint(replace)]
    history: Vec<Array1<f32>>,
    phase: Phase,
    meters: Meters,
    pair: Pair,
    #[checkpoint(skip)]
    scratch: u8,
    #[checkpoint(alias = "steps")]
    step: u64,
    #[checkpoint(flatten)]
    extra: Layer,
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Layer {
    kernel: Array1<f32>,
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Meters(Array1<f32>);

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Pair(Array1<f32>, #[checkpoint(skip)] u8, u8);

#[derive(Checkpoint, Debug, PartialEq, Clone)]
enum Phase {
    Idle,
    #[checkpoint(alias = "old")]
    Train(Array1<f32>),
    Tuple(Array1<f32>, u8),
    Eval {
        scores: Array1<f32>,
        #[checkpoint(skip)]
        cache: u8,
    },
}

fn state(fill: f32, phase: Phase) -> State {
    State {
        weights: Array1::from_elem(2, fill),
        layers: vec![Layer {
            kernel: Array1::from_elem(3, fill),
        }],
        history: vec![],
        phase,
        meters: Meters(Array1::from_elem(1, fill)),
        pair: Pair(Array1::from_elem(1, fill), 0, 1),
        scratch: 0,
        step: 0,
        extra: Layer {
            kernel: Array1::from_elem(4, fill),
        },
    }
}

fn eval(fill: f32) -> Phase {
    Phase::Eval {
        scores: array![fill],
        cache: 0,
    }
}

#[test]
fn arrays_keep_their_memory_when_loaded_in_place() {
    let mut source = state(1.0, eval(1.0));
    source.history.push(array![9.0]);
    source.step = 7;
    let dict = source.to_state_dict().unwrap();
    let mut target = state(
        0.0,
        Phase::Eval {
            scores: array![0.0],
            cache: 5,
        },
    );
    target.scratch = 3;
    target.pair.1 = 4;
    let Phase::Eval { scores, .. } = &target.phase else {
        unreachable!()
    };
    let places = [
        target.weights.as_ptr(),
        target.layers[0].kernel.as_ptr(),
        scores.as_ptr(),
        target.meters.0.as_ptr(),
        target.pair.0.as_ptr(),
        target.extra.kernel.as_ptr(),
    ];
    assert!(
        target
            .load_state_dict(&dict, Strictness::Strict)
            .unwrap()
            .is_clean()
    );
    let Phase::Eval { scores, cache } = &target.phase else {
        unreachable!()
    };
    assert_eq!(
        (*cache, target.scratch, target.pair.1, target.step),
        (5, 3, 4, 7)
    );
    assert_eq!(scores, array![1.0]);
    assert_eq!(
        (&target.weights, &target.history),
        (&source.weights, &source.history)
    );
    let after = [
        target.weights.as_ptr(),
        target.layers[0].kernel.as_ptr(),
        scores.as_ptr(),
        target.meters.0.as_ptr(),
        target.pair.0.as_ptr(),
        target.extra.kernel.as_ptr(),
    ];
    assert_eq!(places, after);
}

#[test]
fn another_variant_is_assigned_whole() {
    for phase in [
        Phase::Idle,
        Phase::Train(array![1.0, 2.0]),
        Phase::Tuple(array![1.0], 2),
        eval(1.0),
    ] {
        let source = state(0.0, phase.clone());
        let mut target = state(0.0, Phase::Train(array![0.0, 0.0]));
        target
            .load_state_dict(&source.to_state_dict().unwrap(), Strictness::Strict)
            .unwrap();
        assert_eq!(target.phase, phase);
    }
}

#[test]
fn a_state_that_does_not_fit_is_left_alone() {
    let mut source = state(1.0, Phase::Train(array![1.0, 2.0, 3.0]));
    source.layers.clear();
    let mut dict = source.to_state_dict().unwrap();
    dict.insert("more", 1);
    dict.insert("steps", 2);
    let mut target = state(0.0, Phase::Train(array![0.0]));
    let before = target.clone();
    let error = target
        .load_state_dict(&dict, Strictness::Strict)
        .unwrap_err()
        .to_string();
    for part in ["phase.Train", "layers", "more", "steps"] {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
    assert_eq!(target, before);
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(default)]
struct Defaulted {
    a: u8,
    b: Array1<u8>,
    #[checkpoint(default)]
    c: u8,
}

impl Default for Defaulted {
    fn default() -> Self {
        Self {
            a: 1,
            b: array![2],
            c: 3,
        }
    }
}

#[test]
fn a_default_fills_what_is_missing_in_place_too() {
    let mut value = Defaulted {
        a: 9,
        b: array![9],
        c: 9,
    };
    value
        .load_state_dict(&npcodec::StateDict::new(), Strictness::Strict)
        .unwrap();
    assert_eq!(
        value,
        Defaulted {
            c: 0,
            ..Defaulted::default()
        }
    );
}

#[test]
fn arrays_are_loaded_into_every_layout() {
    use npcodec::ndarray::{Array2, Axis, ShapeBuilder, array};

    let rows = array![[1_i16, 2, 3], [4, 5, 6]];
    let mut columns = Array2::zeros((2, 3).f());
    columns.assign(&rows);
    let mut reversed = Array2::zeros((2, 3));
    reversed.invert_axis(Axis(1));
    let targets = [
        Array2::zeros((2, 3)),
        Array2::zeros((2, 3).f()),
        reversed,
        Array2::zeros((3, 2)).reversed_axes(),
    ];
    for source in [&rows, &columns] {
        for target in &targets {
            let mut pair = (target.clone(), 0_u8);
            let strides = pair.0.strides().to_vec();
            let list = (source.clone(), 7_u8);
            let value = list.to_value().unwrap();
            let dict = [("pair", value)].into_iter().collect();
            let mut state = BTreeMap::from([("pair".to_owned(), pair)]);
            state.load_state_dict(&dict, Strictness::Strict).unwrap();
            pair = state.remove("pair").unwrap();
            assert_eq!(pair, (rows.clone(), 7));
            assert_eq!(pair.0.strides(), strides);
        }
    }
}

#[test]
fn what_nobody_shares_is_loaded_into_its_own_memory() {
    use std::rc::Rc;
    use std::sync::Arc;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Shared {
        rc: Rc<Array1<f32>>,
        arc: Arc<Array1<f32>>,
        boxed: Box<Array1<f32>>,
    }
    let shared = |x: f32| Shared {
        rc: Rc::new(array![x]),
        arc: Arc::new(array![x]),
        boxed: Box::new(array![x]),
    };
    let (mut state, saved) = (shared(1.0), shared(2.0));
    let memory = |state: &Shared| [state.rc.as_ptr(), state.arc.as_ptr(), state.boxed.as_ptr()];
    let (before, other) = (memory(&state), Rc::clone(&saved.rc));
    let dict = saved.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!((memory(&state), &state), (before, &saved));

    // What somebody shares would change under them, or not be shared any more.
    state.rc = other;
    let dict = shared(3.0);
    let dict = dict.to_state_dict().unwrap();
    let error = state
        .load_state_dict(&dict, Strictness::Strict)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit:\n  mismatched:\n    rc: expected a value that nobody else holds \
         (`replace` makes a new one), found one that is shared"
    );
    assert_eq!(
        (state.rc.to_vec(), state.arc.to_vec()),
        (vec![2.0], vec![2.0])
    );

    #[derive(Checkpoint)]
    struct Renewed {
        #[checkpoint(replace)]
        rc: Rc<Array1<f32>>,
    }
    let mut state = Renewed { rc: state.rc };
    let dict = [("rc", dict.get("rc").unwrap().borrowed())];
    let dict = dict.into_iter().collect();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(
        (saved.rc.to_vec(), state.rc.to_vec()),
        (vec![2.0], vec![3.0])
    );
}
