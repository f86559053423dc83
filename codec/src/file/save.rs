//! States to files.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use super::publish::{Durability, publish};
use super::write::{check, stream};
use crate::checkpoint::{Save, WriteOptions};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;

/// Saves a state to a file, all of it or nothing.
///
/// The bytes are those of [`to_vec`](crate::to_vec), streamed from the state's own memory. They go to
/// a file `.npcodec-<16 hex digits>.tmp` in the same directory, which is synced and then renamed:
/// until that moment whatever was at `path` is there unchanged, and two that save to one path do not
/// mix. Only a process that is killed leaves such a file behind, which may be deleted when no other
/// is saving.
///
/// A symbolic link stays, and the file that it leads to is replaced. A file that is replaced hands on
/// its permissions, but not its owner, its further attributes or its other hard links.
///
/// ```
/// use npcodec::ndarray::array;
///
/// let path = std::env::temp_dir().join(format!("save-{}.msgpack", std::process::id()));
/// let state = (array![1.0f32, 2.0], 7u64);
/// npcodec::save(&path, &state)?;
/// let bytes = std::fs::read(&path).expect("the file");
/// assert_eq!(bytes, npcodec::to_vec(&state)?);
/// # std::fs::remove_file(path).expect("the file");
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// Those of [`to_writer`](crate::to_writer), [`Io`](ErrorKind::Io) among them, of which nothing stays;
/// [`NotDurable`](ErrorKind::NotDurable) if the file is in its place and only its directory could not
/// be synced. Each says in which file.
pub fn save<T: Save + ?Sized>(path: impl AsRef<Path>, state: &T) -> Result<(), Error> {
    save_with(path, state, &SaveOptions::new())
}

/// Saves a state to a file with options.
///
/// # Errors
/// Those of [`save`] and of the hooks.
pub fn save_with<T: Save + ?Sized>(
    path: impl AsRef<Path>,
    state: &T,
    options: &SaveOptions,
) -> Result<(), Error> {
    let path = path.as_ref();
    let total = check(state, &options.write).map_err(|error| error.in_file(path))?;
    publish(path, options.durability, |file| {
        let report = options.progress.as_deref();
        let mut output = Reporting {
            file,
            report,
            written: 0,
            reported: 0,
            total: total.map(|bytes| bytes as u64),
        };
        let buffered = BufWriter::with_capacity(BUFFER, &mut output);
        stream(buffered, state, &options.write)?;
        if output.reported < output.written {
            output.report();
        }
        Ok(())
    })
}

/// What collects small values before they go to the file; larger ones go there by themselves.
const BUFFER: usize = 256 << 10;

/// How many bytes there are between two reports of progress.
const STEP: u64 = 4 << 20;

/// How a state is saved to a file.
///
/// ```
/// use npcodec::{Durability, SaveOptions, WriteOptions};
///
/// let options = SaveOptions::new()
///     .write(WriteOptions::new().align(64))
///     .durability(Durability::Renamed)
///     .progress(|progress| eprintln!("{} bytes", progress.written()));
/// # let _ = options;
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct SaveOptions {
    write: WriteOptions,
    durability: Durability,
    progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

impl SaveOptions {
    /// Starts from the defaults: those of [`WriteOptions`], and [`Durability::Synced`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says how the state is written.
    #[must_use]
    pub fn write(mut self, options: WriteOptions) -> Self {
        self.write = options;
        self
    }

    /// Says what the file outlasts.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Calls a function every few MiB and when all bytes are written.
    ///
    /// It is called before the file is synced and gets its name.
    #[must_use]
    pub fn progress(mut self, report: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(report));
        self
    }
}

impl fmt::Debug for SaveOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SaveOptions")
            .field("write", &self.write)
            .field("durability", &self.durability)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// How far saving has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    written: u64,
    total: Option<u64>,
}

impl Progress {
    /// Returns how many bytes are written.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns how many bytes there will be; known unless there are compressed arrays.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

/// Writes to a file, and reports how far that has come.
struct Reporting<'f> {
    file: &'f mut File,
    report: Option<&'f (dyn Fn(Progress) + Send + Sync)>,
    written: u64,
    reported: u64,
    total: Option<u64>,
}

impl Reporting<'_> {
    fn report(&mut self) {
        self.reported = self.written;
        if let Some(report) = self.report {
            report(Progress {
                written: self.written,
                total: self.total,
            });
        }
    }
}

impl Write for Reporting<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not more than a step at once, so that a large array is more than one report.
        let most = match self.report {
            Some(_) => bytes.len().min(STEP as usize),
            None => bytes.len(),
        };
        let written = self.file.write(&bytes[..most])?;
        self.written += written as u64;
        if self.written - self.reported >= STEP {
            self.report();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
