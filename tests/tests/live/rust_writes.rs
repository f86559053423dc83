//! What Rust writes is what Dopamine's decoder gives: types, shapes, memory orders and values.

use npcodec_tests::manifest::Manifest;
use npcodec_tests::python::{Python, Scratch, say};

use super::{attributes, containers, forms, kinds, layouts, rows, top_level};

#[test]
fn rust_writes_python_restores() {
    let Some(python) = Python::find("rust_writes_python_restores") else {
        return;
    };
    let scratch = Scratch::new("rust-writes");
    let mut manifest = Manifest::new(scratch.path());
    layouts::write(&mut manifest);
    rows::write(&mut manifest);
    kinds::write(&mut manifest);
    containers::write(&mut manifest);
    forms::write(&mut manifest);
    attributes::write(&mut manifest);
    top_level::write(&mut manifest);
    let count = manifest.finish();
    say(&format!("rust_writes_python_restores: {count} values"));
    assert!(count > 1000, "only {count} values");
    python.live("check_rust", scratch.path());
}
