//! The traits of a state: how it is written, read, and loaded in place.
//!
//! `#[derive(Checkpoint)]` implements [`Save`] and [`Restore`], and with them [`Checkpoint`] and
//! serde's traits. What a field's attributes ask for is the second parameter of the traits, a
//! [mode]; what a state is written to is a [`Sink`].

mod absent;
mod apart;
mod block;
mod context;
mod count;
mod descend;
mod entries;
mod fields;
mod guard;
mod impls;
mod items;
pub mod mode;
mod options;
mod per_field;
mod plan;
mod reporting;
mod restore;
mod save;
mod serde_form;
mod serde_sink;
mod shared;
mod sink;
mod value_serializer;
mod value_sink;
mod variant;
mod visit;
mod wanted;

pub use crate::encoding::Outline;
pub use context::Context;
pub(crate) use count::{PartCount, SeenKeys};
pub(crate) use descend::Structure;
pub use entries::Entries;
pub use fields::{RestoreFields, Slot};
#[cfg(any(
    feature = "flax",
    feature = "flower",
    feature = "msgpack-numpy",
    feature = "npy",
    feature = "safetensors"
))]
pub(crate) use guard::Mistakable;
pub use impls::MapKey;
pub use options::{Fortran, ReadOptions, WriteOptions};
pub use plan::Plan;
pub use restore::{Restore, RestoreOwned, deserialize, replace};
pub(crate) use restore::{from_deserializer, restore_as};
pub use save::{Save, SaveFields};
pub(crate) use serde_sink::save_as;
pub use serde_sink::serialize;
pub(crate) use shared::Shared;
pub use sink::{ListSink, MapSink, Ref, SaveOnce, Sink};
#[cfg(feature = "flax")]
pub(crate) use value_sink::to_value_of_any_length;
pub use variant::variant;

/// What the expansions of the derives name; no part of the public API.
#[doc(hidden)]
pub mod generated {
    pub use super::absent::{Absent, AbsentFallback};
    pub use super::apart::Nth;
    pub use super::entries::{Named, stage_field, stage_map};
    pub use super::fields::{
        RestoreItems, finish_field, restore_list, restore_map, take_field, take_item,
    };
    pub use super::guard::guarded;
    pub use super::impls::{
        restore_nil, restore_rows, restore_scalar, save_rows, save_scalar, save_split_rows,
        stage_rows,
    };
    pub use super::items::ListItems;
    pub use super::per_field::{RestoreField, SaveField};
    pub use super::serde_form::{RestoreWith, SaveWith};
    pub use super::variant::{
        Found, RestoreVariant, SaveVariant, restore_variant, save_variant, stage_list,
    };
}

use crate::encoding::Source;
use crate::error::{Error, ErrorKind};
use crate::report::{LoadReport, Strictness};
use crate::state::{StateDict, Value};

