//! Files of arrays that lie: an error each, of few words, and no memory for what is only claimed.

use std::ops::Range;

use npcodec::formats::{npy, npz, safetensors};
use npcodec::{Error, Limits, Value};
use npcodec_tests::arrays::ArrayFile;

fn vector(name: &str) -> Vec<u8> {
    let files = ArrayFile::all();
    files
        .into_iter()
        .find(|file| file.name == name)
        .unwrap()
        .bytes
}

#[track_caller]
fn said(result: Result<Value<'_>, Error>) -> String {
    result.unwrap_err().to_string()
}

/// A file of safetensors with a header and some bytes behind it.
fn safe(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length, header.as_bytes(), data].concat()
}

#[test]
fn headers_of_safetensors_that_lie() {
    let one = r#""dtype":"U8","shape":[1],"data_offsets":[0,1]"#;
    let table: &[(String, &[u8], &str)] = &[
        (format!("{{\"a\":{{{one}}}}}"), &[], "expected tensors of 0 bytes, found 1"),
        (format!("{{\"a\":{{{one}}}}}"), &[1, 2], "expected tensors of 2 bytes, found 1"),
        (format!("{{\"a\":{{{one}}},\"a\":{{{one}}}}}"), &[1], "expected tensors without holes"),
        (
            r#"{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#.into(),
            &[],
            "key a occurs twice at `a`",
        ),
        (
            r#"{"__metadata__":{},"__metadata__":{}}"#.into(),
            &[],
            "`__metadata__` occurs twice",
        ),
        (
            r#"{"__metadata__":null,"__metadata__":{}}"#.into(),
            &[],
            "`__metadata__` occurs twice",
        ),
        (
            r#"{"__metadata__":{"k":"1","k":"2"}}"#.into(),
            &[],
            "key k occurs twice at `__metadata__`",
        ),
        (r#"{"__metadata__":{"k":1}}"#.into(), &[], "invalid type: integer `1`, expected a string"),
        (format!("{{\"a\":{{{one},\"strides\":[1]}}}}"), &[1], "unknown field `strides`"),
        (
            r#"{"a":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}"#.into(),
            &[0],
            "expected a type of whole bytes, as NumPy's are, found F4 at `a`",
        ),
        (
            r#"{"a":{"dtype":"U8","shape":[4611686018427387904,4],"data_offsets":[0,0]}}"#.into(),
            &[],
            "overflow",
        ),
        (
            r#"{"a":{"dtype":"U8","shape":[1152921504606846976],"data_offsets":[0,1152921504606846976]}}"#.into(),
            &[],
            "expected tensors of 0 bytes, found 1152921504606846976",
        ),
        (r#"{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}"#.into(), &[1], "invalid value"),
        ("[]".into(), &[], "expected a map of names to tensors"),
        ("[".repeat(100_000), &[], "safetensors: expected a header of tensors"),
        ("{}x".into(), &[], "trailing characters"),
    ];
    for (header, data, words) in table {
        let bytes = safe(header, data);
        let said = said(safetensors::from_slice(&bytes));
        assert!(said.contains(words), "{header:.100}: {said}");
        assert!(said.len() < 400, "{said}");
    }
    // The library takes null for no texts.
    let none = safe(r#"{"__metadata__":null}"#, &[]);
    let empty = Value::Map(npcodec::StateDict::new());
    assert_eq!(safetensors::from_slice(&none).unwrap(), empty);
    // What is refused because of its shape is not written either.
    let wide = npcodec::NumpyEncoding::new(vec![1 << 40, 1 << 40, 0], vec![], "'|u1'", None);
    let wide = [("x", wide.unwrap())].into_iter().collect();
    let error = safetensors::to_vec(&Value::Map(wide)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the product of its shape is too large"),
        "{error}"
    );
    let axes = vec!["1"; 65].join(",");
    let many = format!("{{\"a\":{{\"dtype\":\"U8\",\"shape\":[{axes}],\"data_offsets\":[0,1]}}}}");
    let many = safe(&many, &[1]);
    assert!(said(safetensors::from_slice(&many)).starts_with("array of 65 dimensions"));
    for (length, words) in [
        (
            u64::MAX,
            "18446744073709551615 bytes of header, and the limit is 100000000",
        ),
        (100_000_000, "input ends after 12 of 100000008 bytes"),
    ] {
        let bytes = [&length.to_le_bytes()[..], b"{}  "].concat();
        assert_eq!(said(safetensors::from_slice(&bytes)), words);
    }
}

/// Where the member of an archive of one array has its parts.
struct Parts {
    name: usize,
    payload: Range<usize>,
    directory: usize,
}

fn parts(bytes: &[u8]) -> Parts {
    let directory = bytes
        .windows(4)
        .position(|window| window == b"PK\x01\x02")
        .unwrap();
    let length = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    Parts {
        name: 30,
        payload: 30 + length(26) + length(28)..directory,
        directory,
    }
}

fn archive(deflate: bool, length: usize) -> Vec<u8> {
    let array = npcodec::NumpyEncoding::new(vec![length], vec![0; length], "'|u1'", None);
    let dict: npcodec::StateDict<'_> = [("x", array.unwrap())].into_iter().collect();
    let options = npz::WriteOptions::new().deflate(deflate);
    npz::to_vec_with(&Value::from(dict), &options).unwrap()
}

#[test]
fn archives_that_lie() {
    let stored = archive(false, 100);
    let Parts {
        name,
        payload,
        directory,
    } = parts(&stored);
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = stored.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let table = [
        (
            changed(payload.end - 1, &[1]),
            "expected a member of checksum",
        ),
        (
            changed(payload.start + 1, b"X"),
            "expected an array as `numpy.save` writes it, found 228 bytes",
        ),
        (
            changed(directory + 24, &[0, 0, 0, 1]),
            "expected a stored member of 16777216 bytes, found 228",
        ),
        (
            changed(directory + 8, &[1]),
            "expected members that are not encrypted",
        ),
        (
            changed(directory + 10, &[12]),
            "expected stored or deflated members, found 12 (BZIP2) at `x`",
        ),
        (
            changed(name, b"y"),
            "expected one name of a member, found another one, y.npy at `x`",
        ),
        (changed(directory + 46, b"\xff"), "expected names in UTF-8"),
        (
            changed(directory + 46, b"\0"),
            "expected a name without NUL, where zip names end, found \"\\0.npy\"",
        ),
        (changed(directory + 42, &[1]), "expected a member, found"),
        (changed(stored.len() - 12, &[2, 0]), "found"),
        (
            stored[..stored.len() - 1].to_vec(),
            "expected a zip archive, found",
        ),
    ];
    for (bytes, words) in table {
        let said = said(npz::from_slice(&bytes));
        assert!(
            said.starts_with("npz: ") && said.contains(words),
            "{words}: {said}"
        );
    }
    // The shape in the header of the array is another than the archive's size.
    let text = stored
        .windows(6)
        .position(|window| window == b"(100,)")
        .unwrap();
    let said = said(npz::from_slice(&changed(text, b"(900,)")));
    let words =
        "expected a member of 1028 bytes, as the header of its array says, found 228 at `x`";
    assert!(said.contains(words), "{said}");
}

#[test]
fn no_name_is_in_an_archive_twice() {
    // Two entries of the directory for one member overlap; two members of one name do not.
    let one = archive(false, 1);
    let Parts { directory, .. } = parts(&one);
    let end = one.len() - 22;
    let entry = &one[directory..end];
    let tail = |count: u8, length: usize, start: usize| {
        let mut tail = one[end..].to_vec();
        (tail[8], tail[10]) = (count, count);
        tail[12..16].copy_from_slice(&(length as u32).to_le_bytes());
        tail[16..20].copy_from_slice(&(start as u32).to_le_bytes());
        tail
    };
    let overlap = [&one[..end], entry, &tail(2, 2 * entry.len(), directory)].concat();
    let words = "npz: expected members one behind the other, found an overlap, byte 0";
    assert_eq!(said(npz::from_slice(&overlap)), words);

    let mut second = entry.to_vec();
    second[42..46].copy_from_slice(&(directory as u32).to_le_bytes());
    let member = &one[..directory];
    let twice = [
        member,
        member,
        entry,
        &second,
        &tail(2, 2 * entry.len(), 2 * directory),
    ]
    .concat();
    assert_eq!(said(npz::from_slice(&twice)), "key x occurs twice at `x`");
}

#[test]
fn a_bomb_is_an_error_before_it_is_inflated() {
    // 10 MB of zeros are 10 KB; what claims to hold more than deflate can is not looked at.
    let packed = archive(true, 10_000_000);
    let Parts {
        payload, directory, ..
    } = parts(&packed);
    assert!(packed.len() < 15_000);
    let limits = npz::ReadOptions::new().limits(Limits::new().array_bytes(1 << 20));
    let memory = allocation_counter::measure(|| {
        let said = said(npz::from_slice_with(&packed, &limits));
        let words = "10000000 bytes in one array, and the limit is 1048576 at `x`";
        assert!(said.starts_with(words), "{said}");

        let mut claims = packed.clone();
        claims[directory + 24..directory + 28].copy_from_slice(&u32::MAX.to_le_bytes()[..]);
        claims[directory + 27] = 0x7f;
        let said = super_said(&claims);
        assert!(
            said.contains("bytes that deflate can hold here, found 2147483647"),
            "{said}"
        );

        // An array of one byte by its header, with all the rest behind it.
        let small = archive(true, 1);
        let header = &small[parts(&small).payload];
        let mut lies = packed.clone();
        lies[payload.start..payload.start + header.len()].copy_from_slice(header);
        let said = super_said(&lies);
        assert!(said.contains("expected a member of 129 bytes"), "{said}");
    });
    assert!(memory.bytes_max < 1 << 20, "{} bytes", memory.bytes_max);
}

fn super_said(bytes: &[u8]) -> String {
    said(npz::from_slice(bytes))
}

#[test]
fn npy_files_that_lie() {
    let file = vector("npy/f4.npy");
    let shape = file
        .windows(4)
        .position(|window| window == b"(2,)")
        .unwrap();
    let changed = |new: &[u8]| {
        let mut bytes = file.clone();
        bytes[shape..shape + new.len()].copy_from_slice(new);
        bytes
    };
    let memory = allocation_counter::measure(|| {
        for (shape, words) in [
            (
                &b"(9999999999999,), }"[..],
                "input ends after 136 of 40000000000124 bytes, byte 0",
            ),
            (
                b"(9999999999,9999999999,), }",
                "array of shape (9999999999, 9999999999) with items of 4 bytes is larger than memory can be, byte 128",
            ),
            (b"(1,)", "4 bytes after the end of the value, byte 132"),
            (b"(-2,), }", "npy: expected"),
        ] {
            let said = said(npy::from_slice(&changed(shape)));
            assert!(said.starts_with(words), "{said}");
        }
    });
    assert!(memory.bytes_max < 1 << 16, "{} bytes", memory.bytes_max);
    let mut objects = file.clone();
    let at = objects
        .windows(3)
        .position(|window| window == b"<f4")
        .unwrap();
    objects[at..at + 3].copy_from_slice(b"|O8");
    assert!(said(npy::from_slice(&objects)).starts_with("object dtype `|O8` is refused"));
}

#[test]
fn no_byte_that_is_cut_off_or_changed_makes_a_panic() {
    for file in ArrayFile::all() {
        let read = |bytes: &[u8]| match file.folder() {
            "npy" => npy::from_slice(bytes).map(drop),
            "npz" => npz::from_slice(bytes).map(drop),
            _ => safetensors::from_slice(bytes).map(drop),
        };
        // The large archive would take minutes; its kinds of bytes are in the small ones.
        let step = 1 + file.bytes.len() / 1000;
        for at in (0..file.bytes.len()).step_by(step) {
            assert!(
                read(&file.bytes[..at]).is_err(),
                "{} cut at {at}",
                file.name
            );
            let mut changed = file.bytes.clone();
            for bit in [0x01, 0xff] {
                changed[at] = file.bytes[at] ^ bit;
                let _ = read(&changed);
            }
        }
    }
}
