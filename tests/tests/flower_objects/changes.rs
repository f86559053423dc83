//! Ids are computed when they are asked for, and never stale; copies are shallow.

use npcodec::Error;
use npcodec::flower::{Array, ArrayRecord, ConfigRecord, Inflatable, Object, ObjectId, RecordDict};
use npcodec::ndarray::array;

use super::cases::Case;

fn inflated(name: &str) -> (Case, RecordDict<'static>) {
    let case = Case::named(name);
    let contents = |id| case.contents.get(&id).cloned();
    let records = RecordDict::inflate_all(case.id, contents).unwrap();
    (case, records)
}

/// The case that flwr gets wrong: equal records, one of which is changed after the first sending.
#[test]
fn a_change_below_is_a_change_of_all_above() -> Result<(), Error> {
    let (case, mut records) = inflated("recorddict_shared");
    assert!(!records.is_dirty());
    records.config_record_mut("b").unwrap().insert("x", 2);
    assert!(records.is_dirty());
    assert!(!records.config_record("a").unwrap().is_dirty());
    assert_ne!(records.object_id(), case.id);
    assert_eq!(records.children().len(), 2);
    // Put back, it is what was found: nothing has to be made.
    records.config_record_mut("b").unwrap().insert("x", 1);
    assert!(!records.is_dirty());
    assert_eq!(records.object_id(), case.id);
    let record = records.remove("a").unwrap();
    assert!(records.is_dirty());
    records.insert("a", record); // behind "b" now
    assert!(records.is_dirty());
    assert_ne!(records.object_id(), case.id);
    Ok(())
}

/// flwr keeps the old id of a record whose array is changed, if the array is looked at first.
#[test]
fn a_changed_array_changes_its_record_whoever_looks_first() -> Result<(), Error> {
    let (case, mut records) = inflated("recorddict_mixed");
    let arrays = records.array_record_mut("arrays").unwrap();
    let before = arrays.object_id();
    let other = Array::from_ndarray(array![[1f32, 2.0], [3.0, 5.0]])?;
    arrays.get_mut("0").unwrap().set_data(other.data().clone());
    let array_id = arrays.get("0").unwrap().object_id();
    assert_eq!(array_id, other.object_id());
    assert!(arrays.children().contains_key(&array_id));
    assert!(arrays.object_tree().post_order().contains(&array_id));
    assert_ne!(arrays.object_id(), before);
    assert!(records.is_dirty());
    assert_ne!(records.object_id(), case.id);
    // What was not touched is still what it was.
    assert!(!records.config_record("config").unwrap().is_dirty());
    Ok(())
}

#[test]
fn every_field_of_an_array_is_a_part_of_its_id() -> Result<(), Error> {
    let case = Case::named("array_f32_2d");
    let found = Array::inflate_all(case.id, |id| case.contents.get(&id).cloned())?;
    type Change = fn(&mut Array<'static>);
    let changes: [Change; 4] = [
        |array| array.set_dtype(""),
        |array| array.set_shape([3, 2]),
        |array| array.set_stype("raw"),
        |array| array.set_data(b"abc"),
    ];
    let mut ids = std::collections::HashSet::from([case.id]);
    for change in changes {
        let mut array = found.clone();
        change(&mut array);
        assert!(array.is_dirty() && !found.is_dirty());
        assert!(ids.insert(array.object_id()));
    }
    let mut same = found.clone();
    same.set_dtype("float32");
    assert!(same.is_dirty());
    assert_eq!(same.object_id(), case.id);
    Ok(())
}

#[test]
fn records_that_were_made_are_dirty() -> Result<(), Error> {
    let mut record = ArrayRecord::new();
    assert!(record.is_dirty());
    let id = record.object_id();
    record.insert("w", Array::from_ndarray(array![1f32, 2.0])?);
    assert_ne!(record.object_id(), id);
    assert!(record.is_dirty() && ConfigRecord::new().is_dirty());
    Ok(())
}

/// Flower's dict methods, with the order that flwr has after them.
#[test]
fn records_are_flowers_dicts() -> Result<(), Error> {
    let array = |value: f32| Array::from_ndarray(array![value]);
    let mut record = ArrayRecord::new();
    for (key, value) in [("1", 1.0), ("0", 0.0), ("10", 10.0)] {
        record.insert(key, array(value)?);
    }
    record.insert("0", array(5.0)?);
    assert_eq!(record.keys().collect::<Vec<_>>(), ["1", "0", "10"]);
    let first = record.pop("1").unwrap();
    assert_eq!(record.pop("1"), None);
    assert_eq!(record.pop_or("1", first.clone()), first);
    record.insert("1", first.clone());
    assert_eq!(record.keys().collect::<Vec<_>>(), ["0", "10", "1"]);
    let mut turned: ArrayRecord<'_> = record.clone().into_iter().rev().collect();
    assert_eq!(turned, record);
    assert_ne!(turned.object_id(), record.object_id());
    assert_eq!(turned.pop_first(), Some(("1".to_owned(), first)));
    assert_ne!(turned, record);
    Ok(())
}

/// A copy has its own entries, and each array is the same until one of the two is changed.
#[test]
fn a_copy_is_shallow() -> Result<(), Error> {
    let mut record = ArrayRecord::new();
    record.insert("w", Array::from_ndarray(array![1f32, 2.0])?);
    let mut copy = record.clone();
    let payload = |record: &ArrayRecord<'_>| {
        let data = record.get("w").unwrap().data();
        data.pieces().last().unwrap().as_ptr()
    };
    assert_eq!(payload(&copy), payload(&record));
    let again: ArrayRecord<'_> = record
        .iter()
        .map(|(key, array)| (key, array.clone()))
        .collect();
    assert_eq!(payload(&again), payload(&record));
    copy.get_mut("w").unwrap().set_dtype("other");
    assert_eq!(record.get("w").unwrap().dtype(), "float32");
    copy.clear();
    assert_eq!(record.len(), 1);
    Ok(())
}

/// What flwr's own test of ids lets pass.
#[test]
fn ids_are_64_lower_case_digits() {
    let id = ObjectId::of(b"");
    assert_eq!(id.to_string().parse::<ObjectId>().ok(), Some(id));
    let hex = id.to_string();
    for text in [
        format!("0x{}", &hex[2..]),
        format!("{}_{}", &hex[..10], &hex[11..]),
        format!("+{}", &hex[1..]),
        format!(" {}", &hex[1..]),
        hex.to_uppercase(),
        format!("{}\u{663}", &hex[..62]),
        hex[1..].to_owned(),
        String::new(),
    ] {
        assert!(text.parse::<ObjectId>().is_err(), "{text}");
    }
    assert!(matches!(
        Object::inflate(&b"ArrayChunk  0\0"[..], []),
        Ok(Object::ArrayChunk(_))
    ));
}
