//! States as records, and back: what has a form, what is refused, what is tolerated.

use std::collections::BTreeMap;

use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, MetricRecord, RecordDict, from_records, from_records_with,
    load_list, load_records, load_records_with, to_list, to_records,
};
use npcodec::ndarray::{Array1, Array2, ArrayView1, array};
use npcodec::num_complex::Complex;
use npcodec::{
    Checkpoint, Error, ErrorKind, Fortran, NumpyEncoding, ReadOptions, StateDict, Strictness, Value,
};

/// Returns an array as Flower's.
pub fn as_array<T: Checkpoint>(array: &T) -> Array<'_> {
    match array.to_value().unwrap() {
        Value::Array(encoding) => Array::from_encoding(encoding).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Abc {
    a: Array1<f32>,
    b: Array1<f32>,
    c: Array1<f32>,
}

fn abc() -> Abc {
    let [a, b, c] = [array![1.0, 2.0], array![3.0, 4.0], array![5.0, 6.0]];
    Abc { a, b, c }
}

fn keys<'k>(keys: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    keys.collect()
}

#[test]
fn leaves_stand_under_their_paths_and_borrow_their_state() {
    #[derive(Checkpoint)]
    struct Agent {
        layers: Vec<Abc>,
        #[checkpoint(rename = "a.b")]
        dotted: Array2<i64>,
        epoch: u64,
        rates: Vec<f32>,
        rng: u128,
        target: Option<Array1<f32>>,
    }
    #[derive(Checkpoint)]
    struct State {
        agent: Agent,
    }

    let dotted = Array2::zeros((512, 512));
    let (layers, rates) = (vec![abc()], vec![0.1, 0.5]);
    let agent = Agent {
        layers,
        dotted,
        epoch: 7,
        rates,
        rng: 1 << 100,
        target: None,
    };
    let state = State { agent };
    let records = to_records(&state).unwrap();
    assert_eq!(keys(records.keys()), ["arrays", "config"]);
    let (arrays, config) = (
        records.array_record("arrays").unwrap(),
        records.config_record("config").unwrap(),
    );
    let paths = [
        "agent.layers[0].a",
        "agent.layers[0].b",
        "agent.layers[0].c",
        "agent[\"a.b\"]",
    ];
    assert_eq!(keys(arrays.keys()), paths);
    let settings = [
        "agent.epoch",
        "agent.rates",
        "agent.rng",
        ".nil",
        ".integer",
    ];
    assert_eq!(keys(config.keys()), settings);
    assert_eq!(
        config.get("agent.rates"),
        Some(&vec![f64::from(0.1f32), 0.5].into())
    );
    assert_eq!(
        config.get("agent.rng"),
        Some(&(1u128 << 100).to_string().into())
    );
    assert_eq!(config.get(".integer"), Some(&vec!["agent.rng"].into()));
    assert_eq!(config.get(".nil"), Some(&vec!["agent.target"].into()));

    let items = state.agent.dotted.as_slice().unwrap();
    let pieces = arrays.get(paths[3]).unwrap().data();
    let payload = pieces.pieces().find(|piece| piece.len() == 8 * items.len());
    assert_eq!(payload.unwrap().as_ptr().cast(), items.as_ptr());
}

