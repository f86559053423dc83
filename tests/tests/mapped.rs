//! Checkpoints that are mapped: what is found, what is borrowed, what is not touched.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path as FilePath;

use npcodec::ndarray::{Array1, Array2, Ix1, Ix2, array};
use npcodec::{
    Checkpoint, ErrorKind, Limits, MappedCheckpoint, Path, PathPattern, ReadOptions, Segment,
    Strictness, Value, decode, load_with, to_vec,
};
use npcodec_tests::temporary::Folder;
use npcodec_tests::vector::Vector;

fn open(path: &FilePath) -> Result<MappedCheckpoint, npcodec::Error> {
    // SAFETY: the files are in folders of this process, and nobody changes them.
    #[allow(unsafe_code)]
    unsafe {
        MappedCheckpoint::open(path)
    }
}

fn mapped(folder: &Folder, bytes: &[u8]) -> Result<MappedCheckpoint, npcodec::Error> {
    let path = folder.path().join("state.msgpack");
    // A new file each time: the old one may still be mapped.
    let _ = std::fs::remove_file(&path);
    std::fs::write(&path, bytes).unwrap();
    open(&path)
}

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

/// Lists all values of a tree with their paths, outer ones first.
fn walk<'v>(at: Path, value: &'v Value<'v>, all: &mut Vec<(Path, &'v Value<'v>)>) {
    all.push((at.clone(), value));
    match value {
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(at.clone().join(Segment::Index(index as i128)), item, all);
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let segment = match key.as_str() {
                    Some(text) => Segment::Key(text.to_owned()),
                    None => Segment::Index(key.to_string().parse().unwrap()),
                };
                walk(at.clone().join(segment), value, all);
            }
        }
        _ => {}
    }
}

#[test]
fn every_value_of_every_file_of_python_is_found() {
    let folder = Folder::new();
    let (mut values, mut arrays) = (0, 0);
    for vector in Vector::all() {
        let checkpoint = mapped(&folder, &vector.bytes).unwrap();
        let tree = decode(&vector.bytes).unwrap();
        let mut all = Vec::new();
        walk(Path::root(), &tree, &mut all);
        for (path, value) in &all {
            let found = checkpoint.get(path).unwrap();
            assert_eq!(found.as_ref(), Some(*value), "{} {path}", vector.name);
        }
        let expected = all
            .iter()
            .filter_map(|(path, value)| Some((path, value.as_array()?)));
        let found: Vec<_> = checkpoint.arrays().map(Result::unwrap).collect();
        assert!(
            expected.eq(found.iter().map(|array| (array.path(), &**array))),
            "{}",
            vector.name
        );
        assert_eq!(checkpoint.len(), found.len());
        values += all.len();
        arrays += found.len();
    }
    assert!(values > 1_000 && arrays > 300, "{values} {arrays}");
}

#[derive(Checkpoint, Debug, PartialEq, Clone)]
struct Run {
    #[checkpoint(rename = "a.b")]
    dotted: BTreeMap<String, Array1<f64>>,
    numbered: BTreeMap<i64, Array1<u8>>,
    layers: Vec<Array2<f32>>,
    losses: Vec<f64>,
    note: String,
}

fn run() -> Run {
    Run {
        dotted: ["x/y", "", "\"", "z"]
            .map(|key| (key.to_owned(), array![0.5, 1.5]))
            .into(),
        numbered: [-3, 7].map(|key| (key, array![key as u8])).into(),
        layers: (0..40)
            .map(|n| Array2::from_elem((2, 3), n as f32))
            .collect(),
        losses: vec![0.25, 0.5],
        note: "text".to_owned(),
    }
}

