//! Flax and msgpack-numpy read what Rust writes, and what they write is read here.

use npcodec::dtype::Order;
use npcodec::formats::flax::{self, Form};
use npcodec::formats::msgpack_numpy;
use npcodec::ndarray::{Array, Array1, Array2, ShapeBuilder, array};
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, NumpyEncoding, StateDict, Value};
use npcodec_tests::peer::{same, value};
use npcodec_tests::python::{Python, Scratch, say};
use serde_json::Value as Json;

#[test]
fn neighbours_write_rust_restores() {
    let Some(python) = Python::find("neighbours_write_rust_restores") else {
        return;
    };
    let scratch = Scratch::new("neighbours-write");
    python.run("neighbours.py", "writes", scratch.path());
    let expected = std::fs::read(scratch.path().join("expected.json")).unwrap();
    let files: Vec<Json> = serde_json::from_slice(&expected).unwrap();
    let mut written = 0;
    for file in &files {
        let name = file["name"].as_str().unwrap();
        let bytes = std::fs::read(scratch.path().join(file["file"].as_str().unwrap())).unwrap();
        let (expected, again) = (value(&file["value"]), again(file, &bytes));
        let (found, again) = again.unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = if file["raw"] == true {
            raw(expected)
        } else {
            expected
        };
        assert!(
            same(&found, &expected),
            "{name}: {found:?}, expected {expected:?}"
        );
        assert!(again == bytes, "{name}: written again it differs");
        written += 1;
    }
    say(&format!(
        "neighbours_write_rust_restores: {written} values restored"
    ));
    assert!(written > 800);
}

/// Reads a file, and writes what was read as it was written.
fn again<'b>(file: &Json, bytes: &'b [u8]) -> Result<(Value<'b>, Vec<u8>), npcodec::Error> {
    if file["format"] == "msgpack_numpy" {
        let raw = file["raw"] == true;
        let options = msgpack_numpy::ReadOptions::new().raw(raw);
        let value = msgpack_numpy::from_slice_with(bytes, &options)?;
        let options = msgpack_numpy::WriteOptions::new().raw(raw);
        let again = msgpack_numpy::to_vec_with(&value, &options)?;
        return Ok((value, again));
    }
    let value = flax::from_slice(bytes)?;
    let form = match file["form"].as_str() {
        Some("to_bytes") => Form::ToBytes,
        Some("in_place") => Form::SerializeInPlace,
        _ => Form::Serialize,
    };
    let options = flax::WriteOptions::new().form(form);
    let options = match file["chunk"].as_u64() {
        Some(bytes) => options.chunk_bytes(bytes as usize),
        None => options,
    };
    let again = flax::to_vec_with(&value, &options)?;
    Ok((value, again))
}

/// What old MessagePack has in the place of texts.
fn raw(value: Value<'static>) -> Value<'static> {
    match value {
        Value::String(text) => Value::Bytes(text.into_owned().into_bytes().into()),
        Value::List(items) => Value::List(items.into_iter().map(raw).collect()),
        Value::Map(map) => Value::Map(
            map.into_iter()
                .map(|(key, item)| (key, raw(item)))
                .collect(),
        ),
        other => other,
    }
}

const FLAX: &str = "|b1 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 <f2 <f4 <f8 <c8 <c16 <M8[ns] <m8[25s] <M8 bfloat16 \
    float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz \
    float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int2 int4 uint2 uint4 int1 uint1";
const NUMPY: &str =
    "|b1 |i1 <i2 >i4 <i8 |u1 >u2 <u4 >u8 <f2 >f4 <f8 >c8 <c16 <M8[ns] >m8[25s] <U3 >U2 |S5 <f16";

/// Arrays of every dtype, shape and memory order.
fn arrays(dtypes: &str) -> Value<'static> {
    let mut arrays = StateDict::new();
    for dtype in dtypes.split_whitespace() {
        for shape in [&[][..], &[3], &[2, 3], &[0, 4], &[4, 1, 2]] {
            for order in [None, Some(Order::C), Some(Order::F)] {
                let text = format!("'{dtype}'");
                let itemsize = text.parse::<npcodec::dtype::DType>().unwrap().itemsize();
                let length = shape.iter().product::<usize>() * itemsize;
                // Bits that are values of every type: letters of UTF-32 among them.
                let data: Vec<u8> = (0..length).map(|at| u8::from(at % 4 == 0)).collect();
                let array = NumpyEncoding::new(shape.to_vec(), data, text, order).unwrap();
                let name = format!("{dtype} {shape:?} {order:?}");
                // NumPy's scalars have the byte order of the machine.
                if shape.is_empty() && order.is_none() && !dtype.starts_with('>') {
                    let scalar = array.clone().into_scalar();
                    arrays.insert(format!("{name} scalar"), scalar);
                }
                arrays.insert(name, array);
            }
        }
    }
    Value::Map(arrays)
}

