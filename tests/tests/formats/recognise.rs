//! A file is what only one format has, or an error.

use npcodec::formats::{
    Format, ReadOptions, read, read_file, read_file_with, read_value, recognise,
};
use npcodec::{Error, Limits, Value};
use npcodec_tests::arrays::ArrayFile;
use npcodec_tests::python::Scratch;
use npcodec_tests::vector::Vector;

fn said<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn the_files_of_every_writer_are_recognised() {
    for file in ArrayFile::all() {
        let expected = match file.folder() {
            "npy" => Format::Npy,
            "npz" => Format::Npz,
            _ => Format::Safetensors,
        };
        let (format, value) = read_value(&file.bytes).unwrap();
        assert_eq!(format, expected, "{}", file.name);
        file.check(&value);
    }
    for Vector { name, bytes, .. } in Vector::all() {
        assert_eq!(recognise(&bytes).ok(), Some(Format::MessagePack), "{name}");
        let (_, value) = read_value(&bytes).unwrap();
        assert_eq!(value, npcodec::decode(&bytes).unwrap(), "{name}");
    }
    for (folder, expected) in [
        ("flax", Format::Flax),
        ("msgpack_numpy", Format::MsgpackNumpy),
    ] {
        let mut arrays = 0;
        let folder = format!("{}/data/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(format) = recognise(&std::fs::read(&path).unwrap()) else {
                continue;
            };
            let is_plain = format == Format::MessagePack;
            assert!(format == expected || is_plain, "{path:?}: {format}");
            arrays += usize::from(!is_plain);
        }
        assert!(arrays > 30, "{arrays} files of {expected}");
    }
}

const OURS: &[u8] = b"\x83\xa5shape\x90\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";
const FLAX: &[u8] = b"\xc7\x0b\x01\x93\x90\xa5uint8\xc4\x01\x07";
const MSGPACK_NUMPY: &[u8] = b"\x82\xc4\x02nd\xc3\xc4\x04data\xc0";

#[test]
fn arrays_of_two_kinds_are_an_error_that_names_both() {
    let list = |first: &[u8], second: &[u8]| [&b"\x92"[..], first, second].concat();
    for (first, second, words) in [
        (
            FLAX,
            OURS,
            "one of messagepack behind one of flax at byte 1, byte 15",
        ),
        (
            OURS,
            FLAX,
            "one of flax behind one of messagepack at byte 1, byte 29",
        ),
        (
            OURS,
            MSGPACK_NUMPY,
            "one of msgpack-numpy behind one of messagepack at byte 1, byte 29",
        ),
    ] {
        let said = said(recognise(&list(first, second)));
        assert_eq!(
            said,
            format!("messagepack: expected arrays of one kind, found {words}")
        );
    }
    for (one, format) in [
        (OURS, Format::MessagePack),
        (FLAX, Format::Flax),
        (MSGPACK_NUMPY, Format::MsgpackNumpy),
    ] {
        assert_eq!(recognise(&list(one, b"\xa1a")).unwrap(), format);
    }
}

#[test]
fn maps_that_are_no_arrays_may_have_their_keys() {
    // flax.serialization.to_bytes({'w': {'shape': (2,), 'data': np.array([1, 2], 'u1'), 'dtype': 'u1'}})
    let flax = b"\x81\xa1w\x83\xa5shape\x81\xa10\x02\
                 \xa4data\xc7\x0d\x01\x93\x91\x02\xa5uint8\xc4\x02\x01\x02\xa5dtype\xa2u1";
    let (format, value) = read_value(flax).unwrap();
    assert_eq!(format, Format::Flax);
    let held = value.as_map().and_then(|map| map.get("w")?.as_map());
    assert_eq!(held.and_then(|map| map.get("dtype")?.as_str()), Some("u1"));
    // msgpack_numpy.packb({'shape': [1], 'data': np.uint8(7), 'dtype': 'u1'})
    let numpy = b"\x83\xa5shape\x91\x01\xa4data\x83\xc4\x02nd\xc2\xc4\x04type\xa3|u1\
                  \xc4\x04data\xc4\x01\x07\xa5dtype\xa2u1";
    assert_eq!(read_value(numpy).unwrap().0, Format::MsgpackNumpy);
    // Beside an array of Flax: an array with a key more, which is a map in every format.
    for more in [&b"\xa1x\xc0"[..], b"\x07\xc0"] {
        let map = [b"\x84", &OURS[1..], more].concat();
        assert!(npcodec::decode(&map).unwrap().as_map().is_some());
        let both = [b"\x92", FLAX, &map].concat();
        assert_eq!(read_value(&both).unwrap().0, Format::Flax);
    }
    for more in [&b"\xa5order\xa1C"[..], b"\xa3pad\xc4\x00"] {
        let array = [b"\x84", &OURS[1..], more].concat();
        assert!(recognise(&[b"\x92", FLAX, &array].concat()).is_err());
    }
}

