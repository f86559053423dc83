use num_complex::Complex;

use super::flatten::leaves;
use super::rebuild::{Tree, path};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind};
use crate::flower::{ConfigRecord, ConfigValue};
use crate::state::{Key, StateDict, Value};

fn map<'a>(entries: Vec<(Key<'a>, Value<'a>)>) -> Value<'a> {
    Value::Map(entries.into_iter().collect())
}

fn array() -> Value<'static> {
    let data: &[u8] = &[0, 0, 128, 63];
    Value::Array(NumpyEncoding::new(vec![1], data, "'<f4'", None).unwrap())
}

/// A state with everything that has a form.
fn state() -> Value<'static> {
    let table = map(vec![
        (7i64.into(), array()),
        (u64::MAX.into(), Value::from(1)),
        ("x".into(), Value::Nil),
    ]);
    map(vec![
        (
            "layers".into(),
            Value::List(vec![map(vec![("kernel".into(), array())]), array()]),
        ),
        ("a.b".into(), Value::from(2)),
        ("rng".into(), Value::from(1u128 << 100)),
        (
            "mixed".into(),
            Value::List(vec![Value::from(1), Value::from("a"), Value::Nil]),
        ),
        (
            "signs".into(),
            Value::List(vec![Value::from(-1), Value::from(u64::MAX)]),
        ),
        (
            "sizes".into(),
            Value::List(vec![Value::from(1), Value::from(u64::MAX)]),
        ),
        (
            "names".into(),
            Value::List(vec![Value::from("a"), Value::from("")]),
        ),
        (
            "nested".into(),
            Value::List(vec![
                Value::List(vec![]),
                Value::List(vec![Value::from(true)]),
            ]),
        ),
        ("empty".into(), map(vec![])),
        ("table".into(), table),
        ("none".into(), Value::Nil),
        ("bytes".into(), Value::Bytes(b"\0\xff"[..].into())),
    ])
}

fn tree<'r>(
    arrays: impl Iterator<Item = (&'r str, NumpyEncoding<'r>)>,
    config: &'r ConfigRecord,
) -> Result<Value<'r>, Error> {
    let mut tree = Tree::default();
    for (key, array) in arrays {
        tree.insert(&path(key), Value::Array(array))?;
    }
    tree.insert_config(config)?;
    tree.value()
}

fn texts<'k>(keys: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    keys.collect()
}

