//! Arrays in chunks: which are split and where, and that typed fields join them.

use std::io::{self, Write};

use npcodec::ndarray::{
    Array0, Array1, Array2, Array3, ArrayD, Axis, IxDyn, ShapeBuilder, Slice, array,
};
use npcodec::{
    Checkpoint, ErrorKind, NumpyEncoding, Strictness, Value, WriteOptions, decode, from_slice,
    to_vec, to_vec_with, to_writer, to_writer_with,
};
use npcodec_tests::kept::kept;
use npcodec_tests::states::{Everything, Plain, strided};

fn chunked(bytes: usize) -> WriteOptions {
    WriteOptions::new().chunk_bytes(bytes)
}

#[test]
fn the_map_holds_chunks_and_axis() {
    let state = array![[1u8, 2], [3, 4], [5, 6]];
    let expected = b"\x82\xa6chunks\x92\
        \x84\xa5shape\x92\x02\x02\xa4data\xc4\x04\x01\x02\x03\x04\xa5dtype\xa5'|u1'\xa5order\xa1C\
        \x83\xa5shape\x92\x01\x02\xa4data\xc4\x02\x05\x06\xa5dtype\xa5'|u1'\
        \xa4axis\x00";
    // Rows are whole: of 5 bytes, 4 are used.
    for bytes in [4, 5] {
        assert_eq!(to_vec_with(&state, &chunked(bytes)).unwrap(), expected);
    }
    assert_eq!(
        to_vec_with(&state, &chunked(6)).unwrap(),
        to_vec(&state).unwrap()
    );

    let mut columns = Array2::zeros((2, 3).f());
    columns.assign(&state.t());
    let expected = b"\x82\xa6chunks\x92\
        \x84\xa5shape\x92\x02\x02\xa4data\xc4\x04\x01\x02\x03\x04\xa5dtype\xa5'|u1'\xa5order\xa1F\
        \x83\xa5shape\x92\x02\x01\xa4data\xc4\x02\x05\x06\xa5dtype\xa5'|u1'\
        \xa4axis\x01";
    assert_eq!(to_vec_with(&columns, &chunked(4)).unwrap(), expected);
}

#[test]
fn typed_fields_join_what_was_split() {
    let state = Everything::new();
    for bytes in [32, 33, 40, 47, 1000] {
        for align in [1, 64] {
            let options = chunked(bytes).align(align);
            let file = to_vec_with(&state, &options).unwrap();
            assert_eq!(file.capacity(), file.len());
            let mut streamed = vec![];
            to_writer_with(&mut streamed, &state, &options).unwrap();
            assert!(streamed == file);
            assert_eq!(
                file.windows(6).any(|bytes| bytes == b"chunks"),
                bytes < 1000
            );

            // What serde reads on its own, and what reads whatever there is, does not join.
            let read = from_slice::<Everything>(&file).unwrap();
            assert_eq!(read, state);
            assert_eq!(rmp_serde::from_slice::<Everything>(&file).unwrap(), state);
            let dict = decode(&file).unwrap();
            assert_eq!(Everything::from_value(dict.clone()).unwrap(), state);
            assert_eq!(to_vec(&dict).unwrap(), file, "written again it differs");

            let Value::Map(dict) = dict else {
                panic!("no map")
            };
            let mut other = Everything::new();
            let report = other.load_state_dict(&dict, Strictness::Strict).unwrap();
            assert!(report.is_clean());
            assert_eq!(other, state);
        }
    }
}

#[test]
fn fields_of_plain_serde_types_join_too() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct State {
        #[checkpoint(serde)]
        plain: Plain,
        #[checkpoint(with = "npcodec::with::array")]
        adapted: Array2<f64>,
        wire: NumpyEncoding<'static>,
    }
    let matrix = array![[1.0], [2.0], [3.0]];
    let state = State {
        plain: Plain {
            matrix: matrix.clone(),
        },
        wire: NumpyEncoding::from_array(matrix.view())
            .unwrap()
            .into_owned(),
        adapted: matrix,
    };
    let file = kept(to_vec_with(&state, &chunked(8)).unwrap());
    assert_eq!(
        file.windows(6).filter(|bytes| bytes == b"chunks").count(),
        3
    );
    assert_eq!(from_slice::<State>(file).unwrap(), state);
}

