//! What Flax wrote is read to what Flax read, and written to the same bytes.

use npcodec::Value;
use npcodec::formats::flax::{
    Form, WriteOptions, from_slice, to_bytes_with, to_vec_with, to_writer_with,
};
use npcodec_tests::peer::{Case, same};

/// What is refused, and the words of the error.
const REFUSED: &[(&str, &str)] = &[
    // Flax writes these and cannot read them.
    ("arr_unicode_unreadable", "unknown dtype `str64`"),
    ("arr_bytes_unreadable", "unknown dtype `bytes16`"),
    ("np_str_unreadable", "unknown dtype `str64`"),
    ("np_bytes_unreadable", "unknown dtype `bytes16`"),
    ("arr_structured_unreadable", "unknown dtype `void96`"),
    ("arr_record_unreadable", "unknown dtype `record96`"),
    // Flax reads these: a state dict has texts and integers for keys,
    ("dict_bytes_key", "as map key, found bytes, byte 1"),
    ("dict_none_key", "as map key, found nil, byte 1"),
    // no chunk is converted to the type of another,
    (
        "d_unchunk_mixed_dtype_promotes",
        "chunks of one dtype, found '|u1' and '<f4'",
    ),
    // this is a text for a constructor of NumPy's and no array's dtype,
    ("d_dtype_comma_struct", "unknown dtype `i1,i1`"),
    // and the third would be lost.
    (
        "d_complex_3_items",
        "a list of two numbers, found a list of 3",
    ),
    // The rest Flax refuses too.
    ("d_unchunk_no_chunks", "at least one chunk, found none"),
    (
        "d_unchunk_bad_shape",
        "array of shape (4,) and dtype '|u1' needs 4 bytes, found 3",
    ),
    (
        "d_unchunk_missing_shape",
        "found the keys \"__msgpack_chunked_array__\", \"chunks\"",
    ),
    ("d_dtype_object", "object dtype `O` is refused"),
    ("d_dtype_unknown", "unknown dtype `nonesuch`"),
    (
        "d_shape_mismatch",
        "array of shape (3,) and dtype '|i1' needs 3 bytes, found 4",
    ),
    (
        "d_data_not_multiple",
        "array of shape (1,) and dtype '<i4' needs 4 bytes, found 3",
    ),
    ("d_shape_float", "the length of an axis, found a float"),
    (
        "d_shape_65_dims",
        "array of 65 dimensions, expected at most 64",
    ),
    ("d_huge_shape", "is larger than memory can be"),
    (
        "d_payload_2tuple",
        "a list of shape, dtype and bytes, found a list of 2",
    ),
    (
        "d_payload_4tuple",
        "a list of shape, dtype and bytes, found a list of 4",
    ),
    ("d_payload_empty", "input ends after 0 of 1 byte, byte 3"),
    (
        "d_payload_trailing",
        "1 byte after the end of the value, byte 14",
    ),
    (
        "d_complex_1_item",
        "a list of two numbers, found a list of 1",
    ),
    ("d_complex_strs", "a float, found a string"),
    ("d_ext_m2", "found the code -2"),
    ("d_truncated_list", "input ends after 2 of 3 bytes"),
    ("d_truncated_array", "input ends after 37 of 38 bytes"),
    ("d_reserved_c1", "no value begins with the byte 0xc1"),
    ("d_bad_utf8", "a string that is not UTF-8"),
    ("d_surrogate_utf8", "a string that is not UTF-8"),
    ("d_list_as_key", "as map key, found a list, byte 1"),
    ("d_array_as_key", "as map key, found an extension, byte 1"),
    (
        "d_huge_array_header",
        "input ends after 5 of 4294967300 bytes",
    ),
    (
        "d_huge_bin_header",
        "input ends after 5 of 4294967300 bytes",
    ),
];

/// Returns the options under which we write what an expression of Python's wrote.
fn options(expression: &str) -> Option<WriteOptions> {
    let form = match expression.get(..3)? {
        "tb(" => Form::ToBytes,
        "ms(" if expression.contains("in_place=True") => Form::SerializeInPlace,
        "ms(" => Form::Serialize,
        _ => return None,
    };
    let options = WriteOptions::new().form(form);
    let chunk = expression.rsplit_once("chunk=").map(|(_, bytes)| {
        let digits = bytes.trim_end_matches(')');
        digits.parse().expect("a number of bytes")
    });
    Some(chunk.map_or(options, |bytes| options.chunk_bytes(bytes)))
}

#[test]
fn what_flax_wrote_is_read_and_written_again() {
    let (mut read, mut written) = (0, 0);
    for case in Case::all("flax") {
        let (name, Some(bytes)) = (&case.name, &case.bytes) else {
            continue;
        };
        if case.kind != "valid" || REFUSED.iter().any(|(refused, _)| refused == name) {
            continue;
        }
        let value = from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = match case.entry["expected"]["type"].as_str() {
            Some("timestamp") => Value::Extension(-1, bytes[2..].into()),
            _ => case.expected(),
        };
        assert!(
            same(&value, &expected),
            "{name}: {value:?}, expected {expected:?}"
        );
        read += 1;
        let Some(options) = options(&case.expression) else {
            continue;
        };
        let again = to_vec_with(&value, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, *bytes, "{name}");
        assert_eq!(again.capacity(), again.len(), "{name}");
        // As a state it is written without being looked at as a whole.
        let state = to_bytes_with(&value, &options).unwrap();
        assert_eq!(state, *bytes, "{name}");
        assert_eq!(state.capacity(), state.len(), "{name}");
        let mut streamed = Vec::new();
        to_writer_with(&mut streamed, &value, &options).unwrap();
        assert_eq!(streamed, *bytes, "{name}");
        written += 1;
    }
    assert!(
        read > 110 && written > 85,
        "only {read} read and {written} written"
    );
}

#[test]
fn what_is_refused_says_why() {
    let cases = Case::all("flax");
    let refused = |case: &&Case| REFUSED.iter().any(|(name, _)| *name == case.name);
    let unexplained = cases
        .iter()
        .filter(|case| case.kind == "decode_error" && !refused(case));
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
