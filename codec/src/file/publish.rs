//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};

/// What a file that was written outlasts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// A power failure: the data are synced before the file gets its name, and the directory after.
    #[default]
    Synced,
    /// The end of the process at any moment, but no power failure: nothing is synced.
    Renamed,
}

/// Writes a file under a name of its own, then gives it the name that it is to have.
///
/// Until that last step, which is one rename, whatever stood at `path` is there unchanged; nothing
/// stays behind of what fails. A symbolic link stays and what it leads to is replaced. A file that is
/// replaced hands on its permissions; a new one gets those of `File::create`.
///
/// # Errors
/// Those of `write`, [`Io`](ErrorKind::Io), and [`NotDurable`](ErrorKind::NotDurable) if only the
/// directory could not be synced, the file being in its place; each with the file.
pub(crate) fn publish<T>(
    path: &Path,
    durability: Durability,
    write: impl FnOnce(&mut File) -> Result<T, Error>,
) -> Result<T, Error> {
    publish_with(path, durability, sync_directory, write).map_err(|error| error.in_file(path))
}

fn publish_with<T>(
    path: &Path,
    durability: Durability,
    sync_directory: impl FnOnce(&Path) -> io::Result<()>,
    write: impl FnOnce(&mut File) -> Result<T, Error>,
) -> Result<T, Error> {
    if path.as_os_str().as_encoded_bytes().last() == Some(&b'/') {
        return Err(is_a_directory());
    }
    let target = resolved(path)?;
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let replaced = replaced(&target)?;
    let (staged, mut file) = Staged::new(directory, replaced.as_ref()).map_err(ErrorKind::io)?;
    let written = write(&mut file)?;
    if durability == Durability::Synced {
        file.sync_all().map_err(ErrorKind::io)?;
    }
    drop(file);
    staged.rename(&target).map_err(ErrorKind::io)?;
    if durability == Durability::Synced {
        sync_directory(directory).map_err(|error| ErrorKind::NotDurable {
            kind: error.kind(),
            message: error.to_string(),
        })?;
    }
    Ok(written)
}

/// Follows symbolic links, also to where no file is yet.
fn resolved(path: &Path) -> Result<PathBuf, Error> {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..=LINKS {
        match fs::read_link(&target) {
            Ok(next) => {
                target = target
                    .parent()
                    .map_or(next.clone(), |parent| parent.join(next))
            }
            // No link, or nothing at all: what is wrong with that is found out later.
            Err(_) => return Ok(target),
        }
    }
    Err(refused("too many levels of symbolic links"))
}

/// Returns what is known of the file that will be replaced, if there is one and it is a file.
fn replaced(target: &Path) -> Result<Option<fs::Metadata>, Error> {
    match fs::symlink_metadata(target) {
        Ok(found) if found.is_file() => Ok(Some(found)),
        Ok(found) if found.is_dir() => Err(is_a_directory()),
        Ok(_) => Err(refused("what has this name is not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound && target.file_name().is_some() => {
            Ok(None)
        }
        Err(error) => Err(ErrorKind::io(error).into()),
    }
}

fn is_a_directory() -> Error {
    let kind = io::ErrorKind::IsADirectory;
    let message = "the name is that of a directory".to_owned();
    ErrorKind::Io { kind, message }.into()
}

fn refused(message: &str) -> Error {
    let (kind, message) = (io::ErrorKind::InvalidInput, message.to_owned());
    ErrorKind::Io { kind, message }.into()
}

#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Elsewhere directories cannot be opened as files.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A file that has not got its name yet; removed unless it gets it.
struct Staged(Option<PathBuf>);

impl Staged {
    /// Makes a file of a name that nothing has, in the directory that it stays in.
    fn new(directory: &Path, replaced: Option<&fs::Metadata>) -> io::Result<(Self, File)> {
        let mut options = fresh();
        #[cfg(unix)]
        if let Some(replaced) = replaced {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            // From the first moment on, nobody may open it who may not open the one it replaces.
            options.mode(replaced.permissions().mode() & 0o777);
        }
        let (path, file) = create(&options, || directory.join(unique_name()))?;
        let staged = Self(Some(path));
        if let Some(replaced) = replaced {
            file.set_permissions(replaced.permissions())?;
        }
        Ok((staged, file))
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            fs::rename(path, target)?;
            self.0 = None;
        }
        Ok(())
    }
}

