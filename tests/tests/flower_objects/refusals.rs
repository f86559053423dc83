//! What is no object is refused, and what flwr lets pass is settled one by one.

use npcodec::Error;
use npcodec::flower::{
    Array, ArrayChunk, ArrayRecord, ConfigRecord, Inflatable, MetricRecord, Object, ObjectId,
};
use serde_json::Value as Json;

use super::cases::{index, list, read, text};

/// The objects that a case gives as children: those that the files are, whatever the ids they are under.
fn children(case: &Json) -> Vec<Object<'static>> {
    let files = case["children"].as_object().into_iter().flatten();
    let objects = files.map(|(_, file)| {
        let content = read(text(file));
        if content.starts_with(b"ArrayChunk ") {
            return Object::inflate(content, []).unwrap();
        }
        // The one array that any of them has, and its chunk.
        let chunk = read(&format!("{MIXED}/{CHUNK}.bin"));
        Object::inflate(content, [Object::inflate(chunk, []).unwrap()]).unwrap()
    });
    objects.collect()
}

const MIXED: &str = "621c961ccd951e47d3d9da8f3558e154a7e1c316324be74943545ca96e290a68";
const CHUNK: &str = "0bd55c552a4d962cf4398ecd7b71d1a05377410b9b904603b85f1760b8928530";

/// Inflates a case as the class that it names, and reads numbers where the case does.
fn outcome(case: &Json) -> Result<Object<'static>, Error> {
    let content = read(text(&case["file"]));
    let children = children(case);
    let object: Object<'static> = match text(&case["inflate_as"]) {
        "ArrayChunk" => ArrayChunk::inflate(content, children)?.into(),
        "Array" => Array::inflate(content, children)?.into(),
        "ArrayRecord" => ArrayRecord::inflate(content, children)?.into(),
        "ConfigRecord" => ConfigRecord::inflate(content, children)?.into(),
        "MetricRecord" => MetricRecord::inflate(content, children)?.into(),
        other => panic!("{other}"),
    };
    Ok(object)
}

pub(crate) fn said<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn what_flwr_refuses_is_refused() {
    let listed = format!("child {CHUNK} is given and not listed in the head");
    let table = [
        (
            "wrong_class",
            "expected an object of class Array, found \"ArrayRecord\"",
        ),
        (
            "extra_child",
            "child f6f1f91d3248b9ae938de8dc20ae6e1d872d86059f44025797119f002b4f7aad is given and not listed in the head",
        ),
        (
            "child_type",
            "expected an object of class Array, found \"ArrayChunk\" at `w`",
        ),
        ("chunk_with_children", listed.as_str()),
        (
            "empty",
            "expected a NUL after the length in the head of an object, found \"\"",
        ),
        (
            "head_two_fields",
            "expected a class, ids and a length, with a blank between each in the head of an object, found \"ArrayChunk 3\"",
        ),
        (
            "head_four_fields",
            "expected a class, ids and a length, with a blank between each in the head of an object, found \"ArrayChunk  3 x\"",
        ),
        (
            "length_not_int",
            "expected a decimal length in the head of an object, found \"ArrayChunk  x\"",
        ),
        (
            "chunk_index",
            "the array names chunk 1 of 1 that its head lists",
        ),
        (
            "legacy_1_19_array",
            "flower: expected a body of JSON, found expected value at line 2 column 1",
        ),
        (
            "config_protobuf",
            "flower: expected a protobuf ConfigRecord, found failed to decode Protobuf message: invalid varint",
        ),
        (
            "metric_bool",
            "flower: expected a value of a MetricRecord, found none, or one of a kind that is not known at `k`",
        ),
        (
            "npy_no_header_length",
            "input ends after 8 of 10 bytes, byte 0",
        ),
        (
            "npy_not_npy",
            "npy: expected the bytes 93 4e 55 4d 50 59, found the bytes 68 65 6c 6c 6f 20, byte 0",
        ),
        (
            "npy_object",
            "object dtype `|O` is refused at column 11 of dtype text `{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\\n`, byte 21",
        ),
        (
            "npy_version",
            "npy: expected version 1.0, 2.0 or 3.0, found version 4.0, byte 6",
        ),
        (
            "npy_header_keys",
            "npy: expected a dict with descr, fortran_order and shape, found `{'descr': '<f4', 'shape': (1,), }`, byte 10",
        ),
        (
            "npy_negative_dim",
            "npy: expected a quoted text, a number or a bracket, found `-1,), }`, byte 61",
        ),
        (
            "npy_header_too_long",
            "npy: expected a header of at most 10000 characters, found 10058, byte 10",
        ),
        (
            "stype",
            "expected the serialization type \"numpy.ndarray\", found \"torch\"",
        ),
    ];
    let index = index();
    let cases = list(&index["invalid"]);
    assert_eq!(cases.len(), table.len());
    for (case, (name, words)) in cases.iter().zip(table) {
        assert_eq!(text(&case["case"]), format!("invalid_{name}"));
        // Some arrays are objects, of which only no numbers can be read.
        let numbers = text(&case["call"]).ends_with(".numpy()");
        let refusal = match outcome(case) {
            Ok(Object::Array(array)) if numbers => said(array.to_encoding()),
            result => said(result),
        };
        assert_eq!(refusal, words, "{name}");
    }
}

