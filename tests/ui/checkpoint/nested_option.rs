//! `Some(None)` and `None` would both be nil.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    a: Option<Option<u8>>,
}

#[derive(Checkpoint)]
struct Unit;

#[derive(Checkpoint)]
struct Units {
    b: Vec<Option<Unit>>,
}

fn main() {}