#[test]
fn names_decide_and_never_positions() {
    let (state, mut other) = (abc(), abc());
    let records = to_records(&state).unwrap();
    let arrays = records.array_record("arrays").unwrap();
    let take = |names: &[&str]| -> RecordDict<'_> {
        let entries = names
            .iter()
            .map(|&name| (name, arrays.get(name).unwrap().clone()));
        [("arrays", entries.collect::<ArrayRecord<'_>>())]
            .into_iter()
            .collect()
    };
    assert_eq!(from_records::<Abc>(&take(&["b", "a", "c"])).unwrap(), state);
    other.a.fill(0.0);
    load_records(&mut other, &take(&["c", "b", "a"]), Strictness::Strict).unwrap();
    assert_eq!(other, state);

    let short = take(&["b", "c"]);
    let error = load_records(&mut other, &short, Strictness::Strict).unwrap_err();
    assert_eq!(error.report().unwrap().missing, ["a".parse().unwrap()]);
    let report = load_records(&mut other, &short, Strictness::Lenient).unwrap();
    assert_eq!(report.missing, ["a".parse().unwrap()]);
    let mut long = take(&["a", "b", "c"]);
    long.array_record_mut("arrays")
        .unwrap()
        .insert("d", as_array(&state.a));
    let mut config = ConfigRecord::new();
    config.insert("server round", 3);
    long.insert("config", config);
    let error = from_records::<Abc>(&long).unwrap_err();
    let unexpected = ["d", "[\"server round\"]"].map(|path| path.parse().unwrap());
    assert_eq!(error.report().unwrap().unexpected, unexpected);
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (read, report) = from_records_with::<Abc>(&long, &lenient).unwrap();
    assert_eq!(
        (read, report.unexpected),
        (state.clone(), unexpected.to_vec())
    );

    let wrong = array![1.0f64];
    long = take(&["a", "b", "c"]);
    long.array_record_mut("arrays")
        .unwrap()
        .insert("b", as_array(&wrong));
    let error = load_records(&mut other, &long, Strictness::Strict).unwrap_err();
    assert_eq!(error.report().unwrap().mismatched[0].path.to_string(), "b");
    assert_eq!(other, state);

    other.a.fill(0.0);
    other.b.fill(0.0);
    let only = ReadOptions::new().only(["a".parse().unwrap()]);
    load_records_with(&mut other, &take(&["a", "b", "c"]), &only).unwrap();
    assert_eq!((other.a, other.b), (state.a.clone(), array![0.0, 0.0]));
}

#[test]
fn other_records_belong_to_others() {
    let state = abc();
    let mut records = to_records(&state).unwrap();
    records.insert("metrics", MetricRecord::from_iter([("num-examples", 3)]));
    records.remove("config");
    assert_eq!(from_records::<Abc>(&records).unwrap(), state);
    records.insert("arrays", MetricRecord::new());
    let error = from_records::<Abc>(&records).unwrap_err();
    let words = "flower: expected an ArrayRecord, found a MetricRecord at `arrays`";
    assert_eq!(error.to_string(), words);
    let nothing = from_records::<Abc>(&RecordDict::new()).unwrap_err();
    assert_eq!(nothing.report().unwrap().missing.len(), 3);
}

#[test]
fn every_leaf_without_a_form_is_named_in_one_error() {
    let extension = Value::Extension(1, b""[..].into());
    let text = "{'names': ['a', 'b'], 'formats': ['u1', 'u1'], 'offsets': [1, 0], 'itemsize': 2}";
    let crossed = NumpyEncoding::new(vec![1], vec![0; 2], text, None).unwrap();
    let state: StateDict<'_> = [
        ("z", Value::Complex(Complex::new(1.0, 2.0))),
        ("fine", Value::from(1)),
        ("list", Value::List(vec![Value::Nil, extension])),
        ("crossed", Value::Array(crossed)),
    ]
    .into_iter()
    .collect();
    let error = to_records(&state).unwrap_err();
    let ErrorKind::Unsupported { format, leaves } = error.kind() else {
        panic!("{error}")
    };
    assert_eq!(*format, "flower");
    let paths: Vec<_> = leaves.iter().map(|leaf| leaf.path.to_string()).collect();
    assert_eq!(paths, ["z", "list[1]", "crossed"]);
}

#[test]
fn any_value_is_a_state() {
    let kernel = array![[1.0f32, 2.0]];
    let records = to_records(&kernel).unwrap();
    assert_eq!(keys(records.array_record("arrays").unwrap().keys()), [""]);
    assert_eq!(from_records::<Array2<f32>>(&records).unwrap(), kernel);

    let list = vec![array![1.0f32], array![2.0, 3.0]];
    let records = to_records(&list).unwrap();
    let mut other = vec![array![0.0f32], array![0.0, 0.0]];
    load_records(&mut other, &records, Strictness::Strict).unwrap();
    assert_eq!(other, list);

    let columns = array![[1.0f32, 2.0], [3.0, 4.0]].reversed_axes();
    let records = to_records(&columns).unwrap();
    let doubts = ReadOptions::new().fortran(Fortran::RowMajor);
    let (read, _) = from_records_with::<Array2<f32>>(&records, &doubts).unwrap();
    assert_eq!(read, columns);

    // Without a target type; the arrays of a map come first.
    let map: StateDict<'_> = [("x", Value::from(1)), ("none", Value::Nil)]
        .into_iter()
        .collect();
    let records = to_records(&map).unwrap();
    let dict: StateDict<'_> = from_records(&records).unwrap();
    assert_eq!(dict, map);
    let empty = BTreeMap::<String, u8>::new();
    let records = to_records(&empty).unwrap();
    assert_eq!(
        from_records::<BTreeMap<String, u8>>(&records).unwrap(),
        empty
    );

    // Borrowed, as from any other source.
    let records = to_records(&kernel).unwrap();
    let bytes = records.to_protobuf().unwrap();
    let sent = RecordDict::from_protobuf(&bytes[..]).unwrap();
    let row = Abc {
        a: Array1::zeros(0),
        b: array![1.0],
        c: array![2.0],
    };
    let records = to_records(&row).unwrap();
    let views: BTreeMap<String, ArrayView1<'_, f32>> = from_records(&records).unwrap();
    assert_eq!(views["c"], ArrayView1::from(&[2.0]));
    assert!(from_records::<Abc>(&sent).is_err());
}

#[test]
fn a_nan_of_32_bits_keeps_its_bits() {
    for bits in [0x7fc0_0001_u32, 0xff80_0001, 0x7fff_ffff] {
        let list = vec![f32::from_bits(bits), 1.0];
        let records = to_records(&list).unwrap();
        let back: Vec<f32> = from_records(&records).unwrap();
        assert_eq!(back[0].to_bits(), bits);
    }
}