#[test]
fn a_state_is_put_together_as_it_was() {
    let state = state();
    let mut leaves = leaves(state.borrowed()).unwrap();
    leaves.markers.write(&mut leaves.config);
    assert!(leaves.unsupported.is_empty());
    let arrays: Vec<_> = leaves
        .arrays
        .iter()
        .map(|(path, array)| (path.to_string(), array.borrowed()))
        .collect();
    let paths = texts(arrays.iter().map(|(path, _)| path.as_str()));
    assert_eq!(paths, ["layers[0].kernel", "layers[1]", "table[7]"]);
    let keys = texts(leaves.config.keys());
    let expected = [
        "[\"a.b\"]",
        "rng",
        "mixed[0]",
        "mixed[1]",
        "signs[0]",
        "signs[1]",
        "sizes",
        "names",
        "nested[0]",
        "nested[1]",
        "table[18446744073709551615]",
        "bytes",
        ".nil",
        ".map",
        ".integer",
    ];
    assert_eq!(keys, expected);
    let listed = |key| leaves.config.read::<Vec<String>>(key).unwrap();
    assert_eq!(listed(".nil"), ["mixed[2]", "table.x", "none"]);
    assert_eq!(listed(".map"), ["empty", "table"]);
    assert_eq!(listed(".integer"), ["rng"]);

    // Equality of maps does not look at the order, which arrays and settings have apart.
    let of = |arrays: &[(String, NumpyEncoding<'static>)]| {
        let arrays = arrays
            .iter()
            .map(|(path, array)| (path.as_str(), array.clone()));
        tree(arrays, &leaves.config).map(Value::into_owned)
    };
    let mut arrays: Vec<_> = arrays
        .into_iter()
        .map(|(path, array)| (path, array.into_owned()))
        .collect();
    assert_eq!(of(&arrays).unwrap(), state);
    arrays.reverse();
    assert_eq!(of(&arrays).unwrap(), state);
    arrays.retain(|(path, _)| path != "layers[0].kernel");
    let error = of(&arrays).unwrap_err();
    let words = "flower: expected [0] of a list, found [1] at `layers`";
    assert_eq!(error.to_string(), words);
}

#[test]
fn a_float_of_32_bits_keeps_its_value_and_a_nan_its_bits() {
    for bits in [0x3dcc_cccd_u32, 0x8000_0000, 0x7f80_0001, 0xffc1_2345, 1] {
        let value = f32::from_bits(bits);
        let leaves = leaves(Value::from(value)).unwrap();
        let Some(ConfigValue::Float(wide)) = leaves.config.get("") else {
            panic!("{:?}", leaves.config)
        };
        if value.is_nan() {
            let [wide, sign] = [wide.to_bits(), u64::from(bits >> 31)];
            assert_eq!(wide >> 63, sign);
            assert_eq!(wide >> 29 & 0x7f_ffff, u64::from(bits & 0x7f_ffff));
        } else {
            assert_eq!((*wide as f32).to_bits(), bits);
        }
    }
}

#[test]
fn everything_without_a_form_is_listed() {
    let state = map(vec![
        ("z".into(), Value::Complex(Complex::new(1.0, 2.0))),
        ("fine".into(), Value::from(1)),
        (
            "list".into(),
            Value::List(vec![Value::Extension(5, b""[..].into())]),
        ),
    ]);
    let leaves = leaves(state).unwrap();
    let listed: Vec<_> = leaves.unsupported.iter().map(ToString::to_string).collect();
    assert_eq!(listed.len(), 2);
    assert!(
        listed[0].starts_with("`z`: a complex number"),
        "{}",
        listed[0]
    );
    assert!(
        listed[1].starts_with("`list[0]`: a MessagePack extension"),
        "{}",
        listed[1]
    );
}

#[test]
fn keys_that_are_of_no_one_tree_are_refused() {
    let refusal = |config: ConfigRecord| -> Error {
        tree(std::iter::empty(), &config).map(|_| ()).unwrap_err()
    };
    let of = |entries: Vec<(&str, ConfigValue)>| refusal(entries.into_iter().collect());
    let words = |entries| of(entries).to_string();
    let (one, two) = (ConfigValue::Int(1), ConfigValue::Int(2));
    let pair = |a, b| vec![(a, one.clone()), (b, two.clone())];
    assert_eq!(words(pair("a", "[\"a\"]")), "key `a` occurs twice");
    assert_eq!(
        words(pair("a", "a.b")),
        "flower: expected one value, found a map or list too at `a.b`"
    );
    assert_eq!(
        words(pair("a.b", "a")),
        "flower: expected one value, found a map or list too at `a`"
    );
    assert_eq!(
        words(pair("a.b", "a[0]")),
        "flower: expected the entries of a map, found those of a list too at `a`"
    );
    let marked = |key, path: &str| vec![("a", one.clone()), (key, vec![path.to_owned()].into())];
    assert_eq!(words(marked(".nil", "a")), "key `a` occurs twice");
    assert!(words(marked(".map", "a")).contains("at `a`"));
    assert!(
        words(marked(".integer", "a"))
            .contains("expected the text of an integer, found an integer at `a`")
    );
    assert!(words(marked(".integer", "b")).contains("found nothing at `b`"));
    assert!(words(vec![(".nil", one.clone())]).contains("expected a list of paths"));
    let deep = "[0]".repeat(100_000);
    assert!(matches!(
        of(vec![(&deep, one.clone())]).kind(),
        ErrorKind::TooDeep { .. }
    ));
    let wide = format!("a[{}]", 1i128 << 64);
    let marked = vec![
        (wide.as_str(), one.clone()),
        (".map", vec!["a".to_owned()].into()),
    ];
    assert!(matches!(of(marked).kind(), ErrorKind::KeyType { .. }));
    // What is no path is a key of the state, which has none of this name.
    let odd: ConfigRecord = [("server round", 3)].into_iter().collect();
    let value = tree(std::iter::empty(), &odd).unwrap();
    assert_eq!(
        value,
        Value::Map([("server round", 3)].into_iter().collect::<StateDict>())
    );
}
