//! What Flax cannot hold: all of it in one error, before anything is written.

use std::collections::BTreeMap;

use npcodec::dtype::Order;
use npcodec::formats::flax::{
    self, Form, ReadOptions, WriteOptions, to_bytes, to_vec, to_vec_with, to_writer,
};
use npcodec::ndarray::{Array1, array};
use npcodec::{Checkpoint, ErrorKind, Key, Limits, NumpyEncoding, StateDict, Structured, Value};
use npcodec_tests::peer::Case;

fn array_of(text: &str, itemsize: usize) -> Value<'static> {
    Value::Array(NumpyEncoding::new(vec![1], vec![0; itemsize], text.to_owned(), None).unwrap())
}

#[test]
fn every_leaf_is_named_with_its_reason() {
    let leaves: [(&str, Value<'_>); 13] = [
        ("big", array_of("'>f4'", 4)),
        ("text", array_of("'<U2'", 8)),
        ("bytes", array_of("'|S2'", 2)),
        ("opaque", array_of("[('', '|V2')]", 2)),
        ("rows", array_of("[('a', '<i4')]", 4)),
        ("long", array_of("'<f16'", 16)),
        ("time", array_of("'>M8[s]'", 8)),
        ("wide", Value::from(1u128 << 64)),
        ("array", Value::Extension(1, vec![0].into())),
        ("negative", Value::Extension(-2, vec![0].into())),
        ("fine", array_of("'bfloat16'", 2)),
        (
            "keys",
            Value::Map(
                [(Key::from("1"), 1), (Key::from(1i64), 2)]
                    .into_iter()
                    .collect(),
            ),
        ),
        (
            "chunks",
            Value::Map([("__msgpack_chunked_array__", true)].into_iter().collect()),
        ),
    ];
    let state: StateDict<'_> = [(
        "state",
        Value::List(vec![Value::Map(leaves.into_iter().collect())]),
    )]
    .into_iter()
    .collect();
    let state = Value::Map(state);
    let mut nothing = Vec::new();
    let error = to_writer(&mut nothing, &state).unwrap_err();
    assert_eq!(nothing, b"");
    assert_eq!(
        error.to_string(),
        "flax cannot hold\n  \
         `state[0].big`: array of dtype '>f4': Flax drops the byte order (convert to little-endian)\n  \
         `state[0].text`: array of dtype '<U2': Flax writes such arrays, and cannot read them\n  \
         `state[0].bytes`: array of dtype '|S2': Flax writes such arrays, and cannot read them\n  \
         `state[0].opaque`: array of dtype [('', '|V2')]: Flax writes such arrays, and cannot read them\n  \
         `state[0].rows`: array of dtype [('a', '<i4')]: Flax writes such arrays, and cannot read them\n  \
         `state[0].long`: array of dtype '<f16': long doubles differ from machine to machine (convert to float64)\n  \
         `state[0].time`: array of dtype '>M8[s]': Flax drops the byte order (convert to little-endian)\n  \
         `state[0].wide`: an integer of more than 64 bits: Flax's integers have 64 bits (`long_integers` writes Dopamine's map of a text)\n  \
         `state[0].array`: an extension of the code 1: Flax would read an array or number (which `Value` has too)\n  \
         `state[0].negative`: an extension of the code -2: Flax has the codes from 0 to 127, and timestamps\n  \
         `state[0].keys`: the keys 1 and \"1\": Flax turns keys into texts, here into equal ones\n  \
         `state[0].chunks`: a map with the key `__msgpack_chunked_array__`: Flax takes a map with this key for an array in chunks"
    );
}

