//! Flower's objects beside the bare hash of their bytes, and beside flwr.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use npcodec::bytes::Bytes;
use npcodec::flower::{Array, ArrayRecord, Inflatable, ObjectId};
use npcodec::indexmap::IndexMap;
use npcodec::ndarray::{Array1, ArrayView1, Ix1};
use sha2::{Digest, Sha256};

use crate::measure::{Comparison, compare, peak, report};

const MIB: usize = 256;
const ROUNDS: usize = 7;

fn record(weights: ArrayView1<'_, f32>) -> ArrayRecord<'_> {
    ArrayRecord::from_list([Array::from_view(weights).expect("an array")])
}

pub fn flower() {
    let weights = Array1::from_iter((0..MIB << 18).map(|n| n as f32));
    let bytes: Vec<u8> = weights.iter().flat_map(|item| item.to_le_bytes()).collect();
    let identify = || record(weights.view()).object_id();
    let what = format!("ArrayRecord and its object id, {MIB} MiB");
    let hashed = compare(ROUNDS, identify, || Sha256::digest(&bytes));
    report(&what, "SHA-256 alone, over the same bytes", &hashed);
    if let Some(peak) = peak(identify) {
        println!("| memory beside the array | {:.1} MiB | | |", peak as f64 / (1 << 20) as f64);
    }

    let id = identify();
    let objects: IndexMap<ObjectId, Bytes> =
        record(weights.view()).objects().into_iter().map(|(id, content)| (id, content.into())).collect();
    let inflate = || {
        let record = ArrayRecord::inflate_all(id, |id| objects.get(&id).cloned()).expect("a record");
        record.get("0").map(|array| array.to_ndarray::<f32, Ix1>())
    };
    let reading = format!("inflated, every id checked, and read, {MIB} MiB");
    let inflated = compare(ROUNDS, inflate, || Sha256::digest(&bytes));
    report(&reading, "SHA-256 alone, over the same bytes", &inflated);

    let Some(python) = std::env::var_os("NPCODEC_FLOWER_PYTHON").map(PathBuf::from) else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/flower.py");
    let output = Command::new(python).arg(script).arg(MIB.to_string()).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let times: Vec<f64> = said.split_whitespace().filter_map(|time| time.parse().ok()).collect();
    let [identifying, reading_back] = times[..] else {
        println!("| {what} | | flwr | failed: {said} |");
        return;
    };
    // Python's own medians stand against ours; flwr checks no id when it reads.
    let ratio = |ours: Duration, theirs: f64| Comparison { ours, ratio: theirs / ours.as_secs_f64() };
    report(&what, "flwr 1.42.0", &ratio(hashed.ours, identifying));
    report(&reading, "flwr 1.42.0, which checks none", &ratio(inflated.ours, reading_back));
}
