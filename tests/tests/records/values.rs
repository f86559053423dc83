//! The records of settings and of measurements.

use npcodec::flower::{ConfigRecord, ConfigValue, MetricRecord, MetricValue};
use npcodec::{ErrorKind, Value};

use crate::vectors::{body, config, list, metrics, of_class, read};

#[test]
fn config_records_have_the_bytes_of_flower() {
    for case in of_class("ConfigRecord") {
        let (record, name) = (config(&case), &case["case"]);
        let bytes = read(case["proto_file"].as_str().unwrap());
        assert_eq!(record.to_protobuf(), bytes, "{name}");
        assert_eq!(body(case["file"].as_str().unwrap()), bytes, "{name}");
        let back = ConfigRecord::from_protobuf(&bytes).unwrap();
        assert_eq!(back, record, "{name}");
        assert!(back.keys().eq(record.keys()), "{name}");
        if let Some(count) = case["count_bytes"].as_u64() {
            assert_eq!(record.count_bytes(), count, "{name}");
        }
    }
}

#[test]
fn metric_records_have_the_bytes_of_flower() {
    for case in of_class("MetricRecord") {
        let record = metrics(&case);
        let bytes = read(case["proto_file"].as_str().unwrap());
        assert_eq!(record.to_protobuf(), bytes);
        assert_eq!(MetricRecord::from_protobuf(&bytes).unwrap(), record);
    }
    for case in of_class("RecordDict") {
        for (name, record) in case["records"].as_object().unwrap() {
            if record["class"] != "MetricRecord" {
                continue;
            }
            let object = case["objects"][record["object_id"].as_str().unwrap()].as_str();
            let made = metrics(record);
            assert_eq!(made.to_protobuf(), body(object.unwrap()), "{name}");
            assert_eq!(Some(made.count_bytes()), record["count_bytes"].as_u64());
        }
    }
    // Beyond the vectors: the values of both kinds of records that the index does not have.
    let mut record = MetricRecord::new();
    record.insert("n", 3);
    record.insert("l", vec![1i64, -1]);
    let hex =
        b"\x0a\x07\x0a\x01n\x12\x02\x10\x06\x0a\x0c\x0a\x01l\x12\x07\xb2\x01\x04\x0a\x02\x02\x01";
    assert_eq!(record.to_protobuf(), hex);
    record.clear();
    record.insert("k", MetricValue::IntList(vec![]));
    assert_eq!(
        record.to_protobuf(),
        b"\x0a\x08\x0a\x01k\x12\x03\xaa\x01\x00"
    );
    record.insert("k", vec![1, 1u64 << 63]);
    let value = b"\xba\x01\x0d\x0a\x0b\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
    assert_eq!(&record.to_protobuf()[7..], value);
    assert_eq!(
        MetricRecord::from_protobuf(&record.to_protobuf()).unwrap(),
        record
    );
}

#[test]
fn integers_and_lists_have_one_form_each() {
    let one = |value: ConfigValue| -> ConfigRecord { [("k", value)].into_iter().collect() };
    let alike = [
        [ConfigValue::Uint(1), ConfigValue::Int(1)],
        [
            ConfigValue::UintList(vec![0, 7]),
            ConfigValue::IntList(vec![0, 7]),
        ],
        [
            ConfigValue::FloatList(vec![]),
            ConfigValue::BoolList(vec![]),
        ],
        [
            ConfigValue::UintList(vec![]),
            ConfigValue::BytesList(vec![]),
        ],
    ];
    for [a, b] in alike {
        assert_eq!(a, b);
        assert_eq!(one(a).to_protobuf(), one(b).to_protobuf());
    }
    assert_ne!(ConfigValue::Uint(u64::MAX), ConfigValue::Int(-1));
    assert_ne!(ConfigValue::Bool(true), ConfigValue::Int(1));
    assert_ne!(ConfigValue::Float(1.0), ConfigValue::Int(1));
    for quirk in list("quirks") {
        if quirk["inflate_as"] == "ConfigRecord" {
            let record = ConfigRecord::from_protobuf(&body(quirk["file"].as_str().unwrap()));
            let value = record.unwrap().remove("k").unwrap();
            let expected = if quirk["case"] == "quirk_config_uint64_small" {
                2
            } else {
                1
            };
            assert!(
                matches!(value, ConfigValue::Int(value) if value == expected),
                "{quirk}"
            );
        }
    }
}

