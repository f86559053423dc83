//! The protobuf forms that hold everything in one message.

use npcodec::ErrorKind;
use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, Context, Message, MetricRecord, Record, RecordDict,
};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::vectors::{config, hex, list, metrics, read};

/// Fails unless an array is the one that the index states.
fn check_array(array: &Array<'_>, stated: &Json) {
    assert_eq!(array.dtype(), stated["dtype"]);
    let shape: Vec<_> = array
        .shape()
        .iter()
        .map(|&length| Json::from(length))
        .collect();
    assert_eq!(Json::from(shape), stated["shape"]);
    assert_eq!(array.stype(), stated["stype"]);
    let mut hash = Sha256::new();
    array.data().pieces().for_each(|piece| hash.update(piece));
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hash, stated["data_sha256"].as_str().unwrap());
}

fn check_record(record: &ArrayRecord<'_>, stated: &Json) {
    let keys: Vec<_> = record.keys().map(Json::from).collect();
    assert_eq!(Json::from(keys), stated["keys"]);
    for (key, array) in record.iter() {
        check_array(array, &stated["arrays"][key]);
    }
}

#[test]
fn every_inline_form_is_read_and_written_as_it_was() {
    let mut count = 0;
    for case in list("cases") {
        let Some(file) = case["proto_file"].as_str() else {
            continue;
        };
        count += 1;
        let bytes = read(file);
        let again = match case["class"].as_str().unwrap() {
            "Array" => {
                let array = Array::from_protobuf(&bytes[..]).unwrap();
                check_array(&array, &case);
                array.to_protobuf().unwrap()
            }
            "ArrayRecord" => {
                let record = ArrayRecord::from_protobuf(&bytes[..]).unwrap();
                check_record(&record, &case);
                record.to_protobuf().unwrap()
            }
            "RecordDict" => {
                let records = RecordDict::from_protobuf(&bytes[..]).unwrap();
                let stated = case["records"].as_object().unwrap();
                assert_eq!(records.len(), stated.len());
                for (key, record) in records.iter() {
                    match record {
                        Record::Arrays(record) => check_record(record, &stated[key]),
                        Record::Config(record) => assert_eq!(*record, config(&stated[key])),
                        Record::Metrics(record) => assert_eq!(*record, metrics(&stated[key])),
                        other => panic!("{other:?}"),
                    }
                }
                records.to_protobuf().unwrap()
            }
            "ConfigRecord" => ConfigRecord::from_protobuf(&bytes).unwrap().to_protobuf(),
            "MetricRecord" => MetricRecord::from_protobuf(&bytes).unwrap().to_protobuf(),
            other => panic!("{other}"),
        };
        assert!(again == bytes, "{}", case["case"]);
    }
    assert_eq!(count, 41);
}

#[test]
fn an_array_record_has_the_bytes_of_flower() {
    let mut record = ArrayRecord::new();
    record.insert("w", Array::new("float32", [2, 300], "s", b"\x01\x02"));
    let bytes = "0a1a0a017712150a07666c6f61743332120302ac021a017322020102";
    assert_eq!(record.to_protobuf().unwrap(), hex(bytes));
}

#[test]
fn what_protobuf_cannot_say_is_refused() {
    let mut records = RecordDict::new();
    let wide = Array::new("uint8", [1usize << 31], "numpy.ndarray", b"");
    records.insert("a", ArrayRecord::from_iter([("w", wide)]));
    let error = records.to_protobuf().unwrap_err();
    assert_eq!(
        error.to_string(),
        "2147483648 items along an axis in protobuf, and the limit is 2147483647 at `a.w`"
    );
    // A key without a record, and with one of a class that is not known.
    for bytes in ["0a030a0161", "0a050a01612a00"] {
        let error = RecordDict::from_protobuf(&hex(bytes)[..]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Format { .. }));
        assert_eq!(error.path().to_string(), "a");
    }
    // A negative axis.
    let error = Array::from_protobuf(&hex("120affffffffffffffffff01")[..]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "flower: expected the length of an axis, found -1"
    );
    let twice = ["0a030a0161"; 2].concat();
    let error = ArrayRecord::from_protobuf(&hex(&twice)[..]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::RepeatedKey { .. }));
    // Both content and an error, and neither.
    for bytes in ["0a0012001a00", "0a00"] {
        let error = Message::from_protobuf(&hex(bytes)[..]).unwrap_err();
        assert!(error.to_string().contains("with content or with an error"));
    }
    // A setting that is a byte string, and one of more than 63 bits.
    for value in ["7a0178", "30ffffffffffffffffff01"] {
        let value = hex(value);
        let [value_length, entry_length] =
            [value.len(), value.len() + 5].map(|length| length as u8);
        let head = [0x2a, entry_length, 0x0a, 1, b'k', 0x12, value_length];
        let error = Context::from_protobuf(&[&head[..], &value].concat()[..]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Format { .. }), "{error}");
        assert_eq!(error.path().to_string(), "run_config.k");
    }
}