#[test]
fn memory_order_outlasts_the_split() {
    let rows = Array3::from_shape_fn((3, 4, 5), |(i, j, k)| (i * 20 + j * 5 + k) as u16);
    let mut columns = Array3::zeros((3, 4, 5).f());
    columns.assign(&rows);
    for bytes in [24, 40, 50, 100] {
        let read = |array: &Array3<u16>| -> Option<Array3<u16>> {
            from_slice(&to_vec_with(array, &chunked(bytes)).ok()?).ok()
        };
        if let Some(read) = read(&rows) {
            assert_eq!(read, rows);
            assert!(read.is_standard_layout());
        }
        let read = read(&columns).unwrap();
        assert_eq!(read, columns);
        assert!(read.t().is_standard_layout());
    }
    let base = Array2::from_shape_fn((6, 8), |(i, j)| (i * 8 + j) as f32);
    let file = to_vec_with(&strided(&base), &chunked(40)).unwrap();
    assert_eq!(from_slice::<Array2<f32>>(&file).unwrap(), strided(&base));
    let view = base.slice_axis(Axis(1), Slice::from(1..));
    let view = view.t();
    let file = to_vec_with(&view, &chunked(40)).unwrap();
    assert_eq!(from_slice::<Array2<f32>>(&file).unwrap(), view);
}

#[test]
fn chunks_of_python_may_lie_along_any_axis() {
    let whole = Array3::from_shape_fn((4, 6, 5), |(i, j, k)| (i * 30 + j * 5 + k) as i32);
    for axis in 0..3 {
        let chunks: Vec<_> = whole
            .axis_chunks_iter(Axis(axis), 2)
            .map(|chunk| chunk.as_standard_layout().into_owned())
            .collect();
        let chunks: Vec<_> = chunks
            .iter()
            .map(|chunk| chunk.to_value().unwrap())
            .collect();
        let map = [
            ("axis", Value::from(axis as u64)),
            ("chunks", Value::List(chunks)),
        ];
        let file = to_vec(&Value::Map(map.into_iter().collect())).unwrap();
        assert_eq!(from_slice::<Array3<i32>>(&file).unwrap(), whole);
    }
}

#[test]
fn a_row_that_fits_no_chunk_is_named() {
    let error = to_vec_with(&(1, array![[1u8, 2], [3, 4]]), &chunked(1)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::RowTooLong { bytes: 2, limit: 1 });
    assert_eq!(
        error.to_string(),
        "a row of 2 bytes is larger than a chunk may be, which is 1 at `[1]`"
    );
    // What has no axis is as long as MessagePack allows.
    let file = to_vec_with(&Array0::from_elem((), 1.0), &chunked(1)).unwrap();
    assert_eq!(file, to_vec(&Array0::from_elem((), 1.0)).unwrap());
}

#[test]
fn chunks_that_do_not_fit_are_one_line_of_the_report() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct State {
        weights: Array1<u8>,
        step: u64,
    }
    let chunk = |dtype: &'static str, length: usize, bytes: usize| {
        Value::Array(NumpyEncoding::new(vec![length], vec![0; bytes], dtype, None).unwrap())
    };
    let bytes = chunk("'|u1'", 1, 1);
    let list = |chunks: Vec<Value<'static>>| Value::List(chunks);
    for (chunks, axis, fault) in [
        (
            list(vec![]),
            Value::from(0),
            "expected at least one array under `chunks`, found none",
        ),
        (
            list(vec![bytes.clone(), Value::Nil, Value::List(vec![])]),
            Value::from(0),
            "expected a list of arrays under `chunks`, found nil",
        ),
        (
            Value::from(5),
            Value::from(0),
            "expected a list of arrays under `chunks`, found 5",
        ),
        (
            list(vec![bytes.clone(), chunk("'<i2'", 1, 2)]),
            Value::from(0),
            "expected arrays of one dtype under `chunks`, found '|u1' and '<i2'",
        ),
        (
            list(vec![bytes.clone()]),
            Value::from(1),
            "expected arrays that have the axis under `chunks`, found axis 1 of shape (1,)",
        ),
        (
            list(vec![bytes.clone()]),
            Value::from(-1),
            "expected the number of an axis under `axis`, found -1",
        ),
        (
            list(vec![bytes.clone()]),
            Value::from(0.0),
            "expected the number of an axis under `axis`, found float 0",
        ),
    ] {
        let map = Value::Map([("chunks", chunks), ("axis", axis)].into_iter().collect());
        let state = [("weights", map), ("step", Value::from("x"))]
            .into_iter()
            .collect();
        let file = to_vec(&Value::Map(state)).unwrap();
        let error = from_slice::<State>(&file).unwrap_err();
        let report = error.report().unwrap_or_else(|| panic!("{error}"));
        let text = error.to_string();
        assert!(text.contains(&format!("weights: {fault}")), "{text}");
        assert_eq!(report.mismatched.len(), 2, "{text}");
    }
}

