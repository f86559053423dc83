//! What we make has flwr's bytes and ids.

use npcodec::NumpyEncoding;
use npcodec::dtype::DType;
use npcodec::flower::{Array, Inflatable, Object, ObjectId, ObjectTree};

use super::cases::{Case, index, list, number, read, text};

/// Calls a method of whichever class an object has.
macro_rules! each {
    ($object:expr, $one:ident => $made:expr) => {
        match $object {
            Object::ArrayChunk($one) => $made,
            Object::Array($one) => $made,
            Object::ArrayRecord($one) => $made,
            Object::ConfigRecord($one) => $made,
            Object::MetricRecord($one) => $made,
            Object::RecordDict($one) => $made,
            Object::Message($one) => $made,
            other => panic!("{other:?}"),
        }
    };
}

pub(crate) use each;

/// Compares an object with all that the index says about it.
pub(crate) fn check<'a>(case: &Case, object: &impl Inflatable<'a>) {
    let (name, entry, options) = (&case.name, &case.entry, &case.options);
    assert_eq!(object.object_id_with(options), case.id, "{name}");
    assert_eq!(
        *object.deflate_with(options).to_bytes(),
        case.contents[&case.id][..],
        "{name}"
    );

    let ids = |json| {
        list(json)
            .iter()
            .map(|id| text(id).parse::<ObjectId>().unwrap())
    };
    let objects = object.objects_with(options);
    assert_eq!(objects.len(), case.contents.len(), "{name}");
    for (id, content) in &objects {
        assert_eq!(*content.to_bytes(), case.contents[id][..], "{name}: {id}");
    }
    assert!(
        objects.keys().copied().eq(ids(&entry["post_order"])),
        "{name}"
    );

    let children = object.children_with(options);
    assert!(
        children.keys().copied().eq(ids(&entry["children"])),
        "{name}"
    );

    let tree = object.object_tree_with(options);
    let bytes = read(text(&entry["tree_file"]));
    assert_eq!(tree.to_protobuf(), bytes, "{name}");
    assert_eq!(ObjectTree::from_protobuf(&bytes).unwrap(), tree, "{name}");
    assert!(
        tree.post_order().into_iter().eq(ids(&entry["post_order"])),
        "{name}"
    );
}

#[test]
fn every_object_has_the_bytes_and_the_ids_that_flwr_gives_it() {
    for case in Case::all() {
        let object = case.object();
        each!(&object, object => check(&case, object));
        let content = object.deflate_with(&case.options);
        assert_eq!(
            *content.to_bytes(),
            case.contents[&case.id][..],
            "{}",
            case.name
        );
        if let (Object::ArrayRecord(record), Some(count)) =
            (&object, case.entry["count_bytes"].as_u64())
        {
            assert_eq!(record.count_bytes(), count, "{}", case.name);
        }
    }
}

/// Zeros, whose chunks are mostly one and the same: no bytes of them are kept beside the index.
#[test]
fn arrays_are_cut_at_flwrs_own_limit() {
    let index = index();
    let cases = list(&index["computed_only"]);
    assert_eq!(cases.len(), 4);
    for case in cases {
        let bytes = number(&case["data_len"]) - 128;
        let dtype: DType = "'|u1'".parse().unwrap();
        let zeros = NumpyEncoding::from_dtype(vec![bytes], vec![0; bytes], dtype, None).unwrap();
        let array = Array::from_encoding(zeros).unwrap();
        assert_eq!(
            *array.deflate().to_bytes(),
            *text(&case["deflated"]).as_bytes()
        );
        assert_eq!(array.object_id().to_string(), text(&case["object_id"]));
    }
}
