//! Heads, bodies and contents are claims: each is checked, and none costs more than it brings.

use std::collections::HashMap;

use npcodec::bytes::Bytes;
use npcodec::flower::{ArrayRecord, Inflatable, Object, ObjectId, RecordDict};
use npcodec::{Error, Limits};

use super::refusals::said;

/// Puts a head before a body.
fn object(class: &str, children: &[ObjectId], body: &str) -> (ObjectId, Bytes) {
    let ids: Vec<_> = children.iter().map(ToString::to_string).collect();
    let content = format!("{class} {} {}\0{body}", ids.join(","), body.len());
    (ObjectId::of(content.as_bytes()), content.into())
}

fn inflated(id: ObjectId, objects: &[(ObjectId, Bytes)]) -> Result<Object<'static>, Error> {
    let objects: HashMap<_, _> = objects.iter().cloned().collect();
    Object::inflate_all(id, |id| objects.get(&id).cloned())
}

#[test]
fn content_is_what_its_id_says() {
    let chunk = object("ArrayChunk", &[], "xyz");
    let body = r#"{"dtype": "", "shape": [], "stype": "", "arraychunk_ids": [0, 0]}"#;
    let array = object("Array", &[chunk.0], body);
    let record = object(
        "ArrayRecord",
        &[array.0],
        &format!("{{\"w\": \"{}\"}}", array.0),
    );
    let dict = object(
        "RecordDict",
        &[record.0],
        &format!("{{\"a.b\": \"{}\"}}", record.0),
    );
    let whole = [chunk.clone(), array.clone(), record.clone(), dict.clone()];
    let Object::RecordDict(read) = inflated(dict.0, &whole).unwrap() else {
        panic!()
    };
    let data = read
        .array_record("a.b")
        .unwrap()
        .get("w")
        .unwrap()
        .data()
        .to_bytes();
    assert_eq!(*data, *b"xyzxyz");

    let swapped = object("ArrayChunk", &[], "xyy");
    let forged = [
        (chunk.0, swapped.1),
        array.clone(),
        record.clone(),
        dict.clone(),
    ];
    let words = format!(
        "the content under object id {} has the id {} at `[\"a.b\"].w`",
        chunk.0, swapped.0
    );
    assert_eq!(said(inflated(dict.0, &forged)), words);
    let words = format!(
        "there is no content for object id {} at `[\"a.b\"].w`",
        chunk.0
    );
    assert_eq!(said(inflated(dict.0, &whole[1..])), words);

    // A cycle needs an id that is a hash of itself, and is one of classes that hold each other.
    let mut looped = object(
        "ArrayRecord",
        &[dict.0],
        &format!("{{\"w\": \"{}\"}}", dict.0),
    );
    looped.0 = record.0;
    let refusal = said(inflated(dict.0, &[looped.clone(), dict.clone()]));
    assert!(
        refusal.starts_with("the content under object id"),
        "{refusal}"
    );
    let nested = object(
        "ArrayRecord",
        &[record.0],
        &format!("{{\"w\": \"{}\"}}", record.0),
    );
    let objects = [chunk.clone(), array.clone(), record.clone(), nested.clone()];
    assert_eq!(
        said(inflated(nested.0, &objects)),
        "expected an object of class Array, found \"ArrayRecord\" at `w`"
    );
}

