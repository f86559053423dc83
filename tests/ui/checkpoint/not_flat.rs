//! Only what has fields can be flattened.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(flatten)]
    step: u64,
}

fn main() {}
