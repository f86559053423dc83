//! Python, with the real Dopamine, as a peer of the tests.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The interpreter of a venv that holds the packages of a peer.
#[derive(Debug)]
pub struct Python(OsString);

impl Python {
    /// Finds the interpreter that `NPCODEC_PYTHON` names, which has Dopamine; without one, says that
    /// `test` is left out.
    pub fn find(test: &str) -> Option<Self> {
        Self::named("NPCODEC_PYTHON", test)
    }

    /// Finds the interpreter that `NPCODEC_FLOWER_PYTHON` names, which has flwr; without one, says
    /// that `test` is left out.
    pub fn find_flower(test: &str) -> Option<Self> {
        Self::named("NPCODEC_FLOWER_PYTHON", test)
    }

    fn named(variable: &str, test: &str) -> Option<Self> {
        let python = std::env::var_os(variable).filter(|path| !path.is_empty());
        if python.is_none() {
            say(&format!(
                "{test}: left out, {variable} names no Python (scripts/test does)"
            ));
        }
        python.map(Self)
    }

    /// Runs a command of `live.py` and says its last line.
    ///
    /// # Panics
    /// If the command fails, with all that it said.
    pub fn live(&self, command: &str, directory: &Path) {
        self.run("live.py", command, directory);
    }

    /// Runs a command of a script in `tests/python` and says its last line.
    ///
    /// # Panics
    /// If the command fails, with all that it said.
    pub fn run(&self, script: &str, command: &str, directory: &Path) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("python")
            .join(script);
        let output = Command::new(&self.0)
            .arg(path)
            .arg(command)
            .arg(directory)
            .output()
            .unwrap_or_else(|error| panic!("{:?}: {error}", self.0));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{script} {command}: {}\n{text}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        let summary = text.lines().last().unwrap_or("no output");
        say(&format!("{script} {command}: {summary}"));
    }
}

/// Says a line that is seen also when the test passes: libtest keeps back only what macros print.
pub fn say(line: &str) {
    // Nothing is lost where there is no standard error to write to.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A directory that is removed when the test is over.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes a directory of its own.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = format!("npcodec-{name}-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(own);
        std::fs::create_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self(path)
    }

    /// Returns where the directory is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays behind is the system's to clean up, and no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
