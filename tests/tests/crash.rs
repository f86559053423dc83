//! Processes that die while they save: the file is the old one or the new one, and whole.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use npcodec::ndarray::Array1;
use npcodec::{Durability, ErrorKind, SaveOptions, from_slice, save, save_with};
use npcodec_tests::python::{Scratch, say};

const LENGTHS: [usize; 2] = [700_000, 900_000];

fn state(turn: usize) -> (Array1<f32>, Vec<Array1<u8>>) {
    let number = turn % 2;
    let small = (0..50).map(|n| Array1::from_elem(n, number as u8));
    (
        Array1::from_elem(LENGTHS[number], number as f32),
        small.collect(),
    )
}

/// Runs this test program for one test, with a file to save to.
fn again(test: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", test])
        .env("NPCODEC_SAVE_TO", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn asked() -> Option<PathBuf> {
    std::env::var_os("NPCODEC_SAVE_TO").map(PathBuf::from)
}

fn staged(directory: &Path) -> usize {
    let entries = directory.read_dir().unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with(".npcodec-") && name.ends_with(".tmp"))
        .count()
}

/// Saves one state after the other until it is killed, if the environment says where to.
#[test]
fn saves_in_turn() {
    let Some(path) = asked() else { return };
    // Nobody waits for ever for who should have killed it.
    let start = Instant::now();
    let mut turn = 1;
    while start.elapsed() < Duration::from_secs(60) {
        let synced = turn % 8 == 0;
        let durability = if synced {
            Durability::Synced
        } else {
            Durability::Renamed
        };
        let options = SaveOptions::new().durability(durability);
        save_with(&path, &state(turn), &options).unwrap();
        turn += 1;
    }
}

#[test]
fn who_is_killed_leaves_a_whole_file() {
    if asked().is_some() {
        return;
    }
    let kills = std::env::var("NPCODEC_KILLS").ok();
    let kills: usize = kills.map_or(20, |kills| kills.parse().unwrap());
    let scratch = Scratch::new("crash");
    let path = scratch.path().join("state.msgpack");
    save(&path, &state(0)).unwrap();
    let mut random = std::process::id() as u64;
    let mut found = [0; 2];
    for kill in 1..=kills {
        let mut child = again("saves_in_turn", &path).spawn().unwrap();
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros(3_000 + (random >> 33) % 40_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let read: (Array1<f32>, Vec<Array1<u8>>) =
            from_slice(&bytes).unwrap_or_else(|error| panic!("after {kill} kills: {error}"));
        let turn = usize::from(read.0.len() == LENGTHS[1]);
        assert!(read == state(turn), "after {kill} kills: a mixture");
        found[turn] += 1;
        let left = staged(scratch.path());
        assert!(left <= kill, "{left} files are left of {kill} kills");
    }
    let left = staged(scratch.path());
    say(&format!(
        "who_is_killed_leaves_a_whole_file: {kills} kills, {found:?} of each state, {left} in the middle"
    ));
    assert!(left > 0, "no process was killed while it wrote");
}

/// Saves once more than there is room for, if the environment says where to.
#[test]
fn saves_too_much() {
    let Some(path) = asked() else { return };
    let error = save(&path, &state(1)).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Io {
                kind: std::io::ErrorKind::FileTooLarge,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(error.file(), Some(&*path));
}

#[test]
fn a_file_that_grows_too_large_leaves_the_old_one() {
    if asked().is_some() {
        return;
    }
    let scratch = Scratch::new("too-large");
    let path = scratch.path().join("state.msgpack");
    save(&path, &(0u8, 1u8)).unwrap();
    let child = again("saves_too_much", &path);
    // Where the signal is ignored, a file of more than a megabyte is an error of the write.
    let status = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""])
        .arg(child.get_program())
        .args(child.get_args())
        .env("NPCODEC_SAVE_TO", &path)
        .output()
        .unwrap();
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stdout)
    );
    let read: (u8, u8) = from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(read, (0, 1));
    assert_eq!(scratch.path().read_dir().unwrap().count(), 1);
}
