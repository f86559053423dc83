//! Files with padding and with chunks: the same values for Dopamine, and payloads that NumPy uses
//! where they are.

use std::path::{Path, PathBuf};

use npcodec::{WriteOptions, decode, save_with, to_vec_with};
use npcodec_tests::manifest::Manifest;
use npcodec_tests::python::{Python, Scratch};

use super::{attributes, containers, forms, kinds, layouts, rows, top_level};

fn files(directory: &Path) -> Vec<PathBuf> {
    let files = directory
        .read_dir()
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|kind| kind == "msgpack"))
        .collect()
}

#[test]
fn padding_is_nothing_to_dopamine_and_aligns_for_numpy() {
    let Some(python) = Python::find("padding_is_nothing_to_dopamine_and_aligns_for_numpy") else {
        return;
    };
    let scratch = Scratch::new("aligned");
    let mut manifest = Manifest::new(scratch.path());
    layouts::write(&mut manifest);
    rows::write(&mut manifest);
    kinds::write(&mut manifest);
    containers::write(&mut manifest);
    forms::write(&mut manifest);
    attributes::write(&mut manifest);
    top_level::write(&mut manifest);
    manifest.finish();
    let options = npcodec::SaveOptions::new()
        .write(WriteOptions::new().align(64))
        .durability(npcodec::Durability::Renamed);
    for path in files(scratch.path()) {
        let bytes = std::fs::read(&path).unwrap();
        save_with(&path, &decode(&bytes).unwrap(), &options).unwrap();
    }
    python.live("check_rust", scratch.path());
    python.live("check_mapped", scratch.path());
}

#[test]
fn numpy_joins_chunks() {
    let Some(python) = Python::find("numpy_joins_chunks") else {
        return;
    };
    let scratch = Scratch::new("chunks");
    let mut manifest = Manifest::new(scratch.path());
    layouts::write(&mut manifest);
    top_level::write(&mut manifest);
    manifest.finish();
    for path in files(scratch.path()) {
        let bytes = std::fs::read(&path).unwrap();
        let value = decode(&bytes).unwrap();
        // The least that lets the longest row of the file be whole.
        let chunked = (1..4096).find_map(|bytes| {
            let options = WriteOptions::new().chunk_bytes(bytes);
            to_vec_with(&value, &options).ok()
        });
        std::fs::write(&path, chunked.unwrap()).unwrap();
    }
    python.live("check_chunks", scratch.path());
}
