//! What the compiler says to a faulty derive.
//!
//! The texts are those of one toolchain: rewrite them with `TRYBUILD=overwrite` and read the difference.

use std::path::Path;

use npcodec_tests::compiler;

#[test]
fn checkpoint() {
    if compiler::is_the_one("checkpoint") {
        trybuild::TestCases::new().compile_fail("ui/checkpoint/*.rs");
    }
}

#[test]
fn structured() {
    if compiler::is_the_one("structured") {
        trybuild::TestCases::new().compile_fail("ui/structured/*.rs");
    }
}

#[test]
fn no_text_is_orphaned() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    for folder in root.read_dir().unwrap() {
        for entry in folder.unwrap().path().read_dir().unwrap() {
            let path = entry.unwrap().path();
            let (case, text) = (path.with_extension("rs"), path.with_extension("stderr"));
            assert!(case.exists(), "{} has no case", path.display());
            assert!(text.exists(), "{} has no text", path.display());
        }
    }
}