#[test]
fn other_maps_with_those_keys_are_maps() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Chunks {
        chunks: Vec<Array1<u8>>,
        axis: u8,
    }
    let state = Chunks {
        chunks: vec![array![1], array![2]],
        axis: 0,
    };
    let file = to_vec(&state).unwrap();
    assert_eq!(from_slice::<Chunks>(&file).unwrap(), state);
    assert_eq!(from_slice::<Array1<u8>>(&file).unwrap(), array![1, 2]);
    let more = [("chunks", 1), ("axis", 0), ("more", 0)];
    let file = to_vec(&Value::Map(
        more.into_iter().map(|(k, v)| (k, Value::from(v))).collect(),
    ));
    let error = from_slice::<Array1<u8>>(&file.unwrap()).unwrap_err();
    assert!(error.to_string().contains("found a map"), "{error}");
}

/// Counts what is written, and looks at the first bytes of large writes only.
#[derive(Default)]
struct Counting {
    bytes: u64,
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Memory that nobody touches costs nothing.
fn zeros(shape: &[usize]) -> ArrayD<u8> {
    ArrayD::zeros(IxDyn(shape))
}

fn written<T: npcodec::Save>(state: &T, options: &WriteOptions) -> Result<u64, npcodec::Error> {
    let mut counting = Counting::default();
    let result = to_writer_with(&mut counting, state, options);
    match result {
        Ok(()) => Ok(counting.bytes),
        Err(error) => {
            assert_eq!(counting.bytes, 0, "refused after the first byte: {error}");
            Err(error)
        }
    }
}

#[test]
fn the_limit_of_4_gib_is_exact() {
    let longest = u32::MAX as usize;
    let plain = WriteOptions::new();
    let head = to_vec(&zeros(&[0])).unwrap().len() as u64;
    // Length and payload take more bytes than those of an empty array.
    let bytes = written(&zeros(&[longest]), &plain).unwrap();
    assert_eq!(bytes, head + 4 + 3 + longest as u64);

    let before = ("first", zeros(&[longest + 1]));
    let error = written(&before, &plain).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TooLong { bytes: longest + 1 });
    assert_eq!(error.path().to_string(), "[1]");
    assert_eq!(to_vec(&before).unwrap_err().kind(), error.kind());

    // Halves of it would be gathered, and 4 GiB of records compressed: they are refused before.
    let base = zeros(&[2, longest + 1]);
    let strided = base.slice_axis(Axis(1), Slice::new(0, None, 2));
    let twice = strided
        .broadcast(IxDyn(&[3, 2, longest.div_ceil(2)]))
        .unwrap();
    assert!(written(&("first", twice.view()), &plain).is_err());

    let allowed = WriteOptions::new().allow_chunks(true);
    let bytes = written(&before, &allowed).unwrap();
    assert!(bytes > longest as u64 + 1 && bytes < longest as u64 + 200);
    let rows = zeros(&[3, 1 << 31]);
    assert!(written(&rows, &allowed).unwrap() > 3 << 31);
    let error = written(&("first", zeros(&[2, longest + 1])), &allowed).unwrap_err();
    let limit = longest;
    assert_eq!(
        *error.kind(),
        ErrorKind::RowTooLong {
            bytes: longest + 1,
            limit
        }
    );
}

#[test]
fn a_record_of_4_gib_is_refused_before_the_first_byte() {
    #[derive(Checkpoint)]
    struct Frames {
        first: u8,
        #[checkpoint(compress)]
        frame: ArrayD<u8>,
    }
    let state = Frames {
        first: 1,
        frame: zeros(&[1 << 32]),
    };
    for options in [WriteOptions::new(), WriteOptions::new().allow_chunks(true)] {
        let error = written(&state, &options).unwrap_err();
        assert_eq!(error.path().to_string(), "frame");
        assert!(matches!(error.kind(), ErrorKind::Snappy { .. }), "{error}");
    }
}

#[test]
fn more_than_4_gib_of_small_arrays_need_no_chunks() {
    let leaf = Array1::<u8>::zeros(16 << 20);
    let state: Vec<_> = (0..257).map(|_| leaf.view()).collect();
    assert!(written(&state, &WriteOptions::new()).unwrap() > 257 * (16 << 20));
    assert!(to_writer(io::sink(), &state).is_ok());
}
