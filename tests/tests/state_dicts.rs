//! State dicts: borrowed from a state, loaded into one in place, as a whole or not at all.

use std::collections::BTreeMap;

use npcodec::ndarray::{Array1, Array2, Array3, ArrayD, array};
use npcodec::{
    Checkpoint, ErrorKind, Fortran, NumpyEncoding, ReadOptions, StateDict, Strictness, Value,
};
use rmp_serde::{from_slice, to_vec, to_vec_named};

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Layer {
    kernel: Array2<f32>,
    bias: Option<Array1<f32>>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
enum Schedule {
    Constant,
    Linear { from: f64, table: Array1<f64> },
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Agent {
    layers: Vec<Layer>,
    by_name: BTreeMap<String, Array1<i64>>,
    schedule: Schedule,
    #[checkpoint(compress)]
    frame: Array3<u8>,
    #[checkpoint(array)]
    weights: Vec<f32>,
    losses: Vec<f64>,
    #[checkpoint(replace)]
    history: Vec<Array1<u8>>,
    seed: u128,
    #[checkpoint(skip)]
    scratch: Vec<u8>,
}

fn agent(base: f32) -> Agent {
    Agent {
        layers: vec![Layer {
            kernel: array![[base, base + 1.0], [base + 2.0, base + 3.0]],
            bias: Some(array![base]),
        }],
        by_name: BTreeMap::from([("a.b".to_owned(), array![base as i64])]),
        schedule: Schedule::Linear {
            from: f64::from(base),
            table: array![1.0, f64::from(base)],
        },
        frame: Array3::from_elem((2, 2, 1), base as u8),
        weights: vec![base; 3],
        losses: vec![0.5; base as usize],
        history: vec![array![base as u8]; base as usize],
        seed: (1 << 100) + base as u128,
        scratch: vec![base as u8],
    }
}

fn fault(state: &mut Agent, dict: &StateDict<'_>, strictness: Strictness) -> String {
    let before = state.clone();
    let error = state.load_state_dict(dict, strictness).unwrap_err();
    assert_eq!(*state, before, "an error changes nothing");
    error.to_string()
}

#[test]
fn a_state_and_its_dict_are_written_alike() {
    let state = agent(2.0);
    let bytes = to_vec(&state).unwrap();
    let dict = state.to_state_dict().unwrap();
    assert_eq!(to_vec(&dict).unwrap(), bytes);
    assert_eq!(to_vec_named(&state).unwrap(), bytes);
    assert_eq!(
        to_vec(&from_slice::<Value<'_>>(&bytes).unwrap()).unwrap(),
        bytes
    );
    let back: Agent = from_slice(&bytes).unwrap();
    assert!(back.scratch.is_empty());
    assert_eq!(Agent::from_state_dict(dict).unwrap(), back);
}

#[test]
fn a_dict_borrows_the_memory_of_contiguous_arrays() {
    let state = agent(2.0);
    let dict = state.to_state_dict().unwrap();
    let layer = dict.get("layers").and_then(Value::as_list).unwrap()[0]
        .as_map()
        .unwrap();
    let kernel = layer.get("kernel").and_then(Value::as_array).unwrap();
    assert!(kernel.is_borrowed());
    assert_eq!(
        kernel.data().as_ptr(),
        state.layers[0].kernel.as_ptr().cast()
    );
    let weights = dict.get("weights").and_then(Value::as_array).unwrap();
    assert_eq!(weights.data().as_ptr(), state.weights.as_ptr().cast());
}

#[test]
fn arrays_are_loaded_into_their_own_memory() {
    let (source, mut state) = (agent(3.0), agent(2.0));
    let addresses = |state: &Agent| {
        (
            state.layers[0].kernel.as_ptr(),
            state.frame.as_ptr(),
            state.weights.as_ptr(),
        )
    };
    let before = addresses(&state);
    let dict = source.to_state_dict().unwrap();
    let report = state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert!(report.is_clean());
    assert_eq!(addresses(&state), before);
    assert_eq!(state.scratch, [2]);
    state.scratch = source.scratch.clone();
    assert_eq!(state, source);
}

#[test]
fn every_difference_is_in_one_report_and_changes_nothing() {
    let mut state = agent(2.0);
    let mut other = agent(3.0);
    other.layers[0].kernel = Array2::zeros((3, 2));
    other.by_name.insert("new".to_owned(), array![1]);
    other.weights.push(0.0);
    let mut dict = other.to_state_dict().unwrap();
    dict.remove("seed");
    dict.insert("sed", 1);
    assert_eq!(
        fault(&mut state, &dict, Strictness::Strict),
        "the state does not fit:\n  \
         missing: seed\n  \
         unexpected (`allow_unknown_fields` passes over them): by_name.new, sed\n  \
         mismatched:\n    \
         layers[0].kernel: expected an array of shape (2, 2), \
         found an array of shape (3, 2) and dtype '<f4'\n    \
         weights: expected an array of shape (3,), found an array of shape (4,) and dtype '<f4'"
    );
    fault(&mut state, &dict, Strictness::Lenient);

    let report = state
        .load_state_dict(&dict, Strictness::SkipMismatched)
        .unwrap();
    assert_eq!(
        report.missing.len() + report.unexpected.len() + report.mismatched.len(),
        5
    );
    assert_eq!(state.layers[0].kernel, agent(2.0).layers[0].kernel);
    assert_eq!(state.layers[0].bias, Some(array![3.0]));
    assert_eq!(state.seed, agent(2.0).seed);
    assert_eq!(state.losses, [0.5; 3]);
}

#[test]
fn lists_of_states_have_equal_lengths_unless_they_are_replaced() {
    let mut state = agent(2.0);
    let mut other = agent(2.0);
    other.history = vec![array![1, 2], array![3]];
    let dict = other.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(state.history, other.history);

    other.layers.push(other.layers[0].clone());
    let dict = other.to_state_dict().unwrap();
    assert_eq!(
        fault(&mut state, &dict, Strictness::Strict),
        "the state does not fit:\n  mismatched:\n    \
         layers: expected a list of 1 item (`replace` takes any length), found a list of 2"
    );
}

#[test]
fn a_variant_is_loaded_in_place_or_replaced() {
    let mut state = agent(2.0);
    let mut other = agent(3.0);
    let table = |state: &Agent| match &state.schedule {
        Schedule::Linear { table, .. } => table.as_ptr(),
        Schedule::Constant => std::ptr::null(),
    };
    let before = table(&state);
    let dict = other.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!((table(&state), &state.schedule), (before, &other.schedule));

    other.schedule = Schedule::Constant;
    let dict = other.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(state.schedule, Schedule::Constant);
    let fresh = agent(4.0);
    let dict = fresh.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(state.schedule, fresh.schedule);
}

#[test]
fn options_come_and_go() {
    let (mut state, mut other) = (agent(2.0), agent(2.0));
    other.layers[0].bias = None;
    let dict = other.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(state.layers[0].bias, None);
    let full = agent(2.0);
    let dict = full.to_state_dict().unwrap();
    state.load_state_dict(&dict, Strictness::Strict).unwrap();
    assert_eq!(state.layers[0].bias, full.layers[0].bias);
}

#[test]
fn a_dict_that_matches_nothing_is_an_error_at_any_strictness() {
    let mut state = agent(2.0);
    let dict: StateDict<'_> = [("x", 1), ("y", 2)].into_iter().collect();
    for strictness in [
        Strictness::Strict,
        Strictness::Lenient,
        Strictness::SkipMismatched,
    ] {
        let text = fault(&mut state, &dict, strictness);
        assert!(
            text.contains("missing: layers, by_name, schedule"),
            "{text}"
        );
        fault(&mut state, &StateDict::new(), strictness);
    }
}

#[test]
fn lenient_loading_still_needs_every_field_of_a_fresh_state() {
    let state = agent(2.0);
    let mut dict = state.to_state_dict().unwrap();
    dict.insert("more", 1);
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (_, report) = Agent::from_state_dict_with(dict.clone(), &lenient).unwrap();
    assert_eq!(report.unexpected.len(), 1);
    dict.remove("seed");
    let error = Agent::from_state_dict_with(dict, &lenient).unwrap_err();
    assert_eq!(error.report().map(|report| report.missing.len()), Some(1));
}

#[derive(Checkpoint, Debug, Default, PartialEq)]
#[checkpoint(default)]
struct Tuned {
    rate: f32,
    steps: u8,
}

#[test]
fn a_fresh_state_of_defaults_alone_is_no_success() {
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let read = |key: &str| {
        let dict = StateDict::from_iter([(key, 1)]);
        Tuned::from_state_dict_with(dict, &lenient)
    };
    assert!(read("step").is_err());
    let (tuned, _) = read("steps").unwrap();
    assert_eq!(tuned.steps, 1);

    // In place as well: an empty dict loads nothing.
    let mut state = agent(1.0);
    let before = state.clone();
    for strictness in [Strictness::Lenient, Strictness::SkipMismatched] {
        assert!(
            state
                .load_state_dict(&StateDict::new(), strictness)
                .is_err()
        );
        assert_eq!(state, before);
    }
}

#[test]
fn a_mismatch_that_is_passed_over_leaves_the_default() {
    let dict = StateDict::from_iter([("rate", Value::from("fast")), ("steps", 3.into())]);
    assert!(Tuned::from_state_dict(dict.clone()).is_err());
    let skip = ReadOptions::new().strictness(Strictness::SkipMismatched);
    let (tuned, report) = Tuned::from_state_dict_with(dict, &skip).unwrap();
    assert_eq!(
        tuned,
        Tuned {
            rate: 0.0,
            steps: 3
        }
    );
    assert_eq!(report.mismatched[0].path.to_string(), "rate");
}

#[test]
fn fortran_order_is_read_as_the_label_says_unless_asked_otherwise() {
    // [[0, 1, 2], [3, 4, 5]] as Dopamine's encoder writes it: rows under the label F.
    let rows = (0u8..6).flat_map(|n| [n, 0, 0, 0]).collect::<Vec<_>>();
    let array = NumpyEncoding::new(vec![2, 3], rows, "'<i4'", Some(npcodec::dtype::Order::F));
    let value = Value::Map([("x", array.unwrap())].into_iter().collect());
    #[derive(Checkpoint)]
    struct Matrix {
        x: Array2<i32>,
    }
    #[derive(Checkpoint)]
    struct Rows {
        #[checkpoint(fortran = "row_major")]
        x: Array2<i32>,
    }
    let scrambled = array![[0, 2, 4], [1, 3, 5]];
    let meant = array![[0, 1, 2], [3, 4, 5]];
    assert_eq!(Matrix::from_value(value.clone()).unwrap().x, scrambled);
    assert_eq!(Rows::from_value(value.clone()).unwrap().x, meant);
    let options = ReadOptions::new().fortran(Fortran::RowMajor);
    assert_eq!(
        Matrix::from_value_with(value.clone(), &options)
            .unwrap()
            .0
            .x,
        meant
    );

    let mut state = Matrix {
        x: Array2::zeros((2, 3)),
    };
    let dict = value.as_map().unwrap();
    state.load_state_dict(dict, Strictness::Strict).unwrap();
    assert_eq!(state.x, scrambled);
    state.load_state_dict_with(dict, &options).unwrap();
    assert_eq!(state.x, meant);
}

#[test]
fn sub_arrays_under_the_label_f_are_read_and_loaded_alike() {
    #[derive(Checkpoint)]
    struct Pairs {
        x: Array1<[u8; 2]>,
    }
    let array = NumpyEncoding::new(
        vec![2, 2],
        vec![1, 2, 3, 4],
        "'|u1'",
        Some(npcodec::dtype::Order::F),
    );
    let dict: StateDict<'_> = [("x", array.unwrap())].into_iter().collect();
    let options = ReadOptions::new().fortran(Fortran::RowMajor);
    let (mut pairs, _) = Pairs::from_state_dict_with(dict.clone(), &options).unwrap();
    assert_eq!(pairs.x.to_vec(), [[1, 2], [3, 4]]);
    pairs.x.fill([0, 0]);
    pairs.load_state_dict_with(&dict, &options).unwrap();
    assert_eq!(pairs.x.to_vec(), [[1, 2], [3, 4]]);
    let error = pairs
        .load_state_dict(&dict, Strictness::Strict)
        .unwrap_err()
        .to_string();
    assert!(error.contains("an array in row-major order"), "{error}");
}

#[test]
fn states_that_are_no_maps_are_values() {
    let pair = (array![1.0f32, 2.0], vec![array![[1i64]], array![[2]]]);
    let value = pair.to_value().unwrap();
    let bytes = to_vec(&value).unwrap();
    let back = <(ArrayD<f32>, Vec<Array2<i64>>)>::from_value(from_slice(&bytes).unwrap()).unwrap();
    assert_eq!(
        (back.0, back.1),
        (pair.0.clone().into_dyn(), pair.1.clone())
    );
    assert_eq!(
        pair.to_state_dict().unwrap_err().kind(),
        &ErrorKind::NotAMap { found: "a list" }
    );
}

#[test]
fn an_array_of_4_gib_is_refused_before_the_first_byte() {
    #[derive(Checkpoint)]
    struct Table {
        rows: Array1<u8>,
    }
    // Zeroed memory that nobody touches costs nothing.
    let table = Table {
        rows: Array1::zeros(1 << 32),
    };
    let text = "4294967296 bytes are more than the 4294967295 that a MessagePack value can hold \
                (`WriteOptions::allow_chunks` splits arrays) at `rows`";
    assert_eq!(to_vec(&table).unwrap_err().to_string(), text);
    assert_eq!(table.to_state_dict().unwrap_err().to_string(), text);
}

#[test]
fn a_list_of_too_many_items_is_refused_before_the_first() {
    #[derive(Checkpoint)]
    struct Nothings {
        list: Vec<()>,
    }
    let nothings = Nothings {
        list: vec![(); 1 << 32],
    };
    let text = "4294967296 entries are more than the 4294967295 that a MessagePack list or map can hold \
                at `list`";
    assert_eq!(to_vec(&nothings).unwrap_err().to_string(), text);
    let error = npcodec::to_vec(&nothings).unwrap_err();
    assert_eq!(error.to_string(), text);
    assert_eq!(*error.kind(), ErrorKind::TooMany { count: 1 << 32 });
}

#[test]
fn some_of_nil_is_refused_when_written() {
    #[derive(Checkpoint)]
    struct Maybe {
        value: Option<Value<'static>>,
    }
    let text = "`Some` of nil cannot be told from `None` at `value`";
    let nil = Maybe {
        value: Some(Value::Nil),
    };
    assert_eq!(to_vec(&nil).unwrap_err().to_string(), text);
    let some = Maybe {
        value: Some(Value::from(1)),
    };
    assert_eq!(to_vec(&some).unwrap(), b"\x81\xa5value\x01");
}
