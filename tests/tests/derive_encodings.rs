//! The attributes that choose an encoding, and what they reach.

use npcodec::ndarray::{Array1, Array2, arr2, array};
use npcodec::with::{Compressed, Native};
use npcodec::{Checkpoint, Strictness, Value};
use rmp_serde::{from_slice, to_vec};

fn tree(bytes: &[u8]) -> Value<'_> {
    from_slice(bytes).unwrap()
}

fn field<'v, 'a>(value: &'v Value<'a>, key: &str) -> &'v Value<'a> {
    value.as_map().unwrap().get(key).unwrap()
}

/// A compressed array is a record of its shape, its dtype and the compressed bytes.
fn is_record(value: &Value<'_>) -> bool {
    let array = value.as_array().unwrap();
    array.shape().is_empty() && array.dtype_text().starts_with('[')
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Encoded {
    #[checkpoint(compress)]
    frames: Vec<Option<Array2<u8>>>,
    #[checkpoint(scalar)]
    rate: f32,
    #[checkpoint(scalar)]
    rates: Vec<f64>,
    #[checkpoint(integer)]
    seed: u128,
    #[checkpoint(array)]
    weights: Vec<f32>,
    #[checkpoint(as = "(Compressed, Native)")]
    pair: (Array1<u8>, Array1<u8>),
    #[checkpoint(width = 3)]
    names: Array1<String>,
}

#[test]
fn each_attribute_reaches_the_leaves() {
    let encoded = Encoded {
        frames: vec![Some(arr2(&[[1, 2], [3, 4]])), None],
        rate: 0.5,
        rates: vec![0.25],
        seed: 1 << 64,
        weights: vec![1.0, 2.0],
        pair: (array![1, 2], array![3]),
        names: array!["a".to_owned(), "bc".to_owned()],
    };
    let bytes = to_vec(&encoded).unwrap();
    let value = tree(&bytes);
    let frames = field(&value, "frames").as_list().unwrap();
    assert!(is_record(&frames[0]));
    assert_eq!(frames[1], Value::Nil);
    assert_eq!(
        field(&value, "rate").as_array().unwrap().shape(),
        &[0_usize; 0]
    );
    assert!(
        field(&value, "rates").as_list().unwrap()[0]
            .as_array()
            .is_some()
    );
    assert!(
        bytes
            .windows(30)
            .any(|w| w == b"\x81\xa7integer\xb418446744073709551616")
    );
    assert_eq!(field(&value, "weights").as_array().unwrap().shape(), &[2]);
    let pair = field(&value, "pair").as_list().unwrap();
    assert!(is_record(&pair[0]) && !is_record(&pair[1]));
    assert_eq!(
        field(&value, "names").as_array().unwrap().dtype_text(),
        "'<U3'"
    );
    assert_eq!(from_slice::<Encoded>(&bytes).unwrap(), encoded);
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(array)]
struct Arrays {
    a: Vec<f32>,
    b: [[u16; 2]; 2],
    #[checkpoint(as = "Native")]
    c: Vec<u16>,
    d: Option<Inner>,
    e: String,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Inner {
    list: Vec<u16>,
}

#[test]
fn a_container_of_arrays() {
    let arrays = Arrays {
        a: vec![1.0],
        b: [[1, 2], [3, 4]],
        c: vec![5],
        d: Some(Inner { list: vec![6] }),
        e: "e".into(),
    };
    let bytes = to_vec(&arrays).unwrap();
    let value = tree(&bytes);
    assert_eq!(field(&value, "a").as_array().unwrap().shape(), &[1]);
    assert_eq!(field(&value, "b").as_array().unwrap().shape(), &[2, 2]);
    assert!(field(&value, "c").as_list().is_some());
    assert!(
        field(field(&value, "d"), "list").as_list().is_some(),
        "no attribute enters a struct"
    );
    assert_eq!(from_slice::<Arrays>(&bytes).unwrap(), arrays);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Stored {
    exact: Array1<f64>,
    safe: Array1<f64>,
    lossy: Array1<f64>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Cast {
    #[checkpoint(rename = "exact", cast)]
    a: Array1<f32>,
    #[checkpoint(rename = "safe", cast)]
    b: Array1<f32>,
    #[checkpoint(rename = "lossy", cast = "lossy")]
    c: Array1<f32>,
}

#[test]
fn cast_converts_what_keeps_its_value_and_lossy_rounds() {
    let stored = Stored {
        exact: array![0.5],
        safe: array![0.1],
        lossy: array![0.1],
    };
    let bytes = to_vec(&stored).unwrap();
    let error = from_slice::<Cast>(&bytes).unwrap_err().to_string();
    assert!(
        error.contains("safe") && !error.contains("exact:") && !error.contains("lossy:"),
        "{error}"
    );
    let stored = Stored {
        safe: array![0.25],
        ..stored
    };
    let cast: Cast = from_slice(&to_vec(&stored).unwrap()).unwrap();
    assert_eq!(
        cast,
        Cast {
            a: array![0.5],
            b: array![0.25],
            c: array![0.1]
        }
    );
}

#[derive(Checkpoint, Debug, PartialEq)]
struct RowMajor {
    #[checkpoint(fortran = "row_major")]
    a: Array2<u8>,
    b: Array2<u8>,
}

#[test]
fn fortran_order_is_read_as_the_field_says() {
    let mut bytes = vec![0x82];
    for key in *b"ab" {
        bytes.extend_from_slice(&[0xa1, key]);
        bytes.extend_from_slice(
            b"\x84\xa5shape\x92\x02\x02\xa4data\xc4\x04\x01\x02\x03\x04\xa5dtype\xa5'|u1'\xa5order\xa1F",
        );
    }
    let read: RowMajor = from_slice(&bytes).unwrap();
    assert_eq!(read.a, arr2(&[[1, 2], [3, 4]]));
    assert_eq!(read.b, arr2(&[[1, 3], [2, 4]]));
}

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
