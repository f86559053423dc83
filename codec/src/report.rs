//! What did not fit when a state was loaded, all of it at once.

use std::fmt;

use crate::path::Path;

/// How many entries of each kind a report lists; the rest is counted.
const LISTED: usize = 200;

/// How many bytes of text a report lists before the rest is only counted: a key that is long can
/// stand in the path of every entry.
const LISTED_BYTES: usize = 1 << 18;

/// How far the state in a file may differ from the one in memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strictness {
    /// Every key on both sides must be on the other, with equal types and shapes.
    #[default]
    Strict,
    /// Missing and unexpected keys are reported and passed over; a mismatch is an error.
    Lenient,
    /// Mismatched values too are reported and passed over.
    SkipMismatched,
}

/// One value that has another type or shape than the state needs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Mismatch {
    /// Where it is.
    pub path: Path,
    /// At which byte of the input it begins, where that is known.
    pub offset: Option<u64>,
    /// What the state needs.
    pub expected: String,
    /// What the file holds.
    pub found: String,
}

/// Everything that differed between the state in a file and the one in memory.
///
/// At most 200 entries of each kind are listed, and no more once their texts have 256 KiB, so that a
/// hostile file cannot make the report larger than itself; [`unlisted`](LoadReport::unlisted) counts the others.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LoadReport {
    /// Paths that the state needs and the file lacks.
    pub missing: Vec<Path>,
    /// Paths that the file holds and the state has no place for.
    pub unexpected: Vec<Path>,
    /// Values of another type or shape.
    pub mismatched: Vec<Mismatch>,
    /// How many more differences there were.
    pub unlisted: usize,
}

impl LoadReport {
    /// Returns true if nothing differed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.missing.is_empty() && self.unexpected.is_empty() && self.mismatched.is_empty()
    }

    /// Gives the entries of the report of a part the places that they have in the whole.
    #[cfg(feature = "mmap")]
    pub(crate) fn move_into(&mut self, outer: &Path, start: u64) {
        let mismatched = self.mismatched.iter_mut().map(|mismatch| {
            mismatch.offset = mismatch.offset.map(|offset| offset.saturating_add(start));
            &mut mismatch.path
        });
        let paths = self.missing.iter_mut().chain(&mut self.unexpected);
        for path in paths.chain(mismatched) {
            *path = std::mem::take(path).under(outer);
        }
    }

    pub(crate) fn add_missing(&mut self, path: impl FnOnce() -> Path) {
        let room = self.has_room();
        push(&mut self.missing, &mut self.unlisted, room, path);
    }

    pub(crate) fn add_unexpected(&mut self, path: impl FnOnce() -> Path) {
        let room = self.has_room();
        push(&mut self.unexpected, &mut self.unlisted, room, path);
    }

    pub(crate) fn add_mismatch(&mut self, mismatch: impl FnOnce() -> Mismatch) {
        let room = self.has_room();
        push(&mut self.mismatched, &mut self.unlisted, room, mismatch);
    }

    fn has_room(&self) -> bool {
        let paths = self.missing.iter().chain(&self.unexpected);
        let paths = paths.map(Path::text_len).sum::<usize>();
        let mismatches = self.mismatched.iter().map(|mismatch| {
            mismatch.path.text_len() + mismatch.expected.len() + mismatch.found.len()
        });
        paths + mismatches.sum::<usize>() < LISTED_BYTES
    }
}

fn push<T>(list: &mut Vec<T>, unlisted: &mut usize, room: bool, entry: impl FnOnce() -> T) {
    if room && list.len() < LISTED {
        list.push(entry());
    } else {
        *unlisted += 1;
    }
}

/// One line for each kind of difference, the paths in the order in which they were met.
impl fmt::Display for LoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return f.write_str("file and state are alike");
        }
        f.write_str("file and state differ:")?;
        self.lines(f)
    }
}

impl LoadReport {
    pub(crate) fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        paths(f, "missing", &self.missing)?;
        paths(
            f,
            "unexpected (`allow_unknown_fields` passes over them)",
            &self.unexpected,
        )?;
        if !self.mismatched.is_empty() {
            f.write_str("\n  mismatched:")?;
        }
        for mismatch in &self.mismatched {
            let Mismatch {
                expected, found, ..
            } = mismatch;
            write!(
                f,
                "\n    {}: expected {expected}, found {found}",
                Shown(&mismatch.path)
            )?;
            if let Some(offset) = mismatch.offset {
                write!(f, ", byte {offset}")?;
            }
        }
        match self.unlisted {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

fn paths(f: &mut fmt::Formatter<'_>, title: &str, paths: &[Path]) -> fmt::Result {
    if paths.is_empty() {
        return Ok(());
    }
    write!(f, "\n  {title}:")?;
    for (position, path) in paths.iter().enumerate() {
        let comma = if position == 0 { "" } else { "," };
        write!(f, "{comma} {}", Shown(path))?;
    }
    Ok(())
}

struct Shown<'a>(&'a Path);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_root() {
            f.write_str("(the whole value)")
        } else {
            write!(f, "{}", self.0)
        }
    }
}
