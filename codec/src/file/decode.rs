//! MessagePack to values.

use serde::de::DeserializeSeed;

use super::Hooks;
use crate::error::{Error, ErrorKind};
use crate::path::Place;
use crate::state::{MapHook, Value, ValueSeed};

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
/// [`Syntax`](ErrorKind::Syntax) for bytes that are no MessagePack, with what is wrong with an
/// encoding among them; [`TrailingBytes`](ErrorKind::TrailingBytes) after the value.
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
    let mut deserializer = rmp_serde::Deserializer::from_read_ref(bytes);
    let seed = ValueSeed::recognised(Place::Root, &hooks);
    seed.deserialize(&mut deserializer).map_err(|error| {
        let reason = error.to_string();
        ErrorKind::Syntax { reason }.into()
    })
}
