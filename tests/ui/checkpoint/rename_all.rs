//! Spellings that do not exist.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
#[checkpoint(rename_all = "CamelCase")]
struct State {
    a: u8,
}

#[derive(Checkpoint)]
#[checkpoint(rename_all_fields = "snake")]
enum Kind {
    #[checkpoint(rename_all = "kebab_case")]
    A { a: u8 },
}

fn main() {}
