//! How much memory loading takes beyond the state, and saving what has to be gathered.

use std::path::PathBuf;

use allocation_counter::measure;
use npcodec::ndarray::{Array1, Array2, Axis, Ix2, Slice};
use npcodec::{
    Checkpoint, Durability, MappedCheckpoint, ReadOptions, SaveOptions, WriteOptions, load,
    load_into, load_into_with, load_with, save_with,
};
use npcodec_tests::python::Scratch;

const MIB: u64 = 1 << 20;

fn without_sync(write: WriteOptions) -> SaveOptions {
    SaveOptions::new()
        .write(write)
        .durability(Durability::Renamed)
}

#[test]
fn a_strided_array_is_gathered_into_exactly_its_size() {
    let scratch = Scratch::new("memory-strided");
    let base = Array2::from_shape_fn((1024, 2048), |(i, j)| (i ^ j) as f32);
    let strided = base.slice_axis(Axis(1), Slice::new(0, None, 2));
    let path = scratch.path().join("strided");
    let options = without_sync(WriteOptions::new());
    let peak = measure(|| save_with(&path, &[strided; 8], &options).unwrap()).bytes_max;
    assert!(
        (4 * MIB..5 * MIB).contains(&peak),
        "{peak} bytes for arrays of 4 MiB"
    );
}

#[derive(Checkpoint, Clone, PartialEq)]
struct Weights {
    layers: Vec<Array2<f32>>,
    // Not every byte is a bool, so that they are looked at before they are taken.
    mask: Array1<bool>,
    step: u64,
}

impl Weights {
    fn new(scale: f32) -> Self {
        Self {
            layers: vec![Array2::from_elem((1024, 1024), scale); 8],
            mask: Array1::from_elem(1 << 22, scale > 0.0),
            step: 7,
        }
    }

    fn bytes(&self) -> u64 {
        let layers = self.layers.iter().map(|layer| layer.len() * 4);
        (layers.sum::<usize>() + self.mask.len()) as u64
    }
}

fn saved(scratch: &Scratch, state: &Weights) -> PathBuf {
    let path = scratch.path().join("weights");
    save_with(&path, state, &without_sync(WriteOptions::new().align(64))).unwrap();
    path
}

#[test]
fn loading_takes_no_second_copy_of_the_state() {
    let scratch = Scratch::new("memory-load");
    let state = Weights::new(1.0);
    let path = saved(&scratch, &state);

    let mut fresh = None;
    let peak = measure(|| fresh = Some(load::<Weights>(&path).unwrap())).bytes_max;
    assert!(fresh.as_ref() == Some(&state));
    assert!(peak >= state.bytes(), "{peak}");
    assert!(peak < state.bytes() + MIB, "{peak} bytes for a fresh state");

    let mut target = Weights::new(0.0);
    let peak = measure(|| drop(load_into(&path, &mut target).unwrap())).bytes_max;
    assert!(target == state);
    assert!(peak < MIB, "{peak} bytes in place");
}

#[test]
fn what_is_not_selected_takes_no_memory() {
    let scratch = Scratch::new("memory-part");
    let state = Weights::new(1.0);
    let path = saved(&scratch, &state);

    let third = ReadOptions::new().at("layers[3]".parse().unwrap());
    let mut layer = None;
    let peak = measure(|| layer = Some(load_with::<Array2<f32>>(&path, &third).unwrap().0));
    assert_eq!(layer.as_ref(), Some(&state.layers[3]));
    let peak = peak.bytes_max;
    assert!(peak < 5 * MIB, "{peak} bytes for one layer of 4 MiB");

    let mut target = Weights::new(0.0);
    let mask = ReadOptions::new().only(["mask".parse().unwrap()]);
    let peak = measure(|| drop(load_into_with(&path, &mut target, &mask).unwrap())).bytes_max;
    assert!(target.mask == state.mask && target.layers == Weights::new(0.0).layers);
    assert!(peak < MIB, "{peak} bytes in place");
}

#[test]
fn a_map_takes_an_index() {
    let scratch = Scratch::new("memory-map");
    let state = Weights::new(1.0);
    let path = saved(&scratch, &state);
    let info = measure(|| {
        #[allow(unsafe_code)]
        // SAFETY: nobody else knows of the file.
        let checkpoint = unsafe { MappedCheckpoint::open(&path) }.unwrap();
        let layer = checkpoint.view::<f32, Ix2>(&"layers[3]".parse().unwrap());
        assert!(layer.unwrap() == state.layers[3]);
    });
    let peak = info.bytes_max;
    assert!(peak < MIB / 64, "{peak} bytes for an index of 9 arrays");
}
