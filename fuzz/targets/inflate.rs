//! Objects of Flower: a graph that is inflated deflates to its own bytes, and what is made anew of it inflates.
//!
//! The input is a list of objects between bytes of FF. One with two bytes of 02 is a class, ids and a body, which get
//! their head here; 01 and a digit is the id of an earlier object, which no fuzzer could find by itself.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use npcodec::bytes::Bytes;
use npcodec::flower::{Array, Inflatable, Object, ObjectId, Record};
use npcodec::ndarray::IxDyn;
use npcodec::Limits;

fuzz_target!(|bytes: &[u8]| {
    let mut ids: Vec<ObjectId> = Vec::new();
    let mut contents: HashMap<ObjectId, Bytes> = HashMap::new();
    for part in bytes.split(|&byte| byte == 0xff) {
        let content = framed(&with_ids(part, &ids));
        let id = ObjectId::of(&content);
        ids.push(id);
        contents.insert(id, content.into());
    }
    let Some(&root) = ids.last() else { return };
    if let Ok(object) = Object::inflate_all(root, |id| contents.get(&id).cloned()) {
        assert_eq!(object.object_id(), root);
        assert_eq!(*object.deflate().to_bytes(), contents[&root][..]);
        check(&object, &contents);
    }
    let file = Array::new("", [], "numpy.ndarray", bytes);
    numbers(&file);
});

fn with_ids(part: &[u8], ids: &[ObjectId]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = part.iter();
    while let Some(&byte) = rest.next() {
        let digit = (byte == 1).then(|| rest.clone().next()).flatten();
        let id = digit.and_then(|digit| ids.get(usize::from(digit.wrapping_sub(b'0'))));
        match id {
            Some(id) => {
                rest.next();
                out.extend(id.to_string().bytes());
            }
            None => out.push(byte),
        }
    }
    out
}

fn framed(part: &[u8]) -> Vec<u8> {
    let mut fields = part.splitn(3, |&byte| byte == 2);
    let (Some(class), Some(children), Some(body)) = (fields.next(), fields.next(), fields.next()) else {
        return part.to_vec();
    };
    let length = format!(" {}\0", body.len());
    [class, b" ", children, length.as_bytes(), body].concat()
}

fn check(object: &Object<'static>, contents: &HashMap<ObjectId, Bytes>) {
    match object {
        Object::Array(array) => arrays([array]),
        Object::ArrayRecord(record) => {
            arrays(record.values());
            all(record, contents);
            let again: npcodec::flower::ArrayRecord<'_> = record.clone().into_iter().collect();
            remade(&again, record.len());
        }
        Object::RecordDict(records) => {
            for record in records.values() {
                if let Record::Arrays(record) = record {
                    arrays(record.values());
                }
            }
            all(records, contents);
        }
        Object::Message(message) => all(message, contents),
        Object::ConfigRecord(record) => all(record, contents),
        Object::MetricRecord(record) => all(record, contents),
        _ => {}
    }
}

/// Nothing that was inflated and not changed is another.
fn all(object: &impl Inflatable<'static>, contents: &HashMap<ObjectId, Bytes>) {
    assert!(!object.is_dirty());
    for (id, content) in object.objects() {
        assert_eq!(*content.to_bytes(), contents[&id][..]);
    }
    object.object_tree();
}

/// What is made anew inflates to what it was made of.
fn remade(record: &npcodec::flower::ArrayRecord<'static>, count: usize) {
    assert!(record.is_dirty());
    let objects = record.objects();
    let contents = |id| objects.get(&id).cloned().map(Bytes::from);
    let found = npcodec::flower::ArrayRecord::inflate_all_with(record.object_id(), contents, &Limits::new().keys(count));
    assert_eq!(found.as_ref().ok(), Some(record));
}

fn arrays<'o>(arrays: impl IntoIterator<Item = &'o Array<'static>>) {
    arrays.into_iter().take(8).for_each(numbers);
}

fn numbers(array: &Array<'_>) {
    let Ok(encoding) = array.to_encoding() else { return };
    if let Ok(values) = array.to_ndarray::<f32, IxDyn>() {
        assert_eq!(values.shape(), encoding.shape());
    }
    // Records with fields in another order than that of their offsets have no header.
    if let Ok(again) = Array::from_encoding(encoding.borrowed()) {
        let found = again.to_encoding().expect("an array that was made");
        assert_eq!((found.data(), found.shape(), found.order()), (encoding.data(), encoding.shape(), encoding.order()));
        assert_eq!(found.dtype(), encoding.dtype());
    }
}
