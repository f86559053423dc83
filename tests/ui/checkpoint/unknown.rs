//! Attributes that nobody knows, or that stand in the wrong place.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
#[checkpoint(renameall = "camelCase")]
#[checkpoint(flatten)]
struct State {
    #[checkpoint(comprss)]
    a: Vec<u8>,
    #[checkpoint(rename_all = "camelCase")]
    b: u8,
    #[checkpoint(zzz)]
    c: u8,
    #[checkpoint(7)]
    d: u8,
    #[checkpoint]
    e: u8,
    #[checkpoint = "skip"]
    f: u8,
}

#[derive(Checkpoint)]
enum Kind {
    #[checkpoint(skip)]
    A,
    B(#[checkpoint(nam = "x")] u8),
}

fn main() {}