#[test]
fn any_key_can_be_reached() {
    let folder = Folder::new();
    let checkpoint = mapped(&folder, &to_vec(&run()).unwrap()).unwrap();
    let get = |text: &str| checkpoint.get(&path(text)).unwrap();
    for key in [
        r#"["a.b"].x/y"#,
        r#"["a.b"][""]"#,
        r#"["a.b"]["\""]"#,
        r#"["a.b"].z"#,
    ] {
        let view = checkpoint.view::<f64, Ix1>(&path(key)).unwrap();
        assert_eq!(view, array![0.5, 1.5], "{key}");
    }
    assert_eq!(
        checkpoint.view::<u8, Ix1>(&path("numbered[-3]")).unwrap(),
        array![253]
    );
    assert_eq!(get("losses[1]"), Some(Value::from(0.5)));
    assert_eq!(get("note"), Some(Value::from("text")));
    let layer = checkpoint.view::<f32, Ix2>(&path("layers[39]")).unwrap();
    assert_eq!(layer, Array2::from_elem((2, 3), 39.0));
    for absent in [
        "layers[40]",
        "layers.x",
        "note.x",
        "losses[2]",
        "layer",
        "[0]",
        "numbered[-4]",
    ] {
        assert_eq!(get(absent), None, "{absent}");
    }
    let error = checkpoint
        .view::<f32, Ix2>(&path("layers[40]"))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit:\n  missing: layers[40]"
    );
    let error = checkpoint.view::<u8, Ix2>(&path("layers[39]")).unwrap_err();
    let offset = checkpoint
        .arrays()
        .map(Result::unwrap)
        .last()
        .unwrap()
        .data()
        .as_ptr()
        .addr()
        - checkpoint.bytes().as_ptr().addr();
    // Before its payload stand the map, `shape` with two lengths, and `data` with its length.
    let expected = format!(
        "layers[39]: expected an array of 2 dimensions and dtype '|u1', \
         found an array of shape (2, 3) and dtype '<f4' (`cast = \"lossy\"` allows it, \
         and `cast` where no value changes), byte {}",
        offset - 17
    );
    assert!(error.to_string().contains(&expected), "{error}\n{expected}");
}

#[test]
fn views_borrow_where_they_can_and_copy_where_they_must() {
    let folder = Folder::new();
    let state = run();
    let checkpoint = mapped(&folder, &to_vec(&state).unwrap()).unwrap();
    let range = checkpoint.bytes().as_ptr_range();
    let (mut borrowed, mut copied) = (0, 0);
    for (index, layer) in state.layers.iter().enumerate() {
        let view = checkpoint
            .view::<f32, Ix2>(&path(&format!("layers[{index}]")))
            .unwrap();
        assert_eq!(view, layer);
        let is_inside = range.contains(&view.as_ptr().cast::<u8>());
        assert_eq!(is_inside, view.is_view());
        match is_inside {
            true => borrowed += 1,
            false => copied += 1,
        }
    }
    // A layer takes 57 bytes, so that every fourth is aligned.
    assert_eq!((borrowed, copied), (10, 30));

    let mut other = Run {
        layers: vec![Array2::zeros((2, 3)); 40],
        ..run()
    };
    let before = other.layers[3].as_ptr();
    assert!(checkpoint.restore_into(&mut other).unwrap().is_clean());
    assert_eq!(other, state);
    assert_eq!(other.layers[3].as_ptr(), before);
    assert_eq!(checkpoint.restore::<Run>().unwrap(), state);
    let layers: Vec<Array2<f32>> = checkpoint.restore_at(&path("layers")).unwrap();
    assert_eq!(layers, state.layers);

    let mut part = Run {
        layers: vec![Array2::zeros((2, 3)); 40],
        ..run()
    };
    let options = ReadOptions::new().only(["layers[2]".parse::<PathPattern>().unwrap()]);
    checkpoint.restore_into_with(&mut part, &options).unwrap();
    assert_eq!(part.layers[2], state.layers[2]);
    assert_eq!(part.layers[3], Array2::<f32>::zeros((2, 3)));
}

#[test]
fn a_checkpoint_in_a_log_is_its_sizes() {
    let bytes = b"\x83\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";
    let checkpoint = MappedCheckpoint::from_bytes(bytes.to_vec()).unwrap();
    assert_eq!(
        format!("{checkpoint:?}"),
        "MappedCheckpoint { bytes: 29, arrays: 1, .. }"
    );
}

#[test]
fn options_are_those_of_the_readers() {
    let state = BTreeMap::from([("a".to_owned(), array![1u8]), ("b".to_owned(), array![2])]);
    let bytes = to_vec(&state).unwrap();
    #[derive(Checkpoint, Debug, PartialEq)]
    struct OnlyA {
        a: Array1<u8>,
    }
    let checkpoint = MappedCheckpoint::from_bytes(bytes.clone()).unwrap();
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (read, report) = checkpoint.restore_with::<OnlyA>(&lenient).unwrap();
    assert_eq!(read, OnlyA { a: array![1] });
    assert_eq!(report.unexpected, [path("b")]);
    assert!(checkpoint.restore::<OnlyA>().is_err());
    let few = ReadOptions::new().limits(Limits::new().keys(1));
    let error = MappedCheckpoint::from_bytes_with(bytes, &few).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Limit { found: 2, .. }),
        "{error}"
    );
}