/// What has other forms in Python: a scalar of a type that has none in a file is an array there.
fn natives() -> StateDict<'static> {
    let numbers = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, 1e300, 5e-324];
    let mut map = StateDict::new();
    map.insert("nil", Value::Nil);
    map.insert("bools", vec![Value::from(true), Value::from(false)]);
    map.insert("floats", numbers.map(Value::from).to_vec());
    map.insert("single", 0.1f32);
    map.insert(
        "integers",
        (0..64)
            .flat_map(|bits| {
                [
                    1i128 << bits,
                    (1 << bits) - 1,
                    -(1 << bits),
                    1 - (1 << bits),
                ]
            })
            .filter(|&value| value >= -(1 << 63))
            .map(Value::from)
            .collect::<Vec<_>>(),
    );
    map.insert("text", "é漢".repeat(100));
    map.insert("bytes", vec![7u8; 70_000]);
    map.insert(
        "complex",
        numbers
            .iter()
            .flat_map(|&re| numbers.map(|im| Value::Complex(Complex::new(re, im))))
            .collect::<Vec<_>>(),
    );
    map.insert("extension", Value::Extension(42, vec![1, 2].into()));
    map.insert("empty", StateDict::new());
    map.insert(
        "list",
        vec![Value::List(vec![]), Value::Map(StateDict::new())],
    );
    map
}

#[derive(Checkpoint)]
struct Layer {
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint)]
struct Params {
    layers: Vec<Layer>,
}

/// `TrainState` of the Python side.
#[derive(Checkpoint)]
struct TrainState {
    params: Params,
    opt_state: (Array1<f64>, Option<Array1<f64>>),
    history: Vec<f64>,
    step: u32,
}

fn state() -> TrainState {
    // One of the kernels lies in columns.
    let kernel = |n: usize| {
        let shape = (2, 3).set_f(n == 1);
        let mut kernel = Array::zeros(shape);
        for ((row, column), item) in kernel.indexed_iter_mut() {
            *item = (n * 10 + row * 3 + column) as f32;
        }
        kernel
    };
    let layer = |n: usize| Layer {
        kernel: kernel(n),
        bias: Array1::from_elem(3, n as f32),
    };
    TrainState {
        params: Params {
            layers: vec![layer(0), layer(1)],
        },
        opt_state: (array![1.0, 2.0, 3.0], None),
        history: vec![0.5, 0.25, 0.125],
        step: 7,
    }
}

#[test]
fn rust_writes_neighbours_restore() {
    let Some(python) = Python::find("rust_writes_neighbours_restore") else {
        return;
    };
    let scratch = Scratch::new("neighbours-read");
    let save = |file: &str, bytes: &[u8]| std::fs::write(scratch.path().join(file), bytes).unwrap();
    let in_place = flax::WriteOptions::new().form(Form::SerializeInPlace);
    let chunked = in_place.chunk_bytes(16);
    let natives = Value::Map(natives());
    let values = [
        (
            "arrays.flax",
            arrays(FLAX),
            flax::to_vec_with(&arrays(FLAX), &in_place),
        ),
        (
            "chunks.flax",
            arrays(FLAX),
            flax::to_vec_with(&arrays(FLAX), &chunked),
        ),
        (
            "natives.flax",
            natives.clone(),
            flax::to_vec_with(&natives, &in_place),
        ),
        (
            "arrays.msgpack_numpy",
            arrays(NUMPY),
            msgpack_numpy::to_vec(&arrays(NUMPY)),
        ),
        (
            "natives.msgpack_numpy",
            natives.clone(),
            msgpack_numpy::to_vec(&natives),
        ),
    ];
    for (file, _, bytes) in &values {
        save(
            file,
            bytes
                .as_ref()
                .unwrap_or_else(|error| panic!("{file}: {error}")),
        );
    }
    save("state.flax_state", &flax::to_bytes(&state()).unwrap());
    python.run("neighbours.py", "reads", scratch.path());

    let found = std::fs::read(scratch.path().join("found.json")).unwrap();
    let found: Json = serde_json::from_slice(&found).unwrap();
    for (file, expected, _) in &values {
        // What Python found, as values of the same layouts that we read.
        let found = value(&found[file]);
        let expected = rows(expected.clone(), file);
        let pairs = expected
            .as_map()
            .unwrap()
            .iter()
            .zip(found.as_map().unwrap());
        for ((key, expected), (_, found)) in pairs {
            let equal = same(expected, found);
            assert!(equal, "{file}, {key}: {expected:?} is {found:?} in Python");
        }
        assert!(same(&expected, &found), "{file}");
        let again = std::fs::read(scratch.path().join(format!("{file}.again"))).unwrap();
        let reread = match file.ends_with("flax") {
            true => flax::from_slice(&again).unwrap(),
            false => msgpack_numpy::from_slice(&again).unwrap(),
        };
        assert!(same(&reread, &found), "{file}, again");
    }
}

/// What a file has of a value: rows, and in msgpack-numpy scalars of numbers and times between two only.
fn rows(value: Value<'static>, file: &str) -> Value<'static> {
    match value {
        Value::Array(array) => {
            let scalar = array.is_scalar()
                && (file.ends_with("flax") || !array.dtype_text().contains(['M', 'U', 'S']));
            let (shape, dtype) = (array.shape().to_vec(), array.dtype().clone());
            let data = array.row_major().into_owned();
            let rows = NumpyEncoding::from_dtype(shape, data, dtype, None).unwrap();
            Value::Array(if scalar { rows.into_scalar() } else { rows })
        }
        Value::List(items) => Value::List(items.into_iter().map(|item| rows(item, file)).collect()),
        Value::Map(map) => {
            let entries = map.into_iter().map(|(key, item)| (key, rows(item, file)));
            Value::Map(entries.collect())
        }
        other => other,
    }
}
