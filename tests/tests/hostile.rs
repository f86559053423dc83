//! Files that claim more than they are: errors, and no aborts.

use std::collections::BTreeMap;

use npcodec::{Checkpoint, NumpyEncoding, Value, decode, from_slice, to_vec};

mod hostile {
    mod damaged;
    mod everything;
    mod lies;
    mod memory;
    mod neighbours;
    mod readers;
    mod words;
}

#[derive(Checkpoint, Debug)]
#[checkpoint(allow_unknown_fields)]
struct Node {
    #[checkpoint(default)]
    a: Vec<Node>,
    #[checkpoint(serde, default)]
    value: Vec<u8>,
    #[checkpoint(default)]
    pair: (u8, u8),
}

/// Runs on a stack as small as those of threads.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn whatever_is_nested_ends_at_the_limit() {
    on_a_small_stack(|| {
        // Maps in keys, lists in keys, fields, unknown fields, too many items, parts of an array.
        for level in [
            &b"\x81"[..],
            b"\x81\x91",
            b"\x81\xa1a\x91",
            b"\x81\xa1x",
            b"\x81\xa4pair\x93\x01\x01",
            b"\x81\xa5value\x81\xa5shape\x91",
        ] {
            let bytes = level.repeat(20_000);
            assert!(decode(&bytes).is_err());
            assert!(rmp_serde::from_slice::<Value<'_>>(&bytes).is_err());
            assert!(rmp_serde::from_slice::<Node>(&bytes).is_err());
            assert!(rmp_serde::from_read::<_, Node>(&bytes[..]).is_err());
            assert!(npcodec::from_slice::<Node>(&bytes).is_err());
        }
        let error = decode(&b"\x81".repeat(20_000)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a string or a 64-bit integer as map key, found a map, byte 1"
        );
    });
}

#[derive(Checkpoint, Debug, PartialEq)]
struct NoItems {
    bytes: Vec<[u8; 0]>,
    lists: Vec<[[f32; 2]; 0]>,
    inner: Vec<[[String; 0]; 2]>,
    #[checkpoint(array)]
    array: Vec<[f32; 0]>,
    #[checkpoint(array)]
    matrices: Vec<[[f32; 0]; 3]>,
}

#[test]
fn rows_without_items_are_counted_all_the_same() {
    let state = NoItems {
        bytes: vec![[]; 5],
        lists: vec![[]; 4],
        inner: vec![[[], []]; 3],
        array: vec![[]; 2],
        matrices: vec![[[]; 3]; 2],
    };
    let bytes = rmp_serde::to_vec(&state).unwrap();
    assert_eq!(rmp_serde::from_slice::<NoItems>(&bytes).unwrap(), state);
    assert_eq!(from_slice::<NoItems>(&bytes).unwrap(), state);

    // What takes no bytes could be any number.
    #[derive(Checkpoint, Debug)]
    struct Rows(#[checkpoint(array)] Vec<[f32; 0]>);
    let endless = NumpyEncoding::new(vec![1 << 62, 0], vec![], "'<f4'", None).unwrap();
    let error = from_slice::<Rows>(&to_vec(&endless).unwrap()).unwrap_err();
    assert_eq!(
        error.report().unwrap().mismatched[0].expected,
        "at most 65536 items of no bytes"
    );
}

#[test]
fn a_report_is_no_larger_than_the_file() {
    // One key of 1 MiB, and in its map 200 keys that nobody knows.
    let mut bytes = b"\x81\xdb\0\x10\0\0".to_vec();
    bytes.resize(bytes.len() + (1 << 20), b'k');
    bytes.extend(b"\xdc\0\xc8");
    bytes.extend(b"\xa1x".repeat(200));

    let error = from_slice::<BTreeMap<String, Vec<u8>>>(&bytes).unwrap_err();
    let report = error.report().unwrap();
    assert_eq!((report.mismatched.len(), report.unlisted), (1, 199));
    assert!(error.to_string().len() < 2 * bytes.len());
}

#[test]
fn a_value_is_no_larger_than_a_text() {
    // A list of a million small integers is one of a million values.
    assert!(size_of::<Value<'_>>() <= size_of::<String>() + size_of::<usize>());
}
