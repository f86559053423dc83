//! Python, with the real Dopamine or the real Flower, as a peer of the tests.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The interpreter of a venv that holds what a script of `tests/python` imports.
#[derive(Debug)]
pub struct Python {
    interpreter: OsString,
    script: &'static str,
}

impl Python {
    /// Finds the interpreter that `NPCODEC_PYTHON` names, with Dopamine; without one, says that `test` is
    /// left out.
    pub fn find(test: &str) -> Option<Self> {
        Self::named(test, "NPCODEC_PYTHON", "live.py")
    }

    /// Finds the interpreter that `NPCODEC_FLOWER_PYTHON` names, with flwr, to run a script.
    pub fn flower(test: &str, script: &'static str) -> Option<Self> {
        Self::named(test, "NPCODEC_FLOWER_PYTHON", script)
    }

    fn named(test: &str, variable: &str, script: &'static str) -> Option<Self> {
        let interpreter = std::env::var_os(variable).filter(|path| !path.is_empty());
        if interpreter.is_none() {
            say(&format!(
                "{test}: left out, {variable} names no Python (scripts/test does)"
            ));
        }
        interpreter.map(|interpreter| Self {
            interpreter,
            script,
        })
    }

    /// Runs a command of the script and says its last line.
    ///
    /// # Panics
    /// If the command fails, with all that it said.
    pub fn live(&self, command: &str, directory: &Path) {
        self.run(self.script, command, directory);
    }

    /// Runs a command of another script beside it, and says its last line.
    ///
    /// # Panics
    /// If the command fails, with all that it said.
    pub fn run(&self, script: &str, command: &str, directory: &Path) {
        let interpreter = &self.interpreter;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
        let output = Command::new(interpreter)
            .arg(folder.join(script))
            .arg(command)
            .arg(directory)
            .output()
            .unwrap_or_else(|error| panic!("{interpreter:?}: {error}"));
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
