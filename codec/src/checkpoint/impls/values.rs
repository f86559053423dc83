//! Values and wire forms as parts of a state: written as they are, read as they come.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess};

use super::arrays::encoding;
use crate::checkpoint::context::Context;
use crate::checkpoint::entries::Entries;
use crate::checkpoint::fields::RestoreFields;
use crate::checkpoint::mode::{Deep, Ordinary};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::reporting::repeated_entry;
use crate::checkpoint::restore::restored;
use crate::checkpoint::save::SaveFields;
use crate::checkpoint::sink::{ListSink, MapSink, Ref, Sink};
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::encoding::{Integer, LongIntegerEncoding, NumpyEncoding};
use crate::state::{Key, StateDict, Value};

/// Says what a value is, for the report of a mismatch.
pub(crate) fn describe(value: &Value<'_>) -> String {
    match value {
        Value::Array(array) => array.to_string(),
        Value::Integer(value) => format!("integer {value}"),
        Value::List(items) => format!("a list of {}", items.len()),
        other => other.kind().to_owned(),
    }
}

impl<F: Ordinary> Save<Deep<F>> for Value<'_> {
    const NULLABLE: bool = false;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nil => sink.nil(),
            Self::Bool(value) => sink.bool(*value),
            Self::Integer(value) => sink.integer(value.borrowed()),
            Self::Float32(value) => sink.float32(*value),
            Self::Float64(value) => sink.float64(*value),
            Self::Complex(value) => sink.complex(*value),
            Self::String(text) => sink.string(text.as_ref().into()),
            Self::Bytes(bytes) => sink.bytes(bytes.as_ref().into()),
            Self::List(items) => {
                let mut list = sink.list(items.len())?;
                for item in items {
                    list.item(Ref::<Self, Deep<F>>::new(item))?;
                }
                list.end()
            }
            Self::Map(map) => <StateDict<'_> as Save<Deep<F>>>::save(map, sink),
            Self::Array(array) => sink.array(array.borrowed()),
            Self::Extension(code, bytes) => sink.extension(*code, bytes.as_ref().into()),
        }
    }
}

impl<F: Ordinary> Save<Deep<F>> for StateDict<'_> {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map_of_different(self.len())?;
        self.save_fields(&mut map)?;
        map.end()
    }
}

impl SaveFields for StateDict<'_> {
    fn count(&self) -> usize {
        self.len()
    }

    fn save_fields<'a, S: MapSink<'a>>(&'a self, map: &mut S) -> Result<(), S::Error> {
        for (key, value) in self.iter() {
            let value = Ref::<Value<'_>, crate::checkpoint::mode::Native>::new(value);
            map.entry(key.borrowed(), value)?;
        }
        Ok(())
    }
}

impl<F: Ordinary> Save<Deep<F>> for NumpyEncoding<'_> {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.array(self.borrowed())
    }
}

impl<F: Ordinary> Save<Deep<F>> for LongIntegerEncoding<'_> {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.integer(Integer::Long(self.borrowed()))
    }
}

/// Reads a value without a target type. One that has no parts is read whole, also where patterns ask
/// for parts only.
fn value<'de, D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Value<'de>, D::Error> {
    match cx.value_seed().deserialize(d)? {
        Value::Array(array) => cx.loaded(array).map(Value::Array),
        value => Ok(value),
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for Value<'a> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        value(d, cx).map(Some)
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for StateDict<'a> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        match value(d, cx)? {
            Value::Map(map) => Ok(Some(map)),
            other => {
                cx.mismatch("a map", describe(&other));
                Ok(None)
            }
        }
    }
}

impl<'de: 'a, 'a> RestoreFields<'de> for StateDict<'a> {
    const OPEN: bool = true;
    type Slots = (StateDict<'a>, bool);

    fn slots() -> Self::Slots {
        (StateDict::new(), true)
    }

    fn take<A: MapAccess<'de>>(
        slots: &mut Self::Slots,
        key: &Key<'de>,
        map: &mut A,
        cx: &Context<'_>,
    ) -> Result<bool, A::Error> {
        let (dict, complete) = slots;
        let entry = cx.entry(key);
        if !entry.is_wanted() {
            map.next_value_seed(entry.skip())?;
            return Ok(true);
        }
        if dict.contains_key(key) {
            map.next_value_seed(entry.skip())?;
            repeated_entry(key, cx);
            *complete = false;
            return Ok(true);
        }
        let seed = entry.value_seed();
        let value = entry.passing(map.next_value_seed(seed))?;
        if let Some(value) = seed.kept(value) {
            cx.took(true);
            dict.insert(key.clone(), value);
        }
        Ok(true)
    }

    fn finish((dict, complete): Self::Slots, _: &Context<'_>) -> Option<Self> {
        complete.then_some(dict)
    }

    fn stage_fields<'s>(
        &'s mut self,
        entries: &mut Entries<'_, 'de>,
        cx: &Context<'_>,
        plan: &mut Plan<'s>,
    ) where
        'de: 's,
    {
        let mut fresh = StateDict::new();
        let mut complete = true;
        for (key, value) in entries.take_rest() {
            let entry = cx.entry(key);
            if !entry.holds_wanted(value) {
                continue;
            }
            match restored::<Value<'a>, crate::checkpoint::mode::Native>(value, &entry) {
                Some(value) => drop(fresh.insert(key.clone(), value)),
                None => complete = false,
            }
        }
        if !complete {
            return;
        }
        if cx.is_selected() {
            plan.step(move || *self = fresh);
        } else if !fresh.is_empty() {
            // What nobody asked for stays as it is.
            plan.step(move || {
                for (key, value) in fresh {
                    self.insert(key, value);
                }
            });
        }
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for NumpyEncoding<'a> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        encoding(d, || "an array".to_owned(), cx)
    }
}

struct LongInteger;

impl<'de> Expect<'de> for LongInteger {
    type Output = LongIntegerEncoding<'de>;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer in decimal text")
    }

    fn integer(self, value: Integer<'de>, cx: &Context<'_>) -> Option<LongIntegerEncoding<'de>> {
        match value {
            Integer::Long(text) => Some(text),
            native => self.refuse(format_args!("integer {native}"), cx),
        }
    }
}

impl<'de: 'a, 'a, F: Ordinary> Restore<'de, Deep<F>> for LongIntegerEncoding<'a> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        visit(d, LongInteger, cx)
    }
}
