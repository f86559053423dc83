//! The test matrices of Dopamine's own serialization, in the bytes that its decoder takes.
//!
//! The bytes are made by hand. Where Dopamine's encoder puts rows under the label `F`, the columns
//! that its decoder looks for there are what is expected.

use std::fmt::Debug;

use npcodec::checkpoint::RestoreOwned;
use npcodec::dtype::{Element, Text};
use npcodec::half::f16;
use npcodec::ndarray::{Array, Array1, Array3, Axis, IxDyn, ShapeBuilder, arr0, array};
use npcodec::num_bigint::BigInt;
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, Integer, Strictness, Structured, Value, decode, encode};
use npcodec_tests::wire;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The state of Dopamine's test: one field, whatever it is.
#[derive(Checkpoint, Debug, PartialEq)]
struct A<T> {
    data: T,
}

/// The same of a number that is NumPy's and not Python's.
#[derive(Checkpoint, Debug, PartialEq)]
struct Scalar<T> {
    #[checkpoint(scalar)]
    data: T,
}

/// `[('string', 'U1'), ('int', 'i4'), ('float', 'f4')]`
#[derive(Debug, Clone, PartialEq, Structured)]
struct Row {
    string: Text<1>,
    int: i32,
    float: f32,
}

fn rows() -> Array1<Row> {
    let row = |string, int, float| Row {
        string: Text::from_text(string).unwrap(),
        int,
        float,
    };
    array![row("A", 1, 1.0), row("B", 2, 2.0)]
}

/// `np.array([('A', 1, 1.0), ('B', 2, 2.0)], dtype)` as Dopamine encodes it.
fn encoded_rows() -> Vec<u8> {
    let data = b"A\0\0\0\x01\0\0\0\0\0\x80\x3fB\0\0\0\x02\0\0\0\0\0\0\x40";
    let dtype = "[('string', '<U1'), ('int', '<i4'), ('float', '<f4')]";
    wire::array(&[2], data, dtype, None)
}

/// `np.array([1, 2, 3])`, in either order
fn encoded_123() -> Vec<u8> {
    let data: Vec<u8> = [1_i64, 2, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    wire::array(&[3], &data, "'<i8'", None)
}

/// Writes the state, reads it, and reads it without its type.
#[track_caller]
fn round_trip<T>(state: &T, data: Vec<u8>)
where
    T: Checkpoint + RestoreOwned + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let bytes = wire::map(&[("data", data)]);
    let written = rmp_serde::to_vec(state).unwrap();
    assert_eq!(
        written.escape_ascii().to_string(),
        bytes.escape_ascii().to_string()
    );
    assert_eq!(&rmp_serde::from_slice::<T>(&bytes).unwrap(), state);
    let untyped = decode(&bytes).unwrap();
    assert_eq!(untyped, state.to_value().unwrap());
    assert_eq!(encode(&untyped).unwrap(), bytes);
    assert_eq!(&T::from_value(untyped).unwrap(), state);
}

const SHAPES: [&[usize]; 13] = [
    &[],
    &[0],
    &[1],
    &[3],
    &[2, 3],
    &[3, 1],
    &[1, 3],
    &[0, 3],
    &[3, 0],
    &[4, 4, 4],
    &[1, 4, 1],
    &[2, 1, 3],
    &[2, 3, 1, 2],
];

/// Returns the places of a shape, the last axis fastest or the first.
fn places(shape: &[usize], last_is_fastest: bool) -> Vec<Vec<usize>> {
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    if !last_is_fastest {
        axes.reverse();
    }
    let mut places = vec![vec![0; shape.len()]];
    for axis in axes {
        places = places
            .into_iter()
            .flat_map(|place| {
                (0..shape[axis]).map(move |index| {
                    let mut place = place.clone();
                    place[axis] = index;
                    place
                })
            })
            .collect();
    }
    places
}

/// Returns how many places of a row-major array come before this one.
fn rank(shape: &[usize], place: &[usize]) -> usize {
    shape
        .iter()
        .zip(place)
        .fold(0, |rank, (length, index)| rank * length + index)
}

