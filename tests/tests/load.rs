//! Files that are loaded: fresh and in place, from what can be read from any place.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use npcodec::ndarray::{Array1, Array2, ArrayD, IxDyn, ShapeBuilder};
use npcodec::num_complex::Complex;
use npcodec::{
    Checkpoint, ErrorKind, ReadOptions, Strictness, Structured, Value, WriteOptions, load_from,
    load_into_from, to_vec, to_vec_with,
};
use npcodec_tests::vector::Vector;

#[derive(Structured, Debug, Clone, PartialEq)]
struct Step {
    action: i32,
    done: bool,
    reward: [f32; 2],
}

/// Arrays large enough to stay in their file until they are needed, and small ones.
#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Run {
    weights: Array2<f32>,
    columns: Array2<f64>,
    flags: Array1<bool>,
    steps: Array1<Step>,
    phases: ArrayD<Complex<f64>>,
    names: Array1<String>,
    #[checkpoint(compress)]
    frames: Vec<Array2<u8>>,
    #[checkpoint(array)]
    history: Vec<u16>,
    #[checkpoint(cast)]
    wide: Array1<f64>,
    blob: Vec<u8>,
    layers: Vec<BTreeMap<String, Array1<i64>>>,
    boxed: Option<Box<Array1<i16>>>,
    anything: Value<'static>,
    step: u64,
}

/// The state of a seed: another seed, other values.
fn run(seed: usize) -> Run {
    let at = |i: usize| (i * 7 + seed * 13) % 251;
    let step = |i| Step {
        action: at(i) as i32,
        done: at(i) % 2 == 0,
        reward: [at(i) as f32, 0.5],
    };
    let layer = |n: usize| {
        let key = format!("layer_{n}");
        BTreeMap::from([(key, Array1::from_shape_fn(700, |i| at(i + n) as i64))])
    };
    Run {
        weights: Array2::from_shape_fn((50, 40), |(i, j)| at(i * j) as f32),
        columns: Array2::from_shape_fn((30, 40).f(), |(i, j)| at(i + j) as f64),
        flags: Array1::from_shape_fn(300_000, |i| at(i) % 3 == 0),
        steps: Array1::from_shape_fn(30_000, step),
        phases: ArrayD::from_shape_fn(IxDyn(&[20, 2, 30]), |i| {
            Complex::new(at(i[0]) as f64, at(i[2]) as f64)
        }),
        names: Array1::from_shape_fn(2_000, |i| format!("n{}", at(i))),
        frames: (0..3)
            .map(|n| Array2::from_shape_fn((80, 80), |(i, j)| at(i * 31 + j * j + n) as u8))
            .collect(),
        history: (0..5_000).map(|i| at(i) as u16).collect(),
        wide: Array1::from_shape_fn(900, |i| at(i) as f64),
        blob: (0..10_000).map(|i| at(i) as u8).collect(),
        layers: (0..2).map(layer).collect(),
        boxed: Some(Box::new(Array1::from_shape_fn(3_000, |i| at(i) as i16))),
        anything: Value::List(vec![
            Value::from(vec![at(1) as u8; 6_000]),
            Value::Array(to_array(at(2) as u8).into_owned()),
        ]),
        step: at(5) as u64,
    }
}

fn to_array(value: u8) -> npcodec::NumpyEncoding<'static> {
    npcodec::NumpyEncoding::new(vec![5_000], vec![value; 5_000], "'|u1'", None).unwrap()
}

#[test]
fn every_file_of_python_loads_as_it_is_decoded() {
    for vector in Vector::all() {
        let (value, _) =
            load_from::<Value<'static>>(Cursor::new(&vector.bytes), &ReadOptions::new()).unwrap();
        assert_eq!(
            value,
            npcodec::decode(&vector.bytes).unwrap(),
            "{}",
            vector.name
        );
        let streamed: Value<'static> = npcodec::from_reader(&vector.bytes[..]).unwrap();
        assert_eq!(streamed, value, "{}", vector.name);
    }
}

#[test]
fn a_state_loads_fresh_from_a_file_a_stream_and_an_inner_part() {
    let state = run(1);
    let bytes = to_vec(&state).unwrap();
    assert_eq!(npcodec::from_reader::<Run>(&bytes[..]).unwrap(), state);

    let folder = npcodec_tests::temporary::Folder::new();
    let path = folder.path().join("state.msgpack");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(npcodec::load::<Run>(&path).unwrap(), state);

    // A checkpoint that is the rest of something larger, from where the reader stands.
    let mut archive = Cursor::new([b"head".as_slice(), &bytes].concat());
    archive.set_position(4);
    let (read, _) = load_from::<Run>(&mut archive, &ReadOptions::new()).unwrap();
    assert_eq!(read, state);
}

