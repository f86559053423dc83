//! Files that are wrong in a part, and readers that fail, while a state is loaded.

use std::borrow::Cow;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use npcodec::ndarray::Array1;
use npcodec::{Checkpoint, ErrorKind, ReadOptions, Strictness, load_from, load_into_from, to_vec};

/// Fails after so many reads.
struct Failing<'b> {
    inner: Cursor<&'b [u8]>,
    reads_left: usize,
}

impl Read for Failing<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.reads_left.checked_sub(1);
        self.reads_left = left.ok_or_else(|| io::Error::other("the cable was pulled"))?;
        self.inner.read(bytes)
    }
}

impl Seek for Failing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// What is wrong with an array matters to who wants the array, in place as well as fresh.
#[test]
fn arrays_that_nobody_can_read_are_passed_over_or_reported() {
    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(allow_unknown_fields)]
    struct Part {
        w: Array1<u8>,
        #[checkpoint(default)]
        x: Vec<u64>,
    }
    let good = to_vec(&Array1::from_elem(2, 7u8)).unwrap();
    for (wrong, text) in [
        (
            &b"\x83\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa4'|O'"[..],
            "object dtype `|O` is refused",
        ),
        (
            b"\x83\xa5shape\x91\x02\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'",
            "expected 2 bytes for shape (2,) and dtype '|u1', found 1",
        ),
        (
            b"\x81\xa7integer\x05",
            "expected a decimal text under `integer`",
        ),
    ] {
        let file = [b"\x82\xa1y", wrong, b"\xa1w", &good].concat();
        let mut part = Part {
            w: Array1::zeros(2),
            x: vec![],
        };
        load_into_from(Cursor::new(&file), &mut part, &ReadOptions::new()).unwrap();
        assert_eq!(part, npcodec::from_slice(&file).unwrap());

        for (key, other) in [(b"\xa1w", b"\xa1x"), (b"\xa1x", b"\xa1w")] {
            let file = [b"\x82", &key[..], wrong, other, &good].concat();
            let error = load_into_from(Cursor::new(&file), &mut part, &ReadOptions::new());
            let error = error.unwrap_err();
            assert!(
                error.report().is_some() && error.to_string().contains(text),
                "{error}"
            );
        }
        let file = [b"\x82\xa1x", wrong, b"\xa1w", &good].concat();
        let options = ReadOptions::new().strictness(Strictness::SkipMismatched);
        part.w.fill(0);
        let report = load_into_from(Cursor::new(&file), &mut part, &options).unwrap();
        assert_eq!(report.mismatched[0].path.to_string(), "x");
        assert_eq!(part.w[1], 7);
    }
}

#[test]
fn what_a_cow_owns_is_loaded_where_it_is() {
    type Weights = Cow<'static, Array1<f32>>;
    let file = to_vec(&Array1::<f32>::ones(2_000)).unwrap();
    let mut weights: Weights = Cow::Owned(Array1::zeros(2_000));
    let place = weights.as_ptr();
    load_into_from(Cursor::new(&file), &mut weights, &ReadOptions::new()).unwrap();
    assert_eq!((weights.as_ptr(), weights.sum()), (place, 2_000.0));
}

/// What a disk does not give is no mismatch that could be passed over.
#[test]
fn a_reader_that_fails_is_no_mismatch() {
    #[derive(Checkpoint, Debug, Clone, PartialEq)]
    struct State {
        #[checkpoint(default)]
        flags: Array1<bool>,
        #[checkpoint(default)]
        weights: Array1<f32>,
        step: u64,
    }
    let state = State {
        flags: Array1::from_elem(600_000, true),
        weights: Array1::ones(100_000),
        step: 1,
    };
    let bytes = to_vec(&state).unwrap();
    let options = ReadOptions::new().strictness(Strictness::SkipMismatched);
    let reader = |reads_left| Failing {
        inner: Cursor::new(&bytes[..]),
        reads_left,
    };
    for reads_left in 0..30 {
        match load_from::<State>(reader(reads_left), &options) {
            Ok((loaded, report)) => assert!(report.is_clean() && loaded == state),
            Err(error) => assert!(matches!(error.kind(), ErrorKind::Io { .. }), "{error}"),
        }
        let mut target = state.clone();
        match load_into_from(reader(reads_left), &mut target, &options) {
            Ok(report) => assert!(report.is_clean()),
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Io { .. } | ErrorKind::PartlyLoaded { .. }
                ),
                "{error}"
            ),
        }
    }
}
