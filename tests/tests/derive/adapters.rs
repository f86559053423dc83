//! Adapters, serde types, types with their own serde impls.

use super::*;

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

#[test]
fn a_serde_type_takes_the_whole_of_a_list() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Lists {
        #[checkpoint(serde)]
        d: (u8, u8),
        #[checkpoint(serde)]
        e: Vec<u8>,
    }
    // Bytes stand for a list of bytes, as in rmp-serde.
    let lists = Lists {
        d: (1, 2),
        e: vec![3],
    };
    let bytes = b"\x82\xa1d\xc4\x02\x01\x02\xa1e\xc4\x01\x03";
    assert_eq!(from_slice::<Lists>(bytes).unwrap(), lists);
    for long in [
        &b"\x82\xa1d\x93\x01\x02\x03\xa1e\x90"[..],
        b"\x82\xa1d\xc4\x03\x01\x02\x03\xa1e\x90",
    ] {
        let error = fault::<Lists>(long);
        assert!(
            error.contains("d: expected 2 items, found a list of 3"),
            "{error}"
        );
    }
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