#[test]
fn numbers_that_are_not_packed_are_read() {
    // sint_list { vals: 1 } { vals: 2 }, each value under its own key.
    let bytes = b"\x0a\x0c\x0a\x01k\x12\x07\xb2\x01\x04\x08\x02\x08\x04";
    let record = ConfigRecord::from_protobuf(bytes).unwrap();
    assert_eq!(record.get("k"), Some(&vec![1i64, 2].into()));
}

#[test]
fn what_is_no_record_is_refused() {
    let kind = |bytes: &[u8]| ConfigRecord::from_protobuf(bytes).unwrap_err();
    assert!(matches!(
        kind(&body("invalid_config_protobuf.bin")).kind(),
        ErrorKind::Format {
            format: "flower",
            ..
        }
    ));
    let error = MetricRecord::from_protobuf(&body("invalid_metric_bool.bin")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format { .. }));
    assert!(!error.path().is_root());
    // A key that is no UTF-8, a value that is cut off, a length beyond the input.
    for bytes in [
        &b"\x0a\x05\x0a\x01\xff\x12\x00"[..],
        b"\x0a\x07\x0a\x01k\x12\x02\x10",
        b"\x0a\xff\xff\xff\xff\x0f",
    ] {
        assert!(matches!(kind(bytes).kind(), ErrorKind::Format { .. }));
    }
    // Flower would keep the second value; it never writes two.
    let twice = b"\x0a\x07\x0a\x01k\x12\x02\x10\x02\x0a\x07\x0a\x01k\x12\x02\x10\x04";
    let error = kind(twice);
    assert_eq!(error.to_string(), "key \"k\" occurs twice");
}

#[test]
fn values_are_read_by_the_rules_of_fields() {
    let mut record = ConfigRecord::new();
    record.insert("lr", 0.5f32);
    record.insert("rounds", 3);
    record.insert("sizes", vec![1i64, 2]);
    record.insert("names", vec!["a", "b"]);
    record.insert("none", ConfigValue::FloatList(vec![]));
    assert_eq!(record.read::<f32>("lr").unwrap(), 0.5);
    assert_eq!(record.read::<f64>("rounds").unwrap(), 3.0);
    assert_eq!(record.read::<Vec<u8>>("sizes").unwrap(), [1, 2]);
    assert_eq!(record.read::<Vec<&str>>("names").unwrap(), ["a", "b"]);
    assert_eq!(record.read::<Vec<u64>>("none").unwrap(), [0u64; 0]);
    let error = record.read::<u8>("lr").unwrap_err();
    assert_eq!(error.report().unwrap().mismatched[0].path.to_string(), "lr");
    let error = record.read::<u8>("epochs").unwrap_err();
    assert_eq!(error.report().unwrap().missing[0].to_string(), "epochs");
    assert_eq!(
        Value::from(&ConfigValue::from(u64::MAX)),
        Value::from(u64::MAX)
    );
}

#[test]
fn what_the_constructors_of_flower_refuse_is_settled() {
    let one = |value: ConfigValue| -> ConfigRecord { [("a", value)].into_iter().collect() };
    // No value of these can be made: their types have no `From`.
    let by_types = [
        "ConfigRecord({1: 1})",
        "ConfigRecord({'a': None})",
        "ConfigRecord({'a': [1.0, 2]})",
        "ConfigRecord({'a': 2**64}).deflate()",
        "ConfigRecord({'a': [-1, 2**63]}).deflate()",
        "MetricRecord({'a': True})",
        "RecordDict({1: ConfigRecord()})",
    ];
    for error in list("constructor_errors") {
        let call = error["call"].as_str().unwrap();
        match call {
            // Widened, which keeps the number.
            "ConfigRecord({'a': np.float32(1)})" => {
                assert_eq!(one(0.1f32.into()), one(f64::from(0.1f32).into()));
            }
            // Counted as nothing beside the key, where flwr raises.
            "ConfigRecord({'a': []}).count_bytes()" => {
                assert_eq!(one(ConfigValue::IntList(vec![])).count_bytes(), 1);
            }
            "ConfigRecord({'a': ''}).count_bytes()" => {
                assert_eq!(one("".into()).count_bytes(), 1);
                assert_eq!(one(vec![0u8; 0].into()).count_bytes(), 1);
            }
            _ if call.starts_with("Array") || call.starts_with("inflate") => {}
            _ => assert!(by_types.contains(&call), "{call}"),
        }
    }
    assert_eq!(one("é😀".into()).count_bytes(), 3);
    let lists =
        one(vec!["é", ""].into()).count_bytes() + one(vec![vec![0u8; 3]].into()).count_bytes();
    assert_eq!(lists, 2 + 4);
}
