//! The exact words for the claims that hostile files are known to make, untyped and typed.

use npcodec::ndarray::{Array1, ArrayD};
use npcodec::{Checkpoint, NumpyEncoding, Value, decode, from_slice, uncompress};
use npcodec_tests::wire::{bin, integer, list, map, text};

/// A file with one array under `a`.
fn array(shape: &[i128], data: &[u8], dtype: &str) -> Vec<u8> {
    let shape: Vec<_> = shape.iter().map(|&length| integer(length)).collect();
    let parts = [
        ("shape", list(&shape)),
        ("data", bin(data)),
        ("dtype", text(dtype)),
    ];
    map(&[("a", map(&parts))])
}

/// A record whose block of six bytes claims 256 MiB.
fn bomb() -> Vec<u8> {
    array(
        &[],
        b"\x80\x80\x80\x80\x01\x00\x00\x00\x00\x10|u1",
        "[('data', '|u1', (6,)), ('shape', '<i4', (1,)), ('dtype', '|S3')]",
    )
}

#[derive(Checkpoint, Debug)]
struct Flags {
    a: Array1<bool>,
}

#[derive(Checkpoint, Debug)]
struct Frames {
    #[checkpoint(compress)]
    a: ArrayD<u8>,
}

#[derive(Checkpoint, Debug)]
struct Step {
    a: u8,
}

#[derive(Checkpoint, Debug)]
struct Lists {
    a: Vec<Lists>,
}

/// The report of a state whose only field is not what is expected.
fn in_report(said: &str) -> String {
    format!("the state does not fit:\n  mismatched:\n    a: expected {said}")
}

fn untyped(bytes: &[u8]) -> String {
    decode(bytes).unwrap_err().to_string()
}

fn typed<T: Checkpoint + npcodec::RestoreOwned + std::fmt::Debug>(bytes: &[u8]) -> String {
    from_slice::<T>(bytes).unwrap_err().to_string()
}

#[test]
fn a_shape_that_overflows() {
    let bytes = array(&[1 << 62, 4], b"", "'<f4'");
    assert_eq!(
        untyped(&bytes),
        "array of shape (4611686018427387904, 4) with items of 4 bytes is larger than memory can \
         be at `a`, byte 3"
    );
    assert_eq!(
        typed::<Flags>(&bytes),
        in_report(
            "a valid value, found array of shape (4611686018427387904, 4) with items of 4 bytes is \
             larger than memory can be, byte 3"
        )
    );
}

#[test]
fn objects() {
    let bytes = array(&[1], &[0; 8], "'|O'");
    assert_eq!(
        untyped(&bytes),
        "object dtype `|O` is refused at column 1 of dtype text `'|O'` at `a`, byte 3"
    );
    assert_eq!(
        typed::<Flags>(&bytes),
        in_report(
            "a known dtype, found object dtype `|O` is refused at column 1 of dtype text `'|O'`, \
             byte 3"
        )
    );
}

#[test]
fn lists_in_lists() {
    let bytes = b"\x91".repeat(20_000);
    assert_eq!(
        untyped(&bytes),
        format!(
            "nested deeper than 200 levels at `{}`, byte 200",
            "[0]".repeat(200)
        )
    );
    assert_eq!(
        typed::<Lists>(&b"\x81\xa1a\x91".repeat(20_000)),
        format!(
            "nested deeper than 200 levels at `{}`, byte 400",
            ["a[0]"; 100].join(".")
        )
    );
}

#[test]
fn a_snappy_block_that_claims_too_much() {
    let bytes = bomb();
    let value = decode(&bytes).unwrap();
    let record = value.as_map().and_then(|map| map.get("a"));
    let record: &NumpyEncoding<'_> = record.and_then(Value::as_array).unwrap();
    assert_eq!(
        uncompress(record).unwrap_err().to_string(),
        "compressed record: shape and dtype need 268435456 bytes, a block of 6 cannot hold so many"
    );
    assert_eq!(
        typed::<Frames>(&bytes),
        in_report(
            "a valid value, found compressed record: shape and dtype need 268435456 bytes, a block \
             of 6 cannot hold so many, byte 3"
        )
    );
}

#[test]
fn brackets_in_brackets() {
    let bytes = array(&[1], &[0; 4], &"(".repeat(5_000));
    let said = format!(
        "expected a quoted type, a list of fields or a dict at column 0 of dtype text `{}… (5000 \
         bytes)`",
        "(".repeat(120)
    );
    assert_eq!(untyped(&bytes), format!("{said} at `a`, byte 3"));
    assert_eq!(
        typed::<Flags>(&bytes),
        in_report(&format!("a known dtype, found {said}, byte 3"))
    );
}

#[test]
fn an_end_inside_of_a_header() {
    let bytes = b"\x81\xa1a\xc6\x00\x00";
    assert_eq!(
        untyped(bytes),
        "input ends after 3 of 5 bytes at `a`, byte 3"
    );
    assert_eq!(
        typed::<Step>(bytes),
        "input ends after 3 of 5 bytes at `a`, byte 3"
    );
}

#[test]
fn a_byte_too_many() {
    let bytes = b"\x81\xa1a\x07\x00";
    assert_eq!(untyped(bytes), "1 byte after the end of the value, byte 4");
    assert_eq!(
        typed::<Step>(bytes),
        "1 byte after the end of the value, byte 4"
    );
}

#[test]
fn a_bool_of_two() {
    let bytes = array(&[3], b"\x01\x00\x02", "'|b1'");
    let value = decode(&bytes).unwrap();
    let flags = value.as_map().and_then(|map| map.get("a"));
    let flags: &NumpyEncoding<'_> = flags.and_then(Value::as_array).unwrap();
    let error = flags.to_array::<bool, npcodec::ndarray::Ix1>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "item 2 of dtype '|b1': expected 0 or 1, found bool of byte 2"
    );
    assert_eq!(
        typed::<Flags>(&bytes),
        in_report("0 or 1 in item 2 of dtype '|b1', found bool of byte 2, byte 3")
    );
}

#[test]
fn a_key_twice() {
    let bytes = b"\x82\xa1a\x01\xa1a\x02";
    assert_eq!(untyped(bytes), "key \"a\" occurs twice, byte 4");
    assert_eq!(
        typed::<Step>(bytes),
        in_report("one value, found another one for the same field, byte 6")
    );
}
