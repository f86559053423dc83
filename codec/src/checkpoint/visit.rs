//! What a value is expected to be: everything else is reported and read past.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::context::Context;
use crate::encoding::{Encoded, Integer};
use crate::error::ErrorKind;
use crate::state::LIST_TOKEN;

/// Takes the kinds of value that it expects. The provided methods refuse all kinds: they report the
/// mismatch and read past the value.
pub(crate) trait Expect<'de>: Sized {
    type Output;

    /// True for what takes arrays whose payload is still in its source.
    const STORED: bool = false;

    /// True for what takes lists, and so maps that stand for lists where there are any.
    fn takes_lists(&self) -> bool {
        false
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    fn refuse(&self, found: impl fmt::Display, cx: &Context<'_>) -> Option<Self::Output> {
        cx.mismatch(Text(self).to_string(), found.to_string());
        None
    }

    fn nil(self, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse("nil", cx)
    }

    fn bool(self, value: bool, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse(if value { "true" } else { "false" }, cx)
    }

    fn integer(self, value: Integer<'de>, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse(format_args!("integer {value}"), cx)
    }

    fn float(self, value: f64, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse(format_args!("float {value}"), cx)
    }

    /// A float of 32 bits, which is what most types take any float for.
    fn float32(self, value: f32, cx: &Context<'_>) -> Option<Self::Output> {
        self.float(f64::from(value), cx)
    }

    fn text(self, _: Cow<'de, str>, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse("a string", cx)
    }

    fn bytes(self, bytes: Cow<'de, [u8]>, cx: &Context<'_>) -> Option<Self::Output> {
        self.refuse(format_args!("{} bytes", bytes.len()), cx)
    }

    fn list<A: SeqAccess<'de>>(
        self,
        mut seq: A,
        cx: &Context<'_>,
    ) -> Result<Option<Self::Output>, A::Error> {
        let refused = self.refuse("a list", cx);
        cx.skip_inside()?.items(&mut seq)?;
        Ok(refused)
    }

    /// A map, which may be an encoded array or integer.
    fn map<A: MapAccess<'de>>(
        self,
        map: A,
        cx: &Context<'_>,
    ) -> Result<Option<Self::Output>, A::Error> {
        let encoded = match Encoded::from_map(map, cx.skip_inside()?, cx.source().is_some())? {
            Encoded::Array(array) if !Self::STORED => Encoded::Array(cx.loaded(array)?),
            Encoded::Faulty(error) if matches!(error.kind(), ErrorKind::Io { .. }) => {
                return Err(cx.fault(error));
            }
            encoded => encoded,
        };
        Ok(self.encoded(encoded, cx))
    }

    /// What a map turned out to be.
    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<Self::Output> {
        match encoded {
            Encoded::Integer(text) => self.integer(Integer::Long(text), cx),
            encoded => self.refuse(encoded, cx),
        }
    }
}

/// Reads one value through what is expected of it.
pub(crate) fn visit<'de, D: Deserializer<'de>, E: Expect<'de>>(
    deserializer: D,
    expect: E,
    cx: &Context<'_>,
) -> Result<Option<E::Output>, D::Error> {
    if cx.lists_are_maps() && expect.takes_lists() {
        return deserializer.deserialize_newtype_struct(LIST_TOKEN, Visit(expect, cx));
    }
    deserializer.deserialize_any(Visit(expect, cx))
}

const TOO_DEEP: &str = "lists and maps nested too deep";

struct Text<'e, E>(&'e E);

impl<'de, E: Expect<'de>> fmt::Display for Text<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expected(f)
    }
}

struct Visit<'c, E>(E, &'c Context<'c>);

impl<'de, E: Expect<'de>> Visitor<'de> for Visit<'_, E> {
    type Value = Option<E::Output>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expected(f)
    }

    fn visit_unit<F>(self) -> Result<Self::Value, F> {
        Ok(self.0.nil(self.1))
    }

    fn visit_none<F>(self) -> Result<Self::Value, F> {
        Ok(self.0.nil(self.1))
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<F>(self, value: bool) -> Result<Self::Value, F> {
        Ok(self.0.bool(value, self.1))
    }

    fn visit_i64<F>(self, value: i64) -> Result<Self::Value, F> {
        Ok(self.0.integer(value.into(), self.1))
    }

    fn visit_u64<F>(self, value: u64) -> Result<Self::Value, F> {
        Ok(self.0.integer(value.into(), self.1))
    }

    fn visit_i128<F>(self, value: i128) -> Result<Self::Value, F> {
        Ok(self.0.integer(value.into(), self.1))
    }

    fn visit_u128<F>(self, value: u128) -> Result<Self::Value, F> {
        Ok(self.0.integer(value.into(), self.1))
    }

    fn visit_f32<F>(self, value: f32) -> Result<Self::Value, F> {
        Ok(self.0.float32(value, self.1))
    }

    fn visit_f64<F>(self, value: f64) -> Result<Self::Value, F> {
        Ok(self.0.float(value, self.1))
    }

    fn visit_borrowed_str<F>(self, text: &'de str) -> Result<Self::Value, F> {
        Ok(self.0.text(Cow::Borrowed(text), self.1))
    }

    fn visit_str<F>(self, text: &str) -> Result<Self::Value, F> {
        Ok(self.0.text(Cow::Owned(text.to_owned()), self.1))
    }

    fn visit_string<F>(self, text: String) -> Result<Self::Value, F> {
        Ok(self.0.text(Cow::Owned(text), self.1))
    }

    fn visit_borrowed_bytes<F>(self, bytes: &'de [u8]) -> Result<Self::Value, F> {
        Ok(self.0.bytes(Cow::Borrowed(bytes), self.1))
    }

    fn visit_bytes<F>(self, bytes: &[u8]) -> Result<Self::Value, F> {
        Ok(self.0.bytes(Cow::Owned(bytes.to_vec()), self.1))
    }

    fn visit_byte_buf<F>(self, bytes: Vec<u8>) -> Result<Self::Value, F> {
        Ok(self.0.bytes(Cow::Owned(bytes), self.1))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        if self.1.is_too_deep() {
            self.1.skip_inside()?.items(&mut seq)?;
            return Ok(self.0.refuse(TOO_DEEP, self.1));
        }
        self.0.list(seq, self.1)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        if self.1.is_too_deep() {
            self.1.skip_inside()?.entries(&mut map)?;
            return Ok(self.0.refuse(TOO_DEEP, self.1));
        }
        self.0.map(map, self.1)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        self.1.skip().deserialize(inner)?;
        Ok(self.0.refuse("an extension", self.1))
    }
}
