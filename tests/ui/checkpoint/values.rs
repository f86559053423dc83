//! Values of the wrong kind, and attributes given twice.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
#[checkpoint(array = true, crate = 7)]
struct State {
    #[checkpoint(compress = "snappy")]
    a: u8,
    #[checkpoint(rename)]
    b: u8,
    #[checkpoint(rename = name)]
    c: u8,
    #[checkpoint(default = 7)]
    d: u8,
    #[checkpoint(width)]
    e: String,
    #[checkpoint(width = -1)]
    f: String,
    #[checkpoint(cast = "safe")]
    g: u8,
    #[checkpoint(fortran = "column_major")]
    h: u8,
    #[checkpoint(with = "not a path")]
    i: u8,
    #[checkpoint(as = "Vec<")]
    j: u8,
    #[checkpoint(default = "1 + 1")]
    k: u8,
    #[checkpoint(skip, skip)]
    l: u8,
    #[checkpoint(rename = "x")]
    #[checkpoint(rename = "y")]
    m: u8,
    #[checkpoint(with(module))]
    n: u8,
    #[checkpoint(rename =)]
    o: u8,
}

fn main() {}
