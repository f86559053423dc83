//! What is refused: repeated keys, attributes that reach too far, maps that Python would mistake.

use std::collections::{BTreeSet, HashSet};

use npcodec::ndarray::{Array1, array};
use npcodec::{ErrorKind, ReadOptions, StateDict, Value};

use super::*;

fn dict<'a, V: Into<Value<'a>>, const N: usize>(entries: [(&'a str, V); N]) -> StateDict<'a> {
    entries.into_iter().collect()
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Inner {
    x: Array1<f64>,
    list: Vec<Array1<u8>>,
}

#[test]
fn field_attributes_do_not_reach_into_nested_structs() {
    #[derive(Checkpoint, Debug)]
    struct Outer {
        #[checkpoint(cast = "lossy")]
        inner: Inner,
    }
    #[derive(Checkpoint, Debug)]
    struct Rebuilt(#[checkpoint(replace)] Inner);

    let inner = |x: Value<'static>| {
        let list = Value::List(vec![]);
        Value::Map([("x", x), ("list", list)].into_iter().collect())
    };
    let single = npcodec::NumpyEncoding::from_array(array![1_f32].view())
        .unwrap()
        .into_owned();
    let error = Outer::from_state_dict(dict([("inner", inner(single.into()))])).unwrap_err();
    assert!(error.to_string().contains("inner.x: "), "{error}");

    let double = npcodec::NumpyEncoding::from_array(array![1_f64].view())
        .unwrap()
        .into_owned();
    let mut rebuilt = Rebuilt(Inner {
        x: array![0.0],
        list: vec![array![1]],
    });
    let Value::Map(entries) = inner(double.into()) else {
        panic!("not a map")
    };
    let error = rebuilt
        .load_state_dict(&entries, Strictness::Strict)
        .unwrap_err();
    assert!(
        error.to_string().contains("list: expected a list of 1"),
        "{error}"
    );
}

#[test]
fn a_missing_field_gets_its_default_only_where_nothing_may_be_missing() {
    #[derive(Checkpoint, Debug, PartialEq, Clone)]
    struct Counters {
        a: u64,
        #[checkpoint(default)]
        b: u64,
    }
    let mut counters = Counters { a: 1, b: 2 };
    let entries = dict([("a", 5)]);
    let report = counters
        .load_state_dict(&entries, Strictness::Lenient)
        .unwrap();
    assert_eq!(report.missing[0].to_string(), "b");
    assert_eq!(counters, Counters { a: 5, b: 2 });
    counters
        .load_state_dict(&entries, Strictness::Strict)
        .unwrap();
    assert_eq!(counters, Counters { a: 5, b: 0 });
}

#[test]
fn typed_nesting_ends_before_the_stack_does() {
    #[derive(Checkpoint, Debug)]
    struct Node {
        next: Option<Box<Node>>,
    }
    let nested = |levels: usize| [b"\x81\xa4next".repeat(levels).as_slice(), b"\xc0"].concat();
    assert!(from_slice::<Node>(&nested(150)).is_ok());
    let error = fault::<Node>(&nested(300));
    assert!(error.contains("nested deeper than 200 levels"), "{error}");
}

#[test]
fn maps_that_python_would_mistake_are_refused_when_written() {
    for (keys, taken_for) in [
        (&["integer"][..], "an integer"),
        (&["a", "integer"], "an integer"),
        (&["data", "dtype", "shape"], "an array"),
        (&["data", "dtype", "more", "shape"], "an array"),
    ] {
        let map: BTreeMap<String, u8> = keys.iter().map(|key| (key.to_string(), 1)).collect();
        let error = npcodec::to_vec(&map).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::MistakableMap { taken_for });
    }
    let map: BTreeMap<String, u8> = [("data".to_owned(), 1), ("shape".to_owned(), 2)].into();
    assert!(npcodec::to_vec(&map).is_ok());
}

#[test]
fn a_map_with_more_keys_than_an_array_has_is_a_map() {
    let bytes = b"\x84\xa5shape\x90\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'\xa4more\x01";
    let value = npcodec::decode(bytes).unwrap();
    assert_eq!(value.as_map().map(StateDict::len), Some(4));
    assert_eq!(npcodec::encode(&value).unwrap(), bytes);
}

#[test]
fn sets_refuse_equal_items() {
    let text = "expected a list of different items, found two equal items";
    let error = npcodec::from_slice::<HashSet<u8>>(b"\x92\x01\x01").unwrap_err();
    assert!(error.to_string().contains(text), "{error}");
    let error = npcodec::from_slice::<BTreeSet<u16>>(b"\x92\x01\x01").unwrap_err();
    assert!(error.to_string().contains(text), "{error}");
}

#[test]
fn a_repeated_key_is_an_error_wherever_it_stands() {
    #[derive(Checkpoint, Debug)]
    struct Open<'a> {
        a: u64,
        #[checkpoint(flatten)]
        rest: StateDict<'a>,
    }
    #[derive(Checkpoint, Debug)]
    #[checkpoint(allow_unknown_fields)]
    struct Known {
        a: u64,
    }
    let bytes = b"\x83\xa1a\x01\xa1x\x02\xa1x\x03";
    let options = ReadOptions::new().strictness(Strictness::SkipMismatched);
    let open = npcodec::from_slice_with::<Open<'_>>(bytes, &options).unwrap_err();
    let known = npcodec::from_slice::<Known>(bytes).unwrap_err();
    let map = npcodec::from_slice::<BTreeMap<String, u8>>(bytes).unwrap_err();
    for error in [&open, &known, &map] {
        let mismatch = &error.report().unwrap().mismatched[0];
        assert_eq!(mismatch.path.to_string(), "x");
        assert_eq!(mismatch.found, "another one for the same key");
    }
    assert_eq!(open.report().unwrap().mismatched[0].offset, Some(9));
    assert_eq!(known.report().unwrap().mismatched[0].offset, Some(9));
}

#[test]
fn a_key_of_another_kind_says_where_its_value_is() {
    let error = npcodec::from_slice::<BTreeMap<String, u8>>(b"\x82\xa1a\x01\x07\x02").unwrap_err();
    let mismatch = &error.report().unwrap().mismatched[0];
    assert_eq!(
        (mismatch.expected.as_str(), mismatch.found.as_str()),
        ("a string as key", "key 7")
    );
    assert_eq!(
        (mismatch.path.to_string(), mismatch.offset),
        ("[7]".to_owned(), Some(5))
    );
}

#[test]
fn lenient_maps_keep_their_keys_flattened_or_not() {
    #[derive(Checkpoint, Debug)]
    struct Flat {
        #[checkpoint(flatten)]
        rates: BTreeMap<String, f64>,
    }
    let rates = BTreeMap::from([("x".to_owned(), 1.0), ("y".to_owned(), 2.0)]);
    let mut flat = Flat {
        rates: rates.clone(),
    };
    let mut map = rates;
    let entries = dict([("x", 3.0), ("z", 4.0)]);
    let report = flat.load_state_dict(&entries, Strictness::Lenient).unwrap();
    assert_eq!(
        map.load_state_dict(&entries, Strictness::Lenient).unwrap(),
        report
    );
    assert_eq!(report.missing[0].to_string(), "y");
    assert_eq!(report.unexpected[0].to_string(), "z");
    assert_eq!(
        map.into_iter().collect::<Vec<_>>(),
        [("x".to_owned(), 3.0), ("y".to_owned(), 2.0)]
    );
    assert_eq!(flat.rates["y"], 2.0);
}

#[test]
fn a_report_lists_so_many_and_counts_the_rest() {
    let map: BTreeMap<i64, u8> = (0..1000).map(|key| (key, 1)).collect();
    let bytes = npcodec::to_vec(&map).unwrap();
    let error = npcodec::from_slice::<Inner>(&bytes).unwrap_err();
    let report = error.report().unwrap();
    assert_eq!((report.unexpected.len(), report.unlisted), (200, 800));
    assert!(error.to_string().ends_with("and 800 more"), "{error}");
}

#[test]
fn items_of_no_bytes_are_not_made_by_the_million() {
    use npcodec::NumpyEncoding;
    use npcodec::dtype::Void;

    for (count, good) in [(1000, true), (1 << 17, false)] {
        let array = NumpyEncoding::new(vec![count], vec![], "[('', '|V0')]", None).unwrap();
        let read = array.to_array::<Void<0>, npcodec::ndarray::Ix1>();
        assert_eq!(read.is_ok(), good, "{count}");
    }
}

#[test]
fn some_of_nil_is_refused_in_serde_fields_too() {
    #[derive(Checkpoint, Debug)]
    struct Nested {
        #[checkpoint(serde)]
        x: Option<Option<u8>>,
    }
    let error = npcodec::to_vec(&Nested { x: Some(None) }).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NestedNil);
    assert_eq!(error.path().to_string(), "x");
    assert!(npcodec::to_vec(&Nested { x: None }).is_ok());
}

#[test]
fn each_limit_is_kept_by_values_and_by_states() {
    use npcodec::Limits;

    let bytes = b"\x82\xa3abc\xc4\x02\x01\x02\xa1d\xc4\x00";
    for (limits, expected) in [
        (
            Limits::new().keys(1),
            "2 keys in one map, and the limit is 1, byte 0",
        ),
        (
            Limits::new().key_bytes(2),
            "3 bytes in one key, and the limit is 2, byte 1",
        ),
        (
            Limits::new().array_bytes(1),
            "2 bytes in one array, and the limit is 1 at `abc`, byte 5",
        ),
        (
            Limits::new().total_bytes(12),
            "13 bytes of input, and the limit is 12",
        ),
        (
            Limits::new().depth(0),
            "nested deeper than 0 levels, byte 0",
        ),
    ] {
        let options = ReadOptions::new().limits(limits);
        let error = npcodec::decode_with(bytes, &options).unwrap_err();
        assert_eq!(error.to_string(), expected);
        type Typed = BTreeMap<String, Vec<u8>>;
        let error = npcodec::from_slice_with::<Typed>(bytes, &options).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Limit { .. } | ErrorKind::TooDeep { .. }
            ),
            "{error}"
        );
    }
    let enough = Limits::new()
        .keys(2)
        .key_bytes(3)
        .array_bytes(2)
        .total_bytes(13)
        .depth(1);
    assert!(npcodec::decode_with(bytes, &ReadOptions::new().limits(enough)).is_ok());
}