#[test]
fn errors_say_in_which_file() {
    let folder = npcodec_tests::temporary::Folder::new();
    let path = folder.path().join("state.msgpack");
    let options = ReadOptions::new();
    let fails = |kind: fn(&ErrorKind) -> bool| {
        #[allow(unsafe_code)]
        // SAFETY: the file is in a folder of this process, and nobody changes it.
        let mapped = unsafe { npcodec::MappedCheckpoint::open_with(&path, &options) };
        let errors = [
            npcodec::load::<Array1<u8>>(&path).map(drop),
            npcodec::load_with::<Array1<u8>>(&path, &options).map(drop),
            npcodec::load_into(&path, &mut Array1::<u8>::zeros(2)).map(drop),
            npcodec::load_into_with(&path, &mut Array1::<u8>::zeros(2), &options).map(drop),
            mapped.map(drop),
        ];
        let errors: Vec<_> = errors.into_iter().filter_map(Result::err).collect();
        for error in &errors {
            assert_eq!(error.file(), Some(&*path));
            assert!(kind(error.kind()), "{error}");
            assert_eq!(
                error.to_string().matches(&*path.to_string_lossy()).count(),
                1
            );
        }
        errors.len()
    };
    let is_missing = |kind: &ErrorKind| {
        matches!(
            kind,
            ErrorKind::Io {
                kind: io::ErrorKind::NotFound,
                ..
            }
        )
    };
    assert_eq!(fails(is_missing), 5);
    std::fs::write(&path, b"\x92\x01").unwrap();
    assert_eq!(fails(|kind| matches!(kind, ErrorKind::Truncated { .. })), 5);
    std::fs::write(&path, to_vec(&7).unwrap()).unwrap();
    // A map can be opened: it is no array that is looked for.
    assert_eq!(fails(|kind| matches!(kind, ErrorKind::Report(_))), 4);
    let error = npcodec::load::<Array1<u8>>(&path).unwrap_err().to_string();
    assert!(
        error.ends_with(&format!("byte 0\nin file {path:?}")),
        "{error}"
    );
}

#[test]
fn a_state_loads_in_place_into_the_memory_that_it_has() {
    let bytes = to_vec(&run(1)).unwrap();
    let mut state = run(2);
    let places = |state: &Run| {
        (
            state.weights.as_ptr().addr(),
            state.columns.as_ptr().addr(),
            state.flags.as_ptr().addr(),
            state.steps.as_ptr().addr(),
            state.history.as_ptr().addr(),
            state.frames[2].as_ptr().addr(),
            state.layers[0]
                .values()
                .map(|a| a.as_ptr().addr())
                .sum::<usize>(),
            state.boxed.as_ref().map(|a| a.as_ptr().addr()),
        )
    };
    let before = places(&state);
    let report = load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap();
    assert!(report.is_clean());
    assert_eq!(state, run(1));
    assert_eq!(places(&state), before);

    // Another layout than the file's, and other element types where the field casts.
    state.weights = run(2)
        .weights
        .reversed_axes()
        .as_standard_layout()
        .reversed_axes()
        .to_owned();
    assert!(!state.weights.is_standard_layout());
    load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap();
    assert_eq!(state.weights, run(1).weights);
}

/// What lies in chunks is read from them, into the memory of the array.
#[test]
fn arrays_in_chunks_load_like_any_other() {
    let options = WriteOptions::new().allow_chunks(true).chunk_bytes(6_000);
    let bytes = to_vec_with(&run(1), &options).unwrap();
    assert!(bytes.len() > to_vec(&run(1)).unwrap().len() + 1_000);
    assert_eq!(npcodec::from_reader::<Run>(&bytes[..]).unwrap(), run(1));
    let (fresh, _) = load_from::<Run>(Cursor::new(&bytes), &ReadOptions::new()).unwrap();
    assert_eq!(fresh, run(1));
    let mut state = run(2);
    let places = |state: &Run| {
        [
            state.weights.as_ptr().addr(),
            state.columns.as_ptr().addr(),
            state.flags.as_ptr().addr(),
            state.steps.as_ptr().addr(),
        ]
    };
    let before = places(&state);
    load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap();
    assert_eq!(state, run(1));
    assert_eq!(places(&state), before);
}

