//! `#[serde(...)]` says nothing here, so it must not look as if it did.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[serde(default, bound = "", transparent, tag = "t")]
struct State {
    #[serde(rename = "x", alias = "y")]
    a: u8,
    #[serde(default, skip)]
    b: u8,
    #[serde(flatten)]
    c: u8,
    #[serde(with = "serde_bytes", borrow)]
    d: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<u8>,
    #[serde(serialize_with = "path", getter = "path")]
    f: u8,
}

#[derive(Checkpoint)]
#[serde(untagged)]
enum Kind {
    #[serde(rename = "a")]
    A,
    #[serde(other)]
    B {
        #[serde(skip_deserializing)]
        x: u8,
    },
}

// With `no_serde` the attributes belong to serde's own derives.
#[derive(Checkpoint, serde::Serialize)]
#[checkpoint(no_serde)]
struct Own {
    #[serde(rename = "y")]
    x: u8,
}

fn main() {}