#[test]
fn lists_and_maps_are_not_taken_for_safetensors() {
    // Small numbers that look like the length of a header, and `{` behind them.
    let list = b"\x99\x01\x00\x00\x00\x00\x00\x00{\"";
    assert_eq!(recognise(list).unwrap(), Format::MessagePack);
    let (_, value) = read_value(list).unwrap();
    assert_eq!(value.as_list().map(<[_]>::len), Some(9));
    // The same before a text, which makes it longer than the header would be.
    let list = [
        &b"\x99\x20\x00\x00\x00\x00\x00\x00{\xd9\x28"[..],
        &[b'x'; 40],
    ]
    .concat();
    assert_eq!(recognise(&list).unwrap(), Format::MessagePack);
    // flax.serialization.to_bytes of an array alone, of zeros, of the shape (1, 1, 1, 123, 1).
    let head = b"\xc7\x8a\x01\x93\x95\x01\x01\x01\x7b\x01\xa5uint8\xc4\x7b";
    let alone = [&head[..], &[0; 123]].concat();
    let (format, value) = read_value(&alone).unwrap();
    let shape = value.as_array().map(|array| array.shape().to_vec());
    assert_eq!((format, shape), (Format::Flax, Some(vec![1, 1, 1, 123, 1])));
    // A float of whose bytes the last is `{`.
    let float = b"\xcb\x3f\xf0\x00\x00\x00\x00\x00{";
    assert_eq!(recognise(float).unwrap(), Format::MessagePack);
    // A file that was cut off is still one of safetensors.
    let cut = b"\x40\x00\x00\x00\x00\x00\x00\x00{\"a\":";
    assert_eq!(recognise(cut).unwrap(), Format::Safetensors);
    assert_eq!(said(read(cut)), "input ends after 13 of 72 bytes");
    assert_eq!(said(read(b"")), "input ends after 0 of 1 byte, byte 0");
    assert_eq!(
        said(read(b"PK")),
        "1 byte after the end of the value, byte 1"
    );
}

#[test]
fn deep_and_endless_input_is_refused() {
    let deep = [&[0x91; 300][..], &[0xc0]].concat();
    assert!(said(recognise(&deep)).starts_with("nested deeper than 200 levels"));
    assert!(said(recognise(b"\xdd\xff\xff\xff\xff\xc0")).starts_with("input ends after 6 of"));
    assert!(said(recognise(b"\x81\xa1a")).starts_with("input ends after"));
    let options = ReadOptions::new().limits(Limits::new().total_bytes(10));
    for file in ArrayFile::all() {
        let read = npcodec::formats::read_value_with(&file.bytes, &options);
        let words = format!("{} bytes of input, and the limit is 10", file.bytes.len());
        assert_eq!(said(read), words, "{}", file.name);
    }
}

#[test]
fn a_state_is_a_map_and_a_file_is_named_in_its_errors() {
    let files = ArrayFile::all();
    let npy = files.iter().find(|file| file.folder() == "npy").unwrap();
    assert_eq!(
        said(read(&npy.bytes)),
        "a state dict is a map, this value is an array"
    );

    let scratch = Scratch::new("read-file");
    let path = scratch.path().join("state.bin");
    let npz = files
        .iter()
        .find(|file| file.name == "npz/names.npz")
        .unwrap();
    std::fs::write(&path, &npz.bytes).unwrap();
    let (format, dict) = read_file(&path).unwrap();
    assert_eq!(format, Format::Npz);
    npz.check(&Value::Map(dict));
    std::fs::write(&path, &npy.bytes).unwrap();
    assert!(said(read_file(&path)).ends_with("state.bin\""));
    let small = ReadOptions::new().limits(Limits::new().total_bytes(9));
    let said = said(read_file_with(&path, &small));
    assert!(said.contains("the limit is 9"), "{said}");
}
