//! What the compiler says to a faulty derive.
//!
//! The texts are those of one toolchain: rewrite them with `TRYBUILD=overwrite` and read the difference.

#[test]
fn faults() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}

#[test]
fn no_text_is_orphaned() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        assert!(
            path.with_extension("rs").exists(),
            "{} has no case",
            path.display()
        );
        assert!(
            path.with_extension("stderr").exists(),
            "{} has no text",
            path.display()
        );
    }
}
