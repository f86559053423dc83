//! How much memory saving takes beyond the state. One test, since a process is what is measured.
#![cfg(target_os = "linux")]

use std::fs;

use npcodec::ndarray::{Array2, Array3, ArrayView2, Axis, Slice};
use npcodec::{Checkpoint, Durability, SaveOptions, WriteOptions, save_with};
use npcodec_tests::python::{Scratch, say};

const MIB: usize = 1 << 20;

#[derive(Checkpoint)]
struct State<'a> {
    arrays: Vec<Array2<f32>>,
    strided: Vec<ArrayView2<'a, f32>>,
    #[checkpoint(compress)]
    frames: Vec<Array3<u8>>,
}

/// Reads a number of KiB from what the system says of this process.
fn status(field: &str) -> usize {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<usize>()
        .unwrap()
        << 10
}

#[test]
fn saving_takes_no_second_copy_of_the_state() {
    let scratch = Scratch::new("memory");
    let base = Array2::from_shape_fn((1024, 2048), |(i, j)| (i ^ j) as f32);
    let strided = base.slice_axis(Axis(1), Slice::new(0, None, 2));
    let state = State {
        arrays: vec![base.clone(); 8],
        strided: vec![strided; 8],
        // Noise does not shrink, so that the records are as large as the frames.
        frames: (0..64)
            .map(|n| {
                Array3::from_shape_fn((64, 64, 128), |(y, x, c)| {
                    (((n + y * x * c) * 2_654_435_761) >> 7) as u8
                })
            })
            .collect(),
    };
    let path = scratch.path().join("a");
    for write in [
        WriteOptions::new(),
        WriteOptions::new().align(64).chunk_bytes(MIB),
    ] {
        let options = SaveOptions::new()
            .write(write)
            .durability(Durability::Renamed);
        // Resets what the highest is counted from; not everybody may.
        if fs::write("/proc/self/clear_refs", "5").is_err() {
            return say(
                "saving_takes_no_second_copy_of_the_state: left out, memory cannot be measured",
            );
        }
        let before = status("VmRSS:");
        save_with(&path, &state, &options).unwrap();
        let peak = status("VmHWM:").saturating_sub(before);
        let size = fs::metadata(&path).unwrap().len() as usize;
        assert!(size > 100 * MIB);
        assert!(peak < 16 * MIB, "{peak} bytes for a file of {size}");
    }
}
