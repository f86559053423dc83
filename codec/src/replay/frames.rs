//! Stacked observations, as they are or as Snappy records.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn};
use serde::de::Deserializer;

use super::packed::Packed;
use super::stack::{Stack, assign, check_count, shapes};
use super::wire;
use crate::array::ArrayElement;
use crate::checkpoint::{Context, Restore, RestoreOwned, Save, Sink};
use crate::dtype::{Cast, PlainElement};
use crate::encoding::{
    self, NumpyEncoding, Source, byte_len, is_compressed, map_all, no_memory, uncompress,
};
use crate::error::{Error, ErrorKind};

/// An observation of a transition: an array of bools, integers, floats or complex numbers, of no
/// dimensions for NumPy's scalars, or an `f64`.
pub trait Observation: Stack<Item = <Self as Observation>::Pixel> {
    /// What the array holds. What is before the beginning of a trajectory is its default, 0.
    type Pixel: PlainElement + Default + fmt::Debug + PartialEq;
}

impl<T: PlainElement + Default + fmt::Debug + PartialEq, D: Dimension> Observation for Array<T, D> {
    type Pixel = T;
}

/// `np.float64`, the one scalar of NumPy's that is written as a number.
impl Observation for f64 {
    type Pixel = Self;
}

/// The observations of a state, the stack being the last axis.
pub type State<O> = Array<<O as Stack>::Item, <<O as Stack>::Dim as Dimension>::Larger>;

/// The states of a sample.
pub type States<O> =
    Array<<O as Stack>::Item, <<<O as Stack>::Dim as Dimension>::Larger as Dimension>::Larger>;

/// The observations of a state, stacked, and compressed where the buffer compresses. Clones share
/// their memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Frames<O: Observation> {
    /// An array.
    Plain(Arc<State<O>>),
    /// A record of `elements.compress`.
    Packed(Packed),
}

/// Makes an array of defaults; memory that there is not is an error.
///
/// Room is asked for first, since only that can fail softly. `vec!` then takes zeroed pages from the
/// system, which are touched by the threads that fill them and not here.
fn zeros<T: Clone + Default, D: Dimension>(shape: &[usize]) -> Result<Array<T, D>, Error> {
    let bytes = byte_len(shape, size_of::<T>().max(1))?;
    let count = byte_len(shape, 1)?;
    Vec::<T>::new()
        .try_reserve_exact(count)
        .map_err(|_| no_memory(bytes))?;
    Array::from_shape_vec(IxDyn(shape), vec![T::default(); count])
        .and_then(Array::into_dimensionality)
        .map_err(|error| ErrorKind::Custom(error.to_string()).into())
}

/// Returns true if two arrays are written as the same bytes: equal numbers may differ, 0 and -0.
fn same<T: PlainElement, D: Dimension>(left: &Array<T, D>, right: &Array<T, D>) -> bool {
    let memory = [left, right].map(|array| array.as_slice_memory_order().and_then(T::as_bytes));
    let outline = |array: &Array<T, D>| (array.raw_dim(), array.strides().to_vec());
    memory[0].is_some() && memory[0] == memory[1] && outline(left) == outline(right)
}

