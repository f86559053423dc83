//! Attributes that need a name, or fields.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
#[checkpoint(rename_all = "camelCase", default)]
struct Tuple(#[checkpoint(rename = "x")] u8, #[checkpoint(flatten)] Tuple2, #[checkpoint(default)] u8);

#[derive(Checkpoint)]
struct Tuple2(#[checkpoint(alias = "x")] u8, #[checkpoint(skip_serializing_if = "path")] u8);

#[derive(Checkpoint)]
#[checkpoint(allow_unknown_fields)]
struct Newtype(#[checkpoint(default)] u8);

#[derive(Checkpoint)]
#[checkpoint(rename_all = "camelCase", array, default, allow_unknown_fields)]
struct Unit;

#[derive(Checkpoint)]
#[checkpoint(default)]
enum Kind {
    #[checkpoint(rename_all = "camelCase")]
    A(u8),
    B(#[checkpoint(rename = "x")] u8),
}

#[derive(Checkpoint)]
#[checkpoint(rename_all_fields = "camelCase")]
struct Named {
    a: u8,
}

fn main() {}
