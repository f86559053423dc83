//! The files of Flax and msgpack-numpy, cut and changed byte by byte, and claims of sizes.

use npcodec::formats::{flax, msgpack_numpy};
use npcodec::ndarray::ArrayD;
use npcodec::{Checkpoint, Error, ErrorKind, Strictness, Value};
use npcodec_tests::peer::Case;

use super::memory::Cap;
use super::readers::open;

/// A vector is a few dozen bytes, most of which are not its arrays'.
const CAP: Cap = Cap {
    times: 64,
    besides: 1 << 14,
};

type Read = for<'a> fn(&'a [u8]) -> Result<Value<'a>, Error>;
type Write = fn(&Value<'_>) -> Result<Vec<u8>, Error>;

/// Each way to read, and the way to write what was read.
const FORMATS: [(&str, Read, Write); 3] = [
    (
        "flax",
        |bytes| flax::from_slice(bytes),
        |value| flax::to_vec(value),
    ),
    (
        "msgpack_numpy",
        |bytes| msgpack_numpy::from_slice(bytes),
        |value| msgpack_numpy::to_vec(value),
    ),
    (
        "msgpack_numpy",
        |bytes| msgpack_numpy::from_slice_with(bytes, &msgpack_numpy::ReadOptions::new().raw(true)),
        |value| msgpack_numpy::to_vec_with(value, &msgpack_numpy::WriteOptions::new().raw(true)),
    ),
];

/// Reads a file, makes arrays of it, and writes it again; false if it is refused.
fn whole(bytes: &[u8], read: Read, write: Write) -> bool {
    let Ok(value) = read(bytes) else { return false };
    open(&value);
    match write(&value) {
        Ok(written) => assert!(read(&written).is_ok()),
        Err(error) => assert!(
            matches!(error.kind(), ErrorKind::Unsupported { .. }),
            "{error}"
        ),
    }
    true
}

#[test]
fn a_file_is_refused_wherever_it_is_cut() {
    for (format, read, write) in FORMATS {
        for case in Case::all(format) {
            let Some(bytes) = &case.bytes else { continue };
            for end in 0..bytes.len() {
                let what = || format!("{} cut after {end} bytes", case.name);
                let good = CAP.hold(&bytes[..end], what, || whole(&bytes[..end], read, write));
                assert!(!good, "{} is whole", what());
            }
        }
    }
}

#[test]
fn a_changed_byte_is_read_or_refused() {
    let (mut good, mut refused) = (0, 0);
    for (format, read, write) in FORMATS {
        for case in Case::all(format) {
            let Some(mut bytes) = case.bytes else {
                continue;
            };
            for place in 0..bytes.len() {
                for mask in [0x01, 0x80, 0xff] {
                    bytes[place] ^= mask;
                    let what = || format!("{} with byte {place} changed by {mask:#04x}", case.name);
                    let read_it = CAP.hold(&bytes, what, || {
                        let typed = flax::from_bytes::<(ArrayD<f32>, Vec<u64>)>(&bytes).is_ok();
                        whole(&bytes, read, write) || typed
                    });
                    *if read_it { &mut good } else { &mut refused } += 1;
                    bytes[place] ^= mask;
                }
            }
        }
    }
    assert!(
        good > 1000 && refused > 1000,
        "{good} read, {refused} refused"
    );
}

#[test]
fn sizes_are_claims() {
    let huge = [
        // Lengths of everything that has one, and nothing behind them.
        &b"\xdd\xff\xff\xff\xff"[..],
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x01",
        // An array of 2^40 x 2^40 bytes, one of 2^62 items, and one axis that is open beside 2^63.
        b"\xc7\x1b\x01\x93\x92\xcf\0\0\x01\0\0\0\0\0\xcf\0\0\x01\0\0\0\0\0\xa4int8\xc4\0",
        b"\xc7\x13\x01\x93\x91\xcf\x40\0\0\0\0\0\0\0\xa5int32\xc4\0",
        b"\xc7\x14\x01\x93\x92\xff\xcf\x80\0\0\0\0\0\0\0\xa4int8\xc4\x01\0",
        // Inside of an extension: a list of 2^32 lengths, a payload that goes on behind it.
        b"\xc7\x06\x01\x93\xdd\xff\xff\xff\xff",
        b"\xd7\x01\x93\x90\xa4int8\xc4\x01",
        // The same in the maps of msgpack-numpy.
        b"\x85\xc4\x02nd\xc3\xc4\x04type\xa3<i4\xc4\x04kind\xc4\0\xc4\x05shape\x91\xcf\x40\0\0\0\0\0\0\0\xc4\x04data\xc4\0",
        b"\x85\xc4\x02nd\xc3\xc4\x04type\xa3<i4\xc4\x04kind\xc4\0\xc4\x05shape\x92\xff\xff\xc4\x04data\xc4\0",
        b"\x85\xc4\x02nd\xc3\xc4\x04type\xdd\xff\xff\xff\xff",
        b"\x85\xc4\x02nd\xc3\xc4\x04type\x91\x93\xa1a\xa3<i4\x91\xcf\x40\0\0\0\0\0\0\0",
        b"\x81\xc6\xff\xff\xff\xff",
    ];
    for bytes in huge {
        for (format, read, _) in FORMATS {
            let what = || format!("{bytes:02x?} as {format}");
            let refused = CAP.hold(bytes, what, || read(bytes).is_err());
            // An extension is opaque to msgpack-numpy.
            let opaque = bytes[0] == 0xc7 || bytes[0] == 0xd7;
            assert!(refused || opaque && format != "flax", "{}", what());
        }
    }
    let inside = b"\xd7\x01\x93\x90\xa4int8\xc4\x01\x07";
    let error = flax::from_slice(inside).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Truncated { .. }),
        "{error}"
    );
}