#[test]
fn a_list_needs_the_same_count_shapes_and_dtypes() {
    let state = abc();
    let list = to_list(&state).unwrap();
    let mut other = Abc {
        a: array![0.0, 0.0],
        ..abc()
    };
    load_list(&mut other, &list).unwrap();
    assert_eq!(other, state);
    // As Flower's own records hold a list.
    let record =
        ArrayRecord::from_iter(["0", "1", "2"].into_iter().zip(list.iter().rev().cloned()));
    load_list(&mut other, record.values()).unwrap();
    assert_eq!((&other.a, &other.c), (&state.c, &state.a));

    let refusal = |list: &[Array<'_>]| -> (Error, Abc) {
        let mut state = abc();
        let error = load_list(&mut state, list).unwrap_err();
        (error, state)
    };
    for list in [&list[..2], &[list.clone(), list.clone()].concat()] {
        let (error, after) = refusal(list);
        let words = format!("expected a list of 3 arrays, found one of {}", list.len());
        assert_eq!(error.to_string(), words);
        assert_eq!(after, state);
    }
    let (longer, double) = (array![1.0f32, 2.0, 3.0], array![1.0f64, 2.0]);
    let list = [list[0].clone(), as_array(&longer), as_array(&double)];
    let (error, after) = refusal(&list);
    assert_eq!(after, state);
    let lines = [
        "[1]: expected an array of shape (2,) and dtype '<f4' for `b`, found an array of shape (3,) and dtype '<f4'",
        "[2]: expected an array of shape (2,) and dtype '<f4' for `c`, found an array of shape (2,) and dtype '<f8'",
    ];
    for line in lines {
        assert!(error.to_string().contains(line), "{error}");
    }
}

/// The dtype of a compressed record has the length of its block, that of texts the longest of them.
#[test]
fn a_list_may_have_other_values_whose_dtypes_differ() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Frames {
        #[checkpoint(compress)]
        frames: Array2<u8>,
        names: Array1<String>,
    }
    let named = |frames, name: &str| {
        let names = array![name.to_owned()];
        Frames { frames, names }
    };
    let empty = |columns| named(Array2::zeros((20, columns)), "");
    let filled = Array2::from_shape_fn((20, 30), |(row, column)| (row * column) as u8);
    let state = named(filled, "longer");
    let mut other = empty(30);
    load_list(&mut other, &to_list(&state).unwrap()).unwrap();
    assert_eq!(other, state);
    // As a peer has them that knows of no compression.
    let plain = [as_array(&state.frames), as_array(&state.names)];
    other = empty(30);
    load_list(&mut other, &plain).unwrap();
    assert_eq!(other, state);

    let mut wider = empty(31);
    let error = load_list(&mut wider, &to_list(&state).unwrap()).unwrap_err();
    let line = "[0]: expected an array of shape (20, 31) and dtype '|u1', compressed for `frames`, \
                found an array of shape (20, 30) and dtype '|u1', compressed";
    assert!(error.to_string().contains(line), "{error}");
    assert_eq!(wider, empty(31));

    // A field that does not compress takes no compressed array.
    let mut bare = vec![Array2::<u8>::zeros((20, 30))];
    let compressed = &to_list(&state).unwrap()[..1];
    let error = load_list(&mut bare, compressed).unwrap_err();
    let line = "[0]: expected an array of shape (20, 30) and dtype '|u1' for `[0]`, found an array of \
                shape (20, 30) and dtype '|u1', compressed";
    assert!(error.to_string().contains(line), "{error}");
}

#[test]
fn a_list_holds_arrays_alone() {
    #[derive(Checkpoint)]
    struct Params {
        kernel: Array1<f32>,
        bias: Option<Array1<f32>>,
        step: u64,
        more: Vec<Array1<f32>>,
        by_name: BTreeMap<String, Array1<f32>>,
    }

    let kernel = || array![1.0];
    let (more, by_name) = (Vec::new(), BTreeMap::new());
    let state = Params {
        kernel: kernel(),
        bias: None,
        step: 1,
        more,
        by_name,
    };
    let error = to_list(&state).unwrap_err();
    let ErrorKind::Unsupported { leaves, .. } = error.kind() else {
        panic!("{error}")
    };
    let paths: Vec<_> = leaves.iter().map(|leaf| leaf.path.to_string()).collect();
    assert_eq!(paths, ["step", "bias"]);
    // Containers without items are no leaves, and stay.
    type Rest = (Array1<f32>, Vec<Array1<f32>>, BTreeMap<String, Array1<f32>>);
    let rest: Rest = (kernel(), Vec::new(), BTreeMap::new());
    let mut other: Rest = (array![0.0], Vec::new(), BTreeMap::new());
    load_list(&mut other, &to_list(&rest).unwrap()).unwrap();
    assert_eq!(other, rest);
}
