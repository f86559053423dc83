//! Fields among the others.

use super::*;

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
struct LeftOut {
    #[checkpoint(flatten)]
    rest: BTreeMap<String, u8>,
    #[checkpoint(flatten)]
    deeper: Deeper,
    #[checkpoint(alias = "old")]
    new: u8,
    #[checkpoint(skip_serializing_if = "Option::is_none")]
    maybe: Option<u8>,
}

#[test]
fn a_flattened_map_has_no_key_that_would_be_read_as_a_field() {
    let with = |key: &str| LeftOut {
        rest: BTreeMap::from([(key.to_owned(), 9)]),
        deeper: Deeper { d: 1, e: 0 },
        new: 2,
        maybe: None,
    };
    both(&with("r"), b"\x83\xa1r\x09\xa1d\x01\xa3new\x02");
    for key in ["new", "old", "maybe", "e"] {
        let text = to_vec(&with(key)).unwrap_err().to_string();
        assert_eq!(text, format!("key \"{key}\" occurs twice"));
        assert!(with(key).to_state_dict().is_err());
        assert!(npcodec::to_vec(&with(key)).is_err());
    }
}
