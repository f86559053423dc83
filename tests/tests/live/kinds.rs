//! What stands around arrays: integers of every size, texts, bytes, lists, maps, options, enums.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroU8;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
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
    containers(manifest);
    maps(manifest);
    shapes(manifest);
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
struct Containers {
    none: Option<Array1<f32>>,
    some: Option<Array1<f32>>,
    options: Vec<Option<u32>>,
    deep: Vec<Vec<Array2<i16>>>,
    tuple: (Array1<u8>, Option<f64>, (String, Vec<Array1<bool>>)),
    fixed: [Array1<f64>; 2],
    grid: [[u16; 2]; 3],
    boxed: Box<Array1<f32>>,
    shared: Arc<Rc<Array1<f32>>>,
    queue: VecDeque<Array1<u32>>,
    set: BTreeSet<String>,
    hashed: HashSet<i64>,
    empty: Vec<Array1<f32>>,
    units: Vec<()>,
}

fn containers(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32, -1.0];
    let table = array![[1i16, 2], [3, 4]];
    let mut queue: VecDeque<_> = [array![2u32], array![3]].into();
    queue.push_front(array![1]);
    let state = Containers {
        none: None,
        some: Some(line.clone()),
        options: vec![None, Some(7), None],
        deep: vec![vec![], vec![table.clone(), table.t().to_owned()]],
        tuple: (array![1], Some(2.0), ("t".into(), vec![array![true]])),
        fixed: [array![0.5], array![]],
        grid: [[1, 2], [3, 4], [5, u16::MAX]],
        boxed: Box::new(line.clone()),
        shared: Arc::new(Rc::new(line.clone())),
        queue,
        set: ["b".to_owned(), "a".to_owned()].into(),
        hashed: (-20..20).rev().collect(),
        empty: vec![],
        units: vec![(), ()],
    };
    let mut file = manifest.save("containers", &state);
    file.restores(&state);
    file.plain(json!(["none"]), json!(null));
    file.array(json!(["some"]), "'<f4'", None, line.view());
    file.plain(json!(["options"]), json!([null, 7, null]));
    file.plain(json!(["deep", 0]), json!([]));
    file.array(json!(["deep", 1, 0]), "'<i2'", Some("C"), table.view());
    file.array(json!(["deep", 1, 1]), "'<i2'", Some("F"), table.t());
    file.array(json!(["tuple", 0]), "'|u1'", None, array![1u8].view());
    file.plain(json!(["tuple", 1]), json!(2.0));
    file.plain(json!(["tuple", 2, 0]), json!("t"));
    file.array(
        json!(["tuple", 2, 1, 0]),
        "'|b1'",
        None,
        array![true].view(),
    );
    file.array(json!(["fixed", 0]), "'<f8'", None, array![0.5].view());
    file.array(json!(["fixed", 1]), "'<f8'", None, state.fixed[1].view());
    file.plain(json!(["grid"]), json!([[1, 2], [3, 4], [5, 65535]]));
    file.array(json!(["boxed"]), "'<f4'", None, line.view());
    file.array(json!(["shared"]), "'<f4'", None, line.view());
    for index in 0..3u32 {
        let item = array![index + 1];
        file.array(json!(["queue", index]), "'<u4'", None, item.view());
    }
    file.plain(json!(["set"]), json!(["a", "b"]));
    file.plain(json!(["hashed"]), (-20..20).map(integer).collect());
    file.plain(json!(["empty"]), json!([]));
    file.plain(json!(["units"]), json!([null, null]));
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Maps {
    sorted: BTreeMap<String, f64>,
    hashed: HashMap<String, u8>,
    inserted: IndexMap<String, Option<bool>>,
    small_keys: BTreeMap<i8, String>,
    large_keys: IndexMap<u64, u64>,
    hashed_keys: HashMap<i32, Vec<i32>>,
    arrays: IndexMap<u32, Vec<Array1<f32>>>,
    nested: BTreeMap<String, BTreeMap<i64, Array2<u8>>>,
    odd_keys: IndexMap<String, u8>,
    empty: HashMap<u16, u16>,
}

fn maps(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32, 1.0];
    let frame = array![[1u8, 2], [3, 4]];
    let odd = ["", "integers", "shape", "é", "a.b[0]", "__class__"];
    let state = Maps {
        sorted: [("b".into(), 1.0), ("a".into(), f64::INFINITY)].into(),
        hashed: (0..20).map(|n| (format!("{n:02}"), n)).collect(),
        inserted: [("z".into(), Some(true)), ("a".into(), None)].into(),
        small_keys: [
            (i8::MIN, "low".into()),
            (-1, "m".into()),
            (i8::MAX, "high".into()),
        ]
        .into(),
        large_keys: [(u64::MAX, 1), (0, u64::MAX), (1 << 63, 2)].into(),
        hashed_keys: (-10..10).map(|n| (n, vec![n])).collect(),
        arrays: [(9, vec![line.clone()]), (1, vec![])].into(),
        nested: [("p".into(), [(-3, frame.clone())].into())].into(),
        odd_keys: odd.iter().map(|key| ((*key).to_owned(), 1)).collect(),
        empty: HashMap::new(),
    };
    let mut file = manifest.save("maps", &state);
    file.restores(&state);
    let path = |key: &str| json!([key]);
    file.plain(
        path("sorted"),
        map([("a", json!("inf")), ("b", json!(1.0))]),
    );
    let hashed = (0..20).map(|n| (format!("{n:02}"), json!(n)));
    file.plain(path("hashed"), map(hashed));
    let inserted = [("z", json!(true)), ("a", json!(null))];
    file.plain(path("inserted"), map(inserted));
    let small = [(-128, json!("low")), (-1, json!("m")), (127, json!("high"))];
    file.plain(path("small_keys"), map(small));
    let large = [(u64::MAX, 1), (0, u64::MAX), (1 << 63, 2)];
    let large = large.map(|(key, value)| (integer(key), integer(value)));
    file.plain(path("large_keys"), map(large));
    let hashed = (-10..10).map(|n| (n, json!([n])));
    file.plain(path("hashed_keys"), map(hashed));
    file.array(json!(["arrays", 9, 0]), "'<f4'", None, line.view());
    file.plain(json!(["arrays", 1]), json!([]));
    file.array(json!(["nested", "p", -3]), "'|u1'", Some("C"), frame.view());
    file.plain(path("odd_keys"), map(odd.map(|key| (key, json!(1)))));
    file.plain(path("empty"), map::<&str>([]));
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
