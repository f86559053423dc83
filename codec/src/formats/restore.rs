//! States of what a file of any format holds.

use crate::checkpoint::{self, Restore, Shared, from_deserializer, load_in_place};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::report::LoadReport;
use crate::state::Value;

/// Makes a state of what a file holds, where lists may be maps with the keys "0", "1", ...
///
/// So Flax writes lists, the names of PyTorch say where in a `ModuleList` a tensor belongs, and
/// [`ListsAsMaps`](super::Conversion::ListsAsMaps) turns them. Vectors, tuples and other types that are
/// lists elsewhere take such maps, whatever the order of the keys, and lists as well. It is the type that
/// decides, and never the file: a map in the state takes the same keys as what they are.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use npcodec::{StateDict, Value, formats};
///
/// let layer = |size: i32| -> StateDict<'_> { [("units", size)].into_iter().collect() };
/// let layers: StateDict<'_> = [("1", layer(8)), ("0", layer(4))].into_iter().collect();
///
/// let in_order: Vec<BTreeMap<String, u32>> = formats::restore(layers.clone())?;
/// assert_eq!((in_order[0]["units"], in_order[1]["units"]), (4, 8));
/// let by_name: BTreeMap<String, BTreeMap<String, u32>> = formats::restore(layers)?;
/// assert_eq!(by_name["1"]["units"], 8);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit.
pub fn restore<'de, T: Restore<'de>>(value: impl Into<Value<'de>>) -> Result<T, Error> {
    restore_with(value, &checkpoint::ReadOptions::new()).map(|(state, _)| state)
}

/// Makes a state with options, and reports what they tolerated.
///
/// # Errors
/// Those of [`restore`], and [`Limit`](ErrorKind::Limit).
pub fn restore_with<'de, T: Restore<'de>>(
    value: impl Into<Value<'de>>,
    options: &checkpoint::ReadOptions,
) -> Result<(T, LoadReport), Error> {
    from_deserializer(value.into(), Shared::new(options).indexed())
}

/// Loads what a file holds into a state: arrays into their own memory, with equal shapes. Lists may be
/// maps as in [`restore`].
///
/// All of it is checked before anything is changed. Of the options, strictness and limits count.
///
/// # Errors
/// [`Report`](ErrorKind::Report) with everything that does not fit and is not tolerated, and
/// [`Limit`](ErrorKind::Limit).
pub fn load_into<'de, T: Restore<'de>>(
    value: &Value<'de>,
    state: &mut T,
    options: &checkpoint::ReadOptions,
) -> Result<LoadReport, Error> {
    let options = checkpoint::ReadOptions::new()
        .strictness(options.strictness)
        .limits(options.limits);
    load_in_place(state, value, Shared::new(&options).indexed(), None)
}
