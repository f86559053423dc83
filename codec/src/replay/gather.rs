//! The states of a sample, in one array.

use std::hint::black_box;

use ndarray::{Array, Dimension, IxDyn};

use super::frames::{Frames, Observation, States};
use super::stack::{assign, check_count};
use crate::encoding::{byte_len, map_all, no_memory};
use crate::error::{Error, ErrorKind};

/// The most bytes of plain states that one thread copies.
const ALONE: usize = 1 << 24;

/// Stacks the frames of a sample along a new first axis.
///
/// # Errors
/// [`Shapes`](crate::ReplayError::Shapes), and those of [`Frames::unpack`].
pub fn stack_frames<'f, O: Observation + 'f>(
    frames: impl ExactSizeIterator<Item = &'f Frames<O>>,
) -> Result<States<O>, Error> {
    let frames: Vec<_> = frames.collect();
    let mut shape = vec![frames.len()];
    if let Some(first) = frames.first() {
        // What a record claims is checked before memory is taken for it.
        shape.extend(first.viewed(|state| Ok(state.shape().to_vec()))?);
    } else {
        shape.resize(O::Dim::NDIM.unwrap_or(0) + 2, 0);
    }
    let bytes = byte_len(&shape, size_of::<O::Item>())?;
    keep_room(bytes);
    // What is copied at the speed of memory anyway is written once, by one thread.
    if bytes <= ALONE {
        if let Some(states) = rows(&frames, &shape[1..]) {
            return copied(&states, &shape);
        }
    }
    let mut states: States<O> = zeros(&shape)?;
    fill(frames.into_iter(), &mut states)?;
    Ok(states)
}

/// Stacks the frames of a sample into an array that exists.
///
/// # Errors
/// Those of [`stack_frames`]; the array may have been filled in part.
pub fn stack_frames_into<'f, O: Observation + 'f>(
    frames: impl ExactSizeIterator<Item = &'f Frames<O>>,
    states: &mut States<O>,
) -> Result<(), Error> {
    check_count(&states.view_mut().into_dyn(), frames.len())?;
    fill(frames, states)
}

fn fill<'f, O: Observation + 'f>(
    frames: impl Iterator<Item = &'f Frames<O>>,
    states: &mut States<O>,
) -> Result<(), Error> {
    let shape = states.shape().get(1..).unwrap_or_default().to_vec();
    let each = shape.iter().product::<usize>();
    if let (Some(memory), true) = (states.as_slice_mut(), each > 0) {
        let places = frames.zip(memory.chunks_exact_mut(each)).collect();
        let filled = map_all(places, |(frames, place)| frames.write_to(&shape, place));
        return filled.into_iter().collect();
    }
    let mut target = states.view_mut().into_dyn();
    for (index, frames) in frames.enumerate() {
        frames.viewed(|state| assign(&mut target, index, state))?;
    }
    Ok(())
}

/// Returns the memory of states that are all plain, row-major and of one shape.
fn rows<'f, O: Observation>(
    frames: &[&'f Frames<O>],
    shape: &[usize],
) -> Option<Vec<&'f [O::Item]>> {
    let row = |frames: &&'f Frames<O>| match *frames {
        Frames::Plain(state) if state.shape() == shape => state.as_slice(),
        _ => None,
    };
    frames.iter().map(row).collect()
}

/// Copies rows one behind the other; their memory is not written before.
fn copied<T: Clone, D: Dimension>(rows: &[&[T]], shape: &[usize]) -> Result<Array<T, D>, Error> {
    let mut values = with_room(shape)?;
    for row in rows {
        values.extend_from_slice(row);
    }
    shaped(values, shape)
}

/// Makes an array of defaults.
///
/// Room is asked for first, since only that can fail softly. `vec!` then takes zeroed pages from the
/// system, which are touched by the threads that fill them and not here.
pub(super) fn zeros<T: Clone + Default, D: Dimension>(
    shape: &[usize],
) -> Result<Array<T, D>, Error> {
    drop(with_room::<T>(shape)?);
    shaped(vec![T::default(); byte_len(shape, 1)?], shape)
}

/// Takes memory for an array; that there is none is an error.
fn with_room<T>(shape: &[usize]) -> Result<Vec<T>, Error> {
    let bytes = byte_len(shape, size_of::<T>().max(1))?;
    let mut values = Vec::new();
    values
        .try_reserve_exact(byte_len(shape, 1)?)
        .map_err(|_| no_memory(bytes))?;
    Ok(black_box(values))
}

/// Lets the C library keep the memory of a sample for the next one.
///
/// glibc gives what is free at the end of its heap back to the system as soon as that is more than
/// twice the largest mapped block that it has seen freed, and a sample has two arrays of this shape:
/// dropped together they are just too much, and the next sample touches all of their pages anew,
/// which takes longer than to fill them. One block of the size of both, asked for and not touched,
/// is what it has to see; it looks at blocks of up to 32 MiB.
fn keep_room(bytes: usize) {
    if cfg!(target_env = "gnu") && bytes <= 1 << 24 {
        let mut both = Vec::<u8>::new();
        // Where there is no memory, that is an error of the arrays themselves.
        let _ = both.try_reserve_exact(2 * bytes);
        drop(black_box(both));
    }
}

fn shaped<T, D: Dimension>(values: Vec<T>, shape: &[usize]) -> Result<Array<T, D>, Error> {
    Array::from_shape_vec(IxDyn(shape), values)
        .and_then(Array::into_dimensionality)
        .map_err(|error| ErrorKind::Custom(error.to_string()).into())
}