/// A state that can be turned into a state dict and back.
///
/// Implemented for every type that implements [`Save`]: derived structs, arrays, and lists, tuples
/// and maps of them.
///
/// ```
/// use npcodec::ndarray::{array, Array2};
/// use npcodec::{Checkpoint, Strictness};
///
/// #[derive(Checkpoint)]
/// struct Layer {
///     kernel: Array2<f32>,
///     steps: u64,
/// }
///
/// let layer = Layer { kernel: array![[1.0, 2.0]], steps: 3 };
/// let dict = layer.to_state_dict()?;
/// let mut other = Layer { kernel: array![[0.0, 0.0]], steps: 0 };
/// let report = other.load_state_dict(&dict, Strictness::Strict)?;
/// assert!(report.is_clean());
/// assert_eq!(other.kernel, layer.kernel);
/// # Ok::<(), npcodec::Error>(())
/// ```
pub trait Checkpoint: Save {
    /// Gives the value that the state is written as, borrowing the bytes of contiguous arrays.
    ///
    /// # Errors
    /// What cannot be written: [`TooLong`](ErrorKind::TooLong), [`NestedNil`](ErrorKind::NestedNil),
    /// [`MistakableMap`](ErrorKind::MistakableMap), [`RepeatedKey`](ErrorKind::RepeatedKey),
    /// [`CountOfParts`](ErrorKind::CountOfParts).
    fn to_value(&self) -> Result<Value<'_>, Error> {
        value_sink::to_value(self)
    }

    /// Gives the map that the state is written as, borrowing the bytes of contiguous arrays.
    ///
    /// # Errors
    /// Those of [`to_value`](Checkpoint::to_value), and [`NotAMap`](ErrorKind::NotAMap) for a state
    /// that is no map: its value is had from there.
    fn to_state_dict(&self) -> Result<StateDict<'_>, Error> {
        match self.to_value()? {
            Value::Map(dict) => Ok(dict),
            other => {
                let found = other.kind();
                Err(ErrorKind::NotAMap { found }.into())
            }
        }
    }

    /// Makes a state of a value.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) with everything that does not fit.
    fn from_value<'de>(value: Value<'de>) -> Result<Self, Error>
    where
        Self: Restore<'de>,
    {
        Self::from_value_with(value, &ReadOptions::new()).map(|(state, _)| state)
    }

    /// Makes a state of a value, and reports what the options tolerated.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) with everything that does not fit, if the options do not
    /// tolerate it or if a field is left without a value.
    fn from_value_with<'de>(
        value: Value<'de>,
        options: &ReadOptions,
    ) -> Result<(Self, LoadReport), Error>
    where
        Self: Restore<'de>,
    {
        restore::from_value(value, options)
    }

    /// Makes a state of a state dict.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) with everything that does not fit.
    fn from_state_dict<'de>(dict: StateDict<'de>) -> Result<Self, Error>
    where
        Self: Restore<'de>,
    {
        Self::from_value(Value::Map(dict))
    }

    /// Makes a state of a state dict, and reports what the options tolerated.
    ///
    /// # Errors
    /// Those of [`from_value_with`](Checkpoint::from_value_with).
    fn from_state_dict_with<'de>(
        dict: StateDict<'de>,
        options: &ReadOptions,
    ) -> Result<(Self, LoadReport), Error>
    where
        Self: Restore<'de>,
    {
        Self::from_value_with(Value::Map(dict), options)
    }

    /// Loads a state dict into this state: arrays into their own memory, with equal shapes.
    ///
    /// All of it is checked before anything is changed.
    ///
    /// # Errors
    /// [`Report`](ErrorKind::Report) with everything that does not fit and is not tolerated; if
    /// nothing at all fits, that is an error at any strictness.
    fn load_state_dict<'de>(
        &mut self,
        dict: &'de StateDict<'de>,
        strictness: Strictness,
    ) -> Result<LoadReport, Error>
    where
        Self: Restore<'de>,
    {
        self.load_state_dict_with(dict, &ReadOptions::new().strictness(strictness))
    }

    /// Loads a state dict into this state, with more to choose.
    ///
    /// # Errors
    /// Those of [`load_state_dict`](Checkpoint::load_state_dict).
    fn load_state_dict_with<'de>(
        &mut self,
        dict: &'de StateDict<'de>,
        options: &ReadOptions,
    ) -> Result<LoadReport, Error>
    where
        Self: Restore<'de>,
    {
        let mut value = Value::Map(dict.borrowed());
        if !options.path.is_root() || !options.only.is_empty() {
            let part = from_deserializer::<Structure<'_>, _>(value, Shared::new(options))?;
            value = part.0.0;
        }
        load_in_place(self, &value, Shared::new(options), None)
    }
}

impl<T: Save + ?Sized> Checkpoint for T {}

/// Checks a value against a state, and changes the state only if all that matters fits.
///
/// # Errors
/// [`Report`](ErrorKind::Report), and [`PartlyLoaded`](ErrorKind::PartlyLoaded) if the payloads are
/// still in a source that fails.
pub(crate) fn load_in_place<'de, T: Restore<'de>>(
    state: &mut T,
    value: &Value<'de>,
    shared: Shared<'_>,
    source: Option<&dyn Source>,
) -> Result<LoadReport, Error> {
    let mut plan = Plan::default();
    let (path, shared) = (shared.path(), shared.in_place());
    descend::stage_at(
        state,
        path.segments(),
        value,
        &Context::root(&shared),
        &mut plan,
    );
    match shared.verdict()? {
        (_, true) if plan.is_empty() && shared.is_partial() => {
            Err(ErrorKind::NothingSelected.into())
        }
        (report, true) if report.is_clean() || !plan.is_empty() => {
            plan.commit(source)?;
            Ok(report)
        }
        (report, _) => Err(ErrorKind::Report(report).into()),
    }
}
