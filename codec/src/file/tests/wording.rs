//! The exact words of every error, each made by an input.

use std::collections::BTreeMap;
use std::io::Cursor;

use num_complex::Complex;

use super::unhex;
use crate::checkpoint::{Checkpoint, ListSink, ReadOptions, Save, Sink, WriteOptions};
use crate::dtype::{DType, DTypeError, DTypeErrorKind, Record};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, FlowerError, ReplayError, UnsupportedLeaf};
use crate::file::{
    decode, decode_with, encode, from_reader, from_slice, load_into_from, to_vec, to_vec_with,
};
use crate::limits::Limits;
use crate::path::Path;
use crate::report::{LoadReport, Mismatch};
use crate::state::{Value, check_count, check_length};

/// Lists the kinds of an error once, for a match without a wildcard and for the names of all.
macro_rules! kinds {
    ($enum:ident, $name:ident, $names:ident: $($kind:ident)*) => {
        const $names: &[&str] = &[$(stringify!($kind)),*];

        fn $name(kind: &$enum) -> &'static str {
            match kind {
                $($enum::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds!(ErrorKind, name, NAMES:
    DType PayloadLength SizeOverflow TooManyDimensions Encoding InvalidItem Mismatch Report Snappy
    LongInteger RepeatedKey KeyType MistakableMap NestedNil TooDeep Limit TooLong TooMany
    CountOfParts NotAMap NotRepresentable Truncated TrailingBytes Syntax Io PartlyLoaded NothingSelected RowTooLong
    NotDurable Format Unsupported Replay Flower Custom
);

/// Fails unless the table has every name, and says which it lacks.
fn complete<'n>(names: &[&'n str], listed: impl IntoIterator<Item = &'n str>) {
    let listed: Vec<_> = listed.into_iter().collect();
    let lacking: Vec<_> = names.iter().filter(|name| !listed.contains(name)).collect();
    assert!(
        lacking.is_empty(),
        "no input in the table gives {lacking:?}"
    );
}

mod dtypes;

fn refusal<T>(result: Result<T, Error>) -> Error {
    result.err().expect("an error")
}

fn bytes(hex: &str) -> Error {
    refusal(decode(&unhex(hex)))
}

/// An array in a map under `a`, read without a type.
fn array(shape: &[u8], data: &[u8], dtype: &str) -> Vec<u8> {
    let mut bytes = b"\x81\xa1a\x83\xa5shape".to_vec();
    bytes.extend(shape);
    bytes.extend(b"\xa4data\xc4");
    bytes.push(data.len() as u8);
    bytes.extend(data);
    bytes.extend(b"\xa5dtype\xda");
    bytes.extend((dtype.len() as u16).to_be_bytes());
    bytes.extend(dtype.as_bytes());
    bytes
}

fn report(missing: &[&str], unexpected: &[&str], mismatched: usize) -> LoadReport {
    let path = |text: &&str| text.parse::<Path>().unwrap();
    let mut report = LoadReport::default();
    missing
        .iter()
        .for_each(|text| report.add_missing(|| path(text)));
    unexpected
        .iter()
        .for_each(|text| report.add_unexpected(|| path(text)));
    for index in 0..mismatched {
        report.add_mismatch(|| Mismatch {
            path: if index == 0 {
                Path::root()
            } else {
                path(&"a[1]")
            },
            offset: (index == 1).then_some(9),
            expected: "u8".into(),
            found: "nil".into(),
        });
    }
    report
}

struct Miscounted;

impl Save for Miscounted {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut list = sink.list(3)?;
        list.item(Value::Nil)?;
        list.end()
    }
}

#[test]
fn every_kind_of_error_has_its_words() {
    let one = |data: &[u8], text| NumpyEncoding::new(vec![data.len()], data.to_vec(), text, None);
    let flag = one(&[2], "'|b1'").unwrap();
    let limited = ReadOptions::new().limits(Limits::new().keys(1));
    let lost = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "the line is dead");
    let lost_too = std::io::Error::other("the line is dead");
    let in_chunks = WriteOptions::new().allow_chunks(true).chunk_bytes(4_999);
    let row = ndarray::Array2::<u8>::zeros((2, 5_000));
    let large = vec![ndarray::Array1::<u8>::zeros(5_000); 2];
    let mistakable = BTreeMap::from([("integer".to_owned(), 1)]);
    let table = [
        (
            refusal(to_vec(&Miscounted)),
            "a list or map was opened for 3 parts, and 1 were written",
        ),
        (
            refusal(decode(&array(b"\x91\x01", &[0; 8], "'|O'"))),
            "object dtype `|O` is refused at column 1 of dtype text `'|O'` at `a`, byte 3",
        ),
        (
            refusal(decode(&array(b"\x91\x02", &[0; 7], "'<f4'"))),
            "array of shape (2,) and dtype '<f4' needs 8 bytes, found 7 at `a`, byte 3",
        ),
        (
            refusal(NumpyEncoding::new(vec![1 << 62, 4], vec![], "'<f4'", None)),
            "array of shape (4611686018427387904, 4) with items of 4 bytes is larger than memory \
             can be",
        ),
        (
            refusal(NumpyEncoding::new(vec![1; 65], vec![0], "'|u1'", None)),
            "array of 65 dimensions, expected at most 64",
        ),
        (
            refusal(decode(&array(b"\x02", &[0; 8], "'<f4'"))),
            "expected a list of lengths under `shape` of an encoded value, found 2 at `a`, byte 3",
        ),
        (
            refusal(flag.to_array::<bool, ndarray::Ix1>()),
            "item 0 of dtype '|b1': expected 0 or 1, found bool of byte 2",
        ),
        (
            refusal(flag.to_array::<f32, ndarray::Ix2>()),
            "expected an array of 2 dimensions and dtype '<f4', found an array of shape (1,) and \
             dtype '|b1' (`cast` allows it)",
        ),
        (
            refusal(from_slice::<BTreeMap<String, u8>>(b"\x81\xa1a\xcd\x01\x00")),
            "the state does not fit:\n  mismatched:\n    a: expected a number that fits u8, found \
             256, byte 3",
        ),
        #[cfg(feature = "compress")]
        (
            refusal(crate::encoding::compress(&one(b"a", "'|S1'").unwrap())),
            "compressed record: dtype '|S1' cannot be compressed",
        ),
        (
            bytes("81a7696e7465676572a3302e31"),
            "expected a decimal integer of at most 4300 digits under `integer`, found \"0.1\", \
             byte 0",
        ),
        (bytes("82a161c0a161c0"), "key \"a\" occurs twice, byte 4"),
        (
            bytes("81c3c0"),
            "expected a string or a 64-bit integer as map key, found a bool, byte 1",
        ),
        (
            refusal(to_vec(&mistakable)),
            "a map with these keys would be read as an integer by Python's decoder",
        ),
        (
            refusal(to_vec(&[Some(None::<u8>)])),
            "`Some` of nil cannot be told from `None` at `[0]`",
        ),
        (
            refusal(decode_with(
                b"\x91\x91\xc0",
                &ReadOptions::new().limits(Limits::new().depth(1)),
            )),
            "nested deeper than 1 levels at `[0]`, byte 1",
        ),
        (
            refusal(decode_with(b"\x82\x01\xc0\x02\xc0", &limited)),
            "2 keys in one map, and the limit is 1, byte 0",
        ),
        // A text of 4 GiB is more than a test should have in memory.
        (
            refusal(check_length(1 << 32).map_err(Error::from)),
            "4294967296 bytes are more than the 4294967295 that a MessagePack value can hold \
             (`WriteOptions::allow_chunks` splits arrays)",
        ),
        (
            refusal(check_count(1 << 32).map_err(Error::from)),
            "4294967296 entries are more than the 4294967295 that a MessagePack list or map can \
             hold",
        ),
        (
            refusal([1u16].to_state_dict()),
            "a state dict is a map, this value is a list",
        ),
        (
            refusal(encode(&Value::List(vec![Value::Complex(Complex::new(
                1.0, 2.0,
            ))]))),
            "a complex number cannot be written as MessagePack and no hook took it at `[0]`",
        ),
        (
            bytes("92c0c60000"),
            "input ends after 3 of 5 bytes at `[1]`, byte 2",
        ),
        (
            bytes("c0c0c0"),
            "2 bytes after the end of the value, byte 1",
        ),
        (
            bytes("91c1"),
            "not a MessagePack value: no value begins with the byte 0xc1 at `[0]`, byte 1",
        ),
        (
            refusal(from_reader::<u8>(Failing(Some(lost)))),
            "the line is dead, byte 0",
        ),
        (
            refusal(load_into_from(
                Cable(Cursor::new(&to_vec(&large).unwrap()), 4),
                &mut large.clone(),
                &ReadOptions::new(),
            )),
            "the state is partly loaded, 1 of 2 changes were made: the line is dead, byte 5051",
        ),
        (
            refusal(load_into_from(
                Cursor::new(b"\x01"),
                &mut 1u8,
                &ReadOptions::new().only(["a".parse().unwrap()]),
            )),
            "the patterns select nothing that is both in the input and in the state",
        ),
        (
            refusal(to_vec_with(&row, &in_chunks)),
            "a row of 5000 bytes is larger than a chunk may be, which is 4999",
        ),
        // A directory that cannot be synced is more than a test can have.
        // Each format is a feature.
        (
            ErrorKind::Format {
                format: "npy",
                expected: "a header of at most 10000 bytes".to_owned(),
                found: "65535".to_owned(),
            }
            .into(),
            "npy: expected a header of at most 10000 bytes, found 65535",
        ),
        (
            ErrorKind::Unsupported {
                format: "flax",
                leaves: vec![UnsupportedLeaf::new(
                    "a.b".parse().unwrap(),
                    "array of dtype '>f4'",
                    "arrays are little-endian",
                )],
            }
            .into(),
            "flax cannot hold\n  `a.b`: array of dtype '>f4': arrays are little-endian",
        ),
        (
            ReplayError::NoKeys.into(),
            "there are no keys to sample from",
        ),
        (
            FlowerError::Missing {
                id: "a5fc".to_owned(),
            }
            .into(),
            "there is no content for object id a5fc",
        ),
        (
            ErrorKind::NotDurable {
                kind: lost_too.kind(),
                message: lost_too.to_string(),
            }
            .into(),
            "the file is written, but might not outlast a power failure: the line is dead",
        ),
        (
            refusal(super::read::<std::num::NonZeroU8>(b"\x00")),
            "invalid value: integer `0`, expected a nonzero u8, byte 0",
        ),
    ];
    for (error, text) in &table {
        assert_eq!(error.to_string(), *text, "{error:?}");
    }
    let names: Vec<_> = NAMES
        .iter()
        .copied()
        .filter(|&name| cfg!(feature = "compress") || name != "Snappy")
        .collect();
    complete(&names, table.iter().map(|(error, _)| name(error.kind())));
}

