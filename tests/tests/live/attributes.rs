//! Texts of a width, adapters, serde's types, and what attributes make of names.

use std::collections::BTreeMap;

use npcodec::Checkpoint;
use npcodec::ndarray::{Array0, Array1, Array2, ShapeBuilder, arr0, array};
use npcodec::with::Compressed;
use npcodec_tests::facts::{hex, integer};
use npcodec_tests::manifest::{Manifest, map};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::forms::list;

pub(super) fn write(manifest: &mut Manifest<'_>) {
    texts(manifest);
    adapters(manifest);
    names(manifest);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Texts {
    longest: Array2<String>,
    #[checkpoint(width = 5)]
    wide: Array1<String>,
    #[checkpoint(width = 2)]
    list: Vec<String>,
    #[checkpoint(array)]
    names: Vec<String>,
    bytes: Array1<Vec<u8>>,
    #[checkpoint(width = 4)]
    wide_bytes: Array1<Vec<u8>>,
    #[checkpoint(width = 3)]
    empty: Array1<String>,
    zero_d: Array0<String>,
    columns: Array2<String>,
}

fn texts(manifest: &mut Manifest<'_>) {
    let text = str::to_owned;
    let grid = [text("é"), text(""), text("漢\u{1f600}"), text("a\0b")];
    let state = Texts {
        longest: Array2::from_shape_vec((2, 2), grid.clone().into()).unwrap(),
        wide: array![text("abcde"), text("é")],
        list: vec![text("ab"), text("")],
        names: vec![text("kernel"), text("bias")],
        bytes: array![b"ab".to_vec(), vec![], vec![0, 255]],
        wide_bytes: array![b"ab".to_vec(), vec![]],
        empty: array![],
        zero_d: arr0(text("zero")),
        columns: Array2::from_shape_vec((2, 2).f(), grid.into()).unwrap(),
    };
    let mut file = manifest.save("texts", &state);
    file.restores(&state);
    file.array(json!(["longest"]), "'<U3'", Some("C"), state.longest.view());
    file.array(json!(["wide"]), "'<U5'", None, state.wide.view());
    file.values(json!(["list"]), "'<U2'", &[2], None, list(&state.list));
    file.values(json!(["names"]), "'<U6'", &[2], None, list(&state.names));
    file.array(json!(["bytes"]), "'|S2'", None, state.bytes.view());
    file.array(
        json!(["wide_bytes"]),
        "'|S4'",
        None,
        state.wide_bytes.view(),
    );
    file.array(json!(["empty"]), "'<U3'", None, state.empty.view());
    file.array(json!(["zero_d"]), "'<U4'", None, state.zero_d.view());
    file.array(json!(["columns"]), "'<U3'", Some("F"), state.columns.view());
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Config {
    name: String,
    wide: u128,
    key: Option<i128>,
    sizes: (u8, f32),
    kind: Kind,
    units: Vec<Kind>,
    table: BTreeMap<i32, bool>,
    nothing: (),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Kind {
    Off,
    On(u8),
    Rate { value: f64 },
}

#[derive(Debug, PartialEq)]
struct Celsius(f32);

mod kelvin {
    use super::{Celsius, Deserialize};

    pub(super) fn serialize<S: serde::Serializer>(
        value: &Celsius,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_f32(value.0 + 273.0)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Celsius, D::Error> {
        f32::deserialize(deserializer).map(|kelvin| Celsius(kelvin - 273.0))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Plain {
    #[serde(with = "npcodec::with::array")]
    weights: Array1<f32>,
    #[serde(with = "npcodec::with::As::<Vec<Compressed>>")]
    frames: Vec<Array2<u8>>,
    #[serde(with = "npcodec::with::integer")]
    seed: u128,
    #[serde(with = "npcodec::with::scalar")]
    rate: f32,
    #[serde(with = "npcodec::with::compressed")]
    frame: Array2<u8>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Adapted {
    #[checkpoint(serde)]
    config: Config,
    #[checkpoint(with = "kelvin")]
    heat: Celsius,
    #[checkpoint(with = "npcodec::with::scalar")]
    rate: f64,
    #[checkpoint(serde)]
    plain: Plain,
}

fn adapters(manifest: &mut Manifest<'_>) {
    let frame = array![[1u8, 2], [3, 4]];
    let state = Adapted {
        config: Config {
            name: "é".into(),
            wide: u128::MAX,
            key: Some(i128::MIN),
            sizes: (1, 0.5),
            kind: Kind::Rate { value: 0.1 },
            units: vec![Kind::Off, Kind::On(1)],
            table: [(-1, true), (7, false)].into(),
            nothing: (),
        },
        heat: Celsius(27.0),
        rate: 0.1,
        plain: Plain {
            weights: array![0.5],
            frames: vec![frame.clone()],
            seed: 1 << 100,
            rate: 0.25,
            frame: frame.clone(),
        },
    };
    let mut file = manifest.save("adapters", &state);
    file.restores(&state);
    let expected = [
        ("name", json!("é")),
        ("wide", integer(u128::MAX)),
        ("key", integer(i128::MIN)),
        ("sizes", json!([1, 0.5])),
        ("kind", map([("Rate", map([("value", json!(0.1))]))])),
        ("units", json!(["Off", map([("On", json!(1))])])),
        ("table", map([(-1, json!(true)), (7, json!(false))])),
        ("nothing", json!(null)),
    ];
    file.plain(json!(["config"]), map(expected));
    file.plain(json!(["heat"]), json!(300.0));
    file.zero_d(json!(["rate"]), "'<f8'", &0.1f64);
    let plain = |key: &str| json!(["plain", key]);
    file.array(plain("weights"), "'<f4'", None, array![0.5f32].view());
    file.compressed(
        json!(["plain", "frames", 0]),
        "'|u1'",
        Some("C"),
        frame.view(),
    );
    file.plain(plain("seed"), integer(1u128 << 100));
    file.zero_d(plain("rate"), "'<f4'", &0.25f32);
    file.compressed(plain("frame"), "'|u1'", Some("C"), frame.view());
}

#[derive(Checkpoint, Debug, PartialEq, Default)]
#[checkpoint(rename_all = "SCREAMING_SNAKE_CASE")]
struct Names {
    learning_rate: f64,
    #[checkpoint(rename = "é \"quoted\"", alias = "old")]
    odd: u8,
    #[checkpoint(skip)]
    scratch: Vec<f32>,
    #[checkpoint(default, skip_serializing_if = "Option::is_none")]
    absent: Option<u8>,
    #[checkpoint(skip_serializing_if = "Vec::is_empty")]
    present: Vec<u8>,
    #[checkpoint(flatten)]
    inner: Inner,
    #[checkpoint(flatten)]
    rest: BTreeMap<String, f64>,
}

#[derive(Checkpoint, Debug, PartialEq, Default)]
struct Inner {
    weights: Array1<f32>,
    #[checkpoint(integer)]
    seed: u128,
    #[checkpoint(flatten)]
    deeper: Deeper,
}

#[derive(Checkpoint, Debug, PartialEq, Default)]
struct Deeper {
    raw: Vec<u8>,
}

fn names(manifest: &mut Manifest<'_>) {
    let state = Names {
        learning_rate: 0.5,
        odd: 1,
        present: vec![7],
        inner: Inner {
            weights: array![0.5],
            seed: 1 << 64,
            deeper: Deeper { raw: vec![255] },
        },
        rest: [("extra".into(), 2.0)].into(),
        ..Names::default()
    };
    let mut file = manifest.save("names", &state);
    file.restores(&state);
    file.plain(json!(["LEARNING_RATE"]), json!(0.5));
    file.plain(json!(["é \"quoted\""]), json!(1));
    file.plain(json!(["PRESENT"]), hex(&[7]));
    file.array(json!(["weights"]), "'<f4'", None, array![0.5f32].view());
    file.plain(json!(["seed"]), integer(1u128 << 64));
    file.plain(json!(["raw"]), hex(&[255]));
    file.plain(json!(["extra"]), json!(2.0));
    let keys = state.to_state_dict().unwrap();
    let keys: Vec<_> = keys.keys().map(|key| key.as_str().unwrap()).collect();
    let expected = "LEARNING_RATE, é \"quoted\", PRESENT, weights, seed, raw, extra";
    assert_eq!(keys.join(", "), expected);
}
