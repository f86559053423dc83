//! Files in memory (`/dev/shm`, or the temporary directory), without syncs: what fs::write and
//! safetensors do not either.

use std::fs;
use std::path::{Path, PathBuf};

use npcodec::{Durability, Error, SaveOptions, WriteOptions, save_with};

use crate::measure::{compare, peak, report};
use crate::peers;
use crate::states::{Large, Replay, Small};

const ROUNDS: usize = 15;

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let path = parent.join(format!("npcodec-bench-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn save() {
    let scratch = Scratch::new();
    let (own, other) = (scratch.0.join("own"), scratch.0.join("other"));
    let renamed = SaveOptions::new().durability(Durability::Renamed);
    large(&own, &other, &renamed);
    small(&own, &other, &renamed);
    let state = Replay::new();
    memory("5,000 compressed observations", || save_with(&own, &state, &renamed));
}

fn large(own: &Path, other: &Path, renamed: &SaveOptions) {
    let state = Large::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let views = peers::views(state.arrays.iter().map(|array| array.as_slice().unwrap_or(&[])));
    let write = || fs::write(other, &bytes);
    let tensors = || peers::safetensors_file(&views, other);
    let aligned = renamed.clone().write(WriteOptions::new().align(64));
    for (options, how) in [(renamed, ""), (&aligned, ", aligned")] {
        let what = format!("save, 16 arrays of 16 MiB{how}");
        let save = || save_with(own, &state, options);
        report(&what, "fs::write of the bytes", &compare(ROUNDS, save, write));
        report(&what, "safetensors, to a file", &compare(ROUNDS, save, tensors));
    }
    memory("16 arrays of 16 MiB", || save_with(own, &state, renamed));
}

fn small(own: &Path, other: &Path, renamed: &SaveOptions) {
    let state = Small::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let views = peers::views(state.arrays.iter().map(|array| array.as_slice().unwrap_or(&[])));
    let what = "save, 100,000 arrays of 16 in a list";
    let save = || save_with(own, &state, renamed);
    report(what, "fs::write of the bytes", &compare(ROUNDS, save, || fs::write(other, &bytes)));
    let tensors = || peers::safetensors_file(&views, other);
    report(what, "safetensors, to a file", &compare(ROUNDS, save, tensors));
}

fn memory(what: &str, save: impl FnOnce() -> Result<(), Error>) {
    if let Some(bytes) = peak(save) {
        println!("| save, {what}, memory beyond the state | {:.2} MiB | | |", bytes as f64 / (1 << 20) as f64);
    }
}
