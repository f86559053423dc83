//! States are written in two passes over them, and are what their trees of values are written as.

use std::cell::Cell;
use std::collections::BTreeMap;

use allocation_counter::measure;
use npcodec::checkpoint::{ListSink, Outline, Save, Sink};
use npcodec::formats::flax::{
    Form, WriteOptions, to_bytes, to_bytes_with, to_vec_with, unsupported_with,
};
use npcodec::ndarray::{Array1, Array2, ShapeBuilder, array, s};
use npcodec::{Checkpoint, ErrorKind, Key, NumpyEncoding, Structured, Value};

#[derive(Structured, Clone)]
struct Row {
    a: i32,
}

/// A state with arrays of every memory, and of what Flax cannot hold.
#[derive(Checkpoint)]
struct State {
    rows: Array2<i16>,
    columns: Array2<i16>,
    #[checkpoint(fortran = "row_major")]
    foreign: Array2<i16>,
    #[checkpoint(array)]
    block: [[f64; 3]; 2],
    #[checkpoint(scalar)]
    scalar: f32,
    numbered: BTreeMap<u64, Vec<u8>>,
    nothing: Array2<f32>,
    text: Option<String>,
    lists: Vec<Vec<bool>>,
}

fn columns() -> Array2<i16> {
    Array2::from_shape_fn((30, 20).f(), |(i, j)| (i * 20 + j) as i16)
}

fn state() -> State {
    State {
        rows: Array2::from_shape_fn((30, 20), |(i, j)| (i + j) as i16),
        columns: columns(),
        foreign: columns(),
        block: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        scalar: 0.5,
        numbered: BTreeMap::from([(7, vec![1, 2]), (10, vec![])]),
        nothing: Array2::zeros((0, 1 << 40)),
        text: None,
        lists: vec![vec![true], vec![]],
    }
}

fn options() -> impl Iterator<Item = WriteOptions> {
    let forms = [Form::ToBytes, Form::Serialize, Form::SerializeInPlace];
    let chunks = [1 << 30, 40, 1].into_iter();
    chunks
        .flat_map(move |bytes| forms.map(|form| WriteOptions::new().form(form).chunk_bytes(bytes)))
}

#[test]
fn a_state_is_written_as_its_tree() {
    let strided = columns();
    let every_other = strided.slice(s![..;2, ..;-1]);
    let state = state();
    let tree = state.to_value().unwrap();
    for options in options() {
        let bytes = to_bytes_with(&state, &options).unwrap();
        assert_eq!(bytes.len(), bytes.capacity());
        assert_eq!(bytes, to_vec_with(&tree, &options).unwrap(), "{options:?}");
        let views = (every_other, every_other.t());
        let bytes = to_bytes_with(&views, &options).unwrap();
        let pair = [every_other.to_owned(), every_other.t().to_owned()];
        let pair = pair.map(|array| {
            Value::Array(
                NumpyEncoding::from_array(array.view())
                    .unwrap()
                    .into_owned(),
            )
        });
        let tree = Value::List(pair.to_vec());
        assert_eq!(bytes, to_vec_with(&tree, &options).unwrap(), "{options:?}");
    }
}

#[derive(Checkpoint)]
struct Refused {
    long: u128,
    #[checkpoint(compress)]
    frames: Vec<Array1<u8>>,
    rows: Vec<Array1<Row>>,
    values: BTreeMap<String, Value<'static>>,
}

