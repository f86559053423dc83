//! Reading a value of a state.

use serde::de::Deserializer;

use super::context::Context;
use super::descend::restore_at;
use super::mode::Native;
use super::options::ReadOptions;
use super::plan::Plan;
use super::shared::Shared;
use crate::error::Error;
use crate::report::LoadReport;
use crate::state::Value;

/// A type that can be read from a checkpoint in the mode `M`.
///
/// A value of the wrong type is no error of the reader: it is entered into the report of the
/// [`Context`], the input is read past it, and `None` is returned, so that one pass over a file
/// finds everything that does not fit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be restored from a checkpoint as `{M}`",
    label = "not a type of checkpoints in this form",
    note = "derive `Checkpoint` for it, or give the field `#[checkpoint(serde)]`, `with` or `skip`",
    note = "a row, which derives `Structured`, is a field with `#[checkpoint(scalar)]`, or in a `Vec` with `array`"
)]
pub trait Restore<'de, M = Native>: Sized {
    /// True for types that are assigned whole when a state is loaded in place: numbers, strings.
    const REPLACED: bool = false;

    /// Reads a value; `None` if the report says why there is none.
    ///
    /// # Errors
    /// Those of the deserializer: what makes reading on impossible.
    fn restore<D: Deserializer<'de>>(
        deserializer: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error>;

    /// Returns the value of a field that the file lacks, if there is one without being told.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }

    /// Reads items that fill a block of the given extents; `None` there is any length.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn restore_block<D: Deserializer<'de>>(
        deserializer: D,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, D::Error> {
        super::block::restore_list::<Self, M, D>(deserializer, extents, cx)
    }

    /// Checks a value against this one, and plans the steps that will put it in its place.
    ///
    /// Nothing is changed before the whole state has been checked.
    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        replace::<Self, M>(self, value, cx, plan);
    }

    /// Checks a value against the items of a block, and plans the steps that will fill them.
    fn stage_block<'s>(
        items: &'s mut [Self],
        extents: &[usize],
        value: &Value<'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) where
        'de: 's,
    {
        super::block::stage_list::<Self, M>(items, extents, value, cx, plan);
    }
}

/// Plans to assign a value that is read from a state dict.
pub fn replace<'s, 'de: 's, T: Restore<'de, M>, M>(
    target: &'s mut T,
    value: &Value<'de>,
    cx: &Context<'_>,
    plan: &mut Plan<'s>,
) {
    if let Some(new) = restored::<T, M>(value, cx) {
        plan.step(move || *target = new);
    }
}

/// Reads a fresh value from a state dict, of which nothing may have been left out; what is wrong with
/// it goes into the report.
pub(crate) fn restored<'de, T: Restore<'de, M>, M>(
    value: &Value<'de>,
    cx: &Context<'_>,
) -> Option<T> {
    if !cx.is_selected() {
        let found = "patterns that select a part of it";
        cx.mismatch("a value that is loaded as a whole", found);
        return None;
    }
    let whole = value.clone().loaded(cx.source());
    whole
        .and_then(|value| T::restore(value, cx))
        .unwrap_or_else(|error| {
            cx.refuse(error);
            None
        })
}

/// A type that can be restored without borrowing from its source.
pub trait RestoreOwned: for<'de> Restore<'de> {}

impl<T: for<'de> Restore<'de>> RestoreOwned for T {}

/// Reads a top-level value, with everything that does not fit in one error.
///
/// # Errors
/// Those of the deserializer, and [`Report`](crate::ErrorKind::Report) as its custom error.
pub fn deserialize<'de, T: Restore<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    restore_as::<T, Native, D>(deserializer)
}

/// Reads a top-level value in a mode.
pub(crate) fn restore_as<'de, T: Restore<'de, M>, M, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let shared = Shared::default();
    let cx = Context::root(&shared);
    let value = T::restore(deserializer, &cx)?;
    shared
        .finish(value)
        .map(|(value, _)| value)
        .map_err(<D::Error as serde::de::Error>::custom)
}

/// Reads a top-level value of a state dict.
pub(crate) fn from_value<'de, T: Restore<'de>>(
    value: Value<'de>,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    from_deserializer(value, Shared::new(options))
}

/// Reads a top-level value whose errors are ours already.
pub(crate) fn from_deserializer<'de, T: Restore<'de>, D: Deserializer<'de, Error = Error>>(
    deserializer: D,
    shared: Shared<'_>,
) -> Result<(T, LoadReport), Error> {
    let (cx, path) = (Context::root(&shared), shared.path());
    match restore_at::<T, Native, D>(deserializer, path.segments(), &cx.located()) {
        Ok(value) => shared.finish(value),
        Err(error) => Err(shared.explain(error)),
    }
}
