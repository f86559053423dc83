//! A value for each row of the table of formats.

use npcodec::dtype::Order;
use npcodec::num_complex::Complex;
use npcodec::{Key, NumpyEncoding, StateDict, Value};

pub(crate) fn array(shape: &[usize], dtype: &str, order: Option<Order>) -> Value<'static> {
    let dtype: npcodec::dtype::DType = dtype.parse().unwrap();
    let size = shape.iter().product::<usize>() * dtype.itemsize();
    // Bytes that are values of every type: bools, texts below U+10FFFF.
    let data = (0..size)
        .map(|at| u8::from(at % 4 == 0))
        .collect::<Vec<_>>();
    NumpyEncoding::from_dtype(shape.to_vec(), data, dtype, order)
        .unwrap()
        .into()
}

fn one(dtype: &str) -> Value<'static> {
    array(&[3], dtype, None)
}

pub(crate) fn map<const N: usize>(entries: [(&'static str, Value<'static>); N]) -> Value<'static> {
    Value::Map(entries.into_iter().collect())
}

fn scalar() -> Value<'static> {
    match array(&[], "'<f4'", None) {
        Value::Array(array) => Value::Array(array.into_scalar()),
        other => other,
    }
}

fn each(dtypes: &str) -> Vec<Value<'static>> {
    dtypes
        .split(' ')
        .map(|dtype| one(&format!("'{dtype}'")))
        .collect()
}

/// Returns the rows: the name, and the values of which each must give the same cell.
pub(crate) fn rows() -> Vec<(&'static str, Vec<Value<'static>>)> {
    let integers = StateDict::from_iter([(Key::from(3i64), one("'|u1'"))]);
    let fields = "[('a', '<i4'), ('b', '<f8', (2,))]";
    let padded =
        "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}";
    vec![
        (
            "bool, integers, float16 to float64",
            each("|b1 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 <f2 <f4 <f8"),
        ),
        ("complex64", each("<c8")),
        ("complex128", each("<c16")),
        ("long doubles", each("<f16 <c32")),
        ("bfloat16", each("bfloat16")),
        (
            "float8_e4m3fn, _e8m0fnu, _e4m3fnuz, _e5m2fnuz",
            each("float8_e4m3fn float8_e8m0fnu float8_e4m3fnuz float8_e5m2fnuz"),
        ),
        ("float8_e5m2", each("float8_e5m2")),
        (
            "float8_e3m4, _e4m3, _e4m3b11fnuz",
            each("float8_e3m4 float8_e4m3 float8_e4m3b11fnuz"),
        ),
        (
            "floats and integers of less than 8 bits",
            each("float6_e2m3fn float6_e3m2fn float4_e2m1fn int1 int2 int4 uint1 uint2 uint4"),
        ),
        ("big-endian numbers", each(">i2 >f8 >c8")),
        ("text arrays", each("<U3")),
        ("byte-string arrays", each("|S3")),
        ("opaque bytes", vec![one("[('', '|V3')]")]),
        ("records", vec![one(fields)]),
        ("records with padding", vec![one(padded)]),
        ("datetimes, timedeltas", each("<M8[ns] <m8[25s]")),
        ("0-d arrays", vec![array(&[], "'<f4'", None)]),
        ("NumPy scalars", vec![scalar()]),
        (
            "arrays without items",
            vec![array(&[0], "'<f4'", None), array(&[0, 3], "'<f4'", None)],
        ),
        (
            "Fortran order",
            vec![array(&[2, 3], "'<f4'", Some(Order::F))],
        ),
        (
            "nested maps",
            vec![map([
                ("a", one("'|u1'")),
                ("b", map([("c", one("'<f4'"))])),
            ])],
        ),
        ("integer keys", vec![Value::Map(integers)]),
        (
            "lists of arrays",
            vec![Value::List(vec![one("'|u1'"), one("'<f4'")])],
        ),
        ("empty lists", vec![Value::List(vec![])]),
        ("empty maps", vec![map([])]),
        (
            "bool, int, float",
            vec![
                true.into(),
                7.into(),
                u64::MAX.into(),
                (-1i64).into(),
                0.5f64.into(),
            ],
        ),
        ("float32 scalars", vec![0.1f32.into()]),
        (
            "complex scalars",
            vec![Value::Complex(Complex::new(1.0, -2.0))],
        ),
        ("integers beyond 64 bits", vec![(1u128 << 64).into()]),
        ("str", vec!["é".into()]),
        ("bytes", vec![(&b"\0\xff"[..]).into()]),
        ("None", vec![Value::Nil]),
        (
            "texts beside the arrays",
            vec![map([("format", "pt".into())])],
        ),
    ]
}
