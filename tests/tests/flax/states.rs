//! States as Flax writes and reads them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use npcodec::formats::flax::{
    self, WriteOptions, from_bytes, from_bytes_with, load_into, to_bytes, to_bytes_with,
};
use npcodec::ndarray::{Array1, Array2, ArrayView1, array};
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, ErrorKind, LoadReport, ReadOptions, Strictness, Value};
use npcodec_tests::peer::Case;

/// The bytes that `to_bytes` gave in Python.
fn wrote(name: &str) -> Vec<u8> {
    let case = Case::all("flax").into_iter().find(|case| case.name == name);
    case.and_then(|case| case.bytes).expect(name)
}

fn report<T>(result: Result<T, npcodec::Error>) -> LoadReport {
    let error = result.err().expect("an error");
    error.report().expect("a report").clone()
}

#[derive(Checkpoint, Debug, PartialEq, Default)]
struct NamedTuple {
    x: i64,
    y: i64,
}

#[test]
fn states_are_restored_from_what_flax_wrote() {
    assert_eq!(from_bytes::<Vec<i64>>(&wrote("fb_list")).unwrap(), [5, 6]);
    assert_eq!(from_bytes::<[u8; 2]>(&wrote("fb_list")).unwrap(), [5, 6]);
    assert_eq!(
        from_bytes::<(u8, f64)>(&wrote("fb_list")).unwrap(),
        (5, 6.0)
    );
    assert_eq!(
        from_bytes::<Vec<i64>>(&wrote("fb_empty_list")).unwrap(),
        [0i64; 0]
    );
    let keys: BTreeMap<i64, i64> = from_bytes(&wrote("fb_dict_int_key")).unwrap();
    assert_eq!(keys, BTreeMap::from([(1, 5)]));
    let named: NamedTuple = from_bytes(&wrote("fb_namedtuple")).unwrap();
    assert_eq!(named, NamedTuple { x: 1, y: 2 });
    let bytes = wrote("fb_none_target");
    let raw: Value<'_> = from_bytes(&bytes).unwrap();
    assert_eq!(raw, flax::from_slice(&bytes).unwrap());
}

#[test]
fn what_does_not_fit_is_in_the_report() {
    let wrong = report(from_bytes::<[i64; 1]>(&wrote("fb_list_wrong_len")));
    assert_eq!(wrong.mismatched[0].found, "a list of 2");
    let wrong = report(from_bytes::<(i64,)>(&wrote("fb_list_wrong_len")));
    assert!(wrong.to_string().contains("one of 2"), "{wrong}");

    type Pair = (i64, BTreeMap<String, Array1<f32>>);
    let wrong = report(from_bytes::<Pair>(&wrote(
        "fb_tuple_dict_extra_key_kept_out",
    )));
    assert_eq!(wrong.mismatched.len(), 2, "{wrong}");
    let paths: Vec<_> = wrong
        .mismatched
        .iter()
        .map(|one| one.path.to_string())
        .collect();
    assert_eq!(paths, ["[1].a", "[1].extra"]);

    // Flax drops the key that nobody asked for.
    #[derive(Checkpoint, Debug, PartialEq)]
    struct OnlyA {
        a: i64,
    }
    let extra = wrote("fb_tuple_dict_extra_key_kept_out");
    let wrong = report(from_bytes::<(i64, OnlyA)>(&extra));
    assert_eq!(wrong.unexpected[0].to_string(), "[1].extra");
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (read, tolerated) = from_bytes_with::<(i64, OnlyA)>(&extra, &lenient).unwrap();
    assert_eq!((read, tolerated.unexpected.len()), ((5, OnlyA { a: 7 }), 1));

    let wrong = report(from_bytes::<NamedTuple>(&wrote("fb_dict_missing")));
    assert_eq!((wrong.missing.len(), wrong.unexpected.len()), (2, 1));

    #[derive(Checkpoint, Debug)]
    struct Dataclass {
        #[allow(dead_code)]
        a: i64,
        #[allow(dead_code)]
        b: i64,
    }
    let wrong = report(from_bytes::<Dataclass>(&wrote("fb_dataclass_extra")));
    assert_eq!(wrong.unexpected[0].to_string(), "zz", "{wrong}");
    // What Flax of old wrote of a named tuple says the names of its fields as values: no struct is that.
    let wrong = report(from_bytes::<NamedTuple>(&wrote("fb_namedtuple_legacy")));
    assert_eq!(
        (wrong.missing.len(), wrong.unexpected.len()),
        (2, 3),
        "{wrong}"
    );

    // Flax takes any shape and dtype.
    #[derive(Checkpoint, Debug)]
    struct Shaped {
        #[allow(dead_code)]
        a: Array1<f32>,
    }
    let wrong = report(from_bytes::<Shaped>(&wrote("fb_shape_dtype_not_checked")));
    let found = "an array of shape (2, 2) and dtype '<i8'";
    assert!(wrong.mismatched[0].found.starts_with(found), "{wrong}");
}

