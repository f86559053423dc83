//! Files that are saved: their bytes, their names, and what is left where saving fails.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use npcodec::checkpoint::{Outline, Sink};
use npcodec::ndarray::{Array1, Array2, array};
use npcodec::num_complex::Complex;
use npcodec::{
    Durability, Error, ErrorKind, Hooks, NumpyEncoding, Progress, Save, SaveOptions, Value,
    WriteOptions, from_slice, save, save_with, to_vec, to_vec_with, to_writer, to_writer_with,
};
use npcodec_tests::python::Scratch;
use npcodec_tests::states::Everything;

fn names(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn io_kind(error: &Error) -> io::ErrorKind {
    match error.kind() {
        ErrorKind::Io { kind, .. } => *kind,
        _ => panic!("{error}"),
    }
}

#[test]
fn the_bytes_are_those_in_memory() {
    let scratch = Scratch::new("save-bytes");
    let path = scratch.path().join("state.msgpack");
    let state = Everything::new();
    save(&path, &state).unwrap();
    assert!(fs::read(&path).unwrap() == to_vec(&state).unwrap());
    for durability in [Durability::Synced, Durability::Renamed] {
        let write = WriteOptions::new().align(64).chunk_bytes(40);
        let options = SaveOptions::new()
            .write(write.clone())
            .durability(durability);
        save_with(&path, &state, &options).unwrap();
        assert!(fs::read(&path).unwrap() == to_vec_with(&state, &write).unwrap());
    }
    // Large arrays go past the buffer, and the small values between them do not get lost.
    let large: Vec<_> = (0..5)
        .map(|n| (n, Array1::from_elem(n * 300_000, n as u8)))
        .collect();
    save(&path, &large).unwrap();
    assert!(fs::read(&path).unwrap() == to_vec(&large).unwrap());
    assert_eq!(names(scratch.path()), ["state.msgpack"]);
}

#[test]
fn who_has_the_old_file_open_keeps_it() {
    let scratch = Scratch::new("save-open");
    let path = scratch.path().join("a");
    save(&path, &array![1u8, 2]).unwrap();
    let mut old = File::open(&path).unwrap();
    save(&path, &array![3u8, 4, 5]).unwrap();
    let mut bytes = vec![];
    old.read_to_end(&mut bytes).unwrap();
    assert_eq!(from_slice::<Array1<u8>>(&bytes).unwrap(), array![1, 2]);
    assert_eq!(
        from_slice::<Array1<u8>>(&fs::read(&path).unwrap()).unwrap(),
        array![3, 4, 5]
    );
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn permissions_are_those_of_a_new_file_or_of_the_old_one() {
        let scratch = Scratch::new("save-mode");
        let (path, plain) = (scratch.path().join("a"), scratch.path().join("plain"));
        File::create(&plain).unwrap();
        save(&path, &1u8).unwrap();
        assert_eq!(mode(&path), mode(&plain));
        for bits in [0o600, 0o640, 0o666, 0o444, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
            save(&path, &2u8).unwrap();
            assert_eq!(mode(&path), bits, "{bits:o}");
        }
    }

    #[test]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        let scratch = Scratch::new("save-links");
        let inner = scratch.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let at = |name: &str| scratch.path().join(name);
        save(inner.join("file"), &1u8).unwrap();
        symlink("inner/file", at("relative")).unwrap();
        symlink(at("relative"), at("absolute")).unwrap();
        symlink("inner/new", at("dangling")).unwrap();
        for (link, target) in [
            ("relative", "file"),
            ("absolute", "file"),
            ("dangling", "new"),
        ] {
            for value in [7u8, 8] {
                save(at(link), &value).unwrap();
                assert_eq!(fs::read(inner.join(target)).unwrap(), [value], "{link}");
                assert!(at(link).is_symlink(), "{link}");
            }
        }
        assert_eq!(names(&inner), ["file", "new"]);
        symlink("b", at("a")).unwrap();
        symlink("a", at("b")).unwrap();
        let error = save(at("a"), &1u8).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("too many levels of symbolic links"),
            "{error}"
        );
        assert_eq!(
            names(scratch.path()),
            ["a", "absolute", "b", "dangling", "inner", "relative"]
        );
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let scratch = Scratch::new("save-special");
        let socket = scratch.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        let error = save(&socket, &1u8).unwrap_err();
        assert_eq!(io_kind(&error), io::ErrorKind::InvalidInput);
        assert_eq!(names(scratch.path()), ["socket"]);
    }

    #[test]
    fn a_full_device_is_an_error() {
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            return;
        };
        let error = to_writer(&full, &Everything::new()).unwrap_err();
        assert_eq!(io_kind(&error), io::ErrorKind::StorageFull);
    }

    #[test]
    fn a_name_in_the_working_directory_has_no_parent() {
        // Another process, because the working directory is one for all tests.
        if std::env::var_os("NPCODEC_SAVE_HERE").is_some() {
            return save("here.msgpack", &1u8).unwrap();
        }
        let scratch = Scratch::new("save-here");
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "unix::a_name_in_the_working_directory_has_no_parent",
            ])
            .current_dir(scratch.path())
            .env("NPCODEC_SAVE_HERE", "1")
            .output()
            .unwrap()
            .status;
        assert!(status.success());
        assert_eq!(names(scratch.path()), ["here.msgpack"]);
    }
}

