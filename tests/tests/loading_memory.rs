//! How much memory loading takes: the state's, and a buffer.

use std::io::Cursor;

use npcodec::ndarray::Array1;
use npcodec::{Checkpoint, ReadOptions, Restore, load_from, load_into_from, to_vec};

const MIB: usize = 1 << 20;

/// Returns the most memory that some work takes at a time.
fn most(work: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(work).bytes_max).unwrap()
}

/// Loads a state fresh, which is to take its own bytes, and in place, which is to take none.
fn check<T: Checkpoint + Restore<'static> + PartialEq>(mut state: T, bytes: usize) {
    let file = to_vec(&state).unwrap();
    let options = ReadOptions::new();
    let mut loaded = None;
    let fresh = most(|| loaded = load_from::<T>(Cursor::new(&file), &options).ok());
    assert!(loaded.is_some_and(|(loaded, _)| loaded == state));
    assert!(
        fresh < bytes + MIB,
        "{} KiB for {}",
        fresh >> 10,
        bytes >> 10
    );
    let in_place = most(|| drop(load_into_from(Cursor::new(&file), &mut state, &options)));
    assert!(in_place < MIB, "{} KiB in place", in_place >> 10);
}

#[test]
fn every_kind_of_array_is_loaded_with_little_besides() {
    #[derive(Checkpoint, Debug, PartialEq)]
    struct Block(#[checkpoint(array)] Vec<f32>);
    let length = 4 * MIB + 1;
    check(Array1::from_elem(length, 1u8), length);
    // What has to be looked at, and what is no array but in its file.
    check(Array1::from_elem(length, true), length);
    check(Block(vec![0.5; MIB]), 4 * MIB);
}
