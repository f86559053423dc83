//! What each shape and each attribute of `derive(Checkpoint)` writes and reads, in bytes made by hand.

use std::collections::BTreeMap;
use std::fmt::Debug;

use npcodec::{Checkpoint, Strictness};
use rmp_serde::{from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Writes and reads `value`, whose bytes are known.
#[track_caller]
fn both<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, bytes: &[u8]) {
    assert_eq!(
        to_vec(value).unwrap().escape_ascii().to_string(),
        bytes.escape_ascii().to_string()
    );
    assert_eq!(&from_slice::<T>(bytes).unwrap(), value);
}

/// The text of the error that reading `bytes` gives.
#[track_caller]
fn fault<T: DeserializeOwned + Debug>(bytes: &[u8]) -> String {
    from_slice::<T>(bytes).unwrap_err().to_string()
}

/// How the error names unexpected keys, and what would let them pass.
fn unexpected(paths: &str) -> String {
    format!("unexpected (`allow_unknown_fields` passes over them): {paths}")
}

#[derive(Checkpoint, Debug, PartialEq, Default, Clone)]
struct Point {
    x: u8,
    y: u8,
}

mod shapes {
    use super::*;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Pair(u8, String);

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Meters(f32);

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Labelled(
        #[checkpoint(skip)] u8,
        Option<Point>,
        #[checkpoint(skip, default = "seven")] u8,
    );

