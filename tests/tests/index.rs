//! The index of a mapped checkpoint: which files it takes, how it is asked, and by whom.

use std::time::{Duration, Instant};

use npcodec::ndarray::{Array1, Array2, Ix1, Ix2, ShapeBuilder, array};
use npcodec::{
    Checkpoint, Error, ErrorKind, Fortran, Limits, MappedCheckpoint, ReadOptions, Strictness,
    Value, decode, to_vec,
};
use npcodec_tests::temporary::Folder;

const ARRAY: &[u8] = b"\x83\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";

fn indexed(bytes: &[u8]) -> Result<MappedCheckpoint, Error> {
    MappedCheckpoint::from_bytes(bytes.to_vec())
}

fn get<'m>(checkpoint: &'m MappedCheckpoint, path: &str) -> Option<Value<'m>> {
    checkpoint.get(&path.parse().unwrap()).unwrap()
}

#[test]
fn what_holds_no_arrays_may_be_as_deep_as_anything() {
    for depth in [64, 100, 199] {
        let file = [&[0x91].repeat(depth)[..], b"\xc0"].concat();
        assert!(decode(&file).is_ok() && indexed(&file).is_ok(), "{depth}");
    }
    // Six lists around each of very many arrays.
    let wrapped = [&[0x91; 5][..], ARRAY].concat().repeat(4096);
    let file = [b"\xdc\x10\x00", &wrapped[..]].concat();
    assert_eq!(indexed(&file).unwrap().len(), 4096);
}

#[test]
fn a_key_that_stands_twice_is_refused_as_by_the_decoder() {
    for file in [
        &b"\x82\xa1a\x01\xa1a\x02"[..],
        b"\x83\x01\xc0\xa1a\xc0\xcd\x00\x01\xc0",
        b"\x81\xa1x\x93\x01\x83\xff\x01\x02\x03\xff\x02\x05",
        &[b"\x82\xa1a", ARRAY, b"\xa1a", ARRAY].concat(),
        b"\x84\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'\xa5shape\x91\x01",
    ] {
        let (ours, theirs) = (indexed(file).unwrap_err(), decode(file).unwrap_err());
        assert_eq!(ours.kind(), theirs.kind());
        assert!(
            matches!(ours.kind(), ErrorKind::RepeatedKey { .. }),
            "{ours}"
        );
    }
    let many = |last: &[u8]| {
        let keys = (0..1_000).map(|n: u16| [&[0xcd][..], &n.to_be_bytes(), b"\xc0"].concat());
        [
            b"\xde\x03\xe9",
            &keys.collect::<Vec<_>>().concat()[..],
            last,
        ]
        .concat()
    };
    assert!(indexed(&many(b"\xcd\x03\xe8\xc0")).is_ok());
    let file = many(b"\xcd\x01\x00\xc0");
    let error = indexed(&file).unwrap_err();
    assert_eq!(error.offset(), Some(file.len() as u64 - 4));
}

/// An array whose parts are of the wrong kind is not passed over.
#[test]
fn arrays_with_wrong_parts_are_among_the_arrays() {
    for (part, with) in [
        (&b"\x91\x01"[..], &b"\x91\xff"[..]),
        (b"\x91\x01", b"\x01"),
        (b"\x91\x01", b"\x91\xa1x"),
        (b"\xc4\x01\x07", b"\xa1x"),
        (b"\xa5'|u1'", b"\xc0"),
    ] {
        let at = ARRAY.windows(part.len()).position(|window| window == part);
        let (head, tail) = ARRAY.split_at(at.unwrap());
        let wrong = [head, with, &tail[part.len()..]].concat();
        let file = [b"\x82\xa1a", &wrong[..], b"\xa1b", ARRAY].concat();
        let checkpoint = indexed(&file).unwrap();
        let mut arrays = checkpoint.arrays();
        let error = arrays.next().unwrap().unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Encoding { .. }),
            "{error}"
        );
        assert_eq!(error.path().to_string(), "a");
        assert_eq!(arrays.next().unwrap().unwrap().path().to_string(), "b");
    }
}

#[test]
fn limits_and_order_hold_for_what_is_read_of_a_file() {
    let folder = Folder::new();
    let path = folder.path().join("state.msgpack");
    let mut columns = Array2::zeros((2, 3).f());
    columns.assign(&array![[1u8, 2, 3], [4, 5, 6]]);
    let file = to_vec(&(columns, vec![0u8; 9])).unwrap();
    std::fs::write(&path, &file).unwrap();
    let open = |options: &ReadOptions| {
        // SAFETY: the file is in a folder of this process, and nobody changes it.
        #[allow(unsafe_code)]
        unsafe {
            MappedCheckpoint::open_with(&path, options)
        }
    };
    for limits in [
        Limits::new().array_bytes(8),
        Limits::new().keys(3),
        Limits::new().key_bytes(3),
    ] {
        let options = ReadOptions::new().limits(limits);
        let error = open(&options).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
        let decoded = npcodec::decode_with(&file, &options).unwrap_err();
        assert_eq!(error.kind(), decoded.kind());
    }
    // Strictness is for who reads: no report of a view could say what was passed over.
    let options = ReadOptions::new()
        .fortran(Fortran::RowMajor)
        .strictness(Strictness::SkipMismatched);
    let checkpoint = open(&options).unwrap();
    let rows = checkpoint.view::<u8, Ix2>(&"[0]".parse().unwrap()).unwrap();
    assert_eq!(rows, array![[1, 4, 2], [5, 3, 6]]);
    assert!(checkpoint.restore::<(Array2<u16>, Vec<u8>)>().is_err());
    let mut state = (Array2::<u8>::zeros((2, 3)), Vec::<u8>::new());
    checkpoint.restore_into(&mut state).unwrap();
    assert_eq!(state.0, rows);
}

/// A map of many keys is not gone through for each of them.
#[test]
fn many_keys_are_found_in_little_time() {
    const COUNT: u32 = 50_000;
    let key = |n: u32| format!("k{n:06}");
    for value in [ARRAY, b"\x07"] {
        let mut file = [&[0xdf][..], &COUNT.to_be_bytes()].concat();
        for n in 0..COUNT {
            file.extend([b"\xa7", key(n).as_bytes(), value].concat());
        }
        let checkpoint = indexed(&file).unwrap();
        let start = Instant::now();
        for n in 0..COUNT {
            assert!(get(&checkpoint, &key(n)).is_some());
            assert!(get(&checkpoint, &key(n + COUNT)).is_none());
        }
        let elapsed = start.elapsed();
        assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    }
}

#[derive(Checkpoint, Debug, PartialEq)]
struct State {
    weights: Vec<Array1<f32>>,
    losses: std::collections::BTreeMap<String, f64>,
}

#[test]
fn threads_share_a_checkpoint() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<MappedCheckpoint>();

    let state = State {
        weights: (0..100).map(|n| Array1::from_elem(50, n as f32)).collect(),
        losses: (0..100).map(|n| (format!("l{n}"), f64::from(n))).collect(),
    };
    let checkpoint = indexed(&to_vec(&state).unwrap()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for n in 0..100 {
                    let path = format!("weights[{n}]").parse().unwrap();
                    let view = checkpoint.view::<f32, Ix1>(&path).unwrap();
                    assert_eq!(view, state.weights[n]);
                    let loss = get(&checkpoint, &format!("losses.l{n}"));
                    assert_eq!(loss, Some(Value::from(n as f64)));
                    assert_eq!(get(&checkpoint, "losses.none"), None);
                }
                assert_eq!(checkpoint.restore::<State>().unwrap(), state);
            });
        }
    });
}
