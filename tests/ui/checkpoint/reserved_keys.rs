//! Maps that Python's decoder would take for encodings.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct Integer {
    integer: u8,
}

#[derive(Checkpoint)]
struct Renamed {
    #[checkpoint(rename = "integer")]
    a: u8,
}

#[derive(Checkpoint)]
struct Array {
    dtype: String,
    shape: Vec<u8>,
    name: String,
    data: Vec<u8>,
}

#[derive(Checkpoint)]
#[checkpoint(rename_all = "lowercase")]
enum Kind {
    Integer(u8),
    Array { shape: u8, data: u8, dtype: u8 },
}

// An alias is never written, two of three keys are harmless, and so is a name alone.
#[derive(Checkpoint)]
struct Harmless {
    #[checkpoint(alias = "integer")]
    shape: u8,
    data: u8,
}

#[derive(Checkpoint)]
#[checkpoint(rename_all = "lowercase")]
enum Type {
    Integer,
}

fn main() {}
