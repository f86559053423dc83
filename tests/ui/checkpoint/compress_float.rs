//! Only arrays can be compressed.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(compress)]
    rate: f32,
}

fn main() {}
