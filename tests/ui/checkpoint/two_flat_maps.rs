//! Two maps would both take every key.

use std::collections::BTreeMap;

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(flatten)]
    a: BTreeMap<String, u8>,
    step: u64,
    #[checkpoint(flatten)]
    b: BTreeMap<String, u8>,
}

fn main() {}