#[test]
fn what_is_no_checkpoint_is_refused_at_its_byte() {
    let folder = Folder::new();
    let bytes = to_vec(&run()).unwrap();
    let error = |bytes: &[u8]| mapped(&folder, bytes).unwrap_err();
    for end in (0..bytes.len()).step_by(7) {
        let error = error(&bytes[..end]);
        assert!(
            matches!(error.kind(), ErrorKind::Truncated { .. }),
            "{end}: {error}"
        );
    }
    let trailing = error(&[&bytes[..], b"\xc0"].concat());
    assert_eq!(*trailing.kind(), ErrorKind::TrailingBytes { count: 1 });
    assert_eq!(trailing.offset(), Some(bytes.len() as u64));
    let deep = error(&[&[0x91; 20_000][..], &[0xc0]].concat());
    assert_eq!(*deep.kind(), ErrorKind::TooDeep { limit: 200 });
    let key = error(b"\x81\x90\x01");
    let file = folder.path().join("state.msgpack");
    let expected = "expected a string or a 64-bit integer as map key, found a list, byte 1";
    assert_eq!(key.to_string(), format!("{expected}, file {file:?}"));

    // What is wrong with one array does not keep the others from being read.
    let array = |dtype: &str| {
        [
            b"\x83\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5",
            dtype.as_bytes(),
        ]
        .concat()
    };
    let file = [b"\x82\xa1a", &array("'|u2'")[..], b"\xa1b", &array("'|u1'")].concat();
    let checkpoint = mapped(&folder, &file).unwrap();
    let said: Vec<_> = checkpoint
        .arrays()
        .map(|array| array.map_err(|e| e.to_string()))
        .collect();
    assert_eq!(
        said[0].as_ref().unwrap_err(),
        "array of shape (1,) and dtype '|u2' needs 2 bytes, found 1 at `a`, byte 3"
    );
    assert_eq!(said[1].as_ref().unwrap().data(), [7]);
    let absent = open(&folder.path().join("absent")).unwrap_err();
    assert!(matches!(
        absent.kind(),
        ErrorKind::Io {
            kind: std::io::ErrorKind::NotFound,
            ..
        }
    ));
}

/// Returns how much of this process is in memory, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = status.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// 4 GiB of arrays in a file with holes: what is not asked for is neither read nor in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_large_file_costs_what_is_looked_at() {
    const COUNT: usize = 256;
    const BYTES: u32 = 16 << 20;
    let folder = Folder::new();
    let at = folder.path().join("large.msgpack");
    let mut file = File::create(&at).unwrap();
    file.write_all(&[&[0xdc][..], &(COUNT as u16).to_be_bytes()].concat())
        .unwrap();
    for index in 0..COUNT {
        file.write_all(b"\x83\xa5shape\x91\xce").unwrap();
        file.write_all(&BYTES.to_be_bytes()).unwrap();
        file.write_all(b"\xa4data\xc6").unwrap();
        file.write_all(&BYTES.to_be_bytes()).unwrap();
        file.write_all(&[index as u8]).unwrap();
        file.seek(SeekFrom::Current(i64::from(BYTES) - 1)).unwrap();
        file.write_all(b"\xa5dtype\xa5'|u1'").unwrap();
    }
    drop(file);
    let before = resident();
    let checkpoint = open(&at).unwrap();
    let paths = checkpoint
        .arrays()
        .map(|array| array.unwrap().path().to_string());
    assert_eq!(paths.last().unwrap(), "[255]");
    let view = checkpoint.view::<u8, Ix1>(&path("[200]")).unwrap();
    assert_eq!((view.len(), view[0], view[1]), (BYTES as usize, 200, 0));
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes");

    let options = ReadOptions::new().at(path("[100]"));
    let (array, _) = load_with::<Array1<u8>>(&at, &options).unwrap();
    assert_eq!((array.len(), array[0]), (BYTES as usize, 100));
}
