//! Opening mapped files, and restoring from them.

use std::fs;
use std::path::Path;

use npcodec::MappedCheckpoint;

use crate::load::Temporary;
use crate::measure::{compare, report};
use crate::peers;
use crate::states::{Large, Named, Small};

const ROUNDS: usize = 11;

fn open(path: &Path) -> MappedCheckpoint {
    // SAFETY: the file is a temporary one of this process.
    unsafe { MappedCheckpoint::open(path) }.expect("the file can be mapped")
}

pub fn map() {
    let state = Large::new();
    let file = Temporary::new("large", &npcodec::to_vec(&state).expect("the state can be written"));
    let what = "open a mapped file, 16 arrays of 16 MiB";
    report(what, "fs::metadata", &compare(101, || open(&file.0), || fs::metadata(&file.0)));

    let mut target = Large::new();
    let mut copies = peers::copies(&state);
    let checkpoint = open(&file.0);
    let restore = || checkpoint.restore_into(&mut target).expect("the file fits");
    let memcpy = || peers::copy_into(&state, &mut copies);
    let what = "restore_into from the map, 16 arrays of 16 MiB";
    report(what, "memcpy into the same memory", &compare(ROUNDS, restore, memcpy));

    let small = Small::new();
    let views = peers::views(small.arrays.iter().map(|array| array.as_slice().unwrap_or(&[])));
    let tensors = peers::safetensors(&views);
    let parse = || safetensors::SafeTensors::deserialize(&tensors).map(|file| file.len());
    let file = Temporary::new("small", &npcodec::to_vec(&small).expect("the state can be written"));
    let what = "open a mapped file, 100,000 arrays of 16 in a list";
    report(what, "safetensors, deserialize", &compare(ROUNDS, || open(&file.0), parse));
    let named = npcodec::to_vec(&Named::new()).expect("the state can be written");
    let file = Temporary::new("named", &named);
    let what = "open a mapped file, 100,000 arrays of 16 in a map";
    report(what, "safetensors, deserialize", &compare(ROUNDS, || open(&file.0), parse));
    let all = || open(&file.0).arrays().filter(Result::is_ok).count();
    let what = "open a mapped file and look at 100,000 arrays of 16 in a map";
    report(what, "safetensors, deserialize", &compare(ROUNDS, all, parse));
}
