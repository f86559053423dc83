//! What flwr wrote is read, and written again as it was.

use npcodec::flower::{Inflatable, Object};

use super::cases::{Case, shape, text, unhex};
use super::writing::{check, each};

#[test]
fn every_object_is_read_and_keeps_its_bytes() {
    for case in Case::all() {
        let name = &case.name;
        let contents = |id| case.contents.get(&id).cloned();
        let object =
            Object::inflate_all(case.id, contents).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(object, case.object(), "{name}");
        each!(&object, object => {
            assert!(!object.is_dirty(), "{name}");
            check(&case, object);
            // The options are for what is made.
            assert_eq!(object.object_id(), case.id, "{name}");
            assert!(object.clone().object_id() == case.id && !object.clone().is_dirty());
        });
        // One object at a time, of the very children.
        let children = each!(&object, object => object.children_with(&case.options));
        let again = Object::inflate(case.contents[&case.id].clone(), children.into_values());
        assert_eq!(again.unwrap(), object, "{name}");
    }
}

/// The items in row-major order, little-endian: what the index states of every array with numbers.
#[test]
fn every_array_has_the_values_that_numpy_reads() {
    let mut count = 0;
    for case in Case::all() {
        let contents = |id| case.contents.get(&id).cloned();
        let Object::Array(array) = Object::inflate_all(case.id, contents).unwrap() else {
            continue;
        };
        let (name, entry) = (&case.name, &case.entry);
        if text(&entry["stype"]) != "numpy.ndarray" {
            let error = array.to_encoding().unwrap_err().to_string();
            assert!(
                error.starts_with("expected the serialization type"),
                "{name}: {error}"
            );
            continue;
        }
        let encoding = array
            .to_encoding()
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(encoding.shape(), shape(entry), "{name}");
        assert_eq!(encoding.dtype().name(), text(&entry["dtype"]), "{name}");
        assert_eq!(encoding.data(), unhex(&entry["npy_payload_hex"]), "{name}");
        if let Some(values) = entry.get("values_le_hex") {
            assert_eq!(*encoding.row_major(), unhex(values), "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 20);
}
