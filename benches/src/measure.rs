//! Medians of ratios: each round times ours and the peer one after the other.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one call takes, beside what the call before returned, which is dropped outside of the
/// time: a program that loads again has the old state until the new one is there.
pub fn time<T>(call: &mut dyn FnMut() -> T, before: &mut Option<T>) -> Duration {
    let start = Instant::now();
    let result = black_box(call());
    let taken = start.elapsed();
    *before = Some(result);
    taken
}

/// What a comparison found.
pub struct Comparison {
    /// The median time of ours.
    pub ours: Duration,
    /// The median of the peer's time over ours: how many times as fast ours is.
    pub ratio: f64,
}

/// Times two calls in turn, after one round that does not count.
pub fn compare<A, B>(
    rounds: usize,
    mut ours: impl FnMut() -> A,
    mut peer: impl FnMut() -> B,
) -> Comparison {
    let (mut mine, mut theirs) = (None, None);
    time(&mut ours, &mut mine);
    time(&mut peer, &mut theirs);
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // In turn, so that neither always finds the other's memory.
        let (own, other) = if round % 2 == 0 {
            let own = time(&mut ours, &mut mine);
            (own, time(&mut peer, &mut theirs))
        } else {
            let other = time(&mut peer, &mut theirs);
            (time(&mut ours, &mut mine), other)
        };
        times.push(own);
        ratios.push(other.as_secs_f64() / own.as_secs_f64());
    }
    times.sort();
    ratios.sort_by(f64::total_cmp);
    Comparison {
        ours: times[rounds / 2],
        ratio: ratios[rounds / 2],
    }
}

/// Prints one line of the table.
pub fn report(what: &str, peer: &str, comparison: &Comparison) {
    let millis = comparison.ours.as_secs_f64() * 1e3;
    println!("| {what} | {millis:.3} ms | {peer} | {:.2} |", comparison.ratio);
}

/// Returns how far the resident memory rose above what it was while a call ran; Linux only.
pub fn peak<T>(call: impl FnOnce() -> T) -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = status("VmRSS:")?;
    drop(black_box(call()));
    Some(status("VmHWM:")?.saturating_sub(before))
}

/// Returns how many bytes of this process are in memory.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Reads a number of KiB from what the system says of this process.
fn status(field: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    line.split_whitespace().nth(1)?.parse().ok().map(|kib: u64| kib << 10)
}
