//! The real flwr as a peer: `tests/python/flower_records.py`.

use std::collections::BTreeMap;

use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, ConfigValue, Context, Inflatable, Message, MessageError,
    Metadata, MetricRecord, MetricValue, RecordDict, UserConfig, from_records, load_records,
    to_records,
};
use npcodec::half::f16;
use npcodec::ndarray::{Array0, Array2, ShapeBuilder, array};
use npcodec::{Checkpoint, Strictness};
use npcodec_tests::python::{Python, Scratch};

use crate::properties::samples;

const SCRIPT: &str = "flower_records.py";

fn numbers() -> ConfigRecord {
    let unsigned = 1u64 << 63;
    [
        ("a", 0.into()),
        ("b", (-1).into()),
        ("c", i64::MAX.into()),
        ("d", unsigned.into()),
        ("e", i64::MIN.into()),
        ("f", (-0.0).into()),
        ("g", ConfigValue::from(f64::INFINITY)),
    ]
    .into_iter()
    .collect()
}

fn texts() -> ConfigRecord {
    [
        ("", ConfigValue::from("")),
        ("é", "😀".into()),
        ("b", vec![0u8; 0].into()),
        ("c", vec![0u8, 0xff].into()),
        ("d", false.into()),
    ]
    .into_iter()
    .collect()
}

fn lists() -> ConfigRecord {
    [
        ("a", ConfigValue::StrList(vec![])),
        ("b", vec![1, u64::MAX].into()),
        ("c", vec![-1].into()),
        ("d", vec![true].into()),
        ("e", vec!["", "x"].into()),
        ("f", vec![vec![], b"x".to_vec()].into()),
        ("g", vec![0.0].into()),
    ]
    .into_iter()
    .collect()
}

fn metrics() -> MetricRecord {
    [
        ("a", 1.into()),
        ("b", 0.5.into()),
        ("c", MetricValue::IntList(vec![])),
        ("d", vec![1, -1].into()),
        ("e", vec![1u64 << 63].into()),
        ("f", vec![-0.0, 1.5].into()),
    ]
    .into_iter()
    .collect()
}

fn records() -> RecordDict<'static> {
    let matrix = array![[0f32, 1.0, 2.0], [3.0, 4.0, 5.0]].reversed_axes();
    let arrays = ArrayRecord::from_iter([
        ("w", Array::from_ndarray(matrix).unwrap()),
        (
            "n",
            Array::from_ndarray(Array0::from_elem((), 3i64)).unwrap(),
        ),
    ]);
    let mut records = RecordDict::new();
    records.insert("arrays", arrays);
    records.insert("config", lists());
    records.insert("metrics", metrics());
    records
}

fn metadata(change: impl FnOnce(&mut Metadata)) -> Metadata {
    let mut metadata = Metadata::default();
    metadata.run_id = u64::MAX;
    metadata.message_id = "m".to_owned();
    metadata.src_node_id = 1;
    metadata.dst_node_id = 2;
    metadata.reply_to_message_id = "r".to_owned();
    metadata.group_id = "3".to_owned();
    metadata.created_at = 1.7e9;
    metadata.ttl = 3600.0;
    metadata.message_type = "train".to_owned();
    change(&mut metadata);
    metadata
}

fn messages() -> [(&'static str, Message<'static>); 4] {
    let empty = metadata(|metadata| {
        metadata.message_id.clear();
        metadata.reply_to_message_id.clear();
        (metadata.ttl, metadata.created_at) = (-0.0, 0.0);
    });
    let error = metadata(|metadata| {
        (metadata.src_task_id, metadata.dst_task_id) = (Some(0), Some(7));
    });
    let query = metadata(|metadata| metadata.message_type = "query.abc".to_owned());
    [
        ("content", Message::new(metadata(|_| ()), Ok(records()))),
        ("empty", Message::new(empty, Ok(RecordDict::new()))),
        (
            "error",
            Message::new(error, Err(MessageError::new(-5, "no data"))),
        ),
        (
            "no_reason",
            Message::new(query, Err(MessageError::new(0, ""))),
        ),
    ]
}

fn contexts() -> [(&'static str, Context<'static>); 2] {
    let mut context = Context::default();
    (context.run_id, context.node_id, context.series_id) = (1 << 63, 5, 6);
    context.state = records();
    context.node_config = UserConfig::from([
        (String::new(), 0.into()),
        ("lr".to_owned(), 0.5.into()),
        ("on".to_owned(), true.into()),
        ("name".to_owned(), "".into()),
        ("é".to_owned(), (-1).into()),
    ]);
    context.run_config = UserConfig::from([("only".to_owned(), "x".into())]);
    [("context", context), ("bare", Context::default())]
}

/// Compares an object with the protobuf that flwr makes of it, and leaves it there for flwr to read.
macro_rules! compare {
    ($class:ident, $name:expr, $object:expr, $bytes:expr, $directory:expr) => {{
        let (object, bytes) = (&$object, $bytes);
        let theirs = std::fs::read($directory.join(format!("{}.pb", $name))).unwrap();
        assert!(bytes == theirs, "{}", $name);
        assert_eq!(
            <$class>::from_protobuf(&theirs[..]).unwrap(),
            *object,
            "{}",
            $name
        );
        let file = format!("{}.{}", $name, stringify!($class));
        std::fs::write($directory.join(file), bytes).unwrap();
    }};
}

