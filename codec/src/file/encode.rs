//! Values to MessagePack.

use super::write::to_vec_with;
use crate::checkpoint::WriteOptions;
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::state::Value;

/// Writes one value, as Dopamine's encoder does.
///
/// # Errors
/// [`NotRepresentable`](ErrorKind::NotRepresentable) for complex numbers, which only a hook can
/// write, [`KeyType`](ErrorKind::KeyType) and [`TooLong`](ErrorKind::TooLong). Each says at which
/// path.
pub fn encode(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    encode_with(value, &WriteOptions::new())
}

/// Writes one value, offering what MessagePack cannot hold to hooks.
///
/// # Errors
/// Those of [`encode`], those of the hooks, and [`TooDeep`](ErrorKind::TooDeep) for a hook that never
/// gives anything that can be written.
pub fn encode_with(value: &Value<'_>, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    to_vec_with(value, options)
}