/// The last array that is checked is wrong: nothing before it has changed.
#[test]
fn an_error_in_the_file_changes_nothing() {
    let mut wrong = run(1);
    wrong.layers[1] = BTreeMap::from([("layer_1".to_owned(), Array1::zeros(701))]);
    let mut state = run(2);
    let bytes = to_vec(&wrong).unwrap();
    let error = load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit:\n  mismatched:\n    layers[1].layer_1: \
         expected an array of shape (700,), found an array of shape (701,) and dtype '<i8'"
    );
    assert_eq!(state, run(2));

    // A bool of 2, far behind the first buffer that is checked.
    let mut bytes = to_vec(&run(1)).unwrap();
    let flags = run(1).flags.mapv(u8::from).to_vec();
    let at = bytes
        .windows(flags.len())
        .position(|part| part == flags)
        .unwrap();
    bytes[at + 290_000] = 2;
    let error = load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap_err();
    let expected = "flags: expected 0 or 1 in item 290000 of dtype '|b1', found bool of byte 2";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert_eq!(state, run(2));
    let error = load_from::<Run>(Cursor::new(&bytes), &ReadOptions::new()).unwrap_err();
    assert!(error.to_string().contains(expected), "{error}");

    // The last of the records has a block that goes back behind its beginning.
    let mut broken = to_vec(&run(1)).unwrap();
    let frame = run(1).frames.pop().unwrap();
    let array = npcodec::NumpyEncoding::from_array(frame.view()).unwrap();
    let record = npcodec::compress(&array).unwrap();
    let length = record.data().len();
    let at = broken
        .windows(length)
        .position(|part| part == record.data())
        .unwrap();
    // Two bytes are the length of 6,400; then comes the first element.
    broken[at + 2] = 0x01;
    let error = load_into_from(Cursor::new(&broken), &mut state, &ReadOptions::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("frames[2]: expected a valid value, found compressed record: a copy from"),
        "{error}"
    );
    assert_eq!(state, run(2));

    for end in [0, 1, 1_000, bytes.len() - 1] {
        let error = load_into_from(Cursor::new(&bytes[..end]), &mut state, &ReadOptions::new());
        assert!(
            matches!(error.unwrap_err().kind(), ErrorKind::Truncated { .. }),
            "{end}"
        );
    }
    bytes.push(0);
    let error = load_into_from(Cursor::new(&bytes), &mut state, &ReadOptions::new()).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TrailingBytes { count: 1 });
    assert_eq!(error.offset(), Some(bytes.len() as u64 - 1));
    assert_eq!(state, run(2));
}

#[test]
fn lenient_loads_report_what_they_passed_over() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Old {
        weights: Array2<f32>,
        gone: Array1<f64>,
    }
    let old = Old {
        weights: run(1).weights,
        gone: Array1::zeros(5_000),
    };
    let bytes = to_vec(&old).unwrap();
    let mut state = run(2);
    let options = ReadOptions::new().strictness(Strictness::Lenient);
    let report = load_into_from(Cursor::new(&bytes), &mut state, &options).unwrap();
    assert_eq!(report.unexpected.len(), 1);
    assert_eq!(report.missing.len(), 13);
    assert_eq!(state.weights, old.weights);
    assert_eq!(state.step, run(2).step);
}

/// Counts what is read, and fails after so many reads.
struct Watched<'b> {
    inner: Cursor<&'b [u8]>,
    read: &'b Cell<usize>,
    reads_left: usize,
}

impl Read for Watched<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.reads_left = self
            .reads_left
            .checked_sub(1)
            .ok_or_else(|| io::Error::other("the cable was pulled"))?;
        let count = self.inner.read(bytes)?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// However early the reader fails, the state is whole or the error says that it is not.
#[test]
fn a_reader_that_fails_is_told_from_one_that_failed_halfway() {
    let bytes = to_vec(&run(1)).unwrap();
    let (mut untouched, mut partly) = (0, 0);
    let mut complete = false;
    for reads_left in 0..10_000 {
        let read = Cell::new(0);
        let inner = Cursor::new(&bytes[..]);
        let reader = Watched {
            inner,
            read: &read,
            reads_left,
        };
        let mut state = run(2);
        match load_into_from(reader, &mut state, &ReadOptions::new()) {
            Ok(_) => {
                assert_eq!(state, run(1));
                complete = true;
                break;
            }
            Err(error) => match error.kind() {
                ErrorKind::PartlyLoaded { reason, .. } => {
                    assert!(reason.starts_with("the cable was pulled"), "{reason}");
                    partly += 1;
                }
                _ => {
                    assert!(
                        error.to_string().contains("the cable was pulled"),
                        "{error}"
                    );
                    assert_eq!(state, run(2));
                    untouched += 1;
                }
            },
        }
    }
    assert!(
        complete && untouched > 5 && partly > 5,
        "{untouched} {partly}"
    );
}

#[test]
fn what_nobody_asked_for_is_not_read() {
    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(allow_unknown_fields)]
    struct Part {
        small: Array1<f32>,
        step: u64,
    }
    #[derive(Checkpoint)]
    struct Whole {
        large: Vec<Array1<f32>>,
        small: Array1<f32>,
        step: u64,
    }
    let small = Array1::linspace(0.0, 1.0, 2_000);
    let whole = Whole {
        large: vec![Array1::zeros(250_000); 8],
        small: small.clone(),
        step: 3,
    };
    let bytes = to_vec(&whole).unwrap();
    let read = Cell::new(0);
    let reader = Watched {
        inner: Cursor::new(&bytes),
        read: &read,
        reads_left: usize::MAX,
    };
    let (part, _) = load_from::<Part>(reader, &ReadOptions::new()).unwrap();
    assert_eq!(part, Part { small, step: 3 });
    assert!(read.get() < 60_000, "{} of {}", read.get(), bytes.len());
}
