//! Enums.

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
        fault::<Kind>(b"\x82\xa7newtype\x01\xa4pair\x92\x01\x02").contains("a map of 2 entries")
    );
    assert!(fault::<Kind>(b"\x81\x07\x01").contains("enum Kind"));
    assert!(fault::<Kind>(b"\x07").contains("enum Kind"));
    assert!(fault::<Kind>(b"\x81\xa4pair\x91\x01").contains("pair: expected a list of 2 items"));
    let error = fault::<Wrapper>(b"\x81\xa4kind\x81\xa6struct\x81\xa3bad\x01");
    assert!(error.contains("missing: kind.struct.firstField"), "{error}");
    assert!(error.contains(&unexpected("kind.struct.bad")), "{error}");
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Wrapper {
    kind: Kind,
}
