//! Everything that was recorded of the real buffer: from the start, from every file, and the files.

use std::path::Path;

use npcodec::ndarray::{Array0, Array1, Array2};
use npcodec::replay::{
    Faults, Observation, PrioritizedSampling, PythonNumber, Reward, SequentialSampling, Stack,
    UniformSampling,
};
use npcodec_tests::python::{Python, Scratch};
use serde_json::Value as Json;

use crate::drive::{Drive, Driven, Mode, sha256};
use crate::json::{file, list, read};
use crate::leaf::Leaf;

/// Whether a recording has faults of Dopamine's own, which are not followed unless that is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Recorded {
    Sound,
    Faulty,
}

fn scenario<O, A, R, S>(name: &str, recorded: Recorded) -> usize
where
    O: Observation + Leaf,
    A: Stack + Leaf,
    R: Reward + Leaf,
    R::Return: Leaf,
    S: Driven,
{
    let recording = read(&format!("{name}.json"));
    let calls = list(&recording["ops"]);
    let mut compared = 0;
    let all = [Faults::Reproduce, Faults::Refuse];
    let followed = if recorded == Recorded::Sound {
        &all[..]
    } else {
        &all[..1]
    };
    for &faults in followed {
        for reload in [false, true] {
            let mode = Mode { faults, reload };
            let mut drive = Drive::<O, A, R, S>::new(&recording, mode);
            drive.run(calls);
            compared += drive.compared;
            compared += from_files::<O, A, R, S>(&recording, mode);
        }
    }
    compared
}

/// Goes on with each file as with one that the real Dopamine wrote, which it did.
fn from_files<O, A, R, S>(recording: &Json, mode: Mode) -> usize
where
    O: Observation + Leaf,
    A: Stack + Leaf,
    R: Reward + Leaf,
    R::Return: Leaf,
    S: Driven,
{
    let calls = list(&recording["ops"]);
    let mut compared = 0;
    let saves = calls.iter().enumerate();
    let saves: Vec<usize> = saves
        .filter(|(_, call)| call["op"] == "save")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(saves.len(), 2);
    for &at in &saves {
        let bytes = file(calls[at]["file"].as_str().unwrap());
        assert_eq!(sha256(&bytes), calls[at]["sha256"]);
        // Largest priorities are recorded for who reloads at each file.
        let reload = true;
        let mut drive = Drive::<O, A, R, S>::new(recording, Mode { reload, ..mode });
        drive.load(&calls[at], &bytes);
        drive.run(&calls[at + 1..]);
        compared += drive.compared;
    }
    compared
}

/// Writes files of a buffer in the middle of a recording: `NAME.CALL.msgpack`, after that call.
fn write_files<O, A, R, S>(name: &str, folder: &Path)
where
    O: Observation + Leaf,
    A: Stack + Leaf,
    R: Reward + Leaf,
    R::Return: Leaf,
    S: Driven,
{
    let recording = read(&format!("{name}.json"));
    let mode = Mode {
        faults: Faults::Reproduce,
        reload: false,
    };
    let mut drive = Drive::<O, A, R, S>::new(&recording, mode);
    for (at, call) in list(&recording["ops"]).iter().enumerate() {
        drive.call(call);
        if at % 9 == 4 {
            std::fs::write(folder.join(format!("{name}.{at}.msgpack")), drive.bytes()).unwrap();
        }
    }
}

/// The real Dopamine goes on with our files wherever they were written.
#[test]
fn dopamine_goes_on_with_our_files() {
    let Some(python) = Python::find("dopamine_goes_on_with_our_files") else {
        return;
    };
    let scratch = Scratch::new("replay-go-on");
    for (name, write) in ALL {
        write(name, scratch.path());
    }
    python.live("replay_go_on", scratch.path());
}

macro_rules! scenarios {
    ($($name:ident: $observation:ty, $action:ty, $reward:ty, $sampler:ty, $recorded:ident, $least:literal;)*) => {
        type Write = fn(&str, &Path);

        const ALL: &[(&str, Write)] = &[$(
            (stringify!($name), write_files::<$observation, $action, $reward, $sampler>)
        ),*];

        $(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let compared =
                scenario::<$observation, $action, $reward, $sampler>(name, Recorded::$recorded);
            assert!(compared >= $least, "{compared}");
        }
        )*
    };
}

type U8 = Array1<u8>;
type Prioritized = PrioritizedSampling;
type Sequential = SequentialSampling;
type Uniform = UniformSampling;

scenarios! {
    prio_clear: U8, i64, f64, Prioritized, Sound, 1000;
    prio_drift: U8, i64, f64, Prioritized, Faulty, 1000;
    prio_pow2: U8, i64, f64, Prioritized, Faulty, 200;
    prio_sqrt_f32: Array2<f32>, Array0<i32>, f64, Prioritized, Sound, 1000;
    prio_u8: U8, i64, f64, Prioritized, Sound, 1000;
    prio_wide: U8, i64, f64, Prioritized, Sound, 1000;
    prio_zero: U8, i64, f64, Prioritized, Sound, 1000;
    seq_sorted: Array2<u8>, i64, f64, Sequential, Sound, 1000;
    seq_sorted_evict: Array1<f32>, i64, f64, Sequential, Faulty, 200;
    seq_unsorted: U8, i64, f64, Sequential, Sound, 1000;
    uniform_capacity: U8, i64, f64, Uniform, Faulty, 500;
    uniform_f32_reward: Array2<i16>, Array1<f32>, Array0<f32>, Uniform, Sound, 1000;
    uniform_f4_plain: Array1<f32>, Array0<i32>, f64, Uniform, Sound, 1000;
    uniform_int32: U8, i64, f64, Uniform, Faulty, 50;
    uniform_long_return: U8, i64, f64, Uniform, Sound, 1000;
    uniform_scalar_obs: Array0<f32>, Array0<i64>, PythonNumber, Uniform, Sound, 1000;
    uniform_stack4_clear: Array1<f64>, i64, f64, Uniform, Sound, 1000;
    uniform_u8: Array2<u8>, i64, f64, Uniform, Sound, 1000;
}

#[test]
fn every_recording_is_driven() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/replay");
    let names = std::fs::read_dir(folder).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .filter(|name| !matches!(&**name, "rng" | "small" | "sum_tree" | "treedefs"))
        .collect();
    names.sort();
    let driven: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, driven);
}
