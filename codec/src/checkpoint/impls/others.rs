//! Nothing, phantom data, and lengths of time.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::Deserializer;

use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, Native, Ordinary};
use crate::checkpoint::sink::{MapSink, Sink};
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};

struct Nil;

impl Expect<'_> for Nil {
    type Output = ();

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nil")
    }

    fn nil(self, _: &Context<'_>) -> Option<()> {
        Some(())
    }
}

/// Reads nil, as unit structs are written.
///
/// # Errors
/// Those of the deserializer.
pub fn restore_nil<'de, D: Deserializer<'de>>(
    d: D,
    cx: &Context<'_>,
) -> Result<Option<()>, D::Error> {
    visit(d, Nil, cx)
}

impl<F: Ordinary> Save<Deep<F>> for () {
    const NULLABLE: bool = true;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.nil()
    }
}

impl<'de, F: Ordinary> Restore<'de, Deep<F>> for () {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        restore_nil(d, cx)
    }
}

impl<F: Ordinary, T: ?Sized> Save<Deep<F>> for PhantomData<T> {
    const NULLABLE: bool = true;

    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.nil()
    }
}

impl<'de, F: Ordinary, T: ?Sized> Restore<'de, Deep<F>> for PhantomData<T> {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        Ok(restore_nil(d, cx)?.map(|()| PhantomData))
    }

    fn absent() -> Option<Self> {
        Some(PhantomData)
    }
}

/// A map of `secs` and `nanos`, as serde has it.
impl<F: Ordinary> Save<Deep<F>> for Duration {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map_of_different(2)?;
        map.entry("secs".into(), Number(self.as_secs()))?;
        map.entry("nanos".into(), Number(self.subsec_nanos().into()))?;
        map.end()
    }
}

struct Number(u64);

impl<'a> crate::checkpoint::sink::SaveOnce<'a> for Number {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        sink.integer(self.0.into())
    }
}

struct Time;

impl<'de> Expect<'de> for Time {
    type Output = Duration;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of `secs` and `nanos`")
    }

    fn map<A: serde::de::MapAccess<'de>>(
        self,
        map: A,
        cx: &Context<'_>,
    ) -> Result<Option<Duration>, A::Error> {
        type Parts = std::collections::BTreeMap<String, u64>;
        let map = serde::de::value::MapAccessDeserializer::new(map);
        let parts = <Parts as Restore<'de, Native>>::restore(map, cx)?;
        let Some(parts) = parts else { return Ok(None) };
        let nanos = parts
            .get("nanos")
            .and_then(|&nanos| u32::try_from(nanos).ok());
        match (parts.len(), parts.get("secs"), nanos) {
            (2, Some(&secs), Some(nanos)) if nanos < 1_000_000_000 => {
                Ok(Some(Duration::new(secs, nanos)))
            }
            _ => Ok(self.refuse("a map with other entries", cx)),
        }
    }
}

impl<'de, F: Ordinary> Restore<'de, Deep<F>> for Duration {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        visit(d, Time, cx)
    }
}
