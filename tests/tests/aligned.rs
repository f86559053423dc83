//! Payloads on multiples of a number of bytes, behind padding that readers pass over.

use npcodec::ndarray::{Array1, Array2, array};
use npcodec::{
    Checkpoint, NumpyEncoding, Value, WriteOptions, decode, from_slice, to_vec, to_vec_with,
    to_writer_with,
};
use npcodec_tests::states::{Everything, strided};

/// Returns where in the file each array has its payload, and its padding.
fn payloads(file: &[u8]) -> Vec<(usize, Option<usize>)> {
    fn collect(value: &Value<'_>, file: &[u8], found: &mut Vec<(usize, Option<usize>)>) {
        match value {
            Value::Array(array) => {
                assert!(array.is_borrowed());
                let at = array.data().as_ptr().addr() - file.as_ptr().addr();
                found.push((at, array.pad().map(<[u8]>::len)));
            }
            Value::List(items) => items.iter().for_each(|item| collect(item, file, found)),
            Value::Map(map) => map.iter().for_each(|(_, item)| collect(item, file, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(&decode(file).unwrap(), file, &mut found);
    found
}

#[test]
fn every_payload_is_aligned_and_reads_back() {
    let state = Everything::new();
    for align in [2, 8, 64, 256, 4096, 100_000] {
        let options = WriteOptions::new().align(align);
        let file = to_vec_with(&state, &options).unwrap();
        assert_eq!(file.capacity(), file.len(), "one exact allocation");
        let payloads = payloads(&file);
        assert!(payloads.len() > 315);
        for (at, pad) in payloads {
            assert_eq!(at % align, 0, "{align}");
            assert!(pad.is_some_and(|pad| pad < align + 256));
        }
        assert_eq!(from_slice::<Everything>(&file).unwrap(), state);
        assert_eq!(rmp_serde::from_slice::<Everything>(&file).unwrap(), state);

        let mut streamed = vec![];
        to_writer_with(&mut streamed, &state, &options).unwrap();
        assert!(streamed == file, "{align}: streamed it differs");
    }
}

#[test]
fn without_alignment_nothing_is_padded() {
    let state = Everything::new();
    let plain = to_vec(&state).unwrap();
    assert_eq!(plain, rmp_serde::to_vec(&state).unwrap());
    for align in [0, 1] {
        assert_eq!(
            to_vec_with(&state, &WriteOptions::new().align(align)).unwrap(),
            plain
        );
    }
    assert!(payloads(&plain).iter().all(|(_, pad)| pad.is_none()));
}

#[test]
fn padding_is_kept_as_it_was_or_made_anew() {
    let aligned = to_vec_with(&Everything::new(), &WriteOptions::new().align(64)).unwrap();
    let value = decode(&aligned).unwrap();
    assert!(to_vec(&value).unwrap() == aligned, "padding is not kept");
    let moved = [&value, &value];
    let options = WriteOptions::new().align(64);
    for file in [
        to_vec_with(&moved, &options).unwrap(),
        to_vec_with(&value, &options).unwrap(),
    ] {
        assert!(payloads(&file).iter().all(|(at, _)| at % 64 == 0));
    }
    assert!(to_vec_with(&value, &options).unwrap() == aligned);
    assert!(
        payloads(&to_vec(&moved).unwrap())
            .iter()
            .any(|(at, _)| at % 64 != 0)
    );
}

#[test]
fn the_first_key_is_the_padding() {
    let file = to_vec_with(&array![1u8, 2], &WriteOptions::new().align(64)).unwrap();
    // One byte of the map, four of the key, two of its head, and from `shape` to the payload 15.
    let start = [
        b"\x84\xa3pad\xc4\x2a".as_slice(),
        &[0; 42],
        b"\xa5shape\x91\x02\xa4data\xc4\x02",
    ];
    assert!(file.starts_with(&start.concat()), "{file:02x?}");
    assert_eq!(start.concat().len(), 64);
}

#[test]
fn strided_arrays_are_padded_too() {
    let base = Array2::from_shape_fn((3, 4), |(i, j)| (i * 4 + j) as f32);
    let options = WriteOptions::new().align(64);
    let pair = (strided(&base), strided(&base));
    let file = to_vec_with(&pair, &options).unwrap();
    assert_eq!(file.capacity(), file.len());
    assert!(payloads(&file).iter().all(|(at, _)| at % 64 == 0));
    let read: (Array2<f32>, Array2<f32>) = from_slice(&file).unwrap();
    assert_eq!(read, (strided(&base).to_owned(), strided(&base).to_owned()));
}

#[test]
fn aligned_arrays_can_be_borrowed() {
    #[derive(Checkpoint)]
    struct Borrowed<'a> {
        key: npcodec::ndarray::ArrayView1<'a, f64>,
    }
    let weights = Array1::from_iter((0..1000).map(f64::from));
    let state = Borrowed {
        key: weights.view(),
    };
    let file = to_vec_with(&state, &WriteOptions::new().align(8)).unwrap();
    // The memory of numbers is aligned for them, that of bytes need not be.
    let mut memory = vec![0f64; file.len() / 8 + 1];
    let bytes = npcodec_tests::states::bytes_of(&mut memory, &file);
    let read: Borrowed<'_> = from_slice(bytes).unwrap();
    assert_eq!(read.key, weights);
}

#[test]
fn an_alignment_that_no_padding_reaches_is_an_error() {
    let error = to_vec_with(&array![1u8], &WriteOptions::new().align(1 << 40)).unwrap_err();
    assert!(
        matches!(error.kind(), npcodec::ErrorKind::TooLong { .. }),
        "{error}"
    );
}

#[test]
fn padding_of_an_array_by_hand_is_written_with_it() {
    let bytes = b"\x84\xa3pad\xc4\x01\x00\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";
    let array: NumpyEncoding<'_> = from_slice(bytes).unwrap();
    assert_eq!(to_vec(&array).unwrap(), bytes);
}
