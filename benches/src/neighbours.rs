//! Flax and msgpack-numpy: ours beside the real packages in Python, and the msgpack-numpy crate.

use std::process::Command;
use std::time::Duration;

use npcodec::checkpoint::{RestoreOwned, Save};
use npcodec::formats::{flax, msgpack_numpy};
use npcodec::{Checkpoint, Error};

use crate::load::Temporary;
use crate::measure::{Comparison, compare, report};
use crate::peers::{self, Python};
use crate::states::{Large, Named, Small};

const ROUNDS: usize = 11;

pub fn flax(python: Option<&Python>) {
    let state = Large::new();
    let what = "16 arrays of 16 MiB";
    let bytes = flax::to_bytes(&state).expect("the state can be written");
    let write = || flax::to_bytes(&state);
    report(
        &format!("flax::to_bytes, {what}"),
        "memcpy into one allocation",
        &compare(ROUNDS, write, || peers::join(&state)),
    );
    // Each gives its memory back before the other comes: 256 MiB that are kept between two calls take
    // 20 ms, and 100 more where the system had them, so that what one leaves to the other would decide.
    let read = || drop(flax::from_bytes::<Large>(&bytes));
    report(
        &format!("flax::from_bytes, {what}"),
        "memcpy into 16 allocations",
        &compare(ROUNDS, read, || drop(peers::copies(&state))),
    );
    drop(bytes);
    flax_state(&state, what, python);
    flax_state(&Small::new(), "100,000 arrays of 16 in a list", python);
    flax_state(&Named::new(), "100,000 arrays of 16 in a map", python);
}

fn flax_state<T: Save + RestoreOwned>(state: &T, what: &str, python: Option<&Python>) {
    let bytes = flax::to_bytes(state).expect("the state can be written");
    let value = flax::from_slice(&bytes).expect("the file can be read");
    against(
        python,
        ["flax", "Flax in Python"],
        &bytes,
        [
            (format!("flax::to_bytes, {what}"), &|| drop(flax::to_bytes(state))),
            (format!("flax::to_vec, {what}"), &|| drop(flax::to_vec(&value))),
        ],
        [
            (format!("flax::from_bytes, owned, {what}"), &|| drop(flax::from_bytes::<T>(&bytes))),
            (format!("flax::from_slice, borrowed, {what}"), &|| drop(flax::from_slice(&bytes))),
        ],
    );
}

pub fn msgpack(python: Option<&Python>) {
    let large = Large::new();
    let arrays = large.arrays.iter().map(|array| array.clone().into_dyn());
    let theirs = peers::msgpack_numpy(arrays);
    msgpack_state(&large, &theirs, "16 arrays of 16 MiB", python);
    drop((large, theirs));
    let small = Small::new();
    let arrays = small.arrays.iter().map(|array| array.clone().into_dyn());
    let theirs = peers::msgpack_numpy(arrays);
    msgpack_state(&small, &theirs, "100,000 arrays of 16 in a list", python);
}

fn msgpack_state<T: Save + RestoreOwned>(
    state: &T,
    theirs: &[::msgpack_numpy::NDArray],
    what: &str,
    python: Option<&Python>,
) {
    let write = || -> Result<Vec<u8>, Error> { msgpack_numpy::to_vec(&state.to_value()?) };
    let bytes = write().expect("the state can be written");
    let read = || T::from_value(msgpack_numpy::from_slice(&bytes)?);
    let name = "msgpack-numpy crate";
    let written = rmp_serde::to_vec(theirs).expect("the arrays can be written");
    let writing = compare(ROUNDS, write, || rmp_serde::to_vec(theirs));
    report(&format!("msgpack_numpy::to_vec, {what}"), name, &writing);
    let reading = compare(ROUNDS, read, || peers::from_msgpack_numpy(&written));
    report(&format!("msgpack_numpy::from_slice, owned, {what}"), name, &reading);
    against(
        python,
        ["msgpack", "msgpack-numpy in Python"],
        &bytes,
        [(format!("msgpack_numpy::to_vec, {what}"), &|| drop(write()))],
        [
            (format!("msgpack_numpy::from_slice, owned, {what}"), &|| drop(read())),
            (format!("msgpack_numpy::from_slice, borrowed, {what}"), &|| {
                drop(msgpack_numpy::from_slice(&bytes));
            }),
        ],
    );
}

type Call<'c> = (String, &'c dyn Fn());

/// Times a package in Python on a file, and ours on the same.
fn against<const W: usize, const R: usize>(
    python: Option<&Python>,
    [package, name]: [&str; 2],
    bytes: &[u8],
    writing: [Call<'_>; W],
    reading: [Call<'_>; R],
) {
    let Some(Python(python)) = python else { return };
    let file = Temporary::new(package, bytes);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/neighbours.py");
    let output = Command::new(python).arg(script).arg(package).arg(&file.0).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let said = said.unwrap_or_default();
    let times: Vec<f64> = said.split_whitespace().filter_map(|time| time.parse().ok()).collect();
    let [their_write, their_read] = times[..] else {
        println!("| {package} | | {name} | failed: {said} |");
        return;
    };
    // The process of Python is not timed with: its own medians stand against ours.
    let ratio = |ours: Duration, theirs: f64| Comparison {
        ours,
        ratio: theirs / ours.as_secs_f64(),
    };
    let calls = writing.into_iter().map(|call| (call, their_write));
    for ((what, call), theirs) in calls.chain(reading.into_iter().map(|call| (call, their_read))) {
        report(&what, name, &ratio(compare(21, call, || ()).ours, theirs));
    }
}
