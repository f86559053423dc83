//! Parts of a checkpoint: one subtree, or what patterns select.

use std::collections::BTreeMap;
use std::io::Cursor;

use npcodec::ndarray::{Array1, Array2, Ix2, array};
use npcodec::{
    Checkpoint, Error, ErrorKind, LoadReport, PathPattern, ReadOptions, Strictness, Value,
    decode_with, from_slice_with, load_from, load_into_from, to_vec,
};

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Layer {
    kernel: Array2<f32>,
    bias: Array1<f32>,
    name: String,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Agent {
    layers: Vec<Layer>,
    heads: BTreeMap<String, Array1<f32>>,
    losses: Vec<f64>,
    pair: (Array1<i32>, u8),
    step: u64,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Run {
    agent: Agent,
    epoch: u32,
}

fn run(value: f32) -> Run {
    let layer = |n: usize| Layer {
        kernel: Array2::from_elem((40, 40), value + n as f32),
        bias: Array1::from_elem(3, value),
        name: format!("layer {value}"),
    };
    Run {
        agent: Agent {
            layers: (0..2).map(layer).collect(),
            heads: ["a", "b.c"]
                .map(|key| (key.to_owned(), array![value]))
                .into(),
            losses: vec![value.into(); 2],
            pair: (array![value as i32], value as u8),
            step: value as u64,
        },
        epoch: value as u32,
    }
}

fn only(patterns: &[&str]) -> ReadOptions {
    let patterns = patterns
        .iter()
        .map(|text| text.parse::<PathPattern>().unwrap());
    ReadOptions::new().only(patterns)
}

/// Loads a run of ones into a run of twos, from a file and from a state dict.
fn loaded(options: &ReadOptions) -> Result<Run, String> {
    let ones = run(1.0);
    let bytes = to_vec(&ones).unwrap();
    let mut state = run(2.0);
    let read = load_into_from(Cursor::new(&bytes), &mut state, options);
    let mut other = run(2.0);
    let dict = ones.to_state_dict().unwrap();
    let also = other.load_state_dict_with(&dict, options);
    let said = |read: &Result<LoadReport, Error>| format!("{read:?}");
    assert_eq!(said(&read), said(&also));
    assert_eq!(state, other);
    match read {
        Ok(_) => Ok(state),
        Err(error) => {
            assert_eq!(state, run(2.0));
            Err(error.to_string())
        }
    }
}

#[test]
fn what_is_selected_is_loaded_and_the_rest_stays() {
    let (ones, mut expected) = (run(1.0), run(2.0));
    for (own, layer) in expected.agent.layers.iter_mut().zip(&ones.agent.layers) {
        own.kernel = layer.kernel.clone();
    }
    assert_eq!(loaded(&only(&["**.kernel"])), Ok(expected.clone()));
    assert_eq!(loaded(&only(&["agent.layers[*].kernel"])), Ok(expected));

    let mut expected = run(2.0);
    expected.agent.layers[1] = ones.agent.layers[1].clone();
    expected.agent.heads.insert("b.c".to_owned(), array![1.0]);
    expected.agent.pair.0 = array![1];
    let patterns = ["agent.layers[1]", r#"agent.heads["b.c"]"#, "agent.pair[0]"];
    assert_eq!(loaded(&only(&patterns)), Ok(expected));

    assert_eq!(loaded(&only(&["**"])), Ok(run(1.0)));
    let expected = Run {
        epoch: 1,
        ..run(2.0)
    };
    assert_eq!(loaded(&only(&["epoch"])), Ok(expected));
}

#[test]
fn a_selection_that_cannot_be_loaded_says_why() {
    let error = loaded(&only(&["agent.optimizer"])).unwrap_err();
    assert_eq!(
        error,
        "the patterns select nothing that is both in the input and in the state"
    );
    let error = loaded(&only(&["agent.losses[0]", "epoch"])).unwrap_err();
    assert_eq!(
        error,
        "the state does not fit:\n  mismatched:\n    agent.losses: expected a value that is loaded \
         as a whole, found patterns that select a part of it"
    );
}

/// Keys that only one side has matter where they are selected.
#[test]
fn missing_and_unexpected_keys_are_those_of_the_selection() {
    #[derive(Checkpoint, Debug, Clone, PartialEq)]
    struct Other {
        epoch: u32,
        agent: BTreeMap<String, BTreeMap<String, Array1<f32>>>,
    }
    let heads = BTreeMap::from([
        ("a".to_owned(), array![5.0]),
        ("new".to_owned(), array![6.0]),
    ]);
    let other = Other {
        epoch: 9,
        agent: BTreeMap::from([("heads".to_owned(), heads)]),
    };
    let bytes = to_vec(&other).unwrap();
    let mut state = run(2.0);
    let mut load = |patterns: &[&str]| {
        load_into_from(Cursor::new(&bytes), &mut state, &only(patterns))
            .map_err(|error| error.to_string())
    };
    assert!(load(&["agent.heads.a"]).unwrap().is_clean());
    assert!(load(&["**.a"]).unwrap().is_clean());
    assert_eq!(
        load(&["agent.heads"]).unwrap_err(),
        "the state does not fit:\n  missing: agent.heads[\"b.c\"]\n  \
         unexpected (`allow_unknown_fields` passes over them): agent.heads.new"
    );
    assert_eq!(state.agent.heads["a"], array![5.0]);
}

#[test]
fn one_part_is_read_as_a_state_of_its_own() {
    let ones = run(1.0);
    let bytes = to_vec(&ones).unwrap();
    let at = |path: &str| ReadOptions::new().at(path.parse().unwrap());
    let (layer, _) = from_slice_with::<Layer>(&bytes, &at("agent.layers[1]")).unwrap();
    assert_eq!(layer, ones.agent.layers[1]);
    let (head, _) =
        load_from::<Array1<f32>>(Cursor::new(&bytes), &at(r#"agent.heads["b.c"]"#)).unwrap();
    assert_eq!(head, array![1.0]);
    let mut layers = run(2.0).agent.layers;
    load_into_from(Cursor::new(&bytes), &mut layers, &at("agent.layers")).unwrap();
    assert_eq!(layers, ones.agent.layers);

    let fault = |path: &str| {
        let error = from_slice_with::<u64>(&bytes, &at(path)).unwrap_err();
        error.to_string().replace("the state does not fit:\n  ", "")
    };
    assert_eq!(fault("agent.layers[2]"), "missing: agent.layers[2]");
    assert_eq!(fault("agent.stepp"), "missing: agent.stepp");
    assert!(fault("epoch.x").contains("epoch: expected a map with the key \"x\", found integer 1"));
    let said = fault("agent.layers[1].name");
    assert!(
        said.contains("agent.layers[1].name: expected u64, found a string"),
        "{said}"
    );
    let mut wrong = vec![run(2.0).agent.layers[0].clone()];
    let error = load_into_from(Cursor::new(&bytes), &mut wrong, &at("agent.layers")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("agent.layers: expected a list of 1"),
        "{error}"
    );
}

#[test]
fn fresh_states_and_values_are_read_without_the_rest() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Part {
        #[checkpoint(default)]
        agent: BTreeMap<String, Value<'static>>,
        #[checkpoint(default)]
        epoch: u32,
    }
    let bytes = to_vec(&run(1.0)).unwrap();
    let (part, _) = load_from::<Part>(Cursor::new(&bytes), &only(&["agent.step"])).unwrap();
    assert_eq!(part.epoch, 0);
    assert_eq!(part.agent["step"], Value::from(1));
    assert_eq!(part.agent.len(), 1);

    let said = |patterns: &[&str]| {
        let sliced = decode_with(&bytes, &only(patterns)).unwrap();
        let (loaded, _) =
            load_from::<Value<'static>>(Cursor::new(&bytes), &only(patterns)).unwrap();
        assert_eq!(sliced, loaded);
        sliced.into_owned()
    };
    let Value::Map(dict) = said(&["**.kernel"]) else {
        panic!()
    };
    let agent = dict.get("agent").and_then(Value::as_map).unwrap();
    assert_eq!(agent.len(), 1);
    let layers = agent.get("layers").and_then(Value::as_list).unwrap();
    assert_eq!(layers.len(), 2);
    let kernel = layers[1]
        .as_map()
        .and_then(|layer| layer.get("kernel"))
        .unwrap();
    assert_eq!(
        kernel.as_array().unwrap().to_array::<f32, Ix2>().unwrap(),
        run(1.0).agent.layers[1].kernel
    );
    assert_eq!(said(&["nothing"]), Value::Map(npcodec::StateDict::new()));
}

#[test]
fn strictness_holds_inside_of_the_selection() {
    let mut short = run(1.0);
    short.agent.layers[0].bias = array![0.0];
    let bytes = to_vec(&short).unwrap();
    let mut state = run(2.0);
    let options = only(&["**.bias"]);
    let error = load_into_from(Cursor::new(&bytes), &mut state, &options).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Report(report) if report.mismatched.len() == 1));
    let options = options.strictness(Strictness::SkipMismatched);
    let report = load_into_from(Cursor::new(&bytes), &mut state, &options).unwrap();
    assert_eq!(report.mismatched.len(), 1);
    assert_eq!(state.agent.layers[1].bias, array![1.0, 1.0, 1.0]);
    assert_eq!(state.agent.layers[0].bias, run(2.0).agent.layers[0].bias);
}