/// Checks every shape in both orders, of zeros and of items that all differ.
///
/// `item` makes the n-th item, `bytes` its bytes in a file.
fn matrix<T>(dtype: &str, item: impl Fn(u8) -> T, bytes: impl Fn(u8) -> Vec<u8>) -> usize
where
    T: Element + PartialEq + Debug,
{
    let mut checked = 0;
    for shape in SHAPES {
        for (columns, zeros) in [(false, false), (false, true), (true, false), (true, true)] {
            let nth = |place: &[usize]| {
                if zeros {
                    0
                } else {
                    rank(shape, place) as u8 + 1
                }
            };
            let filled = |layout| {
                Array::from_shape_fn(layout, |place: IxDyn| {
                    let place: Vec<usize> = (0..shape.len()).map(|axis| place[axis]).collect();
                    item(nth(&place))
                })
            };
            let data = filled(IxDyn(shape).set_f(columns));
            // Two axes of more than one item are needed for the orders to differ.
            let long = shape.iter().filter(|&&length| length > 1).count();
            let differ = long > 1 && !shape.contains(&0);
            let order = differ.then_some(if columns { "F" } else { "C" });
            let payload: Vec<u8> = places(shape, !columns)
                .iter()
                .flat_map(|place| bytes(nth(place)))
                .collect();
            round_trip(&A { data }, wire::array(shape, &payload, dtype, order));

            // A strided array is gathered: its items in rows, and no order.
            let last = shape.last().copied().unwrap_or(0);
            if last > 1 && !columns {
                let mut reversed = filled(IxDyn(shape).set_f(false));
                reversed.invert_axis(Axis(shape.len() - 1));
                let payload: Vec<u8> = places(shape, true)
                    .iter()
                    .flat_map(|place| {
                        let mut place = place.clone();
                        place[shape.len() - 1] = last - 1 - place[shape.len() - 1];
                        bytes(nth(&place))
                    })
                    .collect();
                let written = rmp_serde::to_vec(&A { data: reversed }).unwrap();
                let read: A<Array<T, IxDyn>> = rmp_serde::from_slice(&written).unwrap();
                let value = wire::array(shape, &payload, dtype, None);
                assert_eq!(written, wire::map(&[("data", value)]), "{dtype} {shape:?}");
                assert_eq!(read.data.shape(), shape);
            }
            checked += 1;
        }
    }
    checked
}

macro_rules! numbers {
    ($($dtype:literal: $type:ty),*) => {
        [$(matrix::<$type>($dtype, <$type>::from, |n| <$type>::from(n).to_le_bytes().to_vec())),*]
    };
}

fn complex<T: From<u8>>(n: u8) -> Complex<T> {
    Complex::new(T::from(n), T::from(n / 2))
}

#[test]
fn test_encode_numpy() {
    let a123 = array![1_i64, 2, 3];
    round_trip(&A { data: a123.clone() }, encoded_123());
    let mut by_columns = Array1::zeros(3.f());
    by_columns.assign(&a123);
    round_trip(&A { data: by_columns }, encoded_123());

    let zeros = |order| wire::array(&[4, 4, 4], &[0; 512], "'<f8'", Some(order));
    round_trip(
        &A {
            data: Array3::<f64>::zeros((4, 4, 4).f()),
        },
        zeros("F"),
    );
    round_trip(
        &A {
            data: Array3::<f64>::zeros((4, 4, 4)),
        },
        zeros("C"),
    );

    round_trip(&A { data: rows() }, encoded_rows());

    let scalar = |data: &[u8], dtype| wire::array(&[], data, dtype, None);
    let (one, f8) = (1_i64.to_le_bytes(), 1_f64.to_le_bytes());
    round_trip(&Scalar { data: true }, scalar(&[1], "'|b1'"));
    round_trip(&Scalar { data: 1_i64 }, scalar(&one, "'<i8'"));
    round_trip(&Scalar { data: 1_f64 }, scalar(&f8, "'<f8'"));
    round_trip(&A { data: arr0(true) }, scalar(&[1], "'|b1'"));
    round_trip(&A { data: arr0(1_i64) }, scalar(&one, "'<i8'"));
    round_trip(&A { data: arr0(1_f64) }, scalar(&f8, "'<f8'"));
    // A Python number takes the place of NumPy's.
    for data in [scalar(&one, "'<i8'"), wire::integer(1)] {
        let bytes = wire::map(&[("data", data)]);
        assert_eq!(rmp_serde::from_slice::<A<i64>>(&bytes).unwrap().data, 1);
        assert_eq!(
            rmp_serde::from_slice::<Scalar<i64>>(&bytes).unwrap().data,
            1
        );
    }
}

#[test]
fn test_encode_numpy_of_every_dtype_shape_and_order() {
    let numbers = numbers!(
        "'|u1'": u8, "'<u2'": u16, "'<u4'": u32, "'<u8'": u64,
        "'<i2'": i16, "'<i4'": i32, "'<i8'": i64,
        "'<f2'": f16, "'<f4'": f32, "'<f8'": f64
    );
    let others = [
        matrix("'|b1'", |n| n % 2 == 1, |n| vec![n % 2]),
        matrix("'|i1'", |n| -(n as i8), |n| vec![n.wrapping_neg()]),
        matrix("'<c8'", complex::<f32>, |n| {
            [f32::from(n), f32::from(n / 2)]
                .map(f32::to_le_bytes)
                .concat()
        }),
        matrix("'<c16'", complex::<f64>, |n| {
            [f64::from(n), f64::from(n / 2)]
                .map(f64::to_le_bytes)
                .concat()
        }),
    ];
    let checked: usize = numbers.iter().chain(&others).sum();
    println!("{checked} arrays");
    assert_eq!(checked, 14 * SHAPES.len() * 4);
}

