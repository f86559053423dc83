//! The peers: memcpy, rmp-serde, safetensors, the msgpack-numpy crate, Dopamine in Python.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use msgpack_numpy::NDArray;
use npcodec::ndarray::ArrayD;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::measure::{Comparison, compare, report};
use crate::states::{Large, Row, Rows};

/// Allocates once and copies the arrays into it, one after the other.
pub fn join(state: &Large) -> Vec<u8> {
    let blocks = blocks(state);
    let mut bytes = Vec::with_capacity(blocks.iter().map(|block| block.len() * 4).sum());
    for block in blocks {
        bytes.extend_from_slice(as_bytes(block));
    }
    bytes
}

/// Allocates for each array and copies it.
pub fn copies(state: &Large) -> Vec<Vec<f32>> {
    blocks(state).into_iter().map(<[f32]>::to_vec).collect()
}

/// Copies each array into memory that is there already.
pub fn copy_into(state: &Large, copies: &mut [Vec<f32>]) {
    for (block, copy) in blocks(state).into_iter().zip(copies) {
        copy.copy_from_slice(block);
    }
}

fn blocks(state: &Large) -> Vec<&[f32]> {
    state.arrays.iter().filter_map(|array| array.as_slice()).collect()
}

fn as_bytes(floats: &[f32]) -> &[u8] {
    npcodec::dtype::Element::as_bytes(floats).unwrap_or(&[])
}

/// What plain serde makes of the arrays.
pub fn plain(state: &Large) -> Vec<u8> {
    rmp_serde::to_vec(&blocks(state)).unwrap_or_default()
}

pub fn from_plain(bytes: &[u8]) -> Vec<Vec<f32>> {
    rmp_serde::from_slice(bytes).unwrap_or_default()
}

/// Rows one after the other, as plain serde writes them.
pub fn plain_rows(state: &Rows) -> Vec<u8> {
    rmp_serde::to_vec(state.rows.as_slice().unwrap_or(&[])).unwrap_or_default()
}

pub fn from_plain_rows(bytes: &[u8]) -> Vec<Row> {
    rmp_serde::from_slice(bytes).unwrap_or_default()
}

pub fn views<'a>(arrays: impl Iterator<Item = &'a [f32]>) -> Vec<(String, TensorView<'a>)> {
    let view = |(n, floats): (usize, &'a [f32])| {
        let view = TensorView::new(Dtype::F32, vec![floats.len()], as_bytes(floats)).ok()?;
        Some((format!("layer_{n:06}"), view))
    };
    arrays.enumerate().filter_map(view).collect()
}

pub fn safetensors(views: &[(String, TensorView<'_>)]) -> Vec<u8> {
    let views = views.iter().map(|(name, view)| (name, view));
    safetensors::serialize(views, None).unwrap_or_default()
}

pub fn safetensors_file(views: &[(String, TensorView<'_>)], path: &Path) -> bool {
    let views = views.iter().map(|(name, view)| (name, view));
    safetensors::serialize_to_file(views, None, path).is_ok()
}

/// Reads the file and copies each tensor into floats of its own.
pub fn from_safetensors(bytes: &[u8]) -> HashMap<String, Vec<f32>> {
    let Ok(file) = SafeTensors::deserialize(bytes) else {
        return HashMap::new();
    };
    let owned = |(name, view): (String, TensorView<'_>)| {
        let floats = view.data().chunks_exact(4).map(|item| {
            f32::from_le_bytes([item[0], item[1], item[2], item[3]])
        });
        (name, floats.collect())
    };
    file.tensors().into_iter().map(owned).collect()
}

pub fn msgpack_numpy(arrays: impl Iterator<Item = ArrayD<f32>>) -> Vec<NDArray> {
    arrays.map(NDArray::F32).collect()
}

pub fn from_msgpack_numpy(bytes: &[u8]) -> Vec<NDArray> {
    rmp_serde::from_slice(bytes).unwrap_or_default()
}

/// An interpreter with Dopamine.
pub struct Python(pub PathBuf);

impl Python {
    pub fn find() -> Option<Self> {
        std::env::var_os("NPCODEC_PYTHON").map(|path| Self(path.into()))
    }

    /// Times Dopamine's encoder and decoder on the file, and ours before and after.
    pub fn report<A, B>(
        &self,
        what: &str,
        bytes: &[u8],
        write: impl FnMut() -> A,
        read: impl FnMut() -> B,
    ) {
        let file = std::env::temp_dir().join(format!("npcodec-bench-{}.msgpack", std::process::id()));
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/peer.py");
        let said = std::fs::write(&file, bytes)
            .and_then(|()| Command::new(&self.0).arg(script).arg(&file).output())
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default();
        let _ = std::fs::remove_file(&file);
        let times: Vec<f64> = said.split_whitespace().filter_map(|time| time.parse().ok()).collect();
        let [their_write, their_read] = times[..] else {
            println!("| {what} | | Dopamine in Python | failed: {said} |");
            return;
        };
        // The process of Python is not timed with: its own medians stand against ours.
        let ratio = |ours: Duration, theirs: f64| Comparison {
            ours,
            ratio: theirs / ours.as_secs_f64(),
        };
        let ours = compare(21, write, || ()).ours;
        report(&format!("to_vec, {what}"), "Dopamine in Python", &ratio(ours, their_write));
        let ours = compare(21, read, || ()).ours;
        report(&format!("from_slice, {what}"), "Dopamine in Python", &ratio(ours, their_read));
    }
}
