//! Files of 16 arrays of 16 MiB: ours beside what libraries in Python take, time and memory.

use std::process::Command;

use npcodec::{Durability, SaveOptions, load, load_into, save_with};

use crate::load::Temporary;
use crate::measure::{Comparison, compare, peak, report};
use crate::peers::Python;
use crate::states::Large;

pub fn files(python: Option<&Python>) {
    let Some(Python(python)) = python else { return };
    let state = Large::new();
    let file = Temporary::new("files", &[]);
    let path = &file.0;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/files.py");
    let output = Command::new(python).arg(script).arg(path).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let said = said.unwrap_or_default();

    let options = SaveOptions::new().durability(Durability::Renamed);
    let save = || save_with(path, &state, &options);
    let fresh = || load::<Large>(path).expect("the file fits");
    let mut target = Large::new();
    let mut in_place = || load_into(path, &mut target).expect("the file fits");
    // Memory first: what was taken once is not taken again.
    let save_memory = peak(save).unwrap_or(0);
    let place_memory = peak(&mut in_place).unwrap_or(0);
    let load_memory = peak(fresh).unwrap_or(0);
    let saved = compare(7, save, || ()).ours;
    let loaded = compare(7, fresh, || ()).ours;
    let placed = compare(7, &mut in_place, || ()).ours;

    for line in said.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [library, numbers @ ..] = &words[..] else { continue };
        let numbers: Vec<f64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
        let [save_time, save_peak, load_time, load_peak] = numbers[..] else { continue };
        for (what, ours, memory, theirs, peak) in [
            ("save", saved, save_memory, save_time, save_peak),
            ("load", loaded, load_memory, load_time, load_peak),
            ("load_into", placed, place_memory, load_time, load_peak),
        ] {
            let ratio = theirs / ours.as_secs_f64();
            report(&format!("{what}, 256 MiB"), library, &Comparison { ours, ratio });
            let ours = memory as f64 / f64::from(1 << 20);
            println!("| {what}, 256 MiB, memory taken | {ours:.1} MiB | {library} | {peak:.1} MiB |");
        }
    }
}
