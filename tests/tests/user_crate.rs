//! A crate of its own, with strict lints and npcodec under another name, compiles without a warning.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the crate of `tests/user` for an edition, next to the artifacts that its editions share.
fn write(edition: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("user-{edition}"));
    let manifest = format!(
        "[package]
name = \"user\"
version = \"0.0.0\"
edition = \"{edition}\"

[lib]
path = {source:?}

[dependencies]
np = {{ package = \"npcodec\", path = {library:?} }}
serde = {{ version = \"1\", features = [\"derive\"] }}

[workspace]
",
        source = tests.join("user/lib.rs"),
        library = root.join("codec"),
    );
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The versions that the workspace has are there without a network.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

fn check(edition: &str) {
    let folder = write(edition);
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--message-format", "short"])
        .arg("--target-dir")
        .arg(folder.with_file_name("user-target"))
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "edition {edition}:\n{said}");
    assert!(!said.contains("user/lib.rs"), "edition {edition}:\n{said}");
}

#[test]
fn a_strict_crate_compiles_in_each_edition() {
    for edition in ["2021", "2024"] {
        check(edition);
    }
}
