//! What happens to values that are neither MessagePack nor one of the encodings.

use std::fmt;
use std::sync::Arc;

use super::{StateDict, Value};
use crate::error::Error;

type DecodeHook = dyn for<'v> Fn(&StateDict<'v>) -> Result<Option<Value<'v>>, Error> + Send + Sync;
type EncodeHook = dyn for<'v> Fn(&Value<'v>) -> Result<Option<Value<'v>>, Error> + Send + Sync;

/// Encoders and decoders of a user's own types, as Dopamine's `chain` and `encode.register`.
///
/// An encode hook is offered each value that MessagePack cannot hold as such, complex numbers and
/// extensions; a decode hook each map that is neither an array nor an integer, the innermost first.
/// Hooks are asked in the order in which they were added, until one gives a value.
///
/// ```
/// use npcodec::num_complex::Complex;
/// use npcodec::{Hooks, ReadOptions, StateDict, Value, WriteOptions, decode_with, encode_with};
///
/// let hooks = Hooks::new()
///     .encode(|value| Ok(match value {
///         Value::Complex(z) => Some(Value::Map([("re", z.re), ("im", z.im)].into_iter().collect())),
///         _ => None,
///     }))
///     .decode(|map| Ok(match (map.len(), map.get("re"), map.get("im")) {
///         (2, Some(Value::Float64(re)), Some(Value::Float64(im))) => {
///             Some(Value::Complex(Complex::new(*re, *im)))
///         }
///         _ => None,
///     }));
/// let value = Value::List(vec![Value::Complex(Complex::new(1.0, -2.0))]);
/// let bytes = encode_with(&value, &WriteOptions::new().hooks(hooks.clone()))?;
/// assert_eq!(decode_with(&bytes, &ReadOptions::new().hooks(hooks))?, value);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Hooks {
    encode: Vec<Arc<EncodeHook>>,
    decode: Vec<Arc<DecodeHook>>,
}

impl Hooks {
    /// No hooks at all.
    pub(crate) const NONE: &'static Self = &Self {
        encode: Vec::new(),
        decode: Vec::new(),
    };

    /// Starts without hooks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an encoder: `Some` is written in the place of the value.
    #[must_use]
    pub fn encode(
        mut self,
        hook: impl for<'v> Fn(&Value<'v>) -> Result<Option<Value<'v>>, Error> + Send + Sync + 'static,
    ) -> Self {
        self.encode.push(Arc::new(hook));
        self
    }

    /// Adds a decoder: `Some` is what the map becomes.
    #[must_use]
    pub fn decode(
        mut self,
        hook: impl for<'v> Fn(&StateDict<'v>) -> Result<Option<Value<'v>>, Error>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.decode.push(Arc::new(hook));
        self
    }

    /// Offers a value that MessagePack cannot hold.
    pub(crate) fn encoded<'v>(&self, value: &Value<'v>) -> Result<Option<Value<'v>>, Error> {
        first(self.encode.iter().map(|hook| hook(value)))
    }

    /// Offers a map that is no encoding.
    pub(crate) fn decoded<'v>(&self, map: &StateDict<'v>) -> Result<Option<Value<'v>>, Error> {
        first(self.decode.iter().map(|hook| hook(map)))
    }
}

fn first<T>(answers: impl Iterator<Item = Result<Option<T>, Error>>) -> Result<Option<T>, Error> {
    for answer in answers {
        if let Some(value) = answer? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks")
            .field("encode", &self.encode.len())
            .field("decode", &self.decode.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::*;

    #[test]
    fn the_first_hook_that_gives_a_value_decides() {
        let hooks = Hooks::new()
            .encode(|_| Ok(None))
            .encode(|_| Ok(Some(Value::from(1))))
            .encode(|_| Ok(Some(Value::from(2))))
            .decode(|_| Ok(None))
            .decode(|_| Ok(Some(Value::from(3))))
            .decode(|_| Ok(Some(Value::from(4))));
        let complex = Value::Complex(Complex::new(1.0, 2.0));
        assert_eq!(hooks.encoded(&complex).unwrap(), Some(Value::from(1)));
        let map = StateDict::new();
        assert_eq!(hooks.decoded(&map).unwrap(), Some(Value::from(3)));
    }
}
