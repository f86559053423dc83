//! The protobuf forms of records, through `prost`.

pub(super) mod arrays;
pub(super) mod message;
pub(super) mod values;
pub(super) mod write;

use bytes::Buf;
use prost::Message;

use super::TypedDict;
use crate::error::{Error, ErrorKind};
use crate::path::{Path, Segment, excerpt};
use crate::state::Key;

/// What the errors of this format call it.
pub(super) const FORMAT: &str = "flower";

/// Reads a message that takes the whole input.
///
/// # Errors
/// [`ErrorKind::Format`].
pub(super) fn decode<M: Message + Default>(
    bytes: impl Buf,
    name: &'static str,
) -> Result<M, Error> {
    M::decode(bytes).map_err(|error| fault(format!("a protobuf {name}"), &error.to_string()))
}

/// Makes the error for a message that is not as Flower's are.
pub(super) fn fault(expected: impl Into<String>, found: &str) -> Error {
    ErrorKind::Format {
        format: FORMAT,
        expected: expected.into(),
        found: excerpt(found).into_owned(),
    }
    .into()
}

/// Gives an error its place under the key of a record.
pub(super) fn under(error: Error, key: &str) -> Error {
    error.under(&Path::root().join(Segment::Key(key.to_owned())))
}

/// Puts the items of a message into a record, each under a key of its own.
///
/// # Errors
/// [`ErrorKind::RepeatedKey`]: Flower writes no key twice, and of two values one would be lost.
/// Those of the items.
pub(super) fn collect<V>(
    items: impl Iterator<Item = (String, Result<V, Error>)>,
) -> Result<TypedDict<V>, Error> {
    let mut dict = TypedDict::new();
    for (key, value) in items {
        let value = value.map_err(|error| under(error, &key))?;
        if dict.contains_key(&key) {
            let key = Key::from(key).to_string();
            return Err(ErrorKind::RepeatedKey { key }.into());
        }
        dict.insert(key, value);
    }
    Ok(dict)
}
