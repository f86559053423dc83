//! The attributes that choose a form, in every container that they reach through.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use npcodec::Checkpoint;
use npcodec::half::f16;
use npcodec::ndarray::{Array0, Array1, Array2, Array3, ShapeBuilder, arr0, array};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use npcodec::with::{Array, Compressed, Native, Scalar};
use npcodec_tests::facts::{Fact, integer};
use npcodec_tests::manifest::Manifest;
use npcodec_tests::row;
use serde_json::{Value as Json, json};

pub(super) fn write(manifest: &mut Manifest<'_>) {
    compressed(manifest);
    scalars(manifest);
    integers(manifest);
    arrays(manifest);
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(rename_all = "kebab-case")]
struct CompressedFields {
    #[checkpoint(compress)]
    frame: Array3<u8>,
    #[checkpoint(compress)]
    list: Vec<Array2<f32>>,
    #[checkpoint(compress)]
    some: Option<Array1<i16>>,
    #[checkpoint(compress)]
    none: Option<Array1<i16>>,
    #[checkpoint(compress)]
    by_name: BTreeMap<String, Array2<bool>>,
    #[checkpoint(compress)]
    by_number: HashMap<u32, Vec<Option<Array1<u64>>>>,
    #[checkpoint(compress)]
    zero_d: Array0<f64>,
    #[checkpoint(compress)]
    columns: Array2<Complex<f32>>,
    #[checkpoint(compress)]
    empty: Array2<f16>,
    #[checkpoint(compress)]
    shared: Arc<Array1<i32>>,
    #[checkpoint(compress)]
    large: Array2<u32>,
    #[checkpoint(compress)]
    others: (Array1<i8>, [Array1<u16>; 2], Box<Array1<i64>>),
    #[checkpoint(as = "(Compressed, Native)")]
    halves: (Array1<f64>, Array1<f64>),
    #[checkpoint(as = "Vec<Option<Compressed>>")]
    typed: Vec<Option<Array1<Complex<f64>>>>,
}

