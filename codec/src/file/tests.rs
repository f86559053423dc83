//! The reader against rmp-serde, and against inputs that are cut, hostile or merely large.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::{Deserialize, IgnoredAny};

use super::reader::{Reader, Slice};
use super::{decode, encode, encode_with};
use crate::checkpoint::{ReadOptions, Save, Sink, WriteOptions};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::state::{Hooks, Key, Value};

mod wording;

/// Every file that Dopamine's own encoder wrote, by its name.
fn vectors() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/dopamine");
    let files = folder.read_dir().unwrap().map(|file| file.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|kind| kind == "msgpack"))
        .map(|path| (path.display().to_string(), std::fs::read(path).unwrap()))
        .collect()
}

fn read<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    let mut reader = Reader::new(Slice::new(bytes), Limits::new())?;
    let value = T::deserialize(&mut reader)?;
    reader.finish().map(|()| value)
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn fault(bytes: &[u8]) -> String {
    match decode(bytes) {
        Ok(value) => panic!("{bytes:02x?} is {value:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_vector_is_what_rmp_serde_reads() {
    let vectors = vectors();
    assert!(vectors.len() > 70, "{} vectors", vectors.len());
    for (name, bytes) in vectors {
        let value = decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let peer = rmp_serde::from_slice::<Value<'_>>(&bytes).unwrap();
        assert_eq!(value, peer, "{name}");
        assert_eq!(read::<Value<'_>>(&bytes).unwrap(), value, "{name}");
        read::<IgnoredAny>(&bytes).unwrap();
    }
}

#[test]
fn every_vector_is_refused_wherever_it_is_cut() {
    for (name, bytes) in vectors() {
        for end in 0..bytes.len() {
            let cut = &bytes[..end];
            let skipped = read::<IgnoredAny>(cut).map(|_| ());
            // Values are slower to make than to skip.
            let decoded = (bytes.len() < 2048 || end % 61 == 0).then(|| decode(cut).map(|_| ()));
            for result in decoded.into_iter().chain([skipped]) {
                let error = result
                    .err()
                    .unwrap_or_else(|| panic!("{name} is whole after {end} bytes"));
                let ErrorKind::Truncated { needed, found } = *error.kind() else {
                    panic!("{name} cut after {end} bytes: {error}");
                };
                let start = usize::try_from(error.offset().unwrap()).unwrap();
                assert!(start + found == end && found < needed, "{name}: {error}");
            }
        }
    }
}

#[test]
fn an_error_says_what_is_wrong_and_where() {
    // In the place of a map under `a`, which begins at byte 3.
    let array = |shape: &str, data: &str, dtype: &str| {
        format!("83a57368617065{shape}a464617461{data}a56474797065{dtype}")
    };
    for (hex, expected) in [
        (
            array("92cf400000000000000004", "c400", "a5273c663427"),
            "array of shape (4611686018427387904, 4) with items of 4 bytes is larger than memory \
             can be at `a`, byte 3",
        ),
        (
            array("9102", "c40700000000000000", "a5273c663427"),
            "array of shape (2,) and dtype '<f4' needs 8 bytes, found 7 at `a`, byte 3",
        ),
        (
            array("9101", "c4084141414141414141", "a4277c4f27"),
            "object dtype `|O` is refused at column 1 of dtype text `'|O'` at `a`, byte 3",
        ),
        (
            array("91ff", "c400", "a5273c663427"),
            "expected a list of lengths under `shape` of an encoded value, found a list that holds \
             -1 at `a`, byte 3",
        ),
        (
            "81a7696e7465676572a3312e30".into(),
            "expected a decimal integer of at most 4300 digits under `integer`, found \"1.0\" at \
             `a`, byte 3",
        ),
        (
            "c6ffffffff".into(),
            "input ends after 5 of 4294967300 bytes at `a`, byte 3",
        ),
        (
            "ddffffffff".into(),
            "input ends after 5 of 4294967300 bytes at `a`, byte 3",
        ),
        (
            "dfffffffff".into(),
            "input ends after 5 of 8589934595 bytes at `a`, byte 3",
        ),
        (
            "92c0c60000".into(),
            "input ends after 3 of 5 bytes at `a[1]`, byte 5",
        ),
        ("".into(), "input ends after 0 of 1 byte at `a`, byte 3"),
        (
            "9101c0c0".into(),
            "2 bytes after the end of the value, byte 5",
        ),
        (
            "82a16201a16202".into(),
            "key \"b\" occurs twice at `a`, byte 7",
        ),
        ("820701cc0702".into(), "key 7 occurs twice at `a`, byte 6"),
        (
            "8190c0".into(),
            "expected a string or a 64-bit integer as map key, found a list at `a`, byte 4",
        ),
        (
            "8107c1".into(),
            "not a MessagePack value: no value begins with the byte 0xc1 at `a[7]`, byte 5",
        ),
        (
            "91a2c328".into(),
            "not a MessagePack value: a string that is not UTF-8 at `a[0]`, byte 4",
        ),
        (
            "81a1ffc0".into(),
            "not a MessagePack value: a string that is not UTF-8 at `a`, byte 4",
        ),
    ] {
        let bytes = unhex(&format!("81a161{hex}"));
        assert_eq!(fault(&bytes), expected, "{hex}");
    }
    assert_eq!(fault(b""), "input ends after 0 of 1 byte, byte 0");
    assert_eq!(
        fault(b"\xc0\x00"),
        "1 byte after the end of the value, byte 1"
    );
}

#[test]
fn errors_keep_their_kind() {
    let bytes = unhex("9183a573686170659102a464617461c400a56474797065a5273c663427");
    let error = decode(&bytes).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::PayloadLength { expected: 8, .. }
    ));

    let hooks = Hooks::new().decode(|_| Err(ErrorKind::NestedNil.into()));
    let error = super::decode_with(b"\x91\x80", &ReadOptions::new().hooks(hooks)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NestedNil);
    assert_eq!(error.path().to_string(), "[0]");
    assert_eq!(error.offset(), Some(1));

    let complex = Value::Complex(num_complex::Complex::new(1.0, 2.0));
    let state = Value::Map([("z", complex)].into_iter().collect());
    let wide = Value::Map([(Key::Integer(1 << 70), Value::Nil)].into_iter().collect());
    for (value, expected) in [
        (
            Value::List(vec![Value::Nil, state]),
            "a complex number cannot be written as MessagePack and no hook took it at `[1].z`",
        ),
        (
            Value::List(vec![wide]),
            "expected a string or a 64-bit integer as map key, found 1180591620717411303424 at \
             `[0]`",
        ),
    ] {
        let error = encode(&value).unwrap_err();
        assert!(!matches!(error.kind(), ErrorKind::Custom(_)));
        assert_eq!(error.to_string(), expected);
        assert_eq!(
            encode_with(&value, &WriteOptions::new())
                .unwrap_err()
                .kind(),
            error.kind()
        );
    }
}

#[test]
fn nesting_has_a_limit_that_spares_the_stack() {
    let small = std::thread::Builder::new().stack_size(2 << 20);
    let work = || {
        for inside in [b"\x91".as_slice(), b"\x81\x07"] {
            let nested = |levels: usize| [inside.repeat(levels).as_slice(), b"\xc0"].concat();
            let deep = nested(20_000);
            let error = decode(&deep).unwrap_err();
            let index = if inside.len() == 1 { "[0]" } else { "[7]" };
            let expected = format!(
                "nested deeper than 200 levels at `{}`, byte {}",
                index.repeat(200),
                200 * inside.len()
            );
            assert_eq!(error.to_string(), expected);
            let error = read::<IgnoredAny>(&deep).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::TooDeep { limit: 200 });
            assert_eq!(error.offset(), Some(200 * inside.len() as u64));
            assert!(read::<BTreeMap<String, IgnoredAny>>(&deep).is_err());
            for (levels, good) in [(60, true), (200, true), (201, false)] {
                let bytes = nested(levels);
                assert_eq!(decode(&bytes).is_ok(), good, "{levels}");
                assert_eq!(read::<IgnoredAny>(&bytes).is_ok(), good, "{levels}");
            }
        }
    };
    small.spawn(work).unwrap().join().unwrap();
}

