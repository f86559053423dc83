//! Any state comes back from its records, and any records that do not fit change nothing.

use std::collections::BTreeMap;

use npcodec::flower::{
    ConfigRecord, ConfigValue, MetricRecord, MetricValue, RecordDict, from_records, load_records,
    to_records,
};
use npcodec::half::f16;
use npcodec::ndarray::{Array0, Array1, Array2, ShapeBuilder};
use npcodec::{Checkpoint, Strictness};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::states::as_array;

#[derive(Checkpoint, Clone, Debug, PartialEq)]
struct Layer {
    kernel: Array2<f32>,
    bias: Option<Array1<f64>>,
}

#[derive(Checkpoint, Clone, Debug, PartialEq)]
enum Schedule {
    Constant,
    Steps(Vec<u64>),
    Cosine { from: f32, to: f64 },
}

#[derive(Checkpoint, Clone, Debug, PartialEq)]
struct State {
    layers: Vec<Layer>,
    #[checkpoint(compress)]
    frames: Vec<Array2<u8>>,
    count: Array0<i64>,
    scale: f16,
    table: BTreeMap<i64, Array1<i32>>,
    #[checkpoint(rename = "odd key [0]")]
    odd: BTreeMap<String, f32>,
    rng: u128,
    signed: i128,
    seed: Option<u64>,
    flags: Vec<bool>,
    pairs: Vec<(i64, Option<String>)>,
    wide: (u64, i8),
    bytes: Vec<u8>,
    blobs: Vec<Vec<u8>>,
    schedule: Schedule,
    unit: (),
}

fn text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a.\\[\\]\"é😀\n]{0,4}").unwrap()
}

fn floats() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("equal to itself", |value| !value.is_nan())
}

fn layer() -> impl Strategy<Value = Layer> {
    let bias = prop::option::of(prop::collection::vec(-1e9f64..1e9, 0..3));
    let parts = (0..3usize, 0..3usize, floats(), any::<bool>(), bias);
    parts.prop_map(|(rows, columns, first, fortran, bias)| Layer {
        kernel: Array2::from_shape_fn((rows, columns).set_f(fortran), |(row, column)| {
            first + (row * 3 + column) as f32
        }),
        bias: bias.map(Array1::from),
    })
}

fn schedule() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        Just(Schedule::Constant),
        prop::collection::vec(any::<u64>(), 0..3).prop_map(Schedule::Steps),
        (floats(), -1e300f64..1e300).prop_map(|(from, to)| Schedule::Cosine { from, to }),
    ]
}

fn states() -> impl Strategy<Value = State> {
    let arrays = (
        prop::collection::vec(layer(), 0..3),
        prop::collection::vec((0..3usize, 0..3usize, any::<u8>()), 0..3),
        any::<i64>(),
        prop::collection::btree_map(
            any::<i64>(),
            prop::collection::vec(any::<i32>(), 0..3),
            0..3,
        ),
    );
    let settings = (
        prop::collection::btree_map(text(), floats(), 0..3),
        any::<(u128, i128, Option<u64>)>(),
        prop::collection::vec(any::<bool>(), 0..3),
        prop::collection::vec((any::<i64>(), prop::option::of(text())), 0..3),
        any::<(u64, i8)>(),
        prop::collection::vec(any::<u8>(), 0..3),
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..2), 0..3),
        schedule(),
    );
    (arrays, settings).prop_map(|(arrays, settings)| {
        let (layers, frames, count, table) = arrays;
        let (odd, (rng, signed, seed), flags, pairs, wide, bytes, blobs, schedule) = settings;
        State {
            layers,
            frames: frames
                .into_iter()
                .map(|(rows, columns, item)| Array2::from_elem((rows, columns), item))
                .collect(),
            count: Array0::from_elem((), count),
            scale: f16::from_f32(0.1),
            table: table
                .into_iter()
                .map(|(key, items)| (key, Array1::from(items)))
                .collect(),
            odd,
            rng,
            signed,
            seed,
            flags,
            pairs,
            wide,
            bytes,
            blobs,
            schedule,
            unit: (),
        }
    })
}

/// Returns the state with other numbers in the same places.
fn blank(state: &State) -> State {
    let mut blank = state.clone();
    for layer in &mut blank.layers {
        layer.kernel.fill(7.0);
        layer.bias.iter_mut().for_each(|bias| bias.fill(7.0));
    }
    blank.frames.iter_mut().for_each(|frame| frame.fill(7));
    blank.table.values_mut().for_each(|items| items.fill(7));
    blank.odd.values_mut().for_each(|value| *value = 7.0);
    blank.count.fill(7);
    (blank.rng, blank.signed, blank.seed) = (7, 7, Some(7));
    blank.pairs.iter_mut().for_each(|pair| *pair = (7, None));
    (blank.wide, blank.schedule) = ((7, 7), Schedule::Constant);
    blank
}

