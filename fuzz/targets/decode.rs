//! Any bytes: what is read without a type is written to the same value again, by both writers alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::{Value, decode, encode};

fuzz_target!(|bytes: &[u8]| {
    let ours = decode(bytes);
    // rmp-serde ignores what comes after the value and has limits of its own.
    let theirs = rmp_serde::from_slice::<Value<'_>>(bytes);
    let Ok(value) = ours else { return };
    let written = encode(&value).expect("what was read can be written");
    assert_eq!(rmp_serde::to_vec(&value).expect("by rmp-serde too"), written);
    let again = decode(&written).expect("what was written can be read");
    assert_eq!(encode(&again).expect("and written again"), written);
    let theirs = theirs.expect("rmp-serde reads it too");
    assert_eq!(encode(&theirs).expect("to the same value"), written);
});