#[test]
fn heads_and_bodies_agree() {
    let (a, b) = (
        object("ArrayChunk", &[], "a"),
        object("ArrayChunk", &[], "b"),
    );
    let array = |children: &[ObjectId], order: &str| {
        let body = format!(
            "{{\"dtype\": \"\", \"shape\": [], \"stype\": \"\", \"arraychunk_ids\": {order}}}"
        );
        let array = object("Array", children, &body);
        inflated(array.0, &[a.clone(), b.clone(), array.clone()])
    };
    assert!(array(&[a.0, b.0], "[1, 0]").is_ok());
    let unused = format!(
        "child {} is listed in the head and not used by the body",
        b.0
    );
    assert_eq!(said(array(&[a.0, b.0], "[0]")), unused);
    let twice = format!("child {} is listed twice in the head", a.0);
    assert_eq!(said(array(&[a.0, a.0], "[0, 1]")), twice);
    for order in ["[-1]", "[false]", "[1.5]", "[null]", "{}"] {
        let refusal = said(array(&[a.0], order));
        assert!(
            refusal.starts_with("flower: expected a body of JSON, found invalid "),
            "{refusal}"
        );
    }
    for (content, words) in [
        (
            "ArrayChunk  4\0xyz",
            "the head of the object states a body of 4 bytes, found 3",
        ),
        (
            "ArrayChunk  03\0xyz",
            "expected a decimal length in the head of an object, found \"ArrayChunk  03\"",
        ),
        (
            "ArrayChunk  18446744073709551616\0xyz",
            "expected a decimal length in the head of an object, found \"ArrayChunk  18446744073709551616\"",
        ),
        (
            "ParametersRecord  2\0{}",
            "expected an object of class one of Flower's, found \"ParametersRecord\"",
        ),
        (
            "Array ,, 2\0{}",
            "an object id is 64 lower-case hexadecimal digits, found \"\"",
        ),
    ] {
        assert_eq!(
            said(Object::inflate(content.as_bytes().to_vec(), [])),
            words
        );
    }
}

/// A few bytes must not become many, nor what passes the limits that were asked for.
#[test]
fn memory_is_bounded_by_what_is_read() {
    let body = |ids: &[(String, ObjectId)]| {
        let entries: Vec<_> = ids
            .iter()
            .map(|(key, id)| format!("{key:?}: \"{id}\""))
            .collect();
        format!("{{{}}}", entries.join(", "))
    };
    let array = object(
        "Array",
        &[],
        r#"{"dtype": "", "shape": [], "stype": "", "arraychunk_ids": []}"#,
    );
    let many: Vec<_> = (0..2000).map(|n| (n.to_string(), array.0)).collect();
    let record = object("ArrayRecord", &[array.0], &body(&many));
    let twice: Vec<_> = (0..10).map(|n| (n.to_string(), record.0)).collect();
    let small = object("RecordDict", &[record.0], &body(&twice));
    assert!(inflated(small.0, &[array.clone(), record.clone(), small.clone()]).is_ok());
    let often: Vec<_> = (0..2000).map(|n| (n.to_string(), record.0)).collect();
    let large = object("RecordDict", &[record.0], &body(&often));
    let refusal = said(inflated(
        large.0,
        &[array.clone(), record.clone(), large.clone()],
    ));
    assert!(
        refusal.starts_with("records that are used many times over"),
        "{refusal}"
    );
    // The same where the children are given as objects.
    let child = inflated(record.0, &[array.clone(), record.clone()]).unwrap();
    let one = |content: &Bytes| RecordDict::inflate(content.clone(), [child.clone()]);
    assert_eq!(one(&small.1).unwrap().len(), 10);
    let refusal = said(one(&large.1));
    assert!(
        refusal.starts_with("records that are used many times over"),
        "{refusal}"
    );

    let objects: HashMap<_, _> = [array, record.clone()].into_iter().collect();
    let within = |limits: &Limits| {
        let contents = |id| objects.get(&id).cloned();
        ArrayRecord::inflate_all_with(record.0, contents, limits)
    };
    let limits = Limits::new();
    assert!(within(&limits.keys(2000)).is_ok());
    assert_eq!(
        said(within(&limits.keys(1999))),
        "2000 keys of a record, and the limit is 1999"
    );
    let refusal = said(within(&limits.total_bytes(1000)));
    assert!(
        refusal.ends_with(" bytes of objects, and the limit is 1000"),
        "{refusal}"
    );
    let contents = |id| objects.get(&id).cloned();
    let any = Object::inflate_all_with(record.0, contents, &limits.total_bytes(1000));
    assert_eq!(said(any), refusal);
}
