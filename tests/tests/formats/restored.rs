//! States with lists, out of formats that know only names.

use npcodec::formats::{self, Conversion, Format, ReadOptions, WriteOptions};
use npcodec::ndarray::{Array1, array};
use npcodec::{Checkpoint, NumpyEncoding, StateDict, Value};

#[derive(Checkpoint, Debug, PartialEq)]
struct Layer {
    weight: Array1<f32>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Model {
    layers: Vec<Layer>,
}

fn model(layers: usize) -> Model {
    let layer = |n| Layer {
        weight: array![n as f32, 0.5],
    };
    Model {
        layers: (0..layers).map(layer).collect(),
    }
}

/// The state dict of a PyTorch module with a `ModuleList`, in the order of its names as texts.
fn of_pytorch(layers: &[usize]) -> Vec<u8> {
    let mut dict = StateDict::new();
    for n in layers {
        let weight = array![*n as f32, 0.5];
        let weight = NumpyEncoding::from_array(weight.view()).unwrap();
        dict.insert(format!("layers.{n}.weight"), weight.into_owned());
    }
    let options = WriteOptions::new();
    formats::write(Format::Safetensors, &dict, &options)
        .unwrap()
        .0
}

fn read(bytes: &[u8]) -> StateDict<'_> {
    let nested = ReadOptions::new().nested(".");
    formats::read_with(bytes, &nested).unwrap().1
}

#[test]
fn numbered_names_are_the_items_of_a_list() {
    let bytes = of_pytorch(&[0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(formats::restore::<Model>(read(&bytes)).unwrap(), model(12));

    let mut state = model(12);
    state.layers[10].weight.fill(9.0);
    let place = state.layers[10].weight.as_ptr();
    let options = npcodec::ReadOptions::new();
    formats::load_into(&Value::Map(read(&bytes)), &mut state, &options).unwrap();
    assert_eq!(state, model(12));
    assert_eq!(state.layers[10].weight.as_ptr(), place);
}

#[test]
fn a_number_that_is_missing_is_no_shorter_list() {
    let bytes = of_pytorch(&[0, 2]);
    let error = formats::restore::<Model>(read(&bytes)).unwrap_err();
    assert!(error.to_string().contains("layers"), "{error}");
    let mut state = model(2);
    let options = npcodec::ReadOptions::new();
    let value = Value::Map(read(&bytes));
    formats::load_into(&value, &mut state, &options).unwrap_err();
    assert_eq!(state, model(2));
}

#[test]
fn what_was_converted_to_names_comes_back_as_a_list() {
    let options = WriteOptions::new().allow([Conversion::ListsAsMaps]);
    let state = model(11);
    let dict = state.to_state_dict().unwrap();
    for format in [Format::Npz, Format::Safetensors] {
        let (bytes, converted) = formats::write(format, &dict, &options).unwrap();
        assert_eq!(converted.len(), 1);
        assert_eq!(formats::restore::<Model>(read(&bytes)).unwrap(), state);
    }
}
