//! What msgpack-numpy wrote is read to what it read itself, and written to the same bytes.

use npcodec::formats::msgpack_numpy::{
    ReadOptions, WriteOptions, from_slice, from_slice_with, to_vec, to_vec_with, to_writer,
};
use npcodec::{NumpyEncoding, Value};
use npcodec_tests::peer::{Case, same, value};

/// What is refused, and the words of the error.
const REFUSED: &[(&str, &str)] = &[
    // Objects, in each of their forms.
    ("UNSAFE_type_O_raw_pointers", "object dtype `|O` is refused"),
    (
        "UNSAFE_struct_with_O_field",
        "object dtype `|O` is refused at column 22",
    ),
    (
        "UNSAFE_kind_O_pickle",
        "an array of values, found a pickle of objects, which is never read",
    ),
    // Python reads these: a state dict has texts and integers for keys,
    ("dict", "as map key, found bytes, byte 45"),
    ("d_no_shape", "expected `shape` of an array, found none"),
    ("d_no_data", "expected `data` of an array, found none"),
    ("d_no_type", "expected `type` of an array, found none"),
    ("d_complex_nodata", "found no `data`"),
    // and something would be lost.
    ("d_nd_1", "true or false under `nd`, found an integer"),
    ("d_extra_key", "found the key `zz`, byte 45"),
    (
        "d_data_long",
        "array of shape (2,) and dtype '<i2' needs 4 bytes, found 6",
    ),
    (
        "d_scalar_long",
        "array of shape () and dtype '<i2' needs 2 bytes, found 4",
    ),
    // The rest Python refuses too.
    ("oldbin_array_f8", "a string that is not UTF-8 at `data`"),
    ("d_data_str", "expected bytes under `data`, found a string"),
    (
        "d_data_short",
        "array of shape (2,) and dtype '<i2' needs 4 bytes, found 2",
    ),
    ("d_shape_m2", "the length of an axis, found -2"),
    ("d_shape_nil", "the length of an axis, found nil"),
    ("d_type_bad", "unknown dtype `zz`"),
    (
        "d_kindV_str_type",
        "a list of fields for the kind `V`, found a text",
    ),
    (
        "d_complex_bad",
        "a complex number as Python prints it, found x",
    ),
    (
        "d_scalar_short",
        "array of shape () and dtype '<i2' needs 2 bytes, found 1",
    ),
    (
        "d_scalar_empty",
        "array of shape () and dtype '<i2' needs 2 bytes, found 0",
    ),
];

/// What Python makes something else of, or nothing at all, and the dtype text here: opaque bytes and
/// padding become fields in Python, and titles cannot be read there.
const OTHERWISE: &[(&str, &str)] = &[
    ("arr_V2_becomes_f0", "[('', '|V2')]"),
    ("arr_bfloat16_strided_loses_dtype", "[('', '<V2')]"),
    (
        "struct_aligned_padding",
        "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
    ),
    ("struct_titles_unreadable", "[(('title', 'name'), '<i4')]"),
];

fn is_among(name: &str, table: &[(&str, &str)]) -> bool {
    table.iter().any(|(listed, _)| *listed == name)
}

#[test]
fn what_msgpack_numpy_wrote_is_read_and_written_again() {
    let (mut read, mut written) = (0, 0);
    for case in Case::all("msgpack_numpy") {
        let (name, Some(bytes)) = (&case.name, &case.bytes) else {
            continue;
        };
        if case.kind != "valid" || is_among(name, REFUSED) || is_among(name, OTHERWISE) {
            continue;
        }
        let found = from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = case.expected();
        assert!(
            same(&found, &expected),
            "{name}: {found:?}, expected {expected:?}"
        );
        read += 1;
        // What was made by hand can be written in another way.
        let again = to_vec(&found).unwrap();
        if name.starts_with("d_") && again != *bytes {
            assert!(same(&from_slice(&again).unwrap(), &expected), "{name}");
            continue;
        }
        assert_eq!(again, *bytes, "{name}");
        assert_eq!(again.capacity(), again.len(), "{name}");
        let mut streamed = Vec::new();
        to_writer(&mut streamed, &found).unwrap();
        assert_eq!(streamed, *bytes, "{name}");
        written += 1;
    }
    assert_eq!((read, written), (41, 33));
}

