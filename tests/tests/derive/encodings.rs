//! The attributes that choose an encoding, and what they reach.

use std::collections::VecDeque;

use npcodec::ndarray::{Array1, Array2, arr2, array};
use npcodec::with::{Compressed, Native};
use npcodec::{NumpyEncoding, StateDict, Value};

use super::*;

fn tree(bytes: &[u8]) -> Value<'_> {
    from_slice(bytes).unwrap()
}

fn field<'v, 'a>(value: &'v Value<'a>, key: &str) -> &'v Value<'a> {
    value.as_map().unwrap().get(key).unwrap()
}

/// A compressed array is a record of its shape, its dtype and the compressed bytes.
fn is_record(value: &Value<'_>) -> bool {
    let array = value.as_array().unwrap();
    array.shape().is_empty() && array.dtype_text().starts_with('[')
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Encoded {
    #[checkpoint(compress)]
    frames: Vec<Option<Array2<u8>>>,
    #[checkpoint(scalar)]
    rate: f32,
    #[checkpoint(scalar)]
    rates: Vec<f64>,
    #[checkpoint(integer)]
    seed: u128,
    #[checkpoint(array)]
    weights: Vec<f32>,
    #[checkpoint(as = "(Compressed, Native)")]
    pair: (Array1<u8>, Array1<u8>),
    #[checkpoint(width = 3)]
    names: Array1<String>,
}

#[test]
fn each_attribute_reaches_the_leaves() {
    let encoded = Encoded {
        frames: vec![Some(arr2(&[[1, 2], [3, 4]])), None],
        rate: 0.5,
        rates: vec![0.25],
        seed: 1 << 64,
        weights: vec![1.0, 2.0],
        pair: (array![1, 2], array![3]),
        names: array!["a".to_owned(), "bc".to_owned()],
    };
    let bytes = to_vec(&encoded).unwrap();
    let value = tree(&bytes);
    let frames = field(&value, "frames").as_list().unwrap();
    assert!(is_record(&frames[0]));
    assert_eq!(frames[1], Value::Nil);
    assert_eq!(
        field(&value, "rate").as_array().unwrap().shape(),
        &[0_usize; 0]
    );
    assert!(
        field(&value, "rates").as_list().unwrap()[0]
            .as_array()
            .is_some()
    );
    assert!(
        bytes
            .windows(30)
            .any(|w| w == b"\x81\xa7integer\xb418446744073709551616")
    );
    assert_eq!(field(&value, "weights").as_array().unwrap().shape(), &[2]);
    let pair = field(&value, "pair").as_list().unwrap();
    assert!(is_record(&pair[0]) && !is_record(&pair[1]));
    assert_eq!(
        field(&value, "names").as_array().unwrap().dtype_text(),
        "'<U3'"
    );
    assert_eq!(from_slice::<Encoded>(&bytes).unwrap(), encoded);
}

#[derive(Checkpoint, Debug, PartialEq)]
#[checkpoint(array)]
struct Arrays {
    a: Vec<f32>,
    b: [[u16; 2]; 2],
    #[checkpoint(as = "Native")]
    c: Vec<u16>,
    d: Option<Inner>,
    e: String,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Inner {
    list: Vec<u16>,
}

#[test]
fn a_container_of_arrays() {
    let arrays = Arrays {
        a: vec![1.0],
        b: [[1, 2], [3, 4]],
        c: vec![5],
        d: Some(Inner { list: vec![6] }),
        e: "e".into(),
    };
    let bytes = to_vec(&arrays).unwrap();
    let value = tree(&bytes);
    assert_eq!(field(&value, "a").as_array().unwrap().shape(), &[1]);
    assert_eq!(field(&value, "b").as_array().unwrap().shape(), &[2, 2]);
    assert!(field(&value, "c").as_list().is_some());
    assert!(
        field(field(&value, "d"), "list").as_list().is_some(),
        "no attribute enters a struct"
    );
    assert_eq!(from_slice::<Arrays>(&bytes).unwrap(), arrays);
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Stored {
    exact: Array1<f64>,
    safe: Array1<f64>,
    lossy: Array1<f64>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Cast {
    #[checkpoint(rename = "exact", cast)]
    a: Array1<f32>,
    #[checkpoint(rename = "safe", cast)]
    b: Array1<f32>,
    #[checkpoint(rename = "lossy", cast = "lossy")]
    c: Array1<f32>,
}

#[test]
fn cast_converts_what_keeps_its_value_and_lossy_rounds() {
    let stored = Stored {
        exact: array![0.5],
        safe: array![0.1],
        lossy: array![0.1],
    };
    let bytes = to_vec(&stored).unwrap();
    let error = from_slice::<Cast>(&bytes).unwrap_err().to_string();
    assert!(
        error.contains("safe") && !error.contains("exact:") && !error.contains("lossy:"),
        "{error}"
    );
    let stored = Stored {
        safe: array![0.25],
        ..stored
    };
    let cast: Cast = from_slice(&to_vec(&stored).unwrap()).unwrap();
    assert_eq!(
        cast,
        Cast {
            a: array![0.5],
            b: array![0.25],
            c: array![0.1]
        }
    );
}

#[derive(Checkpoint, Debug, PartialEq)]
struct RowMajor {
    #[checkpoint(fortran = "row_major")]
    a: Array2<u8>,
    b: Array2<u8>,
}

#[test]
fn fortran_order_is_read_as_the_field_says() {
    let mut bytes = vec![0x82];
    for key in *b"ab" {
        bytes.extend_from_slice(&[0xa1, key]);
        bytes.extend_from_slice(
            b"\x84\xa5shape\x92\x02\x02\xa4data\xc4\x04\x01\x02\x03\x04\xa5dtype\xa5'|u1'\xa5order\xa1F",
        );
    }
    let read: RowMajor = from_slice(&bytes).unwrap();
    assert_eq!(read.a, arr2(&[[1, 2], [3, 4]]));
    assert_eq!(read.b, arr2(&[[1, 3], [2, 4]]));
}

#[test]
fn lists_and_arrays_in_each_others_place_say_what_the_field_needs() {
    #[derive(Checkpoint, Debug)]
    struct Lists {
        #[checkpoint(default)]
        numbers: Vec<f32>,
        #[checkpoint(default)]
        bytes: Vec<u8>,
        #[checkpoint(default)]
        texts: Vec<String>,
        #[checkpoint(default)]
        states: Vec<Encoded>,
    }
    #[derive(Checkpoint, Debug)]
    struct Arrays {
        #[checkpoint(array)]
        numbers: Vec<f32>,
    }

    let found = "found an array of shape (1,) and dtype '<f4'";
    let arrays = to_vec(&Arrays { numbers: vec![1.0] }).unwrap();
    let arrays = tree(&arrays);
    for key in ["numbers", "bytes", "texts", "states"] {
        let mut dict = npcodec::StateDict::new();
        dict.insert(key, field(&arrays, "numbers").borrowed());
        let text = fault::<Lists>(&to_vec(&dict).unwrap());
        let advice = match key {
            "states" => "",
            _ => " (the field needs `array`)",
        };
        assert!(text.ends_with(&format!("{found}{advice}")), "{text}");
    }

    let lists = fault::<Arrays>(b"\x81\xa7numbers\x91\x01");
    assert!(lists.ends_with("numbers: expected an array of 1 dimension, found a list"));
}

#[derive(npcodec::Structured, Debug, Clone, PartialEq)]
struct Step {
    reward: f32,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Rings {
    #[checkpoint(array)]
    numbers: VecDeque<f32>,
    #[checkpoint(array)]
    pairs: VecDeque<[f32; 2]>,
    #[checkpoint(array)]
    rows: VecDeque<Step>,
    #[checkpoint(width = 2)]
    names: VecDeque<String>,
    bytes: VecDeque<u8>,
    keys: VecDeque<[u8; 2]>,
    lists: VecDeque<Vec<u16>>,
}

/// A ring of both items that is cut between them, or not.
fn ring<T>(front: T, back: T, cut: bool) -> VecDeque<T> {
    let mut ring = VecDeque::with_capacity(2);
    ring.push_back(back);
    ring.push_front(front);
    if !cut {
        ring.make_contiguous();
    }
    assert_eq!(ring.as_slices().1.is_empty(), !cut);
    ring
}

#[test]
fn where_a_ring_is_cut_does_not_show() {
    let rings = |cut| Rings {
        numbers: ring(1.0, 2.0, cut),
        pairs: ring([1.0, 2.0], [3.0, 4.0], cut),
        rows: ring(Step { reward: 1.0 }, Step { reward: 2.0 }, cut),
        names: ring("a".to_owned(), "bc".to_owned(), cut),
        bytes: ring(1, 2, cut),
        keys: ring([1, 2], [3, 4], cut),
        lists: ring(vec![1], vec![2, 3], cut),
    };
    let bytes = to_vec(&rings(false)).unwrap();
    let value = tree(&bytes);
    let shape = |key| field(&value, key).as_array().unwrap().shape().to_vec();
    assert_eq!((shape("numbers"), shape("pairs")), (vec![2], vec![2, 2]));
    assert_eq!((shape("rows"), shape("names")), (vec![2], vec![2]));
    assert_eq!(field(&value, "bytes").as_bytes(), Some(&b"\x01\x02"[..]));
    assert_eq!(to_vec(&rings(true)).unwrap(), bytes);
    assert_eq!(npcodec::to_vec(&rings(true)).unwrap(), bytes);
    both(&rings(true), &bytes);
    let nothings: VecDeque<[u16; 0]> = ring([], [], true);
    assert_eq!(npcodec::to_vec(&nothings).unwrap(), b"\x92\x90\x90");
}

#[test]
fn every_integer_takes_every_form_of_its_value() {
    type All = (
        u64,
        u128,
        usize,
        std::num::NonZeroU8,
        npcodec::num_bigint::BigInt,
    );
    let zero_d = |bytes: Vec<u8>, text: &'static str| {
        Value::Array(npcodec::NumpyEncoding::new(vec![], bytes, text, None).unwrap())
    };
    for form in [
        Value::from(7),
        Value::from(7.0),
        Value::from(7.0_f32),
        Value::Integer(npcodec::Integer::Long(
            npcodec::LongIntegerEncoding::new("7").unwrap(),
        )),
        zero_d(vec![7], "'|i1'"),
        zero_d(7_f64.to_be_bytes().to_vec(), "'>f8'"),
    ] {
        let all = Value::List(vec![form; 5]);
        let (a, b, c, d, e): All = npcodec::from_slice(&npcodec::encode(&all).unwrap()).unwrap();
        assert_eq!((a, b, c, d.get(), e), (7, 7, 7, 7, 7.into()), "{all:?}");
    }
    let all = Value::List(vec![Value::from(7.5); 5]);
    let error = npcodec::from_slice::<All>(&npcodec::encode(&all).unwrap()).unwrap_err();
    assert_eq!(error.report().unwrap().mismatched.len(), 5, "{error}");

    let large = 2_f64.powi(100);
    for form in [
        Value::from(large),
        zero_d(large.to_le_bytes().to_vec(), "'<f8'"),
    ] {
        let bytes = npcodec::encode(&form).unwrap();
        assert_eq!(npcodec::from_slice::<u128>(&bytes).unwrap(), 1 << 100);
        assert!(npcodec::from_slice::<u64>(&bytes).is_err());
    }
}

#[derive(Checkpoint, Debug)]
struct Frames {
    #[checkpoint(compress)]
    frames: Vec<Array1<u8>>,
}

/// Records are expanded together, and each that is broken is still named with its place and byte.
#[test]
fn every_broken_record_of_a_list_is_reported() {
    let block = |block: &[u8]| {
        let (mut data, n) = (block.to_vec(), block.len());
        data.extend(b"\x03\x00\x00\x00|u1");
        let text = format!("[('data', '|u1', ({n},)), ('shape', '<i4', (1,)), ('dtype', '|S3')]");
        Value::from(NumpyEncoding::new(vec![], data, text, None).unwrap())
    };
    let whole = block(b"\x03\x08abc");
    let plain = Value::from(NumpyEncoding::new(vec![2], vec![7, 8], "'|u1'", None).unwrap());
    let read = |frames: Vec<Value<'_>>| {
        let mut dict = StateDict::new();
        dict.insert("frames", Value::List(frames));
        let bytes = npcodec::encode(&Value::Map(dict)).unwrap();
        npcodec::from_slice::<Frames>(&bytes).map_err(|error| error.to_string())
    };
    let frames = read(vec![whole.clone(), plain]).unwrap().frames;
    assert_eq!(frames, [array![97, 98, 99], array![7, 8]]);
    let faults = read(vec![
        block(b"\x03\x08ab"),
        Value::Nil,
        whole,
        block(b"\x02\x04ab"),
    ]);
    let expected = "the state does not fit:
  mismatched:
    frames[1]: expected an array of 1 dimension and dtype '|u1', found nil, byte 108
    frames[0]: expected a valid value, found compressed record: a literal of 3 bytes, of which 2 are there (byte 1 of the block), byte 9
    frames[3]: expected a valid value, found compressed record: shape and dtype need 3 bytes, the block holds 2, byte 209";
    assert_eq!(faults.unwrap_err(), expected);
}
