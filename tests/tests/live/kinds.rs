//! What is no array: integers of every size, floats, texts, bytes; structs and enums of every shape.

use std::borrow::Cow;
use std::num::NonZeroU8;
use std::time::Duration;

use npcodec::Checkpoint;
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{Array1, Array2, array};
use npcodec::num_bigint::{BigInt, BigUint};
use npcodec::num_complex::Complex;
use npcodec_tests::facts::{Fact, hex, integer};
use npcodec_tests::manifest::{Manifest, map};
use serde_json::json;

pub(super) fn write(manifest: &mut Manifest<'_>) {
    integers(manifest);
    natives(manifest);
    shapes(manifest);
    borrowed(manifest);
    enums(manifest);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Integers {
    i8: Vec<i8>,
    i16: Vec<i16>,
    i32: Vec<i32>,
    i64: Vec<i64>,
    i128: Vec<i128>,
    u8: [u8; 2],
    u16: Vec<u16>,
    u32: Vec<u32>,
    u64: Vec<u64>,
    u128: Vec<u128>,
    sizes: (usize, isize, NonZeroU8),
    big: Vec<BigInt>,
    natural: BigUint,
}

fn integers(manifest: &mut Manifest<'_>) {
    let power = |bits: u32| BigInt::from(1) << bits;
    let mut big = vec![BigInt::from(0)];
    for bits in [5, 7, 8, 15, 16, 31, 32, 53, 63, 64, 65, 127, 128, 300] {
        for near in [power(bits) - 1, power(bits), power(bits) + 1] {
            big.extend([-near.clone(), near]);
        }
    }
    let digits: BigInt = "7".repeat(300).parse().unwrap();
    big.extend([digits.clone(), -digits, BigInt::from(10).pow(4299)]);
    let state = Integers {
        i8: vec![i8::MIN, i8::MAX],
        i16: vec![i16::MIN, i16::MAX],
        i32: vec![i32::MIN, i32::MAX],
        i64: vec![i64::MIN, -1, i64::MAX],
        i128: vec![
            i128::MIN,
            i128::from(i64::MIN) - 1,
            i128::from(i64::MIN),
            i128::from(u64::MAX),
            i128::from(u64::MAX) + 1,
            i128::MAX,
        ],
        u8: [0, u8::MAX],
        u16: vec![0, u16::MAX],
        u32: vec![0, u32::MAX],
        u64: vec![0, 1 << 63, u64::MAX],
        u128: vec![0, u128::from(u64::MAX), 1 << 64, u128::MAX],
        sizes: (usize::MAX, isize::MIN, NonZeroU8::MAX),
        big,
        natural: BigUint::from(10u8).pow(40),
    };
    let mut file = manifest.save("integers", &state);
    file.restores(&state);
    macro_rules! lists {
        ($($field:ident),*) => {$(
            for (index, value) in state.$field.iter().enumerate() {
                file.plain(json!([stringify!($field), index]), value.json());
            }
        )*};
    }
    lists!(i8, i16, i32, i64, i128, u16, u32, u64, u128, big);
    file.plain(json!(["u8"]), hex(&[0, 255]));
    file.plain(json!(["sizes", 0]), integer(u64::MAX));
    file.plain(json!(["sizes", 1]), integer(i64::MIN));
    file.plain(json!(["sizes", 2]), integer(255));
    file.plain(
        json!(["natural"]),
        json!({ "int": format!("1{}", "0".repeat(40)) }),
    );
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Natives {
    yes: bool,
    no: bool,
    nothing: (),
    singles: Vec<f32>,
    doubles: Vec<f64>,
    text: String,
    texts: Vec<String>,
    long: String,
    boxed: Box<str>,
    letter: char,
    bytes: Vec<u8>,
    all_bytes: Vec<u8>,
    no_bytes: Vec<u8>,
    bytes_in_list: Vec<Vec<u8>>,
    time: Duration,
    half: f16,
    brain: bf16,
    wave: Complex<f32>,
    waves: Vec<Complex<f64>>,
}

fn natives(manifest: &mut Manifest<'_>) {
    let texts = [
        "",
        "é漢\u{1f600}",
        "nan",
        "inf",
        "a\0b",
        "\"'\\\n",
        "\u{10ffff}",
    ];
    let state = Natives {
        yes: true,
        no: false,
        nothing: (),
        singles: vec![0.1, -0.0, f32::INFINITY, f32::MAX, 1e-45],
        doubles: vec![0.1, -0.0, f64::NEG_INFINITY, f64::MIN, 5e-324, 3.0],
        text: "text".into(),
        texts: texts.map(str::to_owned).into(),
        long: "é".repeat(40_000),
        boxed: "x".repeat(32).into(),
        letter: '\u{1f600}',
        bytes: vec![0, 255],
        all_bytes: (0..=255).cycle().take(70_000).collect(),
        no_bytes: vec![],
        bytes_in_list: vec![vec![], vec![1]],
        time: Duration::new(1 << 40, 999_999_999),
        half: f16::from_f32(0.5),
        brain: bf16::from_f32(-3.0),
        wave: Complex::new(1.0, -2.0),
        waves: vec![Complex::new(0.0, f64::INFINITY)],
    };
    let mut file = manifest.save("natives", &state);
    file.restores(&state);
    file.plain(json!(["yes"]), json!(true));
    file.plain(json!(["no"]), json!(false));
    file.plain(json!(["nothing"]), json!(null));
    for (index, value) in state.singles.iter().enumerate() {
        file.plain(json!(["singles", index]), value.json());
    }
    for (index, value) in state.doubles.iter().enumerate() {
        file.plain(json!(["doubles", index]), value.json());
    }
    let strings = texts.map(|text| json!({ "str": text }));
    file.plain(json!(["text"]), json!("text"));
    file.plain(json!(["texts"]), json!(strings));
    file.plain(json!(["long"]), json!("é".repeat(40_000)));
    file.plain(json!(["boxed"]), json!("x".repeat(32)));
    file.plain(json!(["letter"]), json!("😀"));
    file.plain(json!(["bytes"]), json!({ "hex": "00ff" }));
    file.plain(json!(["all_bytes"]), hex(&state.all_bytes));
    file.plain(json!(["no_bytes"]), json!({ "hex": "" }));
    file.plain(
        json!(["bytes_in_list"]),
        json!([{ "hex": "" }, { "hex": "01" }]),
    );
    let time = [("secs", json!(1_i64 << 40)), ("nanos", json!(999_999_999))];
    file.plain(json!(["time"]), map(time));
    file.zero_d(json!(["half"]), "'<f2'", &state.half);
    file.zero_d(json!(["brain"]), "'bfloat16'", &state.brain);
    file.zero_d(json!(["wave"]), "'<c8'", &state.wave);
    file.zero_d(json!(["waves", 0]), "'<c16'", &state.waves[0]);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Newtype(Array1<f32>);

#[derive(Checkpoint, Debug, PartialEq)]
struct Pair(Newtype, u8);

#[derive(Checkpoint, Debug, PartialEq)]
struct Unit;

#[derive(Checkpoint, Debug, PartialEq)]
struct Empty {}

#[derive(Checkpoint, Debug, PartialEq)]
struct Generic<T> {
    item: T,
    items: Vec<T>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Shapes {
    newtype: Newtype,
    pair: Pair,
    unit: Unit,
    empty: Empty,
    generic: Generic<Array1<i8>>,
    numbers: Generic<f32>,
}

fn shapes(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32];
    let small = array![1i8, -1];
    let state = Shapes {
        newtype: Newtype(line.clone()),
        pair: Pair(Newtype(line.clone()), 7),
        unit: Unit,
        empty: Empty {},
        generic: Generic {
            item: small.clone(),
            items: vec![small.clone()],
        },
        numbers: Generic {
            item: 0.5,
            items: vec![-0.0],
        },
    };
    let mut file = manifest.save("shapes", &state);
    file.restores(&state);
    file.array(json!(["newtype"]), "'<f4'", None, line.view());
    file.array(json!(["pair", 0]), "'<f4'", None, line.view());
    file.plain(json!(["pair", 1]), json!(7));
    file.plain(json!(["unit"]), json!(null));
    file.plain(json!(["empty"]), map::<&str>([]));
    file.array(json!(["generic", "item"]), "'|i1'", None, small.view());
    file.array(json!(["generic", "items", 0]), "'|i1'", None, small.view());
    let numbers = [("item", json!(0.5)), ("items", json!([-0.0]))];
    file.plain(json!(["numbers"]), map(numbers));

    let newtype = Newtype(line.clone());
    let mut file = manifest.save("newtype", &newtype);
    file.restores(&newtype);
    file.array(json!([]), "'<f4'", None, line.view());
}

#[derive(Checkpoint)]
struct Borrowed<'a> {
    newtype: &'a Newtype,
    lines: &'a [Array1<f32>],
    #[checkpoint(array)]
    numbers: &'a [f64],
    text: &'a str,
    bytes: &'a [u8],
    cow: Cow<'a, Array1<f32>>,
    words: Cow<'a, str>,
}

fn borrowed(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32];
    let newtype = Newtype(line.clone());
    let lines = [line.clone(), line.clone()];
    let state = Borrowed {
        newtype: &newtype,
        lines: &lines,
        numbers: &[0.5, f64::MAX],
        text: "é",
        bytes: b"\0\xff",
        cow: Cow::Borrowed(&line),
        words: "owned".to_owned().into(),
    };
    let mut file = manifest.save("borrowed", &state);
    file.array(json!(["newtype"]), "'<f4'", None, line.view());
    file.array(json!(["lines", 1]), "'<f4'", None, line.view());
    let numbers = array![0.5, f64::MAX];
    file.array(json!(["numbers"]), "'<f8'", None, numbers.view());
    file.plain(json!(["text"]), json!("é"));
    file.plain(json!(["bytes"]), hex(&[0, 255]));
    file.array(json!(["cow"]), "'<f4'", None, line.view());
    file.plain(json!(["words"]), json!("owned"));
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(rename_all = "snake_case")]
enum Schedule {
    Constant,
    Linear(f64),
    Steps(Array1<u32>, u128),
    CosineDecay {
        warm: Option<u64>,
        #[checkpoint(compress)]
        table: Array2<f32>,
    },
    #[checkpoint(rename = "other one")]
    Other(Vec<Schedule>),
}

fn enums(manifest: &mut Manifest<'_>) {
    let steps = array![1u32, 2];
    let table = array![[0.5f32, 1.0]];
    let state: Vec<Schedule> = vec![
        Schedule::Constant,
        Schedule::Linear(0.5),
        Schedule::Steps(steps.clone(), 1 << 64),
        Schedule::CosineDecay {
            warm: Some(5),
            table: table.clone(),
        },
        Schedule::Other(vec![Schedule::Constant, Schedule::Linear(1.0)]),
    ];
    let mut file = manifest.save("enums", &state);
    file.restores(&state);
    file.plain(json!([0]), json!("constant"));
    file.plain(json!([1]), map([("linear", json!(0.5))]));
    file.array(json!([2, "steps", 0]), "'<u4'", None, steps.view());
    file.plain(json!([2, "steps", 1]), integer(1u128 << 64));
    file.plain(json!([3, "cosine_decay", "warm"]), json!(5));
    file.compressed(
        json!([3, "cosine_decay", "table"]),
        "'<f4'",
        None,
        table.view(),
    );
    let others = json!(["constant", map([("linear", json!(1.0))])]);
    file.plain(json!([4]), map([("other one", others)]));
}