/// Integers around every border, and others.
fn integers() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(0),
        Just(i64::MIN),
        Just(i64::MAX),
        -300i64..300,
        any::<i64>()
    ]
}

fn unsigned() -> impl Strategy<Value = u64> {
    prop_oneof![Just(u64::MAX), Just(1 << 63), 0u64..300, any::<u64>()]
}

fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![Just(-0.0), Just(f64::INFINITY), -1e3f64..1e3]
}

fn many<T: Strategy>(items: T) -> impl Strategy<Value = Vec<T::Value>> {
    prop::collection::vec(items, 0..4)
}

fn metric_values() -> impl Strategy<Value = MetricValue> {
    prop_oneof![
        integers().prop_map(Into::into),
        unsigned().prop_map(Into::into),
        doubles().prop_map(Into::into),
        many(integers()).prop_map(Into::into),
        many(unsigned()).prop_map(Into::into),
        many(doubles()).prop_map(Into::into),
    ]
}

fn config_values() -> impl Strategy<Value = ConfigValue> {
    let numbers = prop_oneof![
        integers().prop_map(ConfigValue::from),
        unsigned().prop_map(Into::into),
        doubles().prop_map(Into::into),
        many(integers()).prop_map(Into::into),
        many(unsigned()).prop_map(Into::into),
        many(doubles()).prop_map(Into::into),
    ];
    let bytes = || prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        numbers,
        any::<bool>().prop_map(Into::into),
        many(any::<bool>()).prop_map(Into::into),
        text().prop_map(Into::into),
        many(text()).prop_map(Into::into),
        bytes().prop_map(Into::into),
        many(bytes()).prop_map(Into::into),
    ]
}

/// Returns some records, the same in every run.
pub fn samples() -> (Vec<ConfigRecord>, Vec<MetricRecord>) {
    let mut runner = TestRunner::deterministic();
    let config = many((text(), config_values()));
    let metrics = many((text(), metric_values()));
    let mut tree = || (config.new_tree(&mut runner), metrics.new_tree(&mut runner));
    let pairs = (0..300).map(|_| {
        let (config, metrics) = tree();
        let (config, metrics) = (config.unwrap().current(), metrics.unwrap().current());
        (config.into_iter().collect(), metrics.into_iter().collect())
    });
    pairs.unzip()
}

#[test]
fn records_of_any_values_come_back_in_their_order() {
    let (configs, metrics) = samples();
    for record in configs {
        let back = ConfigRecord::from_protobuf(&record.to_protobuf()).unwrap();
        assert_eq!(back, record);
        assert!(back.keys().eq(record.keys()));
        assert_eq!(back.to_protobuf(), record.to_protobuf());
    }
    for record in metrics {
        let back = MetricRecord::from_protobuf(&record.to_protobuf()).unwrap();
        assert_eq!(back, record);
        assert_eq!(back.to_protobuf(), record.to_protobuf());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_state_comes_back_from_its_records(state in states()) {
        let records = to_records(&state).unwrap();
        prop_assert_eq!(&from_records::<State>(&records).unwrap(), &state);
        let bytes = records.to_protobuf().unwrap();
        prop_assert_eq!(&to_records(&state.clone()).unwrap().to_protobuf().unwrap(), &bytes);
        let sent = RecordDict::from_protobuf(&bytes[..]).unwrap();
        prop_assert_eq!(&from_records::<State>(&sent).unwrap(), &state);

        let mut loaded = blank(&state);
        let report = load_records(&mut loaded, &sent, Strictness::Strict).unwrap();
        prop_assert!(report.is_clean());
        prop_assert_eq!(&loaded, &state);
    }

    #[test]
    fn records_that_do_not_fit_change_nothing(state in states(), which in any::<prop::sample::Index>()) {
        let blank = blank(&state);
        let records = to_records(&state).unwrap();
        let parts = |records: &RecordDict<'_>| {
            let arrays = records.array_record("arrays").unwrap().clone();
            (arrays.into_iter().map(|(key, _)| key).collect::<Vec<_>>(), records.config_record("config").unwrap().clone())
        };
        let (arrays, config) = parts(&records);
        let mut damaged = records.clone();
        let index = which.index(arrays.len() + config.len());
        match arrays.get(index) {
            Some(key) => {
                let arrays = damaged.array_record_mut("arrays").unwrap();
                let wrong = Array2::<u16>::zeros((3, 3));
                arrays.insert(key.as_str(), as_array(&wrong).into_owned());
            }
            None => {
                let key = config.keys().nth(index - arrays.len()).unwrap().to_owned();
                let config = damaged.config_record_mut("config").unwrap();
                let value = ConfigValue::from(vec!["wrong".to_owned()]);
                config.insert(key, value);
            }
        }
        let mut loaded = blank.clone();
        prop_assert!(load_records(&mut loaded, &damaged, Strictness::Strict).is_err());
        prop_assert_eq!(loaded, blank);
    }
}
