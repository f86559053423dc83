//! States from and to the bytes of Flax.

use super::super::msgpack::locate;
use super::super::restore::{load_into as in_place, restore_with};
use super::{Form, WriteOptions, read, sink, to_vec_with};
use crate::checkpoint::{ReadOptions, Restore, Save, to_value_of_any_length};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::report::{LoadReport, Strictness};

/// Reads a state that Flax's `to_bytes` wrote, or [`to_bytes`].
///
/// As for any state, all that does not fit is in one report, values with the bytes at which they begin;
/// and unlike in Flax, that includes keys that the state has no place for, and arrays of other shapes
/// and dtypes. Vectors, tuples and other types
/// that are lists elsewhere take the maps with the keys "0", "1", ... that Flax makes of lists, whatever
/// the order of the keys, and lists as well.
///
/// ```
/// use npcodec::formats::flax;
/// use npcodec::ndarray::{Array1, array};
///
/// // flax.serialization.to_bytes([np.array([1, 2], 'u1'), 7])
/// let bytes = b"\x82\xa10\xc7\x0d\x01\x93\x91\x02\xa5uint8\xc4\x02\x01\x02\xa11\x07";
/// let (array, step): (Array1<u8>, u64) = flax::from_bytes(bytes)?;
/// assert_eq!((array, step), (array![1, 2], 7));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit; those of
/// [`from_slice`](super::from_slice) for bytes that Flax does not write.
pub fn from_bytes<'de, T: Restore<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_bytes_with(bytes, &ReadOptions::new()).map(|(state, _)| state)
}

/// Reads a state with options, and reports what they tolerated.
///
/// # Errors
/// Those of [`from_bytes`], and [`Limit`](ErrorKind::Limit).
pub fn from_bytes_with<'de, T: Restore<'de>>(
    bytes: &'de [u8],
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    located(
        restore_with(read(bytes, options.limits)?, options),
        bytes,
        |(_, report)| report,
    )
}

/// Loads what Flax wrote into a state: arrays into their own memory, with equal shapes.
///
/// All of it is checked before anything is changed.
///
/// ```
/// use npcodec::Strictness;
/// use npcodec::formats::flax;
/// use npcodec::ndarray::{Array1, array};
///
/// let bytes = flax::to_bytes(&vec![array![1.0, 2.0], array![3.0]])?;
/// let mut state = vec![Array1::<f64>::zeros(2), Array1::zeros(1)];
/// flax::load_into(&bytes, &mut state, Strictness::Strict)?;
/// assert_eq!(state, [array![1.0, 2.0], array![3.0]]);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit and is not tolerated; those of
/// [`from_slice`](super::from_slice) for bytes that Flax does not write.
pub fn load_into<'de, T: Restore<'de>>(
    bytes: &'de [u8],
    state: &mut T,
    strictness: Strictness,
) -> Result<LoadReport, Error> {
    load_into_with(bytes, state, &ReadOptions::new().strictness(strictness))
}

/// Loads what Flax wrote into a state, within limits.
///
/// Of the options, strictness and limits count: a part of a file is read with [`from_bytes_with`].
///
/// # Errors
/// Those of [`load_into`], and [`Limit`](ErrorKind::Limit).
pub fn load_into_with<'de, T: Restore<'de>>(
    bytes: &'de [u8],
    state: &mut T,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    let loaded = in_place(&read(bytes, options.limits)?, state, options);
    located(loaded, bytes, |report| report)
}

/// Says at which bytes the values are that do not fit, which the tree of values does not know.
fn located<T>(
    mut result: Result<T, Error>,
    bytes: &[u8],
    tolerated: impl FnOnce(&mut T) -> &mut LoadReport,
) -> Result<T, Error> {
    match &mut result {
        Ok(loaded) => locate(tolerated(loaded), bytes),
        Err(error) => error
            .report_mut()
            .into_iter()
            .for_each(|report| locate(report, bytes)),
    }
    result
}

/// Writes a state as Flax's `to_bytes` writes the Python state of the same shape.
///
/// The arrays of the state are written from their own memory.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with all leaves that Flax cannot hold, and what cannot be
/// written in any checkpoint: [`NestedNil`](ErrorKind::NestedNil),
/// [`MistakableMap`](ErrorKind::MistakableMap), [`RepeatedKey`](ErrorKind::RepeatedKey),
/// [`CountOfParts`](ErrorKind::CountOfParts).
pub fn to_bytes<T: Save + ?Sized>(state: &T) -> Result<Vec<u8>, Error> {
    to_bytes_with(state, &WriteOptions::new())
}

/// Writes a state with options.
///
/// # Errors
/// Those of [`to_bytes`].
pub fn to_bytes_with<T: Save + ?Sized>(
    state: &T,
    options: &WriteOptions,
) -> Result<Vec<u8>, Error> {
    match options.form {
        // Only a map that is whole can be sorted.
        Form::Serialize => to_vec_with(&to_value_of_any_length(state)?, options),
        Form::ToBytes | Form::SerializeInPlace => sink::to_vec(state, options),
    }
}