/// Checks an integer in every type that has room for it.
fn integers(digits: &str, data: &[u8]) {
    macro_rules! each {
        ($($type:ty),*) => {$(
            if let Ok(value) = digits.parse::<$type>() {
                round_trip(&A { data: value }, data.to_vec());
            } else {
                let bytes = wire::map(&[("data", data.to_vec())]);
                assert!(rmp_serde::from_slice::<A<$type>>(&bytes).is_err(), "{digits}");
            }
        )*};
    }
    each!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, BigInt);
    let integer = Integer::try_from(&digits.parse::<BigInt>().unwrap()).unwrap();
    let value = Value::Integer(integer);
    assert_eq!(encode(&value).unwrap(), data);
    assert_eq!(decode(data).unwrap(), value);
}

#[test]
fn test_encode_long_integers() {
    integers("1", &[1]);
    let long = "1234567891011121314151617181920";
    integers(long, &wire::long_integer(long));

    // Both sides of each power of two at which a form ends.
    let mut seen = 0;
    for power in [5, 7, 8, 15, 16, 31, 32, 62, 63, 64, 65, 126] {
        for value in [1_i128 << power, -(1_i128 << power)] {
            for value in [value - 1, value, value + 1] {
                let native = (-(1_i128 << 63)..1_i128 << 64).contains(&value);
                let digits = value.to_string();
                let data = if native {
                    wire::integer(value)
                } else {
                    wire::long_integer(&digits)
                };
                integers(&digits, &data);
                // Encoded on its own, Dopamine has digits already beyond 32 bits.
                let digits = wire::map(&[("data", wire::long_integer(&digits))]);
                let read: A<i128> = rmp_serde::from_slice(&digits).unwrap();
                assert_eq!(read.data, value);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 72);
    for digits in [
        &*i128::MIN.to_string(),
        &*u128::MAX.to_string(),
        "340282366920938463463374607431768211456",
        &*format!("-{}", "9".repeat(4300)),
    ] {
        integers(digits, &wire::long_integer(digits));
    }
}

/// Saves the state, restores a state dict and the state itself, and loads it into another one.
#[track_caller]
fn checkpointable<T>(data: T, other: T, encoded: Vec<u8>)
where
    A<T>: Checkpoint + RestoreOwned + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let a = A { data };
    round_trip(&a, encoded.clone());

    let bytes = wire::map(&[("data", encoded)]);
    let restored = decode(&bytes).unwrap();
    let dict = restored.as_map().unwrap();
    assert_eq!(&a.to_state_dict().unwrap(), dict);
    assert_eq!(dict.keys().count(), 1);
    assert_eq!(A::from_state_dict(dict.clone()).unwrap(), a);

    let mut loaded = A { data: other };
    assert_ne!(loaded, a);
    let report = loaded.load_state_dict(dict, Strictness::Strict).unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(loaded, a);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Keys {
    key1: i64,
    key2: bool,
    key3: String,
}

#[test]
fn test_checkpointable() {
    let string = || "string".to_owned();
    checkpointable(1, 0, vec![1]);
    checkpointable(1.0, 0.0, wire::float(1.0));
    checkpointable(true, false, wire::boolean(true));
    let long = 123_456_789_101_112_131_415_161_718_u128;
    checkpointable(long, 0, wire::long_integer("123456789101112131415161718"));
    checkpointable(
        BigInt::from(long),
        0.into(),
        wire::long_integer(&long.to_string()),
    );
    checkpointable(string(), String::new(), wire::text("string"));

    let keys = |key1, key2, key3| Keys { key1, key2, key3 };
    let encoded = wire::map(&[
        ("key1", wire::integer(1)),
        ("key2", wire::boolean(true)),
        ("key3", wire::text("string")),
    ]);
    checkpointable(
        keys(1, true, string()),
        keys(0, true, String::new()),
        encoded,
    );

    let list = |n: u8| (i64::from(n), f64::from(n), true, string());
    let encoded = |n: u8| {
        let (integer, float) = (wire::integer(n.into()), wire::float(n.into()));
        wire::list(&[integer, float, wire::boolean(true), wire::text("string")])
    };
    checkpointable(list(1), list(0), encoded(1));
    let both = wire::list(&[encoded(1), encoded(2)]);
    checkpointable(vec![list(1), list(2)], vec![list(0), list(0)], both.clone());
    checkpointable([list(1), list(2)], [list(0), list(0)], both);

    checkpointable(array![1_i64, 2, 3], array![0, 0, 0], encoded_123());
    let ones = Array3::<f64>::ones((4, 4, 4));
    let zeros = |order| wire::array(&[4, 4, 4], &[0; 512], "'<f8'", Some(order));
    checkpointable(Array3::zeros((4, 4, 4)), ones.clone(), zeros("C"));
    checkpointable(Array3::zeros((4, 4, 4).f()), ones, zeros("F"));
    let others = rows().map(|row| Row {
        int: 0,
        ..row.clone()
    });
    checkpointable(rows(), others, encoded_rows());
}