#[test]
fn nesting_ends_on_a_small_stack() {
    super::super::on_a_small_stack(|| {
        for level in [
            &b"\x81\xa10"[..],
            b"\x91",
            b"\x81\x81",
            b"\x81\xc4\x02nd",
            b"\x81\xc4\x04type\x91",
            b"\x83\xb9__msgpack_chunked_array__",
        ] {
            let bytes = level.repeat(20_000);
            for (_, read, _) in FORMATS {
                assert!(read(&bytes).is_err());
            }
            assert!(flax::from_bytes::<Vec<Vec<u64>>>(&bytes).is_err());
        }
        // The deepest that there may be: lists that are read, and written by each form.
        let deepest = [&b"\x91".repeat(199)[..], b"\x80"].concat();
        for (_, read, write) in FORMATS {
            assert!(whole(&deepest, read, write));
        }
    });
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Nested(Vec<Nested>, u8);

#[test]
fn maps_for_lists_take_no_more_than_lists() {
    // {"0": {"0": .., "1": 1}, "1": 1}, 90 levels of two maps, with 50 empty lists at each of them.
    let level = b"\x82\xa10\xde\0\x33";
    let empty: Vec<u8> = (1..=50u8)
        .flat_map(|n| {
            [
                &[0xa0 | n.to_string().len() as u8],
                n.to_string().as_bytes(),
                b"\x82\xa10\x80\xa11\x01",
            ]
            .concat()
        })
        .collect();
    let mut bytes = b"\x82\xa10\x80\xa11\x01".to_vec();
    for _ in 0..90 {
        let first = [&b"\xa10"[..], &bytes].concat();
        bytes = [&level[..], &first, &empty, b"\xa11\x01"].concat();
    }
    let cap = Cap {
        times: 160,
        besides: 1 << 16,
    };
    let name = || "nested lists".to_owned();
    let mut state = cap.hold(&bytes, name, || flax::from_bytes::<Nested>(&bytes).unwrap());
    assert_eq!(state.0.len(), 51);
    assert_eq!(flax::to_bytes(&state).unwrap(), bytes);
    cap.hold(&bytes, name, || {
        flax::load_into(&bytes, &mut state, Strictness::Strict).unwrap();
    });
}
