//! `serde` takes serde types, `with` takes modules of two functions.

use npcodec::Checkpoint;

struct Foreign;

mod adapter {
    pub fn serialize<S: serde::Serializer>(_: &super::Foreign, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

#[derive(Checkpoint)]
struct State {
    #[checkpoint(serde)]
    a: Foreign,
    #[checkpoint(with = "adapter")]
    b: Foreign,
    #[checkpoint(with = "nowhere")]
    c: Foreign,
}

fn main() {}
