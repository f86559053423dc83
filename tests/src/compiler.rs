//! Which compiler the texts of compile-time faults belong to.

use std::process::Command;

/// The release whose messages stand beside the faulty derives.
pub const RELEASE: &str = "1.95";

/// Returns true if this is the compiler whose texts are kept; else says that they are left out.
pub fn is_the_one(test: &str) -> bool {
    let version = Command::new("rustc").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_default();
    let same = version.starts_with(&format!("rustc {RELEASE}."));
    if !same {
        let found = version.trim();
        crate::python::say(&format!(
            "{test}: left out, the texts are those of rustc {RELEASE}, not of {found}"
        ));
    }
    same
}
