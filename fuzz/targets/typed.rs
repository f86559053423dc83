//! Any bytes as a typed state: fresh and in place, strictly and not.
#![no_main]

use std::borrow::Cow;
use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use npcodec::dtype::{Bytes, Datetime64, Seconds, Text};
use npcodec::ndarray::{Array1, Array2, ArrayD, ArrayView1, CowArray, Ix1};
use npcodec::num_bigint::BigInt;
use npcodec::{Checkpoint, ReadOptions, StateDict, Strictness, Structured, Value, from_slice_with};

#[derive(Structured, Clone, Debug)]
struct Row {
    a: i32,
    b: [f32; 2],
    c: Bytes<3>,
    d: Text<2>,
    e: bool,
}

#[derive(Checkpoint, Debug)]
enum Kind {
    None,
    One(Array1<f64>),
    Two(u8, String),
    Named { x: Option<i64>, y: Vec<Kind> },
}

#[derive(Checkpoint, Debug)]
#[checkpoint(default)]
struct State<'a> {
    #[checkpoint(alias = "keys")]
    x: Option<ArrayD<f32>>,
    cast: Cast,
    rows: Array1<Row>,
    #[checkpoint(array)]
    block: [[u16; 2]; 2],
    #[checkpoint(compress)]
    frames: Vec<Array2<u8>>,
    texts: Array1<String>,
    times: Array1<Datetime64<Seconds>>,
    kind: Kind,
    inner: Option<Box<State<'a>>>,
    big: BigInt,
    wide: i128,
    view: Option<ArrayView1<'a, u16>>,
    cow: Option<CowArray<'a, i64, Ix1>>,
    text: Cow<'a, str>,
    map: BTreeMap<i64, Vec<f64>>,
    bytes: Vec<u8>,
    #[checkpoint(serde)]
    plain: BTreeMap<String, (u8, Option<String>)>,
    value: Value<'a>,
    #[checkpoint(flatten)]
    rest: StateDict<'a>,
}

#[derive(Checkpoint, Debug, Default)]
#[checkpoint(allow_unknown_fields, default)]
struct Cast {
    #[checkpoint(cast)]
    safe: Array1<f32>,
    #[checkpoint(cast = "lossy")]
    lossy: Array1<i8>,
}

impl Default for State<'_> {
    fn default() -> Self {
        Self {
            x: None,
            cast: Cast::default(),
            rows: Array1::default(0),
            block: Default::default(),
            frames: Vec::new(),
            texts: Array1::default(0),
            times: Array1::from_vec(Vec::new()),
            kind: Kind::None,
            inner: None,
            big: BigInt::default(),
            wide: 0,
            view: None,
            cow: None,
            text: Cow::Borrowed(""),
            map: BTreeMap::new(),
            bytes: Vec::new(),
            plain: BTreeMap::new(),
            value: Value::Nil,
            rest: StateDict::new(),
        }
    }
}

impl Default for Row {
    fn default() -> Self {
        Self {
            a: 0,
            b: [0.0; 2],
            c: Bytes::from([0; 3]),
            d: Text::default(),
            e: false,
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let lenient = ReadOptions::new().strictness(Strictness::SkipMismatched);
    let read = from_slice_with::<State<'_>>(bytes, &lenient);
    let _ = rmp_serde::from_slice::<State<'_>>(bytes);
    let _ = rmp_serde::from_read::<_, Cast>(bytes);
    if let Ok((state, _)) = &read {
        // What was read is written, unless it could be mistaken in Python, and read again.
        if let Ok(written) = npcodec::to_vec(state) {
            assert_eq!(rmp_serde::to_vec(state).expect("alike"), written);
            let again = npcodec::from_slice::<State<'_>>(&written).expect("what was written is read");
            assert_eq!(npcodec::to_vec(&again).expect("and written again"), written);
        }
    }
    if let Ok(Value::Map(dict)) = npcodec::decode(bytes) {
        let mut target = State::default();
        let _ = target.load_state_dict(&dict, Strictness::Lenient);
        if let Ok((mut state, _)) = read {
            let _ = state.load_state_dict(&dict, Strictness::SkipMismatched);
        }
    }
});
