//! How much memory loading takes: the state's, and a buffer.

use std::io::Cursor;

use npcodec::ndarray::{Array1, Array2, ShapeBuilder};
use npcodec::{
    Checkpoint, ReadOptions, Restore, WriteOptions, load_from, load_into_from, to_vec, to_vec_with,
};

const MIB: usize = 1 << 20;

/// Returns the most memory that some work takes at a time.
fn most(work: impl FnOnce()) -> usize {
    usize::try_from(allocation_counter::measure(work).bytes_max).unwrap()
}

/// Loads a state fresh, which is to take its own bytes, and in place, which is to take none.
fn check<T: Checkpoint + Restore<'static> + PartialEq>(state: T, bytes: usize) {
    check_file(&to_vec(&state).unwrap(), state, bytes, 0);
}

fn check_file<T>(file: &[u8], mut state: T, bytes: usize, besides: usize)
where
    T: Checkpoint + Restore<'static> + PartialEq,
{
    let options = ReadOptions::new();
    let mut loaded = None;
    let fresh = most(|| loaded = load_from::<T>(Cursor::new(file), &options).ok());
    assert!(loaded.is_some_and(|(loaded, _)| loaded == state));
    assert!(
        fresh < bytes + MIB,
        "{} KiB for {}",
        fresh >> 10,
        bytes >> 10
    );
    let in_place = most(|| drop(load_into_from(Cursor::new(file), &mut state, &options)));
    assert!(in_place < besides + MIB, "{} KiB in place", in_place >> 10);
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

/// Chunks are joined where they are read; in place that is once beside the array.
#[test]
fn chunks_are_joined_as_they_are_read() {
    let options = WriteOptions::new().chunk_bytes(3 * MIB);
    let state = Array1::from_elem(8 * MIB, 7u8);
    check_file(
        &to_vec_with(&state, &options).unwrap(),
        state,
        8 * MIB,
        8 * MIB,
    );
    let state = Array2::from_elem((MIB, 8).f(), 7u8);
    check_file(
        &to_vec_with(&state, &options).unwrap(),
        state,
        8 * MIB,
        8 * MIB,
    );
}