#[test]
fn what_python_makes_something_else_of_keeps_its_type_here() {
    let cases = Case::all("msgpack_numpy");
    for (name, dtype) in OTHERWISE {
        let case = cases.iter().find(|case| case.name == *name).expect(name);
        let bytes = case.bytes.as_ref().expect(name);
        let found = from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let array = found.as_array().expect(name);
        assert_eq!(array.dtype_text(), *dtype);
        match to_vec(&found) {
            Ok(again) => assert_eq!(again, *bytes, "{name}"),
            Err(error) => assert_eq!(*name, "struct_titles_unreadable", "{error}"),
        }
    }
}

#[test]
fn what_is_refused_says_why() {
    let cases = Case::all("msgpack_numpy");
    let settled = |case: &&Case| is_among(&case.name, REFUSED) || is_among(&case.name, OTHERWISE);
    let unexplained = cases
        .iter()
        .filter(|case| case.kind == "decode_error" && !settled(case));
    assert_eq!(
        unexplained.map(|case| &case.name).collect::<Vec<_>>(),
        [""; 0]
    );
    for (name, words) in REFUSED {
        let case = cases.iter().find(|case| case.name == *name).expect(name);
        let error = match from_slice(case.bytes.as_ref().expect(name)) {
            Ok(value) => panic!("{name}: {value:?}"),
            Err(error) => error,
        };
        assert!(error.offset().is_some(), "{name}: {error}");
        assert!(error.to_string().contains(words), "{name}: {error}");
    }
}

/// Turns the texts that Python's `raw=True` gives as bytes into keys again.
fn with_text_keys(json: &serde_json::Value) -> serde_json::Value {
    let mut json = json.clone();
    for entry in json["items"].as_array_mut().expect("items") {
        let key = npcodec_tests::fact::hex(&entry[0]);
        let key = String::from_utf8(key).expect("a text");
        entry[0] = serde_json::json!({"type": "str", "value": key});
    }
    json
}

#[test]
fn what_old_msgpack_holds_is_read_as_python_reads_it() {
    let raw = ReadOptions::new().raw(true);
    for case in Case::all("msgpack_numpy") {
        let (name, Some(bytes)) = (&case.name, &case.bytes) else {
            continue;
        };
        if case.kind != "unpack_flags" {
            continue;
        }
        let is_raw = case.entry["unpack_kwargs"]["raw"] == true;
        let (options, expected) = match is_raw {
            true => (raw, value(&with_text_keys(&case.entry["expected"]))),
            false => (ReadOptions::new(), case.expected()),
        };
        let found = from_slice_with(bytes, &options).unwrap();
        assert!(
            same(&found, &expected),
            "{name}: {found:?}, expected {expected:?}"
        );
        // Only what has no byte strings is written again as it was.
        if !is_raw || name == "oldbin_raw_true" {
            let writing = WriteOptions::new().raw(is_raw);
            assert_eq!(to_vec_with(&found, &writing).unwrap(), *bytes, "{name}");
        }
    }
    let old = Case::all("msgpack_numpy");
    let old = old
        .iter()
        .find(|case| case.name == "oldbin_array_f8")
        .unwrap();
    let bytes = old.bytes.as_ref().unwrap();
    let found = from_slice_with(bytes, &raw).unwrap();
    let array = NumpyEncoding::new(vec![1], 1.5f64.to_le_bytes().to_vec(), "'<f8'", None);
    assert_eq!(found, Value::Array(array.unwrap()));
    assert_eq!(
        to_vec_with(&found, &WriteOptions::new().raw(true)).unwrap(),
        *bytes
    );
}
