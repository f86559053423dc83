//! A skipped field needs a value to be restored with.

use npcodec::Checkpoint;

struct Foreign;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(skip)]
    a: Foreign,
    #[checkpoint(default)]
    b: std::num::NonZero<u8>,
    #[checkpoint(skip, default = "seven")]
    c: Foreign,
}

fn seven() -> u8 {
    7
}

fn main() {}