#[test]
fn the_report_says_at_which_bytes() {
    #[derive(Checkpoint, Debug)]
    struct Wrong {
        #[allow(dead_code)]
        a: Vec<u64>,
        #[allow(dead_code)]
        b: BTreeMap<i64, f32>,
        #[allow(dead_code)]
        c: BTreeMap<String, u8>,
        d: u8,
    }
    let bytes = b"\x84\xa1a\x82\xa10\x01\xa11\xa1x\xa1b\x81\x07\xa1y\xa1c\x81\xa1k\xc0\xa1d\x05";
    let places = |report: &LoadReport| {
        let places = report.mismatched.iter();
        let places = places.map(|one| (one.path.to_string(), one.offset));
        places.collect::<Vec<_>>()
    };
    let all = [("a[1]", 9), ("b[7]", 15), ("c.k", 22)];
    let all = all.map(|(path, offset)| (path.to_owned(), Some(offset)));
    assert_eq!(places(&report(from_bytes::<Wrong>(bytes))), all);
    let mut state = Wrong {
        a: vec![0, 0],
        b: BTreeMap::from([(7, 0.0)]),
        c: BTreeMap::from([("k".to_owned(), 0)]),
        d: 0,
    };
    let wrong = report(load_into(bytes, &mut state, Strictness::Strict));
    assert_eq!(places(&wrong), all);
    let skipping = Strictness::SkipMismatched;
    let tolerated = load_into(bytes, &mut state, skipping).unwrap();
    assert_eq!((places(&tolerated), state.d), (all.to_vec(), 5));
    let part = ReadOptions::new().at("c".parse().unwrap());
    let wrong = report(from_bytes_with::<BTreeMap<String, u8>>(bytes, &part));
    assert_eq!(places(&wrong), [("c.k".to_owned(), Some(22))]);
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
enum Schedule {
    Constant,
    Steps(f64, Vec<u32>),
    Cosine { warmup: u32 },
}

#[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq, Clone)]
enum Plain {
    Pair(u8, Vec<String>),
    Empty(Option<Vec<u8>>),
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Everything {
    layers: Vec<BTreeMap<String, Array2<f32>>>,
    moments: (Array1<f64>, Option<Vec<Array1<f32>>>),
    rows: [[u16; 3]; 2],
    queue: VecDeque<(u8, String)>,
    set: BTreeSet<String>,
    schedules: Vec<Schedule>,
    by_step: BTreeMap<i32, Vec<f32>>,
    #[checkpoint(serde)]
    plain: (Vec<Plain>, BTreeMap<String, (bool, char)>),
    #[checkpoint(array)]
    mean: Vec<f32>,
    phase: Complex<f64>,
    frame: Vec<u8>,
    nothing: Option<u8>,
    empty: Vec<Array1<f32>>,
    #[checkpoint(scalar)]
    count: i32,
}

fn everything() -> Everything {
    let mut queue = VecDeque::from([(1, "one".to_owned()), (2, "two".to_owned())]);
    queue.rotate_left(1);
    Everything {
        layers: (0..12)
            .map(|n| BTreeMap::from([("kernel".to_owned(), Array2::from_elem((2, 3), n as f32))]))
            .collect(),
        moments: (array![0.5, 0.25], Some(vec![array![1.0], array![2.0, 3.0]])),
        rows: [[1, 2, 3], [4, 5, 6]],
        queue,
        set: ["b", "a"].map(str::to_owned).into(),
        schedules: vec![
            Schedule::Constant,
            Schedule::Steps(0.5, vec![1, 2]),
            Schedule::Cosine { warmup: 7 },
        ],
        by_step: BTreeMap::from([(-1, vec![0.5]), (10, vec![])]),
        plain: (
            vec![
                Plain::Pair(1, vec!["x".to_owned()]),
                Plain::Empty(Some(vec![1, 2])),
                Plain::Empty(None),
            ],
            BTreeMap::from([("t".to_owned(), (true, 'é'))]),
        ),
        mean: vec![1.0, 2.0],
        phase: Complex::new(1.0, -0.0),
        frame: vec![0, 255],
        nothing: None,
        empty: vec![],
        count: -7,
    }
}

#[test]
fn everything_that_a_state_has_comes_back() {
    let state = everything();
    let bytes = to_bytes(&state).unwrap();
    assert_eq!(from_bytes::<Everything>(&bytes).unwrap(), state);
    // Lists have become maps, of the very keys and order that Flax gives them.
    let value = flax::from_slice(&bytes).unwrap();
    let layers = value.as_map().and_then(|map| map.get("layers"));
    let keys = layers.and_then(Value::as_map).unwrap().keys();
    let keys: Vec<_> = keys.map(|key| key.as_str().unwrap().to_owned()).collect();
    assert_eq!(keys, (0..12).map(|n: u8| n.to_string()).collect::<Vec<_>>());
    // Lists that stay lists are read as well.
    let options = WriteOptions::new().form(flax::Form::SerializeInPlace);
    let lists = to_bytes_with(&state, &options).unwrap();
    assert_eq!(from_bytes::<Everything>(&lists).unwrap(), state);
}

#[test]
fn a_state_is_loaded_in_place() {
    let bytes = to_bytes(&everything()).unwrap();
    let mut state = everything();
    for layer in &mut state.layers {
        layer.values_mut().for_each(|kernel| kernel.fill(-1.0));
    }
    state.moments.0.fill(0.0);
    state.rows = [[0; 3]; 2];
    state.schedules[1] = Schedule::Steps(0.0, vec![0, 0]);
    state.by_step.insert(10, vec![]);
    state.count = 0;
    let kernel = state.layers[3]["kernel"].as_ptr();
    let report = load_into(&bytes, &mut state, Strictness::Strict).unwrap();
    assert!(report.is_clean());
    assert_eq!(state, everything());
    assert_eq!(state.layers[3]["kernel"].as_ptr(), kernel);

    // Nothing is changed by what does not fit.
    state.layers.pop();
    let before = state.clone();
    let error = load_into(&bytes, &mut state, Strictness::Strict).unwrap_err();
    assert!(error.to_string().contains("a list of 12"), "{error}");
    assert_eq!(state, before);
}

#[test]
fn the_order_of_the_keys_does_not_count() {
    // {"10": 10, "1": 1, "0": 0, "2": 2, ..., "9": 9}
    let mut bytes = vec![0x8b, 0xa2, b'1', b'0', 10];
    for digit in [1, 0, 2, 3, 4, 5, 6, 7, 8, 9u8] {
        bytes.extend([0xa1, b'0' + digit, digit]);
    }
    let list: Vec<u8> = from_bytes(&bytes).unwrap();
    assert_eq!(list, (0..=10).collect::<Vec<u8>>());
    let mut place: Vec<u64> = vec![0; 11];
    load_into(&bytes, &mut place, Strictness::Strict).unwrap();
    assert_eq!(place, (0..=10).collect::<Vec<u64>>());
    // {"0": 0, "2": 2} is no list.
    let hole = b"\x82\xa10\x00\xa12\x02";
    let wrong = report(from_bytes::<Vec<u64>>(hole));
    assert_eq!(wrong.mismatched[0].found, "a map");
    // And a map is no list anywhere else.
    let list = b"\x82\xa10\x00\xa11\x01";
    assert!(npcodec::from_slice::<Vec<u64>>(list).is_err());
    assert!(npcodec::from_slice::<(u64, u64)>(list).is_err());
}

#[test]
fn payloads_are_borrowed() {
    let bytes = to_bytes(&(array![1u8, 2, 3], "text".to_owned())).unwrap();
    let (view, text): (ArrayView1<'_, u8>, Cow<'_, str>) = from_bytes(&bytes).unwrap();
    assert!(bytes.as_ptr_range().contains(&view.as_ptr()));
    assert!(matches!(text, Cow::Borrowed("text")));
}

#[test]
fn a_part_of_a_state_is_read() {
    let bytes = to_bytes(&everything()).unwrap();
    let options = ReadOptions::new().at("layers[11].kernel".parse().unwrap());
    let (kernel, _) = from_bytes_with::<Array2<f32>>(&bytes, &options).unwrap();
    assert_eq!(kernel, everything().layers[11]["kernel"]);
    let options = ReadOptions::new().at("layers[\"11\"].kernel".parse().unwrap());
    assert!(from_bytes_with::<Array2<f32>>(&bytes, &options).is_ok());
}

#[test]
fn long_integers_are_refused_or_written_as_dopamine_writes_them() {
    let state = BTreeMap::from([("rng".to_owned(), 1u128 << 100), ("seed".to_owned(), 7)]);
    let error = to_bytes(&state).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { leaves, .. } if leaves.len() == 1));
    let options = WriteOptions::new().long_integers(true);
    let bytes = to_bytes_with(&state, &options).unwrap();
    assert_eq!(
        bytes,
        b"\x82\xa3rng\x81\xa7integer\xbf1267650600228229401496703205376\xa4seed\x07"
    );
    assert_eq!(from_bytes::<BTreeMap<String, u128>>(&bytes).unwrap(), state);
}
