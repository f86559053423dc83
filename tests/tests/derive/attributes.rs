//! Keys, defaults, what is left out.

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
    assert!(fault::<Point>(b"\x83\xa1x\x01\xa1y\x01\xa1x\x01").contains("x: expected one value"));
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