#[test]
fn depth_is_given_back_after_errors() {
    let mut reader = Reader::new(
        Slice::new(b"\x91\x91\xa1a\x91\x91\xa1a\x91\x91\x05"),
        Limits::new().depth(2),
    )
    .unwrap();
    for _ in 0..2 {
        let error = <[[u8; 1]; 1]>::deserialize(&mut reader).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Mismatch { .. }),
            "{error}"
        );
    }
    assert_eq!(<[[u8; 1]; 1]>::deserialize(&mut reader).unwrap(), [[5]]);
    reader.finish().unwrap();
}

#[test]
fn honest_sizes_pass() {
    let count = 1_281_167u32;
    let mut bytes = vec![0xdd];
    bytes.extend(count.to_be_bytes());
    bytes.extend((0..count).map(|item| (item % 128) as u8));
    let Ok(Value::List(items)) = decode(&bytes) else {
        panic!("not a list")
    };
    assert_eq!(items.len(), 1_281_167);
    assert_eq!(items[300], Value::from(44));
}

#[test]
fn plain_types_are_read_as_rmp_serde_reads_them() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    enum Shape {
        Unit,
        Newtype(Option<i8>),
        Tuple(u16, f32),
        Struct { x: i64, name: String },
    }

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Nothing;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(rename = "_ExtStruct")]
    struct Extension<'a>(#[serde(borrow)] (i8, Value<'a>));

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Plain<'a> {
        shapes: Vec<Shape>,
        nothing: (Nothing, ()),
        text: &'a str,
        #[serde(borrow)]
        extension: Extension<'a>,
        numbers: (u64, i64, f64, char, bool),
        map: BTreeMap<i32, Vec<u8>>,
    }

    let plain = Plain {
        shapes: vec![
            Shape::Unit,
            Shape::Newtype(None),
            Shape::Newtype(Some(-1)),
            Shape::Tuple(300, 0.5),
            Shape::Struct {
                x: i64::MIN,
                name: "s".into(),
            },
        ],
        nothing: (Nothing, ()),
        text: "borrowed",
        extension: Extension((-5, Value::from(b"\x01".as_slice()))),
        numbers: (u64::MAX, -70_000, -0.0, 'é', true),
        map: [(-1, vec![200, 1])].into(),
    };
    for bytes in [
        rmp_serde::to_vec(&plain).unwrap(),
        rmp_serde::to_vec_named(&plain).unwrap(),
    ] {
        assert_eq!(read::<Plain<'_>>(&bytes).unwrap(), plain);
    }
    assert_eq!(read::<Vec<u8>>(b"\xc4\x02\xff\x00").unwrap(), [255, 0]);
    assert_eq!(read::<u8>(b"\xd1\x00\x07").unwrap(), 7);

    let error = read::<[u8; 1]>(b"\xc4\x02\xff\x00").unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected 1 items, found a list of 2, byte 0"
    );

    let fault = |bytes: &[u8]| {
        read::<Vec<(u8, Option<Shape>)>>(bytes)
            .unwrap_err()
            .to_string()
    };
    for (bytes, expected) in [
        (
            b"\x91\x93\x01\xa4Unit\x02".as_slice(),
            "expected 2 items, found a list of 3, byte 1",
        ),
        (
            b"\x91\x92\xa1a\xc0",
            "expected u8, found string \"a\", byte 2",
        ),
        (
            b"\x91\x92\x01\xa5Other",
            "unknown variant `Other`, expected one of `Unit`, `Newtype`, `Tuple`, `Struct`, byte 3",
        ),
        (
            b"\x91\x92\x01\xa5Tuple",
            "expected tuple variant, found unit variant, byte 3",
        ),
        (
            b"\x91\x92\x01\x80",
            "expected the name of a variant, alone or with its content, found map, byte 3",
        ),
    ] {
        assert_eq!(fault(bytes), expected);
    }
}

#[test]
fn what_must_be_made_for_an_array_is_made_once() {
    struct Made(std::cell::Cell<u32>);

    impl Save for Made {
        fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
            sink.array_with(|| {
                self.0.set(self.0.get() + 1);
                NumpyEncoding::new(vec![1], vec![7], "'|u1'", None)
            })
        }
    }

    let made = [Made(0.into()), Made(0.into())];
    let bytes = super::to_vec(&made).unwrap();
    assert_eq!(made.map(|made| made.0.get()), [1, 1]);
    let one = b"\x83\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";
    assert_eq!(bytes, [b"\x92".as_slice(), one, one].concat());
}