#[test]
fn messages_are_byte_for_byte_those_of_flower_and_are_read_by_it() {
    let Some(python) = Python::flower("inline forms", SCRIPT) else {
        return;
    };
    let scratch = Scratch::new("inline");
    let directory = scratch.path();
    python.live("write", directory);
    for (name, record) in [
        ("numbers", numbers()),
        ("texts", texts()),
        ("lists", lists()),
    ] {
        compare!(ConfigRecord, name, record, record.to_protobuf(), directory);
    }
    compare!(
        MetricRecord,
        "metrics",
        metrics(),
        metrics().to_protobuf(),
        directory
    );
    compare!(
        RecordDict,
        "records",
        records(),
        records().to_protobuf().unwrap(),
        directory
    );
    for (name, message) in messages() {
        compare!(
            Message,
            name,
            message,
            message.to_protobuf().unwrap(),
            directory
        );
    }
    for (name, context) in contexts() {
        compare!(
            Context,
            name,
            context,
            context.to_protobuf().unwrap(),
            directory
        );
    }
    let (configs, metrics) = samples();
    for (number, (config, metrics)) in configs.iter().zip(&metrics).enumerate() {
        let name = |class| directory.join(format!("sample{number}.{class}"));
        std::fs::write(name("ConfigRecord"), config.to_protobuf()).unwrap();
        std::fs::write(name("MetricRecord"), metrics.to_protobuf()).unwrap();
    }
    python.live("read", directory);

    let ids = std::fs::read(directory.join("ids.json")).unwrap();
    let ids: BTreeMap<String, String> = serde_json::from_slice(&ids).unwrap();
    for (name, message) in messages() {
        let theirs = std::fs::read(directory.join(format!("{name}.object"))).unwrap();
        assert!(*message.deflate().to_bytes() == *theirs, "{name}");
        assert_eq!(message.object_id().to_string(), ids[name], "{name}");
        let objects = message.objects();
        let all = |id| {
            objects
                .get(&id)
                .map(|content| content.to_bytes().into_owned().into())
        };
        let mut inflated = Message::inflate_all(message.object_id(), all).unwrap();
        assert!(!inflated.is_dirty());
        inflated.metadata.message_id = message.metadata.message_id.clone();
        assert!(
            !inflated.is_dirty(),
            "the id of a message is no part of its object"
        );
        assert_eq!(inflated, message);
    }
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Layer {
    kernel: Array2<f32>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct State {
    layers: Vec<Layer>,
    scale: Array0<f64>,
    half: f16,
    step: u64,
    rate: f32,
    rng: u128,
    sizes: Vec<u16>,
    seed: Option<u64>,
    name: String,
    table: BTreeMap<i64, u8>,
}

fn state() -> State {
    let mut columns = Array2::zeros((2, 2).f());
    columns.assign(&array![[1.0, 3.0], [2.0, 4.0]]);
    State {
        layers: vec![
            Layer { kernel: columns },
            Layer {
                kernel: array![[1.0, 2.0, 3.0]],
            },
        ],
        scale: Array0::from_elem((), 0.25),
        half: f16::from_f32(1.5),
        step: 7,
        rate: 0.1,
        rng: 1 << 100,
        sizes: vec![1, 2],
        seed: None,
        name: "é".to_owned(),
        table: BTreeMap::new(),
    }
}

#[test]
fn a_state_goes_through_a_client_of_flower() {
    let Some(python) = Python::flower("states through flwr", SCRIPT) else {
        return;
    };
    let (scratch, state) = (Scratch::new("train"), state());
    let bytes = to_records(&state).unwrap().to_protobuf().unwrap();
    std::fs::write(scratch.path().join("state.pb"), bytes).unwrap();
    python.live("train", scratch.path());
    let reply = std::fs::read(scratch.path().join("reply.pb")).unwrap();
    let reply = RecordDict::from_protobuf(&reply[..]).unwrap();
    let expected = State {
        layers: vec![
            Layer {
                kernel: array![[2.0, 6.0], [4.0, 8.0]],
            },
            Layer {
                kernel: array![[2.0, 4.0, 6.0]],
            },
        ],
        scale: Array0::from_elem((), 0.5),
        half: f16::from_f32(3.0),
        step: 8,
        rate: 1.0,
        rng: (1 << 100) + 1,
        seed: Some(5),
        ..self::state()
    };
    assert_eq!(from_records::<State>(&reply).unwrap(), expected);
    let mut loaded = state;
    load_records(&mut loaded, &reply, Strictness::Strict).unwrap();
    assert_eq!(loaded, expected);
    let metrics = reply.metric_record("metrics").unwrap();
    assert_eq!(metrics.read::<f64>("loss").unwrap(), 0.5);
}