    fn seven() -> u8 {
        7
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Unit;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Empty {}

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Nothing();

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Outer {
        point: Point,
        pair: Pair,
        meters: Vec<Meters>,
        unit: Unit,
    }

    #[test]
    fn named_structs_are_maps_in_the_order_of_their_fields() {
        both(&Point { x: 1, y: 2 }, b"\x82\xa1x\x01\xa1y\x02");
        both(&Empty {}, b"\x80");
        assert_eq!(
            from_slice::<Point>(b"\x82\xa1y\x02\xa1x\x01").unwrap(),
            Point { x: 1, y: 2 }
        );
    }

    #[test]
    fn named_structs_are_never_read_by_position() {
        assert!(fault::<Point>(b"\x92\x01\x02").contains("a map of the fields of struct Point"));
        let error = fault::<Point>(b"\x82\x00\x01\x01\x02");
        assert!(
            error.contains("missing: x, y") && error.contains(&unexpected("[0], [1]")),
            "{error}"
        );
    }

    #[test]
    fn tuple_structs_are_lists_of_one_length() {
        both(&Pair(1, "a".into()), b"\x92\x01\xa1a");
        both(&Nothing(), b"\x90");
        assert!(fault::<Pair>(b"\x91\x01").contains("expected a list of 2 items, found one of 1"));
        assert!(fault::<Pair>(b"\x93\x01\xa1a\x00").contains("found one of 3"));
        assert!(fault::<Pair>(b"\x80").contains("struct Pair"));
    }

    #[test]
    fn newtypes_are_their_field() {
        both(&Meters(1.0), b"\xca\x3f\x80\x00\x00");
        both(
            &Labelled(0, Some(Point { x: 1, y: 2 }), 7),
            b"\x82\xa1x\x01\xa1y\x02",
        );
        both(&Labelled(0, None, 7), b"\xc0");
    }

    #[test]
    fn unit_structs_are_nil() {
        both(&Unit, b"\xc0");
        assert!(fault::<Unit>(b"\x80").contains("nil"));
    }

    #[test]
    fn shapes_nest() {
        let outer = Outer {
            point: Point { x: 1, y: 2 },
            pair: Pair(3, "b".into()),
            meters: vec![Meters(0.0)],
            unit: Unit,
        };
        both(
            &outer,
            b"\x84\xa5point\x82\xa1x\x01\xa1y\x02\xa4pair\x92\x03\xa1b\xa6meters\x91\xca\x00\x00\x00\x00\xa4unit\xc0",
        );
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Wrapper {
        inner: Labelled,
        other: u8,
    }

    #[test]
    fn a_newtype_is_absent_where_its_field_is() {
        let wrapper = from_slice::<Wrapper>(b"\x81\xa5other\x01").unwrap();
        assert_eq!(
            wrapper,
            Wrapper {
                inner: Labelled(0, None, 7),
                other: 1
            }
        );
    }
}

mod enums {
    use super::*;

    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(rename_all = "snake_case", rename_all_fields = "camelCase")]
    enum Kind {
        UnitOnly,
        Newtype(u8),
        Pair(u8, u8),
        Skipped(#[checkpoint(skip)] u8, u8),
        Struct {
            first_field: u8,
            #[checkpoint(rename = "n", alias = "second", default)]
            second_field: u8,
        },
        #[checkpoint(rename = "S", rename_all = "UPPERCASE")]
        Shouting {
            a_b: u8,
        },
        #[checkpoint(alias = "old", alias = "older")]
        Aliased,
        Empty {},
        None(),
        Flat {
            a: u8,
            #[checkpoint(flatten)]
            point: Point,
        },
    }

    #[test]
    fn enums_are_externally_tagged() {
        both(&Kind::UnitOnly, b"\xa9unit_only");
        both(&Kind::Newtype(1), b"\x81\xa7newtype\x01");
        both(&Kind::Pair(1, 2), b"\x81\xa4pair\x92\x01\x02");
        both(&Kind::Skipped(0, 2), b"\x81\xa7skipped\x02");
        both(
            &Kind::Struct {
                first_field: 1,
                second_field: 2,
            },
            b"\x81\xa6struct\x82\xaafirstField\x01\xa1n\x02",
        );
        both(&Kind::Shouting { a_b: 1 }, b"\x81\xa1S\x81\xa3A_B\x01");
        both(&Kind::Empty {}, b"\x81\xa5empty\x80");
        both(&Kind::None(), b"\x81\xa4none\x90");
        let flat = Kind::Flat {
            a: 1,
            point: Point { x: 2, y: 3 },
        };
        both(&flat, b"\x81\xa4flat\x83\xa1a\x01\xa1x\x02\xa1y\x03");
    }

    #[test]
    fn variants_and_their_fields_have_aliases_and_defaults() {
        assert_eq!(from_slice::<Kind>(b"\xa5older").unwrap(), Kind::Aliased);
        let expected = Kind::Struct {
            first_field: 1,
            second_field: 2,
        };
        let bytes = b"\x81\xa6struct\x82\xaafirstField\x01\xa6second\x02";
        assert_eq!(from_slice::<Kind>(bytes).unwrap(), expected);
        let expected = Kind::Struct {
            first_field: 1,
            second_field: 0,
        };
        assert_eq!(
            from_slice::<Kind>(b"\x81\xa6struct\x81\xaafirstField\x01").unwrap(),
            expected
        );
    }

    #[test]
    fn what_is_no_variant_is_refused() {
        let error = fault::<Kind>(b"\xa3new");
        assert!(
            error.contains("a variant of enum Kind: unit_only, newtype"),
            "{error}"
        );
        assert!(error.contains("found the variant \"new\""), "{error}");
        assert!(fault::<Kind>(b"\xa7newtype").contains("found the name alone"));
        assert!(fault::<Kind>(b"\x81\xa9unit_only\xc0").contains("no content"));
        assert!(fault::<Kind>(b"\x80").contains("found an empty map"));
        assert!(
            fault::<Kind>(b"\x82\xa7newtype\x01\xa4pair\x92\x01\x02")
                .contains("a map of 2 entries")
        );
        assert!(fault::<Kind>(b"\x81\x07\x01").contains("enum Kind"));
        assert!(fault::<Kind>(b"\x07").contains("enum Kind"));
        assert!(
            fault::<Kind>(b"\x81\xa4pair\x91\x01").contains("pair: expected a list of 2 items")
        );
        let error = fault::<Wrapper>(b"\x81\xa4kind\x81\xa6struct\x81\xa3bad\x01");
        assert!(error.contains("missing: kind.struct.firstField"), "{error}");
        assert!(error.contains(&unexpected("kind.struct.bad")), "{error}");
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Wrapper {
        kind: Kind,
    }
}

mod attributes {
    use super::*;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Names {
        #[checkpoint(rename = "lr", alias = "learning_rate", alias = "rate")]
        learning: u8,
    }

    #[test]
    fn rename_and_alias() {
        both(&Names { learning: 1 }, b"\x81\xa2lr\x01");
        assert_eq!(
            from_slice::<Names>(b"\x81\xadlearning_rate\x01").unwrap(),
            Names { learning: 1 }
        );
        assert_eq!(
            from_slice::<Names>(b"\x81\xa4rate\x01").unwrap(),
            Names { learning: 1 }
        );
        assert!(fault::<Names>(b"\x81\xa8learning\x01").contains(&unexpected("learning")));
    }

    #[test]
    fn two_keys_of_one_field_are_refused() {
        let error = fault::<Names>(b"\x82\xa2lr\x01\xa4rate\x02");
        assert!(error.contains("rate: expected one value"), "{error}");
        assert!(
            fault::<Point>(b"\x83\xa1x\x01\xa1y\x01\xa1x\x01").contains("x: expected one value")
        );
    }

    macro_rules! spelt {
        ($name:ident, $case:literal, $key:literal) => {
            #[derive(Checkpoint, Debug, PartialEq)]
            #[checkpoint(rename_all = $case)]
            struct $name {
                very_tasty: u8,
            }
        };
    }
    spelt!(Lower, "lowercase", "very_tasty");
    spelt!(Upper, "UPPERCASE", "VERY_TASTY");
    spelt!(Pascal, "PascalCase", "VeryTasty");
    spelt!(Camel, "camelCase", "veryTasty");
    spelt!(Snake, "snake_case", "very_tasty");
    spelt!(ScreamingSnake, "SCREAMING_SNAKE_CASE", "VERY_TASTY");
    spelt!(Kebab, "kebab-case", "very-tasty");
    spelt!(ScreamingKebab, "SCREAMING-KEBAB-CASE", "VERY-TASTY");

    #[test]
    fn rename_all() {
        both(&Lower { very_tasty: 1 }, b"\x81\xaavery_tasty\x01");
        both(&Upper { very_tasty: 1 }, b"\x81\xaaVERY_TASTY\x01");
        both(&Pascal { very_tasty: 1 }, b"\x81\xa9VeryTasty\x01");
        both(&Camel { very_tasty: 1 }, b"\x81\xa9veryTasty\x01");
        both(&Snake { very_tasty: 1 }, b"\x81\xaavery_tasty\x01");
        both(&ScreamingSnake { very_tasty: 1 }, b"\x81\xaaVERY_TASTY\x01");
        both(&Kebab { very_tasty: 1 }, b"\x81\xaavery-tasty\x01");
        both(&ScreamingKebab { very_tasty: 1 }, b"\x81\xaaVERY-TASTY\x01");
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Defaults {
        a: u8,
        #[checkpoint(default)]
        b: u8,
        #[checkpoint(default = "Defaults::seven")]
        c: u8,
        d: Option<u8>,
        #[checkpoint(skip)]
        e: u8,
        #[checkpoint(skip, default = "Defaults::seven")]
        f: u8,
    }

    impl Defaults {
        fn seven() -> u8 {
            7
        }
    }

    #[test]
    fn defaults_and_skipped_fields() {
        let value = Defaults {
            a: 1,
            b: 2,
            c: 3,
            d: None,
            e: 0,
            f: 7,
        };
        both(&value, b"\x84\xa1a\x01\xa1b\x02\xa1c\x03\xa1d\xc0");
        let expected = Defaults {
            a: 1,
            b: 0,
            c: 7,
            d: None,
            e: 0,
            f: 7,
        };
        assert_eq!(from_slice::<Defaults>(b"\x81\xa1a\x01").unwrap(), expected);
        let error = fault::<Defaults>(b"\x81\xa1e\x01");
        assert!(
            error.contains("missing: a\n") && error.contains(&unexpected("e")),
            "{error}"
        );
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(default)]
    struct Whole {
        a: u8,
        b: Vec<u16>,
        #[checkpoint(default)]
        c: u8,
        #[checkpoint(skip)]
        d: u8,
    }

    impl Default for Whole {
        fn default() -> Self {
            Self {
                a: 1,
                b: vec![2],
                c: 3,
                d: 4,
            }
        }
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(default = "lazily")]
    struct Lazy {
        a: u8,
    }

    fn lazily() -> Lazy {
        panic!("made though nothing is missing")
    }

    #[test]
    fn container_defaults_fill_what_is_missing() {
        assert_eq!(
            from_slice::<Whole>(b"\x80").unwrap(),
            Whole {
                c: 0,
                ..Whole::default()
            }
        );
        let expected = Whole {
            a: 9,
            c: 8,
            ..Whole::default()
        };
        assert_eq!(
            from_slice::<Whole>(b"\x82\xa1a\x09\xa1c\x08").unwrap(),
            expected
        );
        both(&Lazy { a: 1 }, b"\x81\xa1a\x01");
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Flat {
        a: u8,
        #[checkpoint(flatten)]
        point: Point,
        b: u8,
        #[checkpoint(flatten)]
        whole: Whole2,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Whole2 {
        c: Option<u8>,
        #[checkpoint(flatten)]
        deeper: Deeper,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Deeper {
        d: u8,
        #[checkpoint(skip_serializing_if = "is_zero", default)]
        e: u8,
    }

    fn is_zero(value: &u8) -> bool {
        *value == 0
    }

    #[test]
    fn flattened_fields_stand_among_the_others() {
        let flat = Flat {
            a: 1,
            point: Point { x: 2, y: 3 },
            b: 4,
            whole: Whole2 {
                c: None,
                deeper: Deeper { d: 5, e: 6 },
            },
        };
        both(
            &flat,
            b"\x87\xa1a\x01\xa1x\x02\xa1y\x03\xa1b\x04\xa1c\xc0\xa1d\x05\xa1e\x06",
        );
        let error = fault::<Flat>(b"\x82\xa1x\x02\xa1z\x01");
        assert!(
            error.contains("missing: a, y, b, d") && error.contains(&unexpected("z")),
            "{error}"
        );
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Clash {
        x: u8,
        #[checkpoint(flatten)]
        point: Point,
    }

    #[test]
    fn a_flattened_key_that_is_taken_is_refused_when_written() {
        let clash = Clash {
            x: 1,
            point: Point { x: 2, y: 3 },
        };
        assert!(to_vec(&clash).unwrap_err().to_string().contains("x"));
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Open {
        #[checkpoint(flatten)]
        rest: BTreeMap<String, u8>,
        #[checkpoint(flatten)]
        point: Point,
        a: u8,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Opener {
        #[checkpoint(flatten)]
        open: Open,
        b: u8,
    }

    #[test]
    fn a_flattened_map_takes_what_nothing_else_does() {
        let rest = BTreeMap::from([("r".to_owned(), 9)]);
        let open = Open {
            rest,
            point: Point { x: 1, y: 2 },
            a: 3,
        };
        let opener = Opener { open, b: 4 };
        both(
            &opener,
            b"\x85\xa1r\x09\xa1x\x01\xa1y\x02\xa1a\x03\xa1b\x04",
        );
        let mut other = Opener {
            open: Open {
                rest: BTreeMap::from([("r".to_owned(), 0)]),
                point: Point::default(),
                a: 0,
            },
            b: 0,
        };
        let dict = opener.to_state_dict().unwrap();
        other.load_state_dict(&dict, Strictness::Strict).unwrap();
        assert_eq!(other, opener);
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Sparse {
        #[checkpoint(skip_serializing_if = "Option::is_none")]
        a: Option<u8>,
        b: u8,
    }

    #[test]
    fn skipping_a_field_does_not_shift_the_others() {
        both(&Sparse { a: None, b: 7 }, b"\x81\xa1b\x07");
        both(&Sparse { a: Some(1), b: 7 }, b"\x82\xa1a\x01\xa1b\x07");
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    #[checkpoint(allow_unknown_fields)]
    struct Tolerant {
        a: u8,
        point: Option<Point>,
    }

    #[test]
    fn unknown_fields_are_allowed_where_the_container_says_so() {
        assert_eq!(
            from_slice::<Tolerant>(b"\x82\xa1z\x80\xa1a\x01").unwrap(),
            Tolerant { a: 1, point: None }
        );
        let error = fault::<Tolerant>(b"\x82\xa1a\x01\xa5point\x83\xa1x\x01\xa1y\x01\xa1z\x01");
        assert!(error.contains(&unexpected("point.z")), "{error}");
    }

    #[derive(Debug, PartialEq)]
    struct Foreign(u8);

    mod foreign {
        use super::*;

        pub(super) fn serialize<S: serde::Serializer>(
            value: &Foreign,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("f{}", value.0))
        }

        pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Foreign, D::Error> {
            let text = String::deserialize(deserializer)?;
            text[1..]
                .parse()
                .map(Foreign)
                .map_err(serde::de::Error::custom)
        }
    }

    mod maybe {
        use super::*;

        pub(super) fn serialize<S: serde::Serializer>(
            value: &Option<Foreign>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            value.as_ref().map(|value| value.0).serialize(serializer)
        }

        pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Foreign>, D::Error> {
            Ok(Option::deserialize(deserializer)?.map(Foreign))
        }
    }

    struct Times<const N: u8>;

    impl<const N: u8> Times<N> {
        fn serialize<S: serde::Serializer>(value: &u8, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_u8(value * N)
        }

        fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
            Ok(u8::deserialize(deserializer)? / N)
        }
    }

    type Maybe<T> = Option<T>;

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Config {
        name: String,
        sizes: (u8, u8),
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Adapted {
        #[checkpoint(with = "foreign")]
        a: Foreign,
        #[checkpoint(with = "maybe")]
        b: Maybe<Foreign>,
        #[checkpoint(with = "Times<3>")]
        c: u8,
        #[checkpoint(serde)]
        d: Config,
        #[checkpoint(serde)]
        e: Maybe<Config>,
    }

    #[test]
    fn adapters_and_serde_types() {
        let adapted = Adapted {
            a: Foreign(1),
            b: Some(Foreign(2)),
            c: 3,
            d: Config {
                name: "n".into(),
                sizes: (1, 2),
            },
            e: None,
        };
        both(
            &adapted,
            b"\x85\xa1a\xa2f1\xa1b\x02\xa1c\x09\xa1d\x82\xa4name\xa1n\xa5sizes\x92\x01\x02\xa1e\xc0",
        );
        let bytes = b"\x83\xa1a\xa2f1\xa1c\x09\xa1d\x82\xa4name\xa1n\xa5sizes\x92\x01\x02";
        assert_eq!(
            from_slice::<Adapted>(bytes).unwrap(),
            Adapted {
                b: None,
                e: None,
                ..adapted
            }
        );
        let error = fault::<Adapted>(b"\x82\xa1a\xa2fx\xa1d\x01");
        assert!(
            error.contains("a: ") && error.contains("d: ") && error.contains("missing: c"),
            "{error}"
        );
    }

    #[derive(Checkpoint, Serialize, Deserialize, Debug, PartialEq)]
    #[checkpoint(no_serde)]
    struct Own {
        #[serde(rename = "serde")]
        #[checkpoint(rename = "ours")]
        x: u8,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct HoldsOwn {
        own: Own,
    }

    #[test]
    fn no_serde_leaves_serde_to_the_type() {
        both(&Own { x: 1 }, b"\x91\x01");
        both(
            &HoldsOwn { own: Own { x: 1 } },
            b"\x81\xa3own\x81\xa4ours\x01",
        );
    }
}

mod borrowed {
    use super::*;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct View<'a> {
        point: &'a Point,
        text: &'a str,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Texts<'a, 'b> {
        a: &'a str,
        b: &'b str,
        c: Option<&'a str>,
    }

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Named {
        name: &'static str,
        other: std::borrow::Cow<'static, str>,
    }

    #[test]
    fn a_static_text_is_restored_from_static_bytes() {
        static BYTES: &[u8] = b"\x82\xa4name\xa1n\xa5other\xa1o";
        let named = Named {
            name: "n",
            other: "o".into(),
        };
        assert_eq!(to_vec(&named).unwrap(), BYTES);
        assert_eq!(from_slice::<Named>(BYTES).unwrap(), named);
    }

    #[test]
    fn a_struct_of_references_can_be_saved() {
        let view = View {
            point: &Point { x: 1, y: 2 },
            text: "t",
        };
        assert_eq!(
            to_vec(&view).unwrap(),
            b"\x82\xa5point\x82\xa1x\x01\xa1y\x02\xa4text\xa1t"
        );
    }

    #[test]
    fn texts_are_borrowed_from_a_slice() {
        let bytes = b"\x82\xa1a\xa1s\xa1b\xa1t";
        let texts: Texts<'_, '_> = from_slice(bytes).unwrap();
        assert_eq!(
            texts,
            Texts {
                a: "s",
                b: "t",
                c: None
            }
        );
        assert!(bytes.as_ptr_range().contains(&texts.a.as_ptr()));
    }
}

mod generics {
    use super::*;

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Holder<T, U = u8> {
        items: Vec<T>,
        #[checkpoint(flatten)]
        inner: U,
        #[checkpoint(skip)]
        skipped: Option<T>,
    }

    #[test]
    fn a_parameter_can_be_flattened() {
        let holder = Holder {
            items: vec![Some(1_u16)],
            inner: Point { x: 1, y: 2 },
            skipped: None,
        };
        both(&holder, b"\x83\xa5items\x91\x01\xa1x\x01\xa1y\x02");
    }
}
