//! Structs of every shape.

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
