//! What generated code asks of the type of a field.
//!
//! Everything goes through one trait for saving and one for restoring, so that a type that is
//! neither gives one error each, at the field, however often the field is named.

use serde::de::{Deserializer, MapAccess, SeqAccess};

use super::context::Context;
use super::entries;
use super::fields::{self, Slot};
use super::plan::Plan;
use super::restore::Restore;
use super::save::Save;
use super::sink::{InRows, ListSink, MapSink, Ref, Sink};
use crate::state::{Key, Value};

/// A type of fields that can be saved in the mode `M`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved in a checkpoint as `{M}`",
    label = "not a type of checkpoints in this form",
    note = "derive `Checkpoint` for it, or give the field `#[checkpoint(serde)]`, `with` or `skip`",
    note = "a row, which derives `Structured`, is a field with `#[checkpoint(scalar)]`, or in a `Vec` with `array`",
    note = "`compress`, `scalar`, `integer`, `array` and `width` reach through containers to the types they are for"
)]
pub trait SaveField<M>: Sized {
    /// See [`Save::NULLABLE`].
    const NULLABLE: bool;
    /// See [`Save::NESTED_NIL`].
    const NESTED_NIL: bool;

    /// Writes the field where its container is to be.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_alone<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error>;

    /// Writes the field as an entry.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_entry<'a, S: MapSink<'a>>(
        &'a self,
        key: &'static str,
        map: &mut S,
    ) -> Result<(), S::Error>;

    /// Writes the field as an item.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_item<'a, S: ListSink<'a>>(&'a self, list: &mut S) -> Result<(), S::Error>;

    /// Writes the field where its container is to be, its arrays in row-major order.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_alone_in_rows<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        self.save_alone(sink.in_rows())
    }

    /// Writes the field as an entry, its arrays in row-major order.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_entry_in_rows<'a, S: MapSink<'a>>(
        &'a self,
        key: &'static str,
        map: &mut S,
    ) -> Result<(), S::Error>;

    /// Writes the field as an item, its arrays in row-major order.
    ///
    /// # Errors
    /// Those of the sink.
    fn save_item_in_rows<'a, S: ListSink<'a>>(&'a self, list: &mut S) -> Result<(), S::Error>;
}

impl<T: Save<M>, M> SaveField<M> for T {
    const NULLABLE: bool = T::NULLABLE;
    const NESTED_NIL: bool = T::NESTED_NIL;

    fn save_alone<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        T::save(self, sink)
    }

    fn save_entry<'a, S: MapSink<'a>>(
        &'a self,
        key: &'static str,
        map: &mut S,
    ) -> Result<(), S::Error> {
        map.entry(Key::from(key), Ref::<T, M>::new(self))
    }

    fn save_item<'a, S: ListSink<'a>>(&'a self, list: &mut S) -> Result<(), S::Error> {
        list.item(Ref::<T, M>::new(self))
    }

    fn save_entry_in_rows<'a, S: MapSink<'a>>(
        &'a self,
        key: &'static str,
        map: &mut S,
    ) -> Result<(), S::Error> {
        map.entry(Key::from(key), InRows(Ref::<T, M>::new(self)))
    }

    fn save_item_in_rows<'a, S: ListSink<'a>>(&'a self, list: &mut S) -> Result<(), S::Error> {
        list.item(InRows(Ref::<T, M>::new(self)))
    }
}

/// A type of fields that can be restored in the mode `M`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be restored from a checkpoint as `{M}`",
    label = "not a type of checkpoints in this form",
    note = "derive `Checkpoint` for it, or give the field `#[checkpoint(serde)]`, `with` or `skip`",
    note = "a row, which derives `Structured`, is a field with `#[checkpoint(scalar)]`, or in a `Vec` with `array`"
)]
pub trait RestoreField<'de, M>: Sized {
    /// See [`Restore::REPLACED`].
    const REPLACED: bool;

    /// Reads the field where its container should be.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn restore_alone<D: Deserializer<'de>>(
        deserializer: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error>;

    /// Reads the field out of an entry. `cx` is the field's own.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn take_entry<A: MapAccess<'de>>(
        slot: &mut Slot<Self>,
        map: &mut A,
        cx: &Context<'_>,
    ) -> Result<(), A::Error>;

    /// Reads the field out of an item; false if the list has ended. `cx` is the field's own.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn take_item<A: SeqAccess<'de>>(
        slot: &mut Slot<Self>,
        seq: &mut A,
        cx: &Context<'_>,
    ) -> Result<bool, A::Error>;

    /// Returns the value of a field that the file lacks, if there is one without being told.
    fn absent() -> Option<Self>;

    /// Plans to load the field where its container should be.
    fn stage_alone<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's;

    /// Plans to load the field out of an entry or item. `cx` is the container's, `field` its own.
    fn stage_field<'s>(
        &'s mut self,
        value: Option<&Value<'de>>,
        key: &str,
        cx: &Context<'_>,
        field: &Context<'_>,
        plan: &mut Plan<'s>,
        absent: impl FnOnce() -> Option<Self>,
    ) where
        'de: 's,
        Self: 's;
}

impl<'de, T: Restore<'de, M>, M> RestoreField<'de, M> for T {
    const REPLACED: bool = T::REPLACED;

    fn restore_alone<D: Deserializer<'de>>(
        deserializer: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error> {
        T::restore(deserializer, cx)
    }

    fn take_entry<A: MapAccess<'de>>(
        slot: &mut Slot<Self>,
        map: &mut A,
        cx: &Context<'_>,
    ) -> Result<(), A::Error> {
        fields::take_field::<T, M, A>(slot, map, cx)
    }

    fn take_item<A: SeqAccess<'de>>(
        slot: &mut Slot<Self>,
        seq: &mut A,
        cx: &Context<'_>,
    ) -> Result<bool, A::Error> {
        fields::take_item::<T, M, A>(slot, seq, cx)
    }

    fn absent() -> Option<Self> {
        T::absent()
    }

    fn stage_alone<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        T::stage(self, value, cx, plan);
    }

    fn stage_field<'s>(
        &'s mut self,
        value: Option<&Value<'de>>,
        key: &str,
        cx: &Context<'_>,
        field: &Context<'_>,
        plan: &mut Plan<'s>,
        absent: impl FnOnce() -> Option<Self>,
    ) where
        'de: 's,
        Self: 's,
    {
        entries::stage_field::<T, M>(self, value, key, cx, field, plan, absent);
    }
}
