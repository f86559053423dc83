//! Values to MessagePack.

use serde::Serialize;

use super::Hooks;
use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::state::{At, StateDict, Value, Witness};

/// Writes one value, as Dopamine's encoder does.
///
/// # Errors
/// [`NotRepresentable`](ErrorKind::NotRepresentable) for complex numbers, which only a hook can
/// write, [`KeyType`](ErrorKind::KeyType) and [`TooLong`](ErrorKind::TooLong). Each says at which
/// path.
pub fn encode(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let witness = Witness::default();
    match At::witnessed(value, &witness).serialize(&mut rmp_serde::Serializer::new(&mut bytes)) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(witness.explain(serde::ser::Error::custom(error))),
    }
}

/// Writes one value, offering what MessagePack cannot hold to hooks.
///
/// # Errors
/// Those of [`encode`], and those of the hooks; [`TooDeep`](ErrorKind::TooDeep) for a hook that never
/// gives anything that can be written.
pub fn encode_with(value: &Value<'_>, hooks: &Hooks) -> Result<Vec<u8>, Error> {
    if hooks.encode.is_empty() {
        return encode(value);
    }
    encode(&hooked(value, hooks, limits::DEPTH)?)
}

/// Puts what the hooks give in the place of the values that they take.
fn hooked<'v>(value: &'v Value<'_>, hooks: &Hooks, depth: usize) -> Result<Value<'v>, Error> {
    let limit = limits::DEPTH;
    let depth = depth.checked_sub(1).ok_or(ErrorKind::TooDeep { limit })?;
    Ok(match value {
        Value::Complex(_) | Value::Extension(..) => {
            for hook in &hooks.encode {
                if let Some(replaced) = hook(value)? {
                    return Ok(hooked(&replaced, hooks, depth)?.into_owned());
                }
            }
            value.borrowed()
        }
        Value::List(items) => {
            let items = items.iter().map(|item| hooked(item, hooks, depth));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Value::Map(map) => {
            let mut replaced = StateDict::new();
            for (key, value) in map.iter() {
                replaced.insert(key.borrowed(), hooked(value, hooks, depth)?);
            }
            Value::Map(replaced)
        }
        value => value.borrowed(),
    })
}