impl<O: Observation> Frames<O> {
    /// Stacks observations along a new last axis; where there is none, it is 0.
    ///
    /// # Errors
    /// [`Shapes`](crate::ReplayError::Shapes) for observations that are not of the last one's shape
    /// and cannot be broadcast to it.
    pub fn stack<'o>(
        observations: impl ExactSizeIterator<Item = Option<&'o O>>,
        shape: &[usize],
    ) -> Result<Self, Error>
    where
        O: 'o,
    {
        let mut shape = shape.to_vec();
        shape.push(observations.len());
        let mut state: Array<O::Item, IxDyn> = zeros(&shape)?;
        let last = Axis(shape.len() - 1);
        for (index, observation) in observations.enumerate() {
            let Some(observation) = observation else {
                continue;
            };
            let view = observation.as_view();
            let view = view.into_dyn();
            let mut place = state.index_axis_mut(last, index);
            let wide = view
                .broadcast(place.raw_dim())
                .ok_or_else(|| shapes(place.shape(), view.shape()))?;
            place.assign(&wide);
        }
        state
            .into_dimensionality()
            .map(|state| Self::Plain(Arc::new(state)))
            .map_err(|error| ErrorKind::Custom(error.to_string()).into())
    }

    /// Compresses the frames, unless they are.
    ///
    /// # Errors
    /// [`Snappy`](ErrorKind::Snappy) for what a record cannot hold.
    pub fn pack(self) -> Result<Self, Error> {
        match self {
            Self::Plain(state) => {
                let array = NumpyEncoding::from_array(state.view())?;
                Packed::compress(&array).map(Self::Packed)
            }
            packed => Ok(packed),
        }
    }

    /// Returns the frames as an array.
    ///
    /// # Errors
    /// Those of [`uncompress`], and [`Mismatch`](ErrorKind::Mismatch) for a record of another dtype
    /// or dimension.
    pub fn unpack(&self) -> Result<Cow<'_, State<O>>, Error> {
        match self {
            Self::Plain(state) => Ok(Cow::Borrowed(state)),
            Self::Packed(packed) => {
                let array = uncompress(&packed.record()?)?;
                array.to_array().map(Cow::Owned)
            }
        }
    }

    /// Lets go of memory that holds what the other frames hold, and shares theirs.
    pub fn share(&mut self, other: &Self) {
        match (self, other) {
            (Self::Packed(own), Self::Packed(other)) => own.share(other),
            (Self::Plain(own), Self::Plain(other)) if same(own, other) => *own = Arc::clone(other),
            _ => {}
        }
    }

    /// Returns true if the frames are compressed.
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        matches!(self, Self::Packed(_))
    }

    /// Returns the shape of the state, as the record says it where there is one.
    #[must_use]
    pub fn shape(&self) -> Vec<usize> {
        match self {
            Self::Plain(state) => state.shape().to_vec(),
            Self::Packed(packed) => packed.shape(),
        }
    }

    /// Gives the frames as a view to a function, expanded for as long as it takes.
    fn viewed<T>(
        &self,
        take: impl FnOnce(ArrayView<'_, O::Item, <O::Dim as Dimension>::Larger>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let packed = match self {
            Self::Plain(state) => return take(state.view()),
            Self::Packed(packed) => packed,
        };
        let array = uncompress(&packed.record()?)?;
        match array.view()? {
            Some(view) => take(view),
            None => take(array.to_array()?.view()),
        }
    }
}

/// Stacks the frames of a sample along a new first axis.
///
/// # Errors
/// [`Shapes`](crate::ReplayError::Shapes), and those of [`Frames::unpack`].
pub fn stack_frames<'f, O: Observation + 'f>(
    frames: impl ExactSizeIterator<Item = &'f Frames<O>>,
) -> Result<States<O>, Error> {
    let count = frames.len();
    let mut frames = frames.peekable();
    let mut shape = vec![count];
    if let Some(first) = frames.peek() {
        // What a record claims is checked before memory is taken for it.
        shape.extend(first.viewed(|state| Ok(state.shape().to_vec()))?);
    } else {
        shape.resize(O::Dim::NDIM.unwrap_or(0) + 2, 0);
    }
    let mut states: States<O> = zeros(&shape)?;
    fill(frames, &mut states)?;
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

impl<O: Observation> Frames<O> {
    /// Writes the frames to memory in row-major order, straight out of the record where they are
    /// one.
    fn write_to(&self, shape: &[usize], place: &mut [O::Item]) -> Result<(), Error> {
        let mut place = ArrayViewMut::from_shape(IxDyn(shape), place)
            .map_err(|error| Error::from(ErrorKind::Custom(error.to_string())))?;
        let packed = match self {
            Self::Plain(state) if state.shape() == shape => {
                place.assign(&state.view().into_dyn());
                return Ok(());
            }
            Self::Plain(state) => return Err(shapes(shape, state.shape())),
            Self::Packed(packed) => packed,
        };
        let record = packed.record()?;
        let block = encoding::Packed::open(&record)?;
        let header = block.header();
        if header.shape() != shape {
            return Err(shapes(shape, header.shape()));
        }
        let source: Option<&dyn Source> = Some(&block);
        <O::Item as ArrayElement>::check(header, &place.view(), source, Cast::Exact, false)?;
        <O::Item as ArrayElement>::assign(header, place, source, Cast::Exact, false)
    }
}

impl<O: Observation> Save for Frames<O>
where
    State<O>: Save,
{
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(state) => wire::save(&**state, sink),
            Self::Packed(packed) => packed.save(sink),
        }
    }
}

impl<'de, O: Observation> Restore<'de> for Frames<O>
where
    State<O>: RestoreOwned,
{
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let array: Option<NumpyEncoding<'de>> = wire::restore(d, cx)?;
        Ok(array.and_then(|array| {
            let frames = if is_compressed(&array) {
                Packed::new(&array).map(Self::Packed)
            } else {
                array.to_array().map(|state| Self::Plain(Arc::new(state)))
            };
            frames.map_err(|error| cx.refuse(error)).ok()
        }))
    }
}
