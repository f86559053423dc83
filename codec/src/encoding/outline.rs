//! What is known of an array before it is made.

use super::Extents;
use super::size::byte_len;
use crate::dtype::{DType, Order};
use crate::error::Error;

/// What is known of an array before it is gathered, compressed or otherwise made.
///
/// Writers size and check a state by the outlines of its arrays, so that an array which is made for
/// the file is made once, when it is written.
///
/// ```
/// use npcodec::checkpoint::Outline;
///
/// let outline = Outline::new(vec![2, 3], "'<f4'".parse()?, None)?;
/// assert_eq!(outline.bytes(), 24);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outline {
    bytes: usize,
    exact: Option<Exact>,
}

#[derive(Debug, Clone)]
struct Exact {
    shape: Extents,
    dtype: DType,
    order: Option<Order>,
}

impl Outline {
    /// Describes an array that has exactly this shape, dtype and order.
    ///
    /// # Errors
    /// [`TooManyDimensions`](crate::ErrorKind::TooManyDimensions) and
    /// [`SizeOverflow`](crate::ErrorKind::SizeOverflow).
    pub fn new(shape: Vec<usize>, dtype: DType, order: Option<Order>) -> Result<Self, Error> {
        Self::of_shape(Extents::from_vec(shape), dtype, order)
    }

    #[inline]
    pub(crate) fn of_shape(
        shape: Extents,
        dtype: DType,
        order: Option<Order>,
    ) -> Result<Self, Error> {
        let bytes = byte_len(&shape, dtype.itemsize())?;
        let exact = Some(Exact {
            shape,
            dtype,
            order,
        });
        Ok(Self { bytes, exact })
    }

    /// Describes an array of which only the most that its payload can take is known.
    #[must_use]
    pub fn at_most(bytes: usize) -> Self {
        let exact = None;
        Self { bytes, exact }
    }

    /// Returns the bytes of the payload, or the most that it can take.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns shape, dtype and order, where they are known.
    #[inline]
    pub(crate) fn exact(&self) -> Option<(&[usize], &DType, Option<Order>)> {
        let exact = self.exact.as_ref()?;
        Some((&exact.shape, &exact.dtype, exact.order))
    }
}

/// An array that lies in memory as it is written, under a dtype text that is known.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct InMemory<'p, 'a> {
    pub(crate) payload: &'a [u8],
    pub(crate) shape: &'p [usize],
    pub(crate) text: &'p str,
    pub(crate) order: Option<Order>,
}
