//! What msgpack-numpy cannot hold or reads with a loss, and every form of objects.

use npcodec::dtype::{DType, Field, Record};
use npcodec::formats::msgpack_numpy::{
    ReadOptions, WriteOptions, from_slice, from_slice_with, to_vec, to_vec_with, unsupported,
};
use npcodec::{ErrorKind, Limits, NumpyEncoding, StateDict, Value};
use npcodec_tests::peer::Case;

fn array_of(text: &str, itemsize: usize) -> Value<'static> {
    Value::Array(NumpyEncoding::new(vec![1], vec![0; itemsize], text.to_owned(), None).unwrap())
}

#[test]
fn every_leaf_is_named_with_its_reason() {
    let field = |name: &str, offset| {
        let byte: DType = "'|i1'".parse().unwrap();
        Field::new(name, byte, vec![], offset)
    };
    let backwards = Record::new(vec![field("a", 2), field("b", 0)], 4).unwrap();
    let backwards = NumpyEncoding::from_dtype(vec![1], vec![0; 4], DType::Record(backwards), None);
    let leaves: [(&str, Value<'_>); 7] = [
        ("half", array_of("'bfloat16'", 2)),
        ("inside", array_of("[('x', [('y', 'float8_e5m2')])]", 1)),
        ("backwards", Value::Array(backwards.unwrap())),
        ("titles", array_of("[(('title', 'name'), '<i4')]", 4)),
        ("wide", Value::from(-1i128 << 64)),
        ("code", Value::Extension(-3, vec![].into())),
        ("fine", array_of("[('', '|V2')]", 2)),
    ];
    let state = Value::Map(leaves.into_iter().collect::<StateDict<'_>>());
    assert_eq!(
        to_vec(&state).unwrap_err().to_string(),
        "msgpack-numpy cannot hold\n  \
         `half`: array of dtype 'bfloat16': msgpack-numpy loses the type (convert to float32)\n  \
         `inside`: array of dtype [('x', [('y', 'float8_e5m2')])]: msgpack-numpy loses the type (convert to float32)\n  \
         `backwards`: array of dtype {'names': ['a', 'b'], 'formats': ['|i1', '|i1'], 'offsets': [2, 0], 'itemsize': 4}: NumPy has no description of fields that are not in the order of their offsets\n  \
         `titles`: array of dtype [(('title', 'name'), '<i4')]: msgpack-numpy writes titles of fields, and cannot read them\n  \
         `wide`: an integer of more than 64 bits: MessagePack's integers have 64 bits\n  \
         `code`: an extension of the code -3: Python has the codes from 0 to 127, and timestamps"
    );
    let raw = WriteOptions::new().raw(true);
    let map = Value::Map([("nd", 1)].into_iter().collect());
    assert!(to_vec(&map).is_ok());
    let error = to_vec_with(&map, &raw).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Unsupported { .. }),
        "{error}"
    );
}

/// Padding has the name `f` with its position in Python, which may be that of a field.
#[test]
fn padding_is_not_named_like_a_field() {
    let aligned = |first: &str, second: &str, offset: usize| {
        let names = format!("'names': ['{first}', '{second}'], 'formats': ['|u1', '|u1']");
        let text = format!("{{{names}, 'offsets': [0, {offset}], 'itemsize': 4}}");
        array_of(&text, 4)
    };
    let inside = "[('f1', {'names': ['f1'], 'formats': ['|u1'], 'offsets': [0], 'itemsize': 4})]";
    let behind = "{'names': ['f0'], 'formats': ['|u1'], 'offsets': [1], 'itemsize': 2}";
    for (array, refused) in [
        // The padding is f1.
        (aligned("f0", "x", 2), false),
        (aligned("f1", "x", 2), true),
        (aligned("x", "f1", 2), true),
        // It is f2.
        (aligned("x", "f1", 1), false),
        (aligned("x", "f2", 1), true),
        (aligned("x", "f3", 1), false),
        (array_of(inside, 4), true),
        (array_of(behind, 2), true),
    ] {
        let leaves = unsupported(&array);
        assert_eq!(leaves.len(), usize::from(refused), "{array:?}");
        if let Some(leaf) = leaves.first() {
            let reason = "Python names its padding like one of its fields, and cannot read it";
            assert_eq!(leaf.reason, reason);
        }
    }
}

/// What msgpack-numpy raises for when it writes: refused here too, no value of a state, or written since it reads
/// that.
#[test]
fn what_msgpack_numpy_does_not_write_is_settled() {
    let backwards =
        "{'names': ['a', 'b'], 'formats': ['|i1', '|i1'], 'offsets': [2, 0], 'itemsize': 4}";
    let mut cases = Case::all("msgpack_numpy");
    cases.retain(|case| case.kind == "encode_error");
    assert_eq!(cases.len(), 8);
    for case in cases {
        let (value, refused) = match &*case.name {
            "bigint" => (Value::from(1u128 << 64), true),
            "arr_bfloat16_contiguous" => (array_of("'bfloat16'", 2), true),
            "struct_out_of_order" => (array_of(backwards, 4), true),
            "arr_datetime64_contiguous" | "np_datetime64" => (array_of("'<M8[D]'", 8), false),
            "np_void" => (array_of("[('a', '<i4'), ('b', '<f8')]", 12), false),
            // A set, and an option that makes a tuple of a shape.
            "set" | "strict_types_ndarray" => continue,
            name => panic!("{name}"),
        };
        assert_eq!(!unsupported(&value).is_empty(), refused, "{}", case.name);
        if !refused {
            let written = to_vec(&value).unwrap();
            assert_eq!(from_slice(&written).unwrap(), value, "{}", case.name);
        }
    }
}