/// What flwr's `inflate` lets pass.
#[test]
fn every_quirk_is_settled() {
    enum Settled {
        /// Refused, with these words.
        Refused(&'static str),
        /// An object that keeps its bytes, of which no numbers are read.
        Unread(&'static str),
        /// Read, and the object keeps its bytes.
        Read,
    }
    use Settled::{Read, Refused, Unread};

    let table = [
        // Python's syntax of integers: flwr's own store refuses such a length.
        (
            "length_plus_underscore",
            Refused(
                "expected a decimal length in the head of an object, found \"ArrayChunk  +1_0\"",
            ),
        ),
        // Ids that name nothing: flwr's store refuses them too.
        (
            "leaf_head_has_children",
            Refused("an object id is 64 lower-case hexadecimal digits, found \"abc\""),
        ),
        // Any layout of JSON says the same.
        ("array_extra_key_and_whitespace", Read),
        // A chunk under the id of another: the array would be another one.
        (
            "chunk_hash_not_checked",
            Refused(
                "child 0bd55c552a4d962cf4398ecd7b71d1a05377410b9b904603b85f1760b8928530 is listed in the head and not given",
            ),
        ),
        // A sender that goes by the head sends other objects than a reader that goes by the body needs.
        (
            "record_head_children_ignored",
            Refused("an object id is 64 lower-case hexadecimal digits, found \"zzz\""),
        ),
        // One of the two values would be lost.
        (
            "record_duplicate_json_key",
            Refused("key \"w\" occurs twice"),
        ),
        // Later versions may add fields, and the bytes are kept.
        ("config_unknown_field", Read),
        ("config_uint64_small", Read),
        // Nothing says where the body begins; flwr's store refuses it.
        (
            "no_divider_parses",
            Refused(
                "expected a NUL after the length in the head of an object, found \"ArrayChunk  37\"",
            ),
        ),
        // Bytes that no item is made of were lost.
        (
            "npy_trailing_bytes",
            Unread("4 bytes after the end of the value"),
        ),
        // One of the two is wrong, and nobody knows which.
        (
            "npy_metadata_disagrees",
            Unread(
                "the shape of the array is stated as (99,), and the header of its data says (2, 2)",
            ),
        ),
        // What numpy reads, though it does not write it.
        ("npy_unaligned_header", Read),
        ("npy_v2", Read),
        ("npy_key_order_double_quotes", Read),
    ];
    let index = index();
    let cases = list(&index["quirks"]);
    assert_eq!(cases.len(), table.len());
    for (case, (name, settled)) in cases.iter().zip(table) {
        assert_eq!(text(&case["case"]), format!("quirk_{name}"));
        let content = read(text(&case["file"]));
        let object = match (outcome(case), settled) {
            (result, Refused(words)) => {
                assert_eq!(said(result), words, "{name}");
                continue;
            }
            (Ok(object), Unread(words)) => {
                let array = Array::try_from(object.clone()).unwrap();
                assert_eq!(said(array.to_encoding()), words, "{name}");
                object
            }
            (Ok(object), Read) => {
                if let Object::Array(array) = &object {
                    let values = array.to_ndarray::<f32, npcodec::ndarray::IxDyn>().unwrap();
                    assert_eq!(values.iter().next(), Some(&1.0), "{name}");
                }
                object
            }
            (Err(error), _) => panic!("{name}: {error}"),
        };
        assert_eq!(object.object_id(), ObjectId::of(&content), "{name}");
        assert_eq!(*object.deflate().to_bytes(), content, "{name}");
    }
}

/// What flwr's constructors and readers raise for, as far as Rust has it: most are no values of a type.
#[test]
fn what_has_no_type_here_is_refused_there_too() {
    let index = index();
    let calls: Vec<_> = list(&index["constructor_errors"])
        .iter()
        .map(|error| text(&error["call"]))
        .collect();
    assert_eq!(calls.len(), 22);
    // Keys, values and lists of other types than a record's, and arrays of no array.
    let typed = |call: &&str| !call.contains("count_bytes") && !call.starts_with("inflate");
    assert_eq!(calls.iter().filter(|call| typed(call)).count(), 18);
    // What flwr cannot count, is counted.
    let mut config = ConfigRecord::new();
    config.insert("a", Vec::<bool>::new());
    assert_eq!(config.count_bytes(), 1);
    config.insert("a", "");
    assert_eq!(config.count_bytes(), 1);
    // What has no class, and what is not there.
    let content = npcodec::bytes::Bytes::from_static(b"Foo  0\0");
    let id = ObjectId::of(&content);
    let found = Object::inflate_all(id, |_| Some(content.clone()));
    assert_eq!(
        said(found),
        "expected an object of class one of Flower's, found \"Foo\""
    );
    assert_eq!(
        said(Object::inflate_all(id, |_| None)),
        format!("there is no content for object id {id}")
    );
}
