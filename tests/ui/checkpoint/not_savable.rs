//! A type without `Checkpoint` is a fault at the field.

use npcodec::Checkpoint;

struct Foreign;

#[derive(Checkpoint)]
struct State {
    step: u64,
    foreign: Foreign,
}

fn main() {}
