//! The protobuf forms of Flower's records: what is read is written to the same again, and states of records
//! come back from their own.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, Context, Message, MetricRecord, ObjectTree, RecordDict, from_records,
    load_records, to_list, load_list, to_records,
};
use npcodec::ndarray::Array1;
use npcodec::{Checkpoint, StateDict, Strictness};

#[derive(Checkpoint, Clone, Debug)]
#[checkpoint(allow_unknown_fields)]
struct State {
    #[checkpoint(default)]
    layers: Vec<BTreeMap<String, Array1<f32>>>,
    #[checkpoint(default)]
    table: BTreeMap<i64, Option<u128>>,
    #[checkpoint(default)]
    rate: f32,
    #[checkpoint(default)]
    sizes: Vec<(u8, String)>,
}

/// Compared as texts: NaNs differ from themselves.
macro_rules! again {
    ($class:ty, $bytes:expr, $written:expr) => {
        if let Ok(read) = <$class>::from_protobuf($bytes) {
            let written: Vec<u8> = $written(&read);
            let again = <$class>::from_protobuf(&written[..]).expect("what was written can be read");
            assert_eq!(format!("{again:?}"), format!("{read:?}"));
            assert_eq!($written(&again), written);
        }
    };
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    match first % 8 {
        0 => again!(ConfigRecord, bytes, ConfigRecord::to_protobuf),
        1 => again!(MetricRecord, bytes, MetricRecord::to_protobuf),
        2 => again!(Array<'_>, bytes, |array: &Array<'_>| array.to_protobuf().expect("small")),
        3 => again!(ArrayRecord<'_>, bytes, |record: &ArrayRecord<'_>| record.to_protobuf().expect("small")),
        4 => again!(Message<'_>, bytes, |message: &Message<'_>| message.to_protobuf().expect("small")),
        5 => again!(Context<'_>, bytes, |context: &Context<'_>| context.to_protobuf().expect("small")),
        6 => again!(ObjectTree, bytes, ObjectTree::to_protobuf),
        _ => {
            again!(RecordDict<'_>, bytes, |records: &RecordDict<'_>| records.to_protobuf().expect("small"));
            let Ok(records) = RecordDict::from_protobuf(bytes) else { return };
            if let Ok(dict) = from_records::<StateDict<'_>>(&records) {
                if let Ok(own) = to_records(&dict) {
                    let back: StateDict<'_> = from_records(&own).expect("a state comes back from its records");
                    let again = to_records(&back).expect("and goes there again");
                    let (own, again) = (own.to_protobuf().expect("small"), again.to_protobuf().expect("small"));
                    assert_eq!(own, again);
                }
            }
            if let Ok(state) = from_records::<State>(&records) {
                let mut other = state.clone();
                other.rate = 7.0;
                if load_records(&mut other, &records, Strictness::Strict).is_ok() {
                    assert_eq!(format!("{other:?}"), format!("{state:?}"));
                }
            }
            if let Ok(mut state) = from_records::<BTreeMap<String, Array1<f32>>>(&records) {
                let copy = state.clone();
                let list = to_list(&copy).expect("arrays alone");
                load_list(&mut state, &list).expect("the own list");
            }
        }
    }
});