#[test]
fn all_that_is_refused_is_listed_in_the_order_of_the_state() {
    let big = NumpyEncoding::new(vec![1], vec![0, 1], "'>i2'", None).unwrap();
    let map =
        |entries: Vec<(Key<'static>, Value<'static>)>| Value::Map(entries.into_iter().collect());
    let collide = map(vec![
        (Key::from(-3i64), Value::Array(big.clone())),
        (Key::from("-3"), Value::Extension(2, vec![].into())),
        (Key::from("007"), Value::Nil),
        (Key::from(7i64), Value::from(1u128 << 64)),
        (Key::from(1u64 << 63), Value::Nil),
        (Key::Integer(1 << 70), Value::Nil),
    ]);
    let marked = map(vec![
        (Key::from("inner"), Value::List(vec![Value::Array(big)])),
        (Key::from("__msgpack_chunked_array__"), Value::from(true)),
    ]);
    let state = Refused {
        long: 1 << 100,
        frames: vec![array![1, 2]],
        rows: vec![array![Row { a: 1 }]],
        values: BTreeMap::from([("a".to_owned(), collide), ("b".to_owned(), marked)]),
    };
    let tree = state.to_value().unwrap();
    for options in options() {
        let leaves = unsupported_with(&tree, &options);
        assert!(leaves.len() > 7, "{leaves:?}");
        let error = to_bytes_with(&state, &options).unwrap_err();
        let format = "flax";
        assert_eq!(*error.kind(), ErrorKind::Unsupported { format, leaves });
    }
}

#[test]
fn arrays_are_written_from_where_they_are() {
    let rows = Array2::<u8>::zeros((1 << 10, 1 << 10));
    let columns = Array2::<u8>::zeros((1 << 10, 1 << 10).f());
    let wide = Array2::<u8>::zeros((1 << 10, 1 << 11));
    let strided = wide.slice(s![.., ..;2]);
    let (file, little) = (1 << 20, 1 << 17);
    for array in [rows.view(), columns.view()] {
        let memory = measure(|| drop(to_bytes(&array)));
        assert!(memory.bytes_total < file + little, "{memory:?}");
    }
    // It is gathered once, and not to be looked at.
    let memory = measure(|| drop(to_bytes(&strided)));
    assert!(memory.bytes_total < 2 * file + little, "{memory:?}");
    // Nothing is made of each array.
    let many = vec![Array1::<f32>::zeros(16); 1_000];
    let memory = measure(|| drop(to_bytes(&many)));
    assert!(memory.count_total < 20, "{memory:?}");
}

/// Lists in lists, as deep as it says.
struct Nested(usize);

impl Save for Nested {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        save_nested(self.0, sink)
    }
}

struct Inner(usize);

impl<'a> npcodec::checkpoint::SaveOnce<'a> for Inner {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        save_nested(self.0, sink)
    }
}

fn save_nested<'a, S: Sink<'a>>(levels: usize, sink: S) -> Result<S::Ok, S::Error> {
    let Some(inner) = levels.checked_sub(1) else {
        return sink.nil();
    };
    let mut list = sink.list(1)?;
    list.item(Inner(inner))?;
    list.end()
}

#[test]
fn states_nest_as_deep_as_can_be_read() {
    let bytes = to_bytes(&Nested(200)).unwrap();
    assert_eq!(bytes, [b"\x81\xa10".repeat(200), vec![0xc0]].concat());
    let ErrorKind::Unsupported { leaves, .. } = to_bytes(&Nested(201)).unwrap_err().kind().clone()
    else {
        panic!("it is too deep");
    };
    assert_eq!(leaves.len(), 1);
    assert_eq!(leaves[0].path.segments().len(), 200);
    // However deep it is, what is too deep is not gone into.
    let error = to_bytes(&Nested(1_000_000)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }));
}

/// Lists in lists that are too deep when they are looked at again.
struct Deepening(Cell<usize>);

impl Save for Deepening {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        save_nested(self.0.replace(300), sink)
    }
}

/// An array that is big-endian, whatever its outline says.
struct Outlined;

impl Save for Outlined {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let dtype = || "'<i2'".parse();
        sink.array_outlined(
            || Outline::new(vec![1], dtype()?, None),
            || NumpyEncoding::new(vec![1], vec![0, 1], "'>i2'", None),
        )
    }
}

#[test]
fn what_was_not_looked_at_is_not_written() {
    let refused = |error: npcodec::Error| match error.kind() {
        ErrorKind::Unsupported { leaves, .. } => leaves[0].found.clone(),
        other => panic!("{other}"),
    };
    let error = to_bytes(&Deepening(Cell::new(3))).unwrap_err();
    assert_eq!(refused(error), "a list");
    let error = to_bytes(&Outlined).unwrap_err();
    assert_eq!(refused(error), "array of dtype '>i2'");
}
