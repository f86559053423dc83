//! Attributes that exclude each other.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(compress, scalar)]
    a: u8,
    #[checkpoint(array, as = "Vec<u8>")]
    b: u8,
    #[checkpoint(with = "module", serde)]
    c: u8,
    #[checkpoint(skip, flatten)]
    d: u8,
    #[checkpoint(width = 8, compress)]
    e: String,
    #[checkpoint(skip, rename = "x")]
    f: u8,
    #[checkpoint(alias = "y", skip)]
    g: u8,
    #[checkpoint(flatten, default)]
    h: u8,
    #[checkpoint(flatten, with = "module")]
    i: u8,
    #[checkpoint(serde, cast)]
    j: u8,
    #[checkpoint(with = "module", fortran = "row_major")]
    k: u8,
    #[checkpoint(flatten, skip_serializing_if = "Option::is_none")]
    l: u8,
    #[checkpoint(skip, replace)]
    m: u8,
}

fn main() {}