/// A reader that fails once.
struct Failing(Option<std::io::Error>);

impl std::io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// A reader that fails after so many reads: three find the structure, each array takes one.
struct Cable<'b>(Cursor<&'b Vec<u8>>, usize);

impl std::io::Read for Cable<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self
            .1
            .checked_sub(1)
            .ok_or(std::io::Error::other("the line is dead"))?;
        self.0.read(bytes)
    }
}

impl std::io::Seek for Cable<'_> {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_report_has_its_words() {
    let mut more = report(&["a"], &[], 0);
    more.unlisted = 3;
    for (report, text) in [
        (report(&[], &[], 0), "file and state are alike"),
        (more, "file and state differ:\n  missing: a\n  and 3 more"),
        (
            report(&["a.b", "c"], &["d"], 3),
            "file and state differ:\n  missing: a.b, c\n  unexpected (`allow_unknown_fields` \
             passes over them): d\n  mismatched:\n    (the whole value): expected u8, found nil\n    \
             a[1]: expected u8, found nil, byte 9\n    a[1]: expected u8, found nil",
        ),
    ] {
        assert_eq!(report.to_string(), text);
        let LoadReport {
            missing,
            unexpected,
            mismatched,
            unlisted,
        } = &report;
        let entries = missing.len() + unexpected.len() + mismatched.len() + unlisted;
        assert_eq!(report.is_clean(), entries == 0);
    }
}
