//! What messages may cost that hold nothing but many empty parts.

use npcodec::StateDict;
use npcodec::flower::{
    ArrayRecord, ConfigRecord, Context, MetricRecord, ObjectTree, RecordDict, from_records,
};

/// The most bytes of memory for each byte of a message.
const MOST: u64 = 64;

#[test]
fn a_message_takes_a_small_multiple_of_its_length() {
    let cost = |part: &[u8], read: fn(&[u8])| {
        let message = part.repeat(200_000);
        let info = allocation_counter::measure(|| read(&message));
        let times = info.bytes_max / message.len() as u64;
        assert!(times <= MOST, "{part:?}: {times} times");
    };
    // Items, entries and children without a key or a value, and with an empty value.
    cost(b"\x0a\x00", |bytes| drop(ArrayRecord::from_protobuf(bytes)));
    cost(b"\x0a\x02\x12\x00", |bytes| {
        drop(ArrayRecord::from_protobuf(bytes))
    });
    for part in [
        &b"\x0a\x00"[..],
        b"\x0a\x02\x12\x00",
        b"\x0a\x05\x12\x03\xc2\x01\x00",
    ] {
        cost(part, |bytes| drop(ConfigRecord::from_protobuf(bytes)));
        cost(part, |bytes| drop(MetricRecord::from_protobuf(bytes)));
        cost(part, |bytes| drop(RecordDict::from_protobuf(bytes)));
    }
    cost(b"\x1a\x00", |bytes| drop(Context::from_protobuf(bytes)));
    cost(b"\x12\x00", |bytes| drop(ObjectTree::from_protobuf(bytes)));
}

#[test]
fn long_paths_take_a_small_multiple_of_their_length() {
    let keys = (0..2000).map(|index| format!("[{index}]{}", "[0]".repeat(199)));
    let config: ConfigRecord = keys.map(|key| (key, true)).collect();
    let length: usize = config.keys().map(str::len).sum();
    let records = RecordDict::from_iter([("config", config)]);
    let info = allocation_counter::measure(|| {
        from_records::<StateDict<'_>>(&records).unwrap_err();
    });
    let times = info.bytes_max / length as u64;
    assert!(times <= MOST, "{times} times");
}