#[test]
fn names_that_cannot_be_written_say_so() {
    let scratch = Scratch::new("save-names");
    let at = |name: &str| scratch.path().join(name);
    fs::create_dir(at("directory")).unwrap();
    for (path, expected) in [
        (at("directory"), io::ErrorKind::IsADirectory),
        (at("new/"), io::ErrorKind::IsADirectory),
        (at("missing/file"), io::ErrorKind::NotFound),
        (at(".."), io::ErrorKind::IsADirectory),
        ("".into(), io::ErrorKind::NotFound),
    ] {
        let error = save(&path, &1u8).unwrap_err();
        assert_eq!(io_kind(&error), expected, "{error}");
        assert_eq!(error.file(), Some(&*path));
        assert!(
            error.to_string().ends_with(&format!(", file {path:?}")),
            "{error}"
        );
    }
    save(at("file"), &1u8).unwrap();
    assert!(save(at("file/inside"), &1u8).is_err());
    // Not even root makes files there.
    if Path::new("/proc/self").exists() {
        assert!(save("/proc/self/state.msgpack", &1u8).is_err());
    }
    assert_eq!(names(scratch.path()), ["directory", "file"]);
}

/// A value that no hook takes, after a large array.
fn refused() -> (Array1<u8>, Value<'static>) {
    (
        Array1::zeros(1 << 20),
        Value::Complex(Complex::new(1.0, 2.0)),
    )
}

#[test]
fn what_fails_leaves_the_old_file_and_nothing_else() {
    let scratch = Scratch::new("save-fails");
    let path = scratch.path().join("a");
    save(&path, &1u8).unwrap();
    let error = save(&path, &refused()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotRepresentable { .. }));
    assert_eq!(error.path().to_string(), "[1]");
    assert_eq!(error.file(), Some(&*path));

    // A hook that fails only when the bytes are written: the first time it is asked for the check.
    let asked = Mutex::new(0);
    let hooks = Hooks::new().encode(move |_| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        match *asked {
            1 => Ok(Some(Value::Nil)),
            _ => Err(ErrorKind::NestedNil.into()),
        }
    });
    let options = SaveOptions::new().write(WriteOptions::new().hooks(hooks));
    let error = save_with(&path, &refused(), &options).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NestedNil);
    assert_eq!(fs::read(&path).unwrap(), [1]);
    assert_eq!(names(scratch.path()), ["a"]);
}

