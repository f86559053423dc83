//! Two fields, or two variants, of one name.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct Renamed {
    a: u8,
    #[checkpoint(rename = "a")]
    b: u8,
}

#[derive(Checkpoint)]
struct Aliased {
    #[checkpoint(alias = "b")]
    a: u8,
    b: u8,
    #[checkpoint(alias = "x", alias = "x")]
    c: u8,
    #[checkpoint(alias = "d")]
    d: u8,
}

#[derive(Checkpoint)]
#[checkpoint(rename_all = "lowercase")]
enum Kind {
    Ab,
    AB,
    #[checkpoint(alias = "ab")]
    C,
}

#[derive(Checkpoint)]
enum Fields {
    A {
        x: u8,
        #[checkpoint(rename = "x")]
        y: u8,
    },
}

// A skipped field has no key.
#[derive(Checkpoint)]
struct Skipped {
    #[checkpoint(rename = "b")]
    a: u8,
    #[checkpoint(skip)]
    b: u8,
}

fn main() {}
