//! Stacked observations, as they are or as Snappy records.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn};
use serde::de::Deserializer;

use super::gather::zeros;
use super::packed::Packed;
use super::stack::{Stack, shapes};
use super::wire;
use crate::array::ArrayElement;
use crate::checkpoint::{Context, Restore, RestoreOwned, Save, Sink};
use crate::dtype::{Cast, PlainElement};
use crate::encoding::{self, NumpyEncoding, Source, is_compressed, uncompress};
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
    pub(super) fn viewed<T>(
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

impl<O: Observation> Frames<O> {
    /// Writes the frames to memory in row-major order, straight out of the record where they are
    /// one.
    pub(super) fn write_to(&self, shape: &[usize], place: &mut [O::Item]) -> Result<(), Error> {
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
