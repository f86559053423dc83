//! The state of any of NumPy's generators: PCG64 to draw from, others to carry along.

use npcodec_derive::Checkpoint;
use rand_core::TryRng;
use serde::de::Deserializer;

use super::pcg64::Pcg64;
use super::wire;
use crate::checkpoint::{Context, Restore, Save, SaveOnce, Sink};
use crate::encoding::Integer;
use crate::error::{Error, ReplayError};
use crate::state::{StateDict, Value};

/// The state of a NumPy `Generator`, in a file the dict `rng.bit_generator.state`.
///
/// ```
/// use npcodec::replay::Generator;
///
/// let rng = Generator::seeded(7);
/// let bytes = npcodec::to_vec(&rng)?;
/// let mut restored: Generator = npcodec::from_slice(&bytes)?;
/// assert_eq!(restored, rng);
/// assert_eq!(restored.pcg64()?.integers(100)?, 94);
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Generator {
    /// What `np.random.default_rng` makes.
    Pcg64(Pcg64),
    /// The state of another bit generator: written as it was read, and never drawn from.
    Carried(StateDict<'static>),
}

impl Generator {
    /// Returns the generator that `np.random.default_rng(seed)` is.
    #[must_use]
    pub fn seeded(seed: u128) -> Self {
        Self::Pcg64(Pcg64::seeded(seed))
    }

    /// Returns the generator to draw from.
    ///
    /// # Errors
    /// [`NotDrawable`](ReplayError::NotDrawable) for a state that is only carried along.
    pub fn pcg64(&mut self) -> Result<&mut Pcg64, Error> {
        match self {
            Self::Pcg64(generator) => Ok(generator),
            Self::Carried(state) => Err(ReplayError::NotDrawable {
                bit_generator: kind(state).unwrap_or("without a name").to_owned(),
            }
            .into()),
        }
    }
}

impl From<Pcg64> for Generator {
    fn from(generator: Pcg64) -> Self {
        Self::Pcg64(generator)
    }
}

/// Draws, or says that the state is only carried along.
impl TryRng for Generator {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Ok(self.pcg64()?.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Ok(self.pcg64()?.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let Ok(()) = self.pcg64()?.try_fill_bytes(bytes);
        Ok(())
    }
}

fn kind<'s>(state: &'s StateDict<'_>) -> Option<&'s str> {
    state.get("bit_generator").and_then(Value::as_str)
}

/// The dict of a PCG64.
#[derive(Checkpoint)]
#[checkpoint(crate = "crate")]
struct State {
    bit_generator: String,
    state: Words,
    has_uint32: u32,
    uinteger: u32,
}

#[derive(Checkpoint)]
#[checkpoint(crate = "crate")]
struct Words {
    state: u128,
    inc: u128,
}

impl Save for Generator {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Pcg64(generator) => dict(generator).save_once(sink),
            Self::Carried(state) => wire::save(state, sink),
        }
    }
}

fn dict(generator: &Pcg64) -> Value<'static> {
    let map = |entries: Vec<(&'static str, Value<'static>)>| {
        let mut map = StateDict::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        Value::Map(map)
    };
    let integer = |value| Value::Integer(Integer::from(value));
    map(vec![
        ("bit_generator", Value::String("PCG64".into())),
        (
            "state",
            map(vec![
                ("state", integer(generator.state)),
                ("inc", integer(generator.inc)),
            ]),
        ),
        ("has_uint32", integer(u128::from(generator.has_uint32))),
        ("uinteger", integer(u128::from(generator.uinteger))),
    ])
}

impl<'de> Restore<'de> for Generator {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let Some(state) = wire::restore::<StateDict<'_>, D>(d, cx)? else {
            return Ok(None);
        };
        Ok(match kind(&state) {
            Some("PCG64") => pcg64(state, cx).map(Self::Pcg64),
            _ => Some(Self::Carried(state.into_owned())),
        })
    }
}

fn pcg64(state: StateDict<'_>, cx: &Context<'_>) -> Option<Pcg64> {
    let state: State = wire::restore_value(Value::Map(state), cx)?;
    let has_uint32 = match state.has_uint32 {
        0 => false,
        1 => true,
        other => {
            cx.field("has_uint32").mismatch("0 or 1", other.to_string());
            return None;
        }
    };
    Some(Pcg64 {
        state: state.state.state,
        inc: state.state.inc,
        has_uint32,
        uinteger: state.uinteger,
    })
}
