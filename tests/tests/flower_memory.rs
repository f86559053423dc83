//! The payload of an array is in memory once, however it gets into a record and out of it.

use std::num::NonZeroUsize;

use allocation_counter::measure;
use npcodec::bytes::Bytes;
use npcodec::flower::{Array, ArrayRecord, DeflateOptions, Inflatable, RecordDict};
use npcodec::indexmap::IndexMap;
use npcodec::ndarray::{Array2, Ix2};
use npcodec::{NumpyEncoding, StateDict};

const MIB: u64 = 1 << 20;

/// 16 MiB, of which no two chunks are equal.
fn weights() -> Array2<f32> {
    Array2::from_shape_fn((1024, 4096), |(row, column)| (row * 4096 + column) as f32)
}

#[test]
fn an_array_goes_into_a_record_and_back_in_its_own_memory() {
    let array = weights();
    let (memory, copy) = (array.as_ptr(), array.clone());
    let mut back = None;
    let peak = measure(|| {
        let mut record = ArrayRecord::new();
        record.insert("w", Array::from_ndarray(array).unwrap());
        let again: ArrayRecord<'_> = record
            .iter()
            .map(|(key, array)| (key, array.clone()))
            .collect();
        let mut records = RecordDict::new();
        records.insert("arrays", record.clone());
        assert_eq!(records.objects().len(), 4 + 3);
        assert_eq!(again.object_id(), record.object_id());
        drop((again, records));
        back = record
            .pop("w")
            .map(|array| array.into_ndarray::<f32, Ix2>().unwrap());
    })
    .bytes_max;
    assert!(peak < MIB, "{peak} bytes beside an array of {}", 16 * MIB);
    let back = back.unwrap();
    assert_eq!(back.as_ptr(), memory);
    assert_eq!(back, copy);
}

#[test]
fn memory_that_others_have_is_copied_and_not_taken() {
    let array = Array::from_ndarray(weights()).unwrap();
    let other = array.clone();
    let back = array.into_ndarray::<f32, Ix2>().unwrap();
    assert_eq!(Array::from_view(back.view()).unwrap(), other);
}

#[test]
fn borrowed_arrays_stay_where_they_are() {
    let (rows, columns) = (weights(), weights().reversed_axes());
    let peak = measure(|| {
        let mut dict = StateDict::new();
        dict.insert("rows", NumpyEncoding::from_array(rows.view()).unwrap());
        dict.insert(
            "columns",
            NumpyEncoding::from_array(columns.view()).unwrap(),
        );
        let record = ArrayRecord::from_state_dict(dict).unwrap();
        record.object_id();
        let out = record.to_state_dict().unwrap();
        let array = out
            .get("columns")
            .and_then(|value| value.as_array())
            .unwrap();
        assert_eq!(array.data().as_ptr(), columns.as_ptr().cast());
        let view = array.view::<f32, Ix2>().unwrap().unwrap();
        assert_eq!(view, columns);
    })
    .bytes_max;
    assert!(peak < MIB, "{peak} bytes beside two arrays of {}", 16 * MIB);
}

/// Bytes of a state dict that were taken over come back, and borrowed ones outlive the record.
#[test]
fn a_state_dict_goes_into_a_record_and_back_in_its_own_memory() {
    let rows = weights();
    let owned = NumpyEncoding::from_array(rows.view()).unwrap().into_owned();
    let memory = owned.data().as_ptr();
    let mut dict = StateDict::new();
    dict.insert("owned", owned);
    dict.insert("rows", NumpyEncoding::from_array(rows.view()).unwrap());
    let mut back = None;
    let peak = measure(|| {
        let record = ArrayRecord::from_state_dict(dict).unwrap();
        record.object_id();
        back = Some(record.into_state_dict().unwrap());
    })
    .bytes_max;
    assert!(peak < MIB, "{peak} bytes beside two arrays of {}", 16 * MIB);
    let back = back.unwrap();
    let array = |key| back.get(key).and_then(|value| value.as_array()).unwrap();
    assert_eq!(array("owned").data().as_ptr(), memory);
    assert_eq!(array("rows").data().as_ptr(), rows.as_ptr().cast());

    // Of what others have, or what is of another type, there is a copy.
    let array = Array::from_encoding(array("owned").clone()).unwrap();
    let other = array.clone();
    assert_eq!(array.into_encoding().unwrap(), other.to_encoding().unwrap());
    let floats = Array::from_ndarray(rows.clone()).unwrap();
    let encoding = NumpyEncoding::from_array(rows.view()).unwrap();
    assert_eq!(floats.into_encoding().unwrap(), encoding);
}

#[test]
fn what_is_inflated_shares_the_bytes_that_were_received() {
    let array = weights();
    let mut record = ArrayRecord::new();
    record.insert("w", Array::from_view(array.view()).unwrap());
    let id = record.object_id();
    let objects: IndexMap<_, Bytes> = record
        .objects()
        .into_iter()
        .map(|(id, content)| (id, content.into()))
        .collect();
    let mut found = None;
    let peak = measure(|| {
        let record = ArrayRecord::inflate_all(id, |id| objects.get(&id).cloned()).unwrap();
        assert_eq!(record.clone().object_id(), id);
        found = Some(record);
    })
    .bytes_max;
    assert!(peak < MIB, "{peak} bytes for an array of {}", 16 * MIB);
    let found = found.unwrap();
    let mut back = None;
    let peak = measure(|| {
        back = Some(found.get("w").unwrap().to_ndarray::<f32, Ix2>().unwrap());
    })
    .bytes_max;
    assert!((16 * MIB..17 * MIB).contains(&peak), "{peak} bytes");
    assert_eq!(back.unwrap(), array);
}

/// 20 records of the same 40 arrays of 40 chunks are 32,000 places in a tree, and 101 objects.
#[test]
fn a_tree_has_each_object_in_memory_once() {
    let chunks: Vec<u8> = (0..40).collect();
    let record = |number: usize| {
        let arrays = (0..40).map(|length| Array::new("x", [length], "s", chunks.clone()));
        let keys = (0..).map(|at| format!("{number}.{at}"));
        keys.zip(arrays).collect::<ArrayRecord<'_>>()
    };
    let records: RecordDict<'_> = (0..20).map(|at| (at.to_string(), record(at))).collect();
    let options = DeflateOptions::new().chunk_bytes(NonZeroUsize::MIN);
    let mut tree = None;
    let peak = measure(|| tree = Some(records.object_tree_with(&options))).bytes_max;
    assert!(peak < MIB, "{peak} bytes");
    let tree = tree.unwrap();
    let places = tree.children().iter().flat_map(|record| record.children());
    let places: usize = places.map(|array| array.children().len()).sum();
    assert_eq!(places, 20 * 40 * 40);
    // One dict, 20 records, 40 arrays that differ in their shape, 40 chunks.
    assert_eq!(tree.post_order().len(), 1 + 20 + 40 + 40);
}
