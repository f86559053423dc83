//! The files that flwr wrote, and their index.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use npcodec::NumpyEncoding;
use npcodec::bytes::Bytes;
use npcodec::dtype::{DType, Order};
use npcodec::flower::{
    Array, ArrayChunk, ArrayRecord, ConfigRecord, DeflateOptions, MetricRecord, Object, ObjectId,
    Record, RecordDict,
};
use serde_json::Value as Json;

pub(crate) fn read(file: &str) -> Vec<u8> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/flower"));
    std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn index() -> Json {
    serde_json::from_slice(&read("index.json")).unwrap()
}

pub(crate) fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("{json} is no text"))
}

pub(crate) fn list(json: &Json) -> &[Json] {
    json.as_array()
        .unwrap_or_else(|| panic!("{json} is no list"))
}

pub(crate) fn number(json: &Json) -> usize {
    json.as_u64().unwrap_or_else(|| panic!("{json} is no size")) as usize
}

pub(crate) fn unhex(json: &Json) -> Vec<u8> {
    let digits = text(json).as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// One case and its entry in the index.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) entry: Json,
    pub(crate) id: ObjectId,
    pub(crate) options: DeflateOptions,
    /// The bytes of the object and of all below it.
    pub(crate) contents: HashMap<ObjectId, Bytes>,
}

impl Case {
    pub(crate) fn all() -> Vec<Self> {
        let index = index();
        let cases: Vec<_> = list(&index["cases"]).iter().map(Self::new).collect();
        assert_eq!(cases.len(), 44);
        cases
    }

    pub(crate) fn named(name: &str) -> Self {
        let case = Self::all().into_iter().find(|case| case.name == name);
        case.unwrap_or_else(|| panic!("{name}"))
    }

    fn new(entry: &Json) -> Self {
        let objects = entry["objects"].as_object().unwrap().iter();
        let contents = objects.map(|(id, file)| (id.parse().unwrap(), read(text(file)).into()));
        let chunk = NonZeroUsize::new(number(&entry["chunk_size"])).unwrap();
        Self {
            name: text(&entry["case"]).to_owned(),
            entry: entry.clone(),
            id: text(&entry["object_id"]).parse().unwrap(),
            options: DeflateOptions::new().chunk_bytes(chunk),
            contents: contents.collect(),
        }
    }

    /// Makes the object of what the index says that Python made it of.
    pub(crate) fn object(&self) -> Object<'static> {
        let entry = &self.entry;
        match text(&entry["class"]) {
            "ArrayChunk" => ArrayChunk::new(unhex(&entry["data_hex"])).into(),
            "Array" => array(entry).into(),
            "ArrayRecord" => arrays(entry).into(),
            "ConfigRecord" => self.config(self.id).into(),
            "MetricRecord" => self.metrics(self.id).into(),
            "RecordDict" => self.records().into(),
            other => panic!("{other}"),
        }
    }

    fn records(&self) -> RecordDict<'static> {
        let records = self.entry["records"].as_object().unwrap().iter();
        let record = |(key, entry): (&String, &Json)| {
            let id = || text(&entry["object_id"]).parse().unwrap();
            let record: Record<'_> = match text(&entry["class"]) {
                "ArrayRecord" => arrays(entry).into(),
                "ConfigRecord" => self.config(id()).into(),
                "MetricRecord" => self.metrics(id()).into(),
                other => panic!("{other}"),
            };
            (key.clone(), record)
        };
        records.map(record).collect()
    }

    /// What is in the messages of values is the matter of other tests.
    fn config(&self, id: ObjectId) -> ConfigRecord {
        ConfigRecord::from_protobuf(self.body(id)).unwrap()
    }

    fn metrics(&self, id: ObjectId) -> MetricRecord {
        MetricRecord::from_protobuf(self.body(id)).unwrap()
    }

    fn body(&self, id: ObjectId) -> &[u8] {
        let content = &self.contents[&id];
        let head = content.iter().position(|&byte| byte == 0).unwrap();
        &content[head + 1..]
    }
}

pub(crate) fn shape(entry: &Json) -> Vec<usize> {
    list(&entry["shape"]).iter().map(number).collect()
}

/// Makes an array of the payload that the index states.
fn array(entry: &Json) -> Array<'static> {
    let (name, shape) = (text(&entry["dtype"]), shape(entry));
    if let Some(data) = entry.get("data_hex") {
        return Array::new(name, shape, text(&entry["stype"]), unhex(data));
    }
    let dtype = DType::from_name(name).unwrap_or_else(|| panic!("{name}"));
    let by_columns = entry["fortran_order"].as_bool().unwrap();
    let order = by_columns.then_some(Order::F);
    let payload = unhex(&entry["npy_payload_hex"]);
    let encoding = NumpyEncoding::from_dtype(shape, payload, dtype, order).unwrap();
    Array::from_encoding(encoding).unwrap()
}

fn arrays(entry: &Json) -> ArrayRecord<'static> {
    let keys = list(&entry["keys"]).iter().map(text);
    keys.map(|key| (key, array(&entry["arrays"][key])))
        .collect()
}
