//! Dopamine's replay buffer, ours and the real one: 84x84 observations in stacks of four.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use npcodec::ndarray::Array2;
use npcodec::replay::{
    Frames, Generator, ReplayBuffer, ReplayConfig, ReplayElement, ReplayState, SamplerState, TransitionElement,
    UniformSampling,
};
use npcodec::{Durability, SaveOptions, load, save_with};

use crate::load::Temporary;
use crate::measure::{Comparison, report, resident};
use crate::peers::Python;

type State = ReplayState<ReplayElement<Array2<u8>>, TransitionElement<Array2<u8>>, SamplerState>;
type Buffer = ReplayBuffer<ReplayElement<Array2<u8>>, UniformSampling>;

const ROUNDS: usize = 5;

fn fresh(count: usize, compress: bool) -> Buffer {
    let config = ReplayConfig::new(count, 32).stack_size(4).compress(compress);
    Buffer::new(config, UniformSampling::new(Generator::seeded(0))).expect("a buffer")
}

fn frame(n: usize) -> Array2<u8> {
    Array2::from_shape_fn((84, 84), |(y, x)| {
        let inside = (y + n) % 84 < 12 && (x + 3 * n) % 84 < 12;
        if inside { ((n * 7 + y * x) % 251) as u8 } else { 87 }
    })
}

fn timed<T>(call: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    drop(call());
    start.elapsed()
}

fn median(rounds: usize, mut call: impl FnMut()) -> Duration {
    let mut times: Vec<_> = (0..rounds).map(|_| timed(&mut call)).collect();
    times.sort();
    times[rounds / 2]
}

pub fn buffer(python: Option<&Python>) {
    // Memory is what the process grows by, so the largest comes first.
    for (count, compress) in [(100_000, true), (5_000, true), (5_000, false)] {
        one(python, count, compress);
    }
}

/// Copies the states of samples of a plain buffer one behind the other, and nothing else.
fn copying(buffer: &mut Buffer) -> Option<Duration> {
    let (mut memory, mut times) = (Vec::new(), Vec::new());
    for _ in 0..201 {
        let (elements, _) = buffer.sample_elements(None).expect("a sample");
        let states = elements.iter().flat_map(|element| [&element.state, &element.next_state]);
        let rows = states.map(|frames| match frames {
            Frames::Plain(state) => state.as_slice(),
            Frames::Packed(_) => None,
        });
        let rows: Vec<&[u8]> = rows.collect::<Option<_>>()?;
        memory.clear();
        times.push(timed(|| rows.iter().for_each(|row| memory.extend_from_slice(row))));
        black_box(&memory);
    }
    times.sort();
    times.get(100).copied()
}

fn one(python: Option<&Python>, count: usize, compress: bool) {
    let how = if compress { "compressed" } else { "plain" };
    let file = Temporary::new("buffer", &[]);
    let path = &file.0;
    let theirs = python.and_then(|Python(python)| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/replay.py");
        let output = Command::new(python).arg(script).arg(path).arg(count.to_string()).arg(how).output();
        let said = String::from_utf8_lossy(&output.ok()?.stdout).into_owned();
        let numbers = said.split_whitespace().filter_map(|word| word.parse().ok());
        <[f64; 5]>::try_from(numbers.collect::<Vec<f64>>()).ok()
    });
    let theirs = theirs.unwrap_or([f64::NAN; 5]);

    let frames: Vec<_> = (0..256).map(frame).collect();
    let before = resident().unwrap_or(0);
    let mut buffer = fresh(count, compress);
    let added = timed(|| {
        for n in 0..count {
            let transition = TransitionElement {
                observation: frames[n % 256].clone(),
                action: (n % 18) as i64,
                reward: 0.5,
                is_terminal: false,
                episode_end: false,
            };
            buffer.add(transition).expect("a transition can be added");
        }
    }) / count as u32;
    let memory = resident().unwrap_or(0).saturating_sub(before) as f64 / f64::from(1 << 20);

    let sampled = median(201, || drop(buffer.sample(None).expect("a sample")));
    let (mut batch, _) = buffer.sample(None).expect("a sample");
    let sampled_into = median(201, || drop(buffer.sample_into(&mut batch, None).expect("a sample")));
    let borrowed = median(201, || drop(buffer.sample_elements(None).expect("a sample")));
    let copied = copying(&mut buffer);
    let options = SaveOptions::new().durability(Durability::Renamed);
    let saved = median(ROUNDS, || save_with(path, &buffer, &options).expect("the buffer can be saved"));
    let mut other = fresh(count, compress);
    let loaded = median(ROUNDS, || {
        let state: State = load(path).expect("the file can be read");
        other.resume(state).expect("the buffer can go on with it");
    });
    assert_eq!(other.len(), buffer.len());
    for (what, ours, theirs) in [
        ("add", added, theirs[0]),
        ("sample 32", sampled, theirs[1]),
        ("sample 32 into a batch that is there", sampled_into, theirs[1]),
        ("save", saved, theirs[2]),
        ("load", loaded, theirs[3]),
    ] {
        let ratio = theirs / ours.as_secs_f64();
        report(&format!("{what}, {count} {how}"), "Dopamine", &Comparison { ours, ratio });
    }
    // Where elements are plain, so that both have the pixels of a sample.
    if let Some(copied) = copied {
        for (what, ours) in [("sample 32 where they are", borrowed), ("bare memcpy of a sample of 32", copied)] {
            let ratio = theirs[1] / ours.as_secs_f64();
            report(&format!("{what}, {count} {how}"), "Dopamine", &Comparison { ours, ratio });
        }
    }
    println!("| memory, {count} {how} | {memory:.0} MiB | Dopamine | {:.0} MiB |", theirs[4]);
}
