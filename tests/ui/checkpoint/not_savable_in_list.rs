//! The same within containers, tuples and variants.

use npcodec::Checkpoint;

struct Foreign;

#[derive(Checkpoint)]
struct Pair(u8, Vec<Foreign>);

#[derive(Checkpoint)]
enum Kind {
    A(Foreign),
}

fn main() {}
