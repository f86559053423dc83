//! A union does not say what it holds.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}