/// Opens no file that exists.
fn fresh() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

/// Opens a file of the first name that nothing has.
fn create(options: &OpenOptions, mut name: impl FnMut() -> PathBuf) -> io::Result<(PathBuf, File)> {
    /// That a random number is taken by chance does not happen twice.
    const ATTEMPTS: u32 = 16;
    let mut attempt = 1;
    loop {
        let path = name();
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Makes a name that nobody else makes.
fn unique_name() -> String {
    // The keys are random, and others in each thread and at each call.
    let number = std::hash::RandomState::new().hash_one(std::process::id());
    format!(".npcodec-{number:016x}.tmp")
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // The error that is being returned says more than that of cleaning up.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("npcodec-{name}-{}", std::process::id()));
            fs::create_dir(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = self.0.read_dir().unwrap();
            let mut names: Vec<_> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn put(bytes: &'static [u8]) -> impl FnOnce(&mut File) -> Result<(), Error> {
        move |file| Ok(file.write_all(bytes).map_err(ErrorKind::io)?)
    }

    #[test]
    fn a_directory_that_cannot_be_synced_is_told_from_a_file_that_is_not_written() {
        let directory = Directory::new("not-durable");
        let path = directory.0.join("a");
        let fails = |_: &Path| Err(io::Error::other("no sync"));
        let error = publish_with(&path, Durability::Synced, fails, put(b"new")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file is written, but might not outlast a power failure: no sync"
        );
        assert!(matches!(error.kind(), ErrorKind::NotDurable { .. }));
        assert_eq!(fs::read(&path).unwrap(), b"new");
        publish_with(&path, Durability::Renamed, fails, put(b"newer")).unwrap();
        assert_eq!(directory.names(), ["a"]);
    }

    #[test]
    fn what_fails_or_panics_leaves_the_old_file_alone() {
        let directory = Directory::new("publish-fails");
        let path = directory.0.join("a");
        publish(&path, Durability::Renamed, put(b"old")).unwrap();
        let error = publish(&path, Durability::Renamed, |file| {
            put(b"half")(file)?;
            Err::<(), Error>(ErrorKind::NestedNil.into())
        });
        let error = error.unwrap_err();
        assert_eq!(error.file(), Some(&*path));
        assert!(
            error.to_string().ends_with(&format!(", file {path:?}")),
            "{error}"
        );
        let panicked = std::panic::catch_unwind(|| {
            publish(&path, Durability::Renamed, |_| -> Result<(), Error> {
                panic!("half")
            })
        });
        assert!(panicked.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(directory.names(), ["a"]);
    }

    #[test]
    fn a_name_that_is_taken_is_left_alone() {
        let directory = Directory::new("taken");
        let at = |name: &str| directory.0.join(name);
        fs::write(at("taken"), b"theirs").unwrap();
        let mut names = ["taken", "taken", "free"].into_iter();
        let (path, _) = create(&fresh(), || at(names.next().unwrap())).unwrap();
        assert_eq!(path, at("free"));
        let error = create(&fresh(), || at("taken")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(at("taken")).unwrap(), b"theirs");
        assert_ne!(unique_name(), unique_name());
    }

    #[test]
    fn the_name_is_hidden_until_the_file_is_whole() {
        let directory = Directory::new("hidden");
        let path = directory.0.join("a.msgpack");
        let names = publish(&path, Durability::Renamed, |_| Ok(directory.names())).unwrap();
        let [name] = &names[..] else {
            panic!("{names:?}")
        };
        assert!(
            name.starts_with(".npcodec-") && name.ends_with(".tmp"),
            "{name}"
        );
        assert_eq!(directory.names(), ["a.msgpack"]);
    }
}
