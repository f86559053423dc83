//! What each shape and each attribute of `derive(Checkpoint)` writes and reads, byte for byte.

mod adapters;
mod attributes;
mod borrowed;
mod columns;
mod encodings;
mod enums;
mod flatten;
mod generics;
mod in_place;
mod shapes;
mod strict;

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