#[test]
fn texts_that_a_width_cannot_hold_are_refused() {
    #[derive(Checkpoint)]
    struct Names {
        #[checkpoint(width = 2)]
        names: Vec<String>,
    }
    let names = |name: &str| {
        npcodec::to_vec(&Names {
            names: vec![name.to_owned()],
        })
    };
    assert!(names("ab").is_ok());
    for name in ["abc", "a\0"] {
        let error = names(name).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidItem { .. }));
        assert_eq!(error.path().to_string(), "names");
    }
}

#[test]
fn the_filler_of_an_aligned_array_is_written_again() {
    let bytes = b"\x84\xa3pad\xc4\x02\0\0\xa5shape\x91\x01\xa4data\xc4\x01\x07\xa5dtype\xa5'|u1'";
    let value = npcodec::decode(bytes).unwrap();
    assert_eq!(
        value.as_array().and_then(npcodec::NumpyEncoding::pad),
        Some(&[0, 0][..])
    );
    assert_eq!(npcodec::encode(&value).unwrap(), bytes);
    assert_eq!(to_vec(&value.borrowed()).unwrap(), bytes);
}

#[test]
fn two_names_of_one_field_are_reported_in_place_too() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Rate {
        #[checkpoint(alias = "lr")]
        rate: f64,
    }
    let mut rate = Rate { rate: 1.0 };
    let entries = dict([("rate", 2.0), ("lr", 3.0)]);
    let error = rate
        .load_state_dict(&entries, Strictness::Strict)
        .unwrap_err();
    let mismatch = &error.report().unwrap().mismatched[0];
    assert_eq!(mismatch.found, "another one for the same field");
    assert_eq!(rate, Rate { rate: 1.0 });
}

#[test]
fn a_duration_has_less_than_a_second_of_nanoseconds() {
    use std::time::Duration;

    let time = Duration::new(1, 999_999_999);
    let bytes = npcodec::to_vec(&time).unwrap();
    assert_eq!(npcodec::from_slice::<Duration>(&bytes).unwrap(), time);
    let second = b"\x82\xa4secs\x01\xa5nanos\xce\x3b\x9a\xca\x00";
    assert!(npcodec::from_slice::<Duration>(second).is_err());
}