/// What Flax raises for when it writes: numbers and keys that are refused here too, and types of Python that
/// no value of a state is.
#[test]
fn what_flax_does_not_write_is_settled() {
    let no_values = [
        "dict_tuple_key",
        "jnp_typed_key",
        "ordereddict",
        "namedtuple_raw",
        "set",
        "frozendict_raw",
        "arr_object",
        "arr_object_empty",
        "arr_stringdtype",
        "tb_ordereddict",
    ];
    let mut cases = Case::all("flax");
    cases.retain(|case| case.kind == "encode_error");
    assert_eq!(cases.len(), 14);
    for case in cases {
        let same_keys = [(Key::from(1i64), 2), (Key::from("1"), 3)];
        let value = match &*case.name {
            "py_int_2p64" => Value::from(1u128 << 64),
            "py_int_m2p63m1" => Value::from(i128::from(i64::MIN) - 1),
            "tb_bigint" => Value::Map([("a", 1u128 << 64)].into_iter().collect()),
            "tb_duplicate_str_keys" => Value::Map(same_keys.into_iter().collect()),
            name => {
                assert!(no_values.contains(&name), "{name}");
                continue;
            }
        };
        assert_eq!(flax::unsupported(&value).len(), 1, "{}", case.name);
    }
    // An array of objects is none that could be made.
    assert!(NumpyEncoding::new(vec![1], vec![0; 8], "'|O'", None).is_err());
}

#[test]
fn the_forms_refuse_what_their_functions_refuse() {
    let mixed = [(Key::from("a"), 1), (Key::from(1i64), 2)];
    let mixed = Value::Map(mixed.into_iter().collect());
    let form = |form| WriteOptions::new().form(form);
    let error = to_vec_with(&mixed, &form(Form::Serialize)).unwrap_err();
    assert!(
        error.to_string().contains("these do not compare"),
        "{error}"
    );
    assert_eq!(
        to_vec_with(&mixed, &form(Form::SerializeInPlace)).unwrap(),
        b"\x82\xa1a\x01\x01\x02"
    );
    assert_eq!(to_vec(&mixed).unwrap(), b"\x82\xa1a\x01\xa11\x02");
    // Flax joins no chunks inside of lists, so that the key is one like others there.
    let marked = Value::Map([("__msgpack_chunked_array__", true)].into_iter().collect());
    let list = Value::List(vec![marked]);
    assert!(to_vec(&list).is_err());
    let written = to_vec_with(&list, &form(Form::Serialize)).unwrap();
    assert_eq!(flax::from_slice(&written).unwrap(), list);
}

#[derive(Structured, Clone)]
struct Row {
    a: i32,
}

#[derive(Checkpoint)]
struct State {
    #[checkpoint(compress)]
    frames: Vec<Array1<u8>>,
    rows: Array1<Row>,
    weights: Array1<f32>,
}

#[test]
fn a_state_says_which_fields_are_in_the_way() {
    let state = State {
        frames: vec![array![1, 2]],
        rows: array![Row { a: 1 }],
        weights: array![0.5],
    };
    let error = to_bytes(&state).unwrap_err();
    let ErrorKind::Unsupported { format, leaves } = error.kind() else {
        panic!("{error}");
    };
    let paths: Vec<_> = leaves.iter().map(|leaf| leaf.path.to_string()).collect();
    assert_eq!(
        (*format, paths),
        ("flax", vec!["frames[0]".to_owned(), "rows".to_owned()])
    );
}

#[test]
fn column_major_payloads_are_written_row_by_row() {
    let columns = NumpyEncoding::new(vec![2, 3], vec![0, 3, 1, 4, 2, 5], "'|u1'", Some(Order::F));
    let columns = Value::Array(columns.unwrap());
    let written = to_vec(&columns).unwrap();
    assert_eq!(
        written,
        b"\xc7\x12\x01\x93\x92\x02\x03\xa5uint8\xc4\x06\x00\x01\x02\x03\x04\x05"
    );
    let read = flax::from_slice(&written).unwrap();
    assert_eq!(read.as_array().map(NumpyEncoding::order), Some(None));
    // Chunks of 4 bytes: what chunk8_fortran shows for two bytes an item.
    let chunked = to_vec_with(&columns, &WriteOptions::new().chunk_bytes(4)).unwrap();
    assert_eq!(flax::from_slice(&chunked).unwrap(), read);
}

