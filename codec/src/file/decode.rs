//! MessagePack to values.

use serde::de::DeserializeSeed;

use super::Hooks;
use super::reader::Reader;
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::path::Place;
use crate::state::{MapHook, Value, ValueSeed, Witness};

/// Reads one value, as Dopamine's decoder does: maps that are encodings become arrays and integers.
///
/// Texts and payloads are borrowed from `bytes`. The dtype of an array is never evaluated, pickles
/// are bytes, and object arrays are refused.
///
/// ```
/// use npcodec::{Value, decode};
///
/// let bytes = b"\x81\xa7integer\xb418446744073709551616";
/// let value = decode(bytes)?;
/// assert_eq!(value, Value::from(1u128 << 64));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Syntax`](ErrorKind::Syntax), [`Truncated`](ErrorKind::Truncated) and
/// [`TrailingBytes`](ErrorKind::TrailingBytes) for bytes that are no MessagePack value,
/// [`TooDeep`](ErrorKind::TooDeep), [`KeyType`](ErrorKind::KeyType) and
/// [`RepeatedKey`](ErrorKind::RepeatedKey) for values that no state has, and whatever is wrong with
/// an array or an integer among them. Each says at which path and byte.
pub fn decode(bytes: &[u8]) -> Result<Value<'_>, Error> {
    decode_with(bytes, &Hooks::new())
}

/// Reads one value, offering the maps that are no encodings to hooks.
///
/// # Errors
/// Those of [`decode`], and those of the hooks.
pub fn decode_with<'b>(bytes: &'b [u8], hooks: &Hooks) -> Result<Value<'b>, Error> {
    let hooks: Vec<&MapHook<'_>> = hooks
        .decode
        .iter()
        .map(|hook| &**hook as &MapHook<'_>)
        .collect();
    let witness = Witness::default();
    let seed = ValueSeed::recognised(Place::Root, &hooks).witnessed(&witness);
    let mut reader = Reader::new(bytes);
    match seed.deserialize(&mut reader) {
        Ok(value) => reader.finish().map(|()| value),
        Err(error) => Err(witness.explain(error.at(0))),
    }
}