/// Makes the map of an array out of MessagePack parts.
fn encoded(kind: &[u8], dtype: &[u8], data: &[u8], raw: bool) -> Vec<u8> {
    let key = |text: &str| match raw {
        true => [&[0xa0 | text.len() as u8], text.as_bytes()].concat(),
        false => [&[0xc4, text.len() as u8], text.as_bytes()].concat(),
    };
    [
        &b"\x85"[..],
        &key("nd"),
        b"\xc3",
        &key("type"),
        dtype,
        &key("kind"),
        kind,
        &key("shape"),
        b"\x91\x01",
        &key("data"),
        data,
    ]
    .concat()
}

#[test]
fn objects_are_refused_in_every_form() {
    let eight = b"\xc4\x08\0\0\0\0\0\0\0\0";
    for (kind, dtype) in [
        (&b"\xc4\0"[..], &b"\xa2|O"[..]),
        (b"\xc4\0", b"\xa1O"),
        (b"\xc4\0", b"\xa6object"),
        (b"\xc4\0", b"\xc4\x02|O"),
        (b"\xc4\x01O", b"\xa2|O"),
        (b"\xc4\x01O", b"\xa3<i8"),
        (b"\xa1O", b"\xa3<i8"),
        (b"\xc4\x01V", b"\x91\x92\xa0\xa2|O"),
        (b"\xc4\x01V", b"\x91\x92\xa1a\xa2|O"),
        (b"\xc4\x01V", b"\x91\x93\xa1a\xa2|O\x91\x01"),
        (b"\xc4\x01V", b"\x91\x92\xa1a\x91\x92\xa1b\xa2|O"),
        (b"\xc4\0", b"\x91\x92\xa1a\xa2|T"),
    ] {
        for raw in [false, true] {
            let bytes = encoded(kind, dtype, eight, raw);
            let options = ReadOptions::new().raw(raw);
            let error = match from_slice_with(&bytes, &options) {
                Ok(value) => panic!("{value:?}"),
                Err(error) => error.to_string(),
            };
            let words = error.contains("object dtype") || error.contains("a pickle of objects");
            assert!(words, "{error}");
        }
    }
}

#[test]
fn names_of_fields_are_no_python() {
    // A name with quotes, brackets and a comma stays a name.
    let name = b"a', '<i4'), ('b";
    let dtype = [
        &[0x91, 0x92, 0xa0 | name.len() as u8],
        &name[..],
        b"\xa3<i8",
    ]
    .concat();
    let bytes = encoded(b"\xc4\x01V", &dtype, b"\xc4\x08\0\0\0\0\0\0\0\0", false);
    let value = from_slice(&bytes).unwrap();
    let DType::Record(record) = value.as_array().unwrap().dtype() else {
        panic!("{value:?}");
    };
    assert_eq!(record.fields()[0].name().as_bytes(), name);
    assert_eq!(to_vec(&value).unwrap(), bytes);
    let code = b"<i4'), ('b', '<i4";
    let dtype = [
        &[0x91, 0x92, 0xa1, b'a', 0xa0 | code.len() as u8],
        &code[..],
    ]
    .concat();
    let bytes = encoded(b"\xc4\x01V", &dtype, b"\xc4\x08\0\0\0\0\0\0\0\0", false);
    assert!(from_slice(&bytes).is_err());
}

#[test]
fn nested_fields_and_keys_of_bytes_end_somewhere() {
    let dtype = [&b"\x91\x92\xa1a".repeat(40)[..], b"\xa3<i8"].concat();
    let bytes = encoded(b"\xc4\x01V", &dtype, b"\xc4\x08\0\0\0\0\0\0\0\0", false);
    assert!(
        from_slice(&bytes)
            .unwrap_err()
            .to_string()
            .contains("more than 32 levels")
    );
    for level in [
        &b"\x81\xc4\x02nd"[..],
        b"\x81\xc4\x04type\x91",
        b"\x81\xc4\x01x",
    ] {
        let error = from_slice(&level.repeat(20_000)).unwrap_err();
        let deep = matches!(error.kind(), ErrorKind::TooDeep { .. });
        assert!(
            deep || matches!(error.kind(), ErrorKind::Format { .. }),
            "{error}"
        );
    }
    let twice = b"\x82\xc4\x02nd\xc3\xc4\x02nd\xc3";
    let error = from_slice(twice).unwrap_err();
    assert_eq!(error.to_string(), "key nd occurs twice, byte 6");
    let mixed = b"\x82\xc4\x02nd\xc3\xa1a\x01";
    let error = from_slice(mixed).unwrap_err();
    assert!(
        error.to_string().contains("found a string among bytes"),
        "{error}"
    );
    let limits = ReadOptions::new().limits(Limits::new().array_bytes(4));
    let long = encoded(b"\xc4\0", b"\xa3<i8", b"\xc4\x08\0\0\0\0\0\0\0\0", false);
    let error = from_slice_with(&long, &limits).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
}
