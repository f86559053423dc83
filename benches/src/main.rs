//! Times npcodec beside its peers and prints medians of ratios.
//!
//! Ratios are the peer's time over ours, so that 2.00 means twice as fast. `NPCODEC_PYTHON` names an
//! interpreter with the packages of tests/python for the lines of Python; without it they are left out. Arguments
//! name the parts to run: large, list, map, replay, rows, load, mmap, save, files, buffer, flax,
//! msgpack, flower. For the last, `NPCODEC_FLOWER_PYTHON` names an interpreter with flwr.

mod buffer;
mod flower;
mod load;
mod map;
mod measure;
mod neighbours;
mod peers;
mod python_files;
mod save;
mod states;

use measure::{compare, report};
use peers::Python;
use states::{Large, Named, Replay, Rows, Small};

const ROUNDS: usize = 11;

fn main() {
    println!("| what | npcodec | peer | times as fast as the peer |");
    println!("|---|---|---|---|");
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let python = Python::find();
    let python = python.as_ref();
    let parts: [(&str, &dyn Fn()); 13] = [
        ("large", &large),
        ("list", &|| list(python)),
        ("map", &|| named(python)),
        ("replay", &|| replay(python)),
        ("rows", &|| rows(python)),
        ("load", &load::load),
        ("mmap", &map::map),
        ("save", &save::save),
        ("files", &|| python_files::files(python)),
        ("buffer", &|| buffer::buffer(python)),
        ("flax", &|| neighbours::flax(python)),
        ("msgpack", &|| neighbours::msgpack(python)),
        ("flower", &flower::flower),
    ];
    for (name, part) in parts {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            part();
        }
    }
}

fn large() {
    let state = Large::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let write = || npcodec::to_vec(&state);
    let read = || npcodec::from_slice::<Large>(&bytes);
    let what = "to_vec, 16 arrays of 16 MiB";
    report(what, "memcpy into one allocation", &compare(ROUNDS, write, || peers::join(&state)));
    report(what, "rmp-serde, `Vec<f32>`", &compare(5, write, || peers::plain(&state)));
    let views = peers::views(state.arrays.iter().map(|array| array.as_slice().unwrap_or(&[])));
    report(what, "safetensors", &compare(ROUNDS, write, || peers::safetensors(&views)));
    let theirs = peers::msgpack_numpy(state.arrays.iter().map(|array| array.clone().into_dyn()));
    report(what, "msgpack-numpy crate", &compare(ROUNDS, write, || rmp_serde::to_vec(&theirs)));

    let what = "from_slice, 16 arrays of 16 MiB";
    report(what, "memcpy into 16 allocations", &compare(ROUNDS, read, || peers::copies(&state)));
    let plain = peers::plain(&state);
    report(what, "rmp-serde, `Vec<f32>`", &compare(5, read, || peers::from_plain(&plain)));
    let tensors = peers::safetensors(&views);
    report(what, "safetensors, copied out", &compare(ROUNDS, read, || peers::from_safetensors(&tensors)));
    let theirs = rmp_serde::to_vec(&theirs).expect("the arrays can be written");
    report(what, "msgpack-numpy crate", &compare(ROUNDS, read, || peers::from_msgpack_numpy(&theirs)));
}

fn list(python: Option<&Python>) {
    let state = Small::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let write = || npcodec::to_vec(&state);
    let read = || npcodec::from_slice::<Small>(&bytes);
    let what = "to_vec, 100,000 arrays of 16 in a list";
    let views = peers::views(state.arrays.iter().map(|array| array.as_slice().unwrap_or(&[])));
    report(what, "safetensors", &compare(ROUNDS, write, || peers::safetensors(&views)));
    report(what, "rmp-serde on the same derive", &compare(ROUNDS, write, || rmp_serde::to_vec(&state)));
    let theirs = peers::msgpack_numpy(state.arrays.iter().map(|array| array.clone().into_dyn()));
    report(what, "msgpack-numpy crate", &compare(ROUNDS, write, || rmp_serde::to_vec(&theirs)));

    let what = "from_slice, 100,000 arrays of 16 in a list";
    let tensors = peers::safetensors(&views);
    report(what, "safetensors, copied out", &compare(ROUNDS, read, || peers::from_safetensors(&tensors)));
    report(what, "rmp-serde on the same derive", &compare(ROUNDS, read, || rmp_serde::from_slice::<Small>(&bytes)));
    let theirs = rmp_serde::to_vec(&theirs).expect("the arrays can be written");
    report(what, "msgpack-numpy crate", &compare(ROUNDS, read, || peers::from_msgpack_numpy(&theirs)));
    if let Some(python) = python {
        python.report("100,000 arrays of 16 in a list", &bytes, write, read);
    }
}

fn named(python: Option<&Python>) {
    let state = Named::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let write = || npcodec::to_vec(&state);
    let read = || npcodec::from_slice::<Named>(&bytes);
    let views = peers::views(state.arrays.values().map(|array| array.as_slice().unwrap_or(&[])));
    let tensors = peers::safetensors(&views);
    let what = "to_vec, 100,000 arrays of 16 in a map";
    report(what, "safetensors", &compare(ROUNDS, write, || peers::safetensors(&views)));
    let what = "from_slice, 100,000 arrays of 16 in a map";
    report(what, "safetensors, copied out", &compare(ROUNDS, read, || peers::from_safetensors(&tensors)));
    if let Some(python) = python {
        python.report("100,000 arrays of 16 in a map", &bytes, write, read);
    }
}

fn replay(python: Option<&Python>) {
    let state = Replay::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let read = || npcodec::from_slice::<Replay>(&bytes);
    if let Some(python) = python {
        python.report("5,000 compressed observations of 84x84x4", &bytes, || npcodec::to_vec(&state), read);
    }
}

fn rows(python: Option<&Python>) {
    let state = Rows::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let write = || npcodec::to_vec(&state);
    let read = || npcodec::from_slice::<Rows>(&bytes);
    let (writing, reading) = ("to_vec, 1,000,000 rows", "from_slice, 1,000,000 rows");
    report(writing, "memcpy of the file", &compare(ROUNDS, write, || bytes.clone()));
    report(writing, "rmp-serde, `Vec<Row>`", &compare(ROUNDS, write, || peers::plain_rows(&state)));
    report(reading, "memcpy of the file", &compare(ROUNDS, read, || bytes.clone()));
    let plain = peers::plain_rows(&state);
    report(reading, "rmp-serde, `Vec<Row>`", &compare(ROUNDS, read, || peers::from_plain_rows(&plain)));
    if let Some(python) = python {
        python.report("1,000,000 rows", &bytes, write, read);
    }
}