#[test]
fn limits_hold() {
    let bytes = to_vec(&array_of("'<f4'", 4)).unwrap();
    let wrong = |bytes: &[u8], limits| {
        let options = ReadOptions::new().limits(limits);
        let error = flax::from_slice_with(bytes, &options).unwrap_err();
        error.to_string()
    };
    let limits = Limits::new();
    assert_eq!(
        wrong(&bytes, limits.array_bytes(3)),
        "4 bytes in one array, and the limit is 3, byte 0"
    );
    assert_eq!(
        wrong(&bytes, limits.total_bytes(9)),
        "20 bytes of input, and the limit is 9"
    );
    let map = BTreeMap::from([("key".to_owned(), vec![vec![1u64]])]);
    let bytes = to_bytes(&map).unwrap();
    assert_eq!(
        wrong(&bytes, limits.key_bytes(2)),
        "3 bytes in one key, and the limit is 2, byte 1"
    );
    assert_eq!(
        wrong(&bytes, limits.keys(0)),
        "1 keys in one map, and the limit is 0, byte 0"
    );
    assert_eq!(
        wrong(&bytes, limits.depth(2)),
        "nested deeper than 2 levels at `key.0`, byte 8"
    );
}

#[test]
fn values_nested_too_deep_are_refused_on_both_sides() {
    let mut value = Value::Nil;
    for _ in 0..200 {
        value = Value::List(vec![value]);
    }
    let bytes = to_vec(&value).unwrap();
    assert!(flax::from_slice(&bytes).is_ok());
    let deeper = Value::List(vec![value]);
    let leaves = flax::unsupported(&deeper);
    assert_eq!(leaves.len(), 1);
    assert_eq!(leaves[0].path.segments().len(), 200);
    assert_eq!(leaves[0].reason, "values nest in 200 levels at the most");
    let error = to_vec(&deeper).unwrap_err();
    let format = "flax";
    assert_eq!(*error.kind(), ErrorKind::Unsupported { format, leaves });
    let error = flax::from_slice(&b"\x91".repeat(100_000)).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::TooDeep { limit: 200 }),
        "{error}"
    );
}

#[test]
fn a_key_occurs_once() {
    let error = flax::from_slice(b"\x81\xa1x\x82\xa1a\x01\xa1a\x02").unwrap_err();
    assert_eq!(error.to_string(), "key \"a\" occurs twice at `x`, byte 7");
    // A number and its text are two keys of a file.
    assert!(flax::from_slice(b"\x82\x01\x01\xa11\x02").is_ok());
    // In chunks too, whose keys can come in any order.
    let chunk = |data: u8| [&b"\x93\x91\x01\xa5uint8\xc4\x01"[..], &[data]].concat();
    let chunks = |keys: [&[u8; 2]; 2]| {
        let mut bytes = b"\x83\xa6chunks\x82".to_vec();
        for (key, data) in keys.iter().zip([7, 8]) {
            bytes.extend_from_slice(*key);
            let chunk = chunk(data);
            bytes.extend([0xc7, chunk.len() as u8, 1]);
            bytes.extend(chunk);
        }
        bytes.extend(b"\xb9__msgpack_chunked_array__\xc3\xa5shape\x81\xa10\x02");
        bytes
    };
    let read = flax::from_slice(&chunks([b"\xa11", b"\xa10"])).map(|value| match value {
        Value::Array(array) => array.into_data().into_owned(),
        other => panic!("{other:?}"),
    });
    assert_eq!(read.unwrap(), [8, 7]);
    assert!(flax::from_slice(&chunks([b"\xa10", b"\xa10"])).is_err());
    assert!(flax::from_slice(&chunks([b"\xa10", b"\xa12"])).is_err());
}

#[test]
fn floats_keep_their_width() {
    let value = Value::List(vec![Value::from(0.1f32), Value::from(0.1f64)]);
    let bytes = to_vec(&value).unwrap();
    assert_eq!(
        bytes,
        b"\x82\xa10\xca\x3d\xcc\xcc\xcd\xa11\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"
    );
    let (single, double): (f32, f64) = flax::from_bytes(&bytes).unwrap();
    assert_eq!((single, double), (0.1, 0.1));
    // What Flax makes of the first is the same number in 64 bits.
    let widened = [&b"\x91\xcb"[..], &f64::from(0.1f32).to_be_bytes()].concat();
    assert_eq!(flax::from_bytes::<[f32; 1]>(&widened).unwrap(), [0.1]);
    assert!(flax::from_bytes::<[f32; 1]>(b"\x91\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a").is_err());
}