#[test]
fn a_writer_may_fail_at_every_byte() {
    struct Fails(usize);

    impl Write for Fails {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.0);
            self.0 -= written;
            match written {
                0 if !bytes.is_empty() => Err(io::Error::other("no more")),
                _ => Ok(written),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn every<T: Save>(state: &T, step: usize, options: &WriteOptions) {
        let whole = to_vec_with(state, options).unwrap().len();
        for bytes in (0..whole).step_by(step) {
            let error = to_writer_with(Fails(bytes), state, options).unwrap_err();
            assert_eq!(io_kind(&error), io::ErrorKind::Other);
        }
        to_writer_with(Fails(whole), state, options).unwrap();
    }

    let small = (
        array![[1u16, 2], [3, 4]],
        "text",
        1u64 << 40,
        vec![Some(0.5), None],
    );
    for options in [
        WriteOptions::new(),
        WriteOptions::new().align(64).chunk_bytes(32),
    ] {
        every(&small, 1, &options);
        every(&Everything::new(), 389, &options);
    }
}

#[test]
fn two_that_save_to_one_path_do_not_mix() {
    let scratch = Scratch::new("save-race");
    let path = scratch.path().join("a");
    let options = SaveOptions::new().durability(Durability::Renamed);
    std::thread::scope(|scope| {
        for number in [1u8, 2] {
            let (path, options) = (&path, &options);
            scope.spawn(move || {
                let state = Array1::from_elem(100_000, number);
                for _ in 0..200 {
                    save_with(path, &state, options).unwrap();
                    let read: Array1<u8> = from_slice(&fs::read(path).unwrap()).unwrap();
                    let first = read[0];
                    assert!(first == 1 || first == 2);
                    assert_eq!(read, Array1::from_elem(100_000, first));
                }
            });
        }
    });
    assert_eq!(names(scratch.path()), ["a"]);
}

#[test]
fn progress_is_told_every_few_mib_and_at_the_end() {
    let scratch = Scratch::new("save-progress");
    let path = scratch.path().join("a");
    let reports = |state: &dyn Fn(&SaveOptions)| {
        let told = Arc::new(Mutex::new(Vec::<Progress>::new()));
        let teller = Arc::clone(&told);
        state(&SaveOptions::new().progress(move |progress| teller.lock().unwrap().push(progress)));
        let told = told.lock().unwrap();
        told.iter()
            .map(|progress| (progress.written(), progress.total()))
            .collect::<Vec<_>>()
    };
    let state = (Array1::<u8>::zeros(25 << 20), 7u8);
    let told = reports(&|options| save_with(&path, &state, options).unwrap());
    let size = fs::metadata(&path).unwrap().len();
    assert!(told.windows(2).all(|pair| pair[1].0 > pair[0].0));
    assert!(
        told[..told.len() - 1]
            .windows(2)
            .all(|pair| pair[1].0 - pair[0].0 >= 4 << 20)
    );
    assert!(told.iter().all(|&(_, total)| total == Some(size)));
    assert!(told.len() == 7 && told[6].0 == size, "{told:?}");

    let told = reports(&|options| save_with(&path, &1u8, options).unwrap());
    assert_eq!(told, [(1, Some(1))]);
    let told = reports(&|options| save_with(&path, &Everything::new(), options).unwrap());
    assert_eq!(told, [(fs::metadata(&path).unwrap().len(), None)]);
}

/// An array that counts how often it is made.
struct Made {
    outlined: Option<Outline>,
    times: Cell<u32>,
}

impl Save for Made {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let make = || {
            self.times.set(self.times.get() + 1);
            NumpyEncoding::new(vec![2], vec![7, 8], "'|u1'", None)
        };
        match &self.outlined {
            Some(outline) => sink.array_outlined(|| Ok(outline.clone()), make),
            None => sink.array_with(make),
        }
    }
}

#[test]
fn what_has_an_outline_is_made_once() {
    let scratch = Scratch::new("save-made");
    let path = scratch.path().join("a");
    let outline = Outline::new(vec![2], "'|u1'".parse().unwrap(), None).unwrap();
    let longest = u32::MAX as usize;
    for (outlined, in_memory, streamed) in [
        (Some(outline), 1, 1),
        (Some(Outline::at_most(longest)), 1, 1),
        // It might be too long: whoever streams has to make it to know.
        (Some(Outline::at_most(longest + 1)), 1, 2),
        (None, 1, 2),
    ] {
        let made = Made {
            outlined,
            times: Cell::new(0),
        };
        let bytes = to_vec(&made).unwrap();
        assert_eq!(bytes, to_vec(&array![7u8, 8]).unwrap());
        assert_eq!(bytes.capacity(), bytes.len());
        assert_eq!(made.times.replace(0), in_memory);
        to_writer(io::sink(), &made).unwrap();
        assert_eq!(made.times.replace(0), streamed);
        save(&path, &made).unwrap();
        assert_eq!(made.times.get(), streamed);
    }
}

#[test]
fn five_gib_in_chunks() {
    let Some(directory) = std::env::var_os("NPCODEC_LARGE") else {
        return npcodec_tests::python::say(
            "five_gib_in_chunks: left out, NPCODEC_LARGE names no directory",
        );
    };
    let path = Path::new(&directory).join("npcodec-five-gib.msgpack");
    let mut state = Array2::<u8>::zeros((5, 1 << 30));
    state[(0, 0)] = 1;
    state[(3, 1 << 29)] = 2;
    state[(4, (1 << 30) - 1)] = 3;
    let write = WriteOptions::new().allow_chunks(true).align(64);
    let options = SaveOptions::new()
        .write(write)
        .durability(Durability::Renamed);
    let start = std::time::Instant::now();
    save_with(&path, &state, &options).unwrap();
    let saved = start.elapsed();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let start = std::time::Instant::now();
    let read: Array2<u8> = from_slice(&bytes).unwrap();
    let loaded = start.elapsed();
    assert!(read == state);
    npcodec_tests::python::say(&format!(
        "five_gib_in_chunks: saved in {saved:?}, read in {loaded:?}"
    ));
}
