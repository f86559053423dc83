//! Medians of ratios: each round times ours and the peer one after the other.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one call takes; what it returns is dropped outside of the time.
pub fn time<T>(call: &mut dyn FnMut() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(call());
    let taken = start.elapsed();
    drop(result);
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
    time(&mut ours);
    time(&mut peer);
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // In turn, so that neither always finds the other's memory.
        let (own, other) = if round % 2 == 0 {
            let own = time(&mut ours);
            (own, time(&mut peer))
        } else {
            let other = time(&mut peer);
            (time(&mut ours), other)
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
    println!("| {what} | {millis:.1} ms | {peer} | {:.2} |", comparison.ratio);
}
