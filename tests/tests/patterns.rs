//! Selections that meet what is no plain field: aliases, flattened dicts, arrays, nothing at all.

use std::collections::BTreeMap;
use std::io::Cursor;

use npcodec::ndarray::{Array1, array};
use npcodec::{
    Checkpoint, ErrorKind, Hooks, NumpyEncoding, PathPattern, ReadOptions, StateDict, Strictness,
    Value, decode_with, from_slice_with, load_from, load_into_from, to_vec,
};

fn only(patterns: &[&str]) -> ReadOptions {
    let patterns = patterns
        .iter()
        .map(|text| text.parse::<PathPattern>().unwrap());
    ReadOptions::new().only(patterns)
}

/// The place of a field is its key in the file.
#[test]
fn a_field_under_an_alias_stands_at_the_alias() {
    #[derive(Checkpoint, Debug, Clone, PartialEq)]
    struct State {
        #[checkpoint(alias = "learning_rate")]
        rate: Option<f64>,
        #[checkpoint(alias = "w")]
        weights: Array1<u8>,
        #[checkpoint(default)]
        step: u64,
    }
    #[derive(Checkpoint)]
    struct Old {
        learning_rate: f64,
        w: Array1<u8>,
        step: u64,
    }
    let (learning_rate, w, step) = (0.5, array![7], 3);
    let bytes = to_vec(&Old {
        learning_rate,
        w,
        step,
    })
    .unwrap();
    let own = State {
        rate: Some(9.0),
        weights: array![1],
        step: 1,
    };
    let load = |patterns: &[&str]| {
        let mut state = own.clone();
        let loaded = load_into_from(Cursor::new(&bytes), &mut state, &only(patterns));
        loaded.map(|_| state).map_err(|error| error.to_string())
    };
    let expected = State {
        rate: Some(0.5),
        ..own.clone()
    };
    assert_eq!(load(&["learning_rate"]), Ok(expected));
    let expected = State {
        weights: array![7],
        step: 3,
        ..own.clone()
    };
    assert_eq!(load(&["w", "step"]), Ok(expected));
    // The file has the field, and not where it was asked for: that is no reason for its default.
    let missing = "the state does not fit:\n  missing: rate";
    assert_eq!(load(&["rate", "step"]), Err(missing.to_owned()));
    assert!(load(&["rate"]).unwrap_err().contains("select nothing"));

    let wrong = to_vec(&BTreeMap::from([("w".to_owned(), array![1u16])])).unwrap();
    let mut state = own;
    let options = ReadOptions::new().strictness(Strictness::Lenient);
    let error = load_into_from(Cursor::new(&wrong), &mut state, &options).unwrap_err();
    assert_eq!(error.report().unwrap().mismatched[0].path.to_string(), "w");
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Open {
    step: u64,
    #[checkpoint(flatten)]
    rest: StateDict<'static>,
}

fn open(entries: &[(&'static str, Value<'static>)], step: u64) -> Open {
    let rest = entries.iter().cloned().collect();
    Open { step, rest }
}

fn bytes(value: u8) -> Value<'static> {
    Value::Array(NumpyEncoding::new(vec![5_000], vec![value; 5_000], "'|u1'", None).unwrap())
}

#[test]
fn a_flattened_dict_is_read_in_part_too() {
    let file = to_vec(&open(&[("a", bytes(1)), ("b", Value::from(7))], 1)).unwrap();
    for (pattern, expected) in [
        ("step", open(&[], 1)),
        ("**", open(&[("a", bytes(1)), ("b", Value::from(7))], 1)),
    ] {
        let options = only(&[pattern]);
        let (loaded, _) = load_from::<Open>(Cursor::new(&file), &options).unwrap();
        assert_eq!(loaded, expected);
    }
    let own = [("a", Value::from(5)), ("c", Value::from(6))];
    for (pattern, expected) in [
        ("step", open(&own, 1)),
        (
            "b",
            open(&[own[0].clone(), own[1].clone(), ("b", Value::from(7))], 9),
        ),
        ("a", open(&[("a", bytes(1)), own[1].clone()], 9)),
        ("**", open(&[("a", bytes(1)), ("b", Value::from(7))], 1)),
    ] {
        let mut state = open(&own, 9);
        load_into_from(Cursor::new(&file), &mut state, &only(&[pattern])).unwrap();
        assert_eq!(state, expected, "{pattern}");
    }
}

#[test]
fn hooks_see_the_maps_of_a_flattened_dict_in_place() {
    let inner: StateDict<'static> = [("re", 1), ("im", 2)].into_iter().collect();
    let file = to_vec(&open(&[("z", Value::Map(inner))], 1)).unwrap();
    let hooks = Hooks::new().decode(|map| Ok(map.contains_key("re").then(|| Value::from(3))));
    let options = ReadOptions::new().hooks(hooks);
    let (fresh, _) = load_from::<Open>(Cursor::new(&file), &options).unwrap();
    let mut state = open(&[], 0);
    load_into_from(Cursor::new(&file), &mut state, &options).unwrap();
    assert_eq!(state, fresh);
    assert_eq!(state.rest.get("z"), Some(&Value::from(3)));
}

/// An array has no parts: it is read with its payload, whoever asks for something in it.
#[test]
fn patterns_that_go_on_below_an_array_leave_it_whole() {
    let file = to_vec(&bytes(3)).unwrap();
    let options = only(&["x"]);
    let (loaded, _) = load_from::<Value<'static>>(Cursor::new(&file), &options).unwrap();
    assert_eq!(loaded, decode_with(&file, &options).unwrap());
    assert_eq!(loaded, bytes(3));
}

#[test]
fn a_part_of_what_is_none_yet_cannot_be_loaded() {
    #[derive(Checkpoint, Debug, Clone, PartialEq)]
    struct Layer {
        kernel: Array1<f32>,
        bias: Array1<f32>,
    }
    #[derive(Checkpoint, Debug, PartialEq)]
    struct State {
        layer: Option<Layer>,
        step: u64,
    }
    let layer = Layer {
        kernel: Array1::ones(2_000),
        bias: Array1::ones(3),
    };
    let file = to_vec(&State {
        layer: Some(layer.clone()),
        step: 1,
    })
    .unwrap();
    let mut state = State {
        layer: None,
        step: 2,
    };
    let options = only(&["layer.kernel", "step"]);
    let error = load_into_from(Cursor::new(&file), &mut state, &options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("layer: expected a value that is loaded as a whole")
    );
    assert_eq!(
        state,
        State {
            layer: None,
            step: 2
        }
    );
    load_into_from(Cursor::new(&file), &mut state, &only(&["layer"])).unwrap();
    assert_eq!(state.layer, Some(layer));
}

#[test]
fn no_patterns_select_nothing() {
    let file = to_vec(&open(&[], 1)).unwrap();
    let mut state = open(&[], 2);
    let error = load_into_from(Cursor::new(&file), &mut state, &only(&[])).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NothingSelected);
    let nothing = Value::Map(StateDict::new());
    assert_eq!(decode_with(&file, &only(&[])).unwrap(), nothing);
}

#[test]
fn a_key_on_the_way_that_stands_twice_is_refused() {
    let options = ReadOptions::new().at("a".parse().unwrap());
    let error = from_slice_with::<u64>(b"\x82\xa1a\x01\xa1a\x02", &options).unwrap_err();
    assert!(
        error.to_string().contains("a: expected one value"),
        "{error}"
    );
}