fn compressed(manifest: &mut Manifest<'_>) {
    let frame = Array3::from_shape_fn((6, 5, 4), |(i, j, k)| (i * 50 + j * 7 + k) as u8);
    let table = array![[0.1f32, -0.0], [f32::NAN, 3.0]];
    let mask = array![[true, false, true]];
    let wave = Array2::from_shape_fn((2, 3).f(), |(i, j)| Complex::new(i as f32, -(j as f32)));
    let waves = array![Complex::new(0.5, f64::MIN)];
    let state = CompressedFields {
        frame: frame.clone(),
        list: vec![table.clone(), table.t().to_owned()],
        some: Some(array![i16::MIN, 1]),
        none: None,
        by_name: [("m".into(), mask.clone())].into(),
        by_number: [(7, vec![None, Some(array![u64::MAX])])].into(),
        zero_d: arr0(0.1),
        columns: wave.clone(),
        empty: Array2::from_elem((0, 3), f16::ZERO),
        shared: Arc::new(array![i32::MAX]),
        large: Array2::from_elem((300, 400), 7),
        others: (
            array![-1],
            [array![1], array![2]],
            Box::new(array![i64::MIN]),
        ),
        halves: (array![0.5], array![0.25]),
        typed: vec![None, Some(waves.clone())],
    };
    let mut file = manifest.save("compress", &state);
    let nan = file.bytes().to_vec();
    let again: CompressedFields = rmp_serde::from_slice(&nan).unwrap();
    assert!(rmp_serde::to_vec(&again).unwrap() == nan);
    file.compressed(json!(["frame"]), "'|u1'", Some("C"), frame.view());
    file.compressed(json!(["list", 0]), "'<f4'", Some("C"), table.view());
    file.compressed(json!(["list", 1]), "'<f4'", Some("C"), table.t());
    let some = array![i16::MIN, 1];
    file.compressed(json!(["some"]), "'<i2'", None, some.view());
    file.plain(json!(["none"]), json!(null));
    file.compressed(json!(["by-name", "m"]), "'|b1'", None, mask.view());
    file.plain(json!(["by-number", 7, 0]), json!(null));
    let most = array![u64::MAX];
    file.compressed(json!(["by-number", 7, 1]), "'<u8'", None, most.view());
    file.compressed(json!(["zero-d"]), "'<f8'", None, arr0(0.1).view());
    file.compressed(json!(["columns"]), "'<c8'", Some("C"), wave.view());
    file.compressed(json!(["empty"]), "'<f2'", None, state.empty.view());
    file.compressed(json!(["shared"]), "'<i4'", None, state.shared.view());
    file.compressed(json!(["large"]), "'<u4'", Some("C"), state.large.view());
    file.compressed(json!(["others", 0]), "'|i1'", None, array![-1i8].view());
    file.compressed(json!(["others", 1, 1]), "'<u2'", None, array![2u16].view());
    let least = array![i64::MIN];
    file.compressed(json!(["others", 2]), "'<i8'", None, least.view());
    file.compressed(json!(["halves", 0]), "'<f8'", None, array![0.5].view());
    file.array(json!(["halves", 1]), "'<f8'", None, array![0.25].view());
    file.plain(json!(["typed", 0]), json!(null));
    file.compressed(json!(["typed", 1]), "'<c16'", None, waves.view());
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Scalars {
    #[checkpoint(scalar)]
    yes: bool,
    #[checkpoint(scalar)]
    i8: i8,
    #[checkpoint(scalar)]
    u64: u64,
    #[checkpoint(scalar)]
    f16: f16,
    #[checkpoint(scalar)]
    f32: f32,
    #[checkpoint(scalar)]
    f64: f64,
    #[checkpoint(scalar)]
    wave: Complex<f64>,
    #[checkpoint(scalar)]
    some: Option<i32>,
    #[checkpoint(scalar)]
    none: Option<i32>,
    #[checkpoint(scalar)]
    list: Vec<u16>,
    #[checkpoint(scalar)]
    bytes: Vec<u8>,
    #[checkpoint(scalar)]
    fixed: [[i64; 2]; 1],
    #[checkpoint(scalar)]
    tuple: (u8, f32),
    #[checkpoint(scalar)]
    values: BTreeMap<i64, Box<u32>>,
    #[checkpoint(as = "Vec<(Native, Scalar)>")]
    typed: Vec<(f32, f32)>,
}

fn scalars(manifest: &mut Manifest<'_>) {
    let state = Scalars {
        yes: true,
        i8: i8::MIN,
        u64: u64::MAX,
        f16: f16::from_f32(0.5),
        f32: 0.1,
        f64: -0.0,
        wave: Complex::new(1.5, f64::INFINITY),
        some: Some(i32::MIN),
        none: None,
        list: vec![1, u16::MAX],
        bytes: vec![0, 255],
        fixed: [[i64::MIN, i64::MAX]],
        tuple: (7, 0.25),
        values: [(-1, Box::new(5))].into(),
        typed: vec![(0.5, 0.75)],
    };
    let mut file = manifest.save("scalar", &state);
    file.restores(&state);
    file.zero_d(json!(["yes"]), "'|b1'", &true);
    file.zero_d(json!(["i8"]), "'|i1'", &i8::MIN);
    file.zero_d(json!(["u64"]), "'<u8'", &u64::MAX);
    file.zero_d(json!(["f16"]), "'<f2'", &0.5f64);
    file.zero_d(json!(["f32"]), "'<f4'", &0.1f32);
    file.zero_d(json!(["f64"]), "'<f8'", &-0.0f64);
    file.zero_d(json!(["wave"]), "'<c16'", &state.wave);
    file.zero_d(json!(["some"]), "'<i4'", &i32::MIN);
    file.plain(json!(["none"]), json!(null));
    file.zero_d(json!(["list", 1]), "'<u2'", &u16::MAX);
    file.zero_d(json!(["bytes", 1]), "'|u1'", &255u8);
    file.zero_d(json!(["fixed", 0, 0]), "'<i8'", &i64::MIN);
    file.zero_d(json!(["tuple", 0]), "'|u1'", &7u8);
    file.zero_d(json!(["tuple", 1]), "'<f4'", &0.25f32);
    file.zero_d(json!(["values", -1]), "'<u4'", &5u32);
    file.plain(json!(["typed", 0, 0]), json!(0.5));
    file.zero_d(json!(["typed", 0, 1]), "'<f4'", &0.75f32);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Integers {
    #[checkpoint(integer)]
    small: u8,
    #[checkpoint(integer)]
    wide: u128,
    #[checkpoint(integer)]
    some: Option<i128>,
    #[checkpoint(integer)]
    list: Vec<BigInt>,
    #[checkpoint(integer)]
    values: BTreeMap<String, [u64; 2]>,
}

fn integers(manifest: &mut Manifest<'_>) {
    let state = Integers {
        small: 7,
        wide: u128::MAX,
        some: Some(i128::from(i64::MIN) - 1),
        list: vec![BigInt::from(u64::MAX), BigInt::from(u64::MAX) + 1],
        values: [("k".into(), [0, u64::MAX])].into(),
    };
    let mut file = manifest.save("integer", &state);
    file.restores(&state);
    file.plain(json!(["small"]), json!(7));
    file.plain(json!(["wide"]), integer(u128::MAX));
    let under = json!({ "int": "-9223372036854775809" });
    file.plain(json!(["some"]), under);
    file.plain(json!(["list"]), state.list.iter().map(Fact::json).collect());
    let values = json!([0, { "int": "18446744073709551615" }]);
    file.plain(json!(["values", "k"]), values);
}

row! {
    struct Point {
        x: f32 => "x",
        tag: [u8; 2] => "tag",
    }
}
const POINT: &str = "[('x', '<f4'), ('tag', '|u1', (2,))]";

#[derive(Checkpoint, Debug, PartialEq)]
struct Arrays {
    #[checkpoint(array)]
    line: Vec<f32>,
    #[checkpoint(array)]
    fixed: [[f32; 3]; 2],
    #[checkpoint(array)]
    blocks: Vec<[[i16; 2]; 2]>,
    #[checkpoint(array)]
    bytes: Vec<u8>,
    #[checkpoint(array)]
    rows: Vec<Point>,
    #[checkpoint(array)]
    some: Option<Vec<i64>>,
    #[checkpoint(array)]
    values: BTreeMap<String, Vec<bool>>,
    #[checkpoint(array)]
    empty: Vec<u64>,
    #[checkpoint(as = "Vec<Array>")]
    ragged: Vec<Vec<f64>>,
    whole: Whole,
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(array, rename_all = "camelCase")]
struct Whole {
    first_line: Vec<f64>,
    second_line: [u32; 2],
    #[checkpoint(scalar)]
    rate: f32,
    name: String,
}

fn arrays(manifest: &mut Manifest<'_>) {
    let point = |x| Point { x, tag: [1, 255] };
    let state = Arrays {
        line: vec![0.5, -0.0, f32::MAX],
        fixed: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        blocks: vec![[[1, 2], [3, 4]], [[5, 6], [7, -8]]],
        bytes: vec![0, 255],
        rows: vec![point(0.5), point(1.0), point(2.0)],
        some: Some(vec![i64::MIN, i64::MAX]),
        values: [("k".into(), vec![true, false])].into(),
        empty: vec![],
        ragged: vec![vec![0.5], vec![], vec![1.0, 2.0]],
        whole: Whole {
            first_line: vec![0.1],
            second_line: [1, u32::MAX],
            rate: 0.5,
            name: "whole".into(),
        },
    };
    let mut file = manifest.save("array", &state);
    file.restores(&state);
    let at = |key: &str| json!([key]);
    file.values(at("line"), "'<f4'", &[3], None, list(&state.line));
    file.values(at("fixed"), "'<f4'", &[2, 3], Some("C"), state.fixed.json());
    let shape = [2, 2, 2];
    file.values(
        at("blocks"),
        "'<i2'",
        &shape,
        Some("C"),
        list(&state.blocks),
    );
    file.values(at("bytes"), "'|u1'", &[2], None, json!([0, 255]));
    file.values(at("rows"), POINT, &[3], None, list(&state.rows));
    let ends = list(&[i64::MIN, i64::MAX]);
    file.values(at("some"), "'<i8'", &[2], None, ends);
    let flags = json!([true, false]);
    file.values(json!(["values", "k"]), "'|b1'", &[2], None, flags);
    file.values(at("empty"), "'<u8'", &[0], None, json!([]));
    for (index, line) in state.ragged.iter().enumerate() {
        let path = json!(["ragged", index]);
        file.values(path, "'<f8'", &[line.len()], None, list(line));
    }
    let whole = |key: &str| json!(["whole", key]);
    file.values(whole("firstLine"), "'<f8'", &[1], None, json!([0.1]));
    let second = json!([1, u32::MAX]);
    file.values(whole("secondLine"), "'<u4'", &[2], None, second);
    file.zero_d(whole("rate"), "'<f4'", &0.5f32);
    file.plain(whole("name"), json!("whole"));
}

pub(super) fn list<T: Fact>(items: &[T]) -> Json {
    items.iter().map(T::json).collect()
}
