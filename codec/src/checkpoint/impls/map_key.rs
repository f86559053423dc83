//! Keys of maps.

use std::borrow::Cow;

use crate::checkpoint::context::Context;
use crate::state::Key;

/// A type that a map's keys can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key of a checkpoint's map",
    note = "keys are strings and integers"
)]
pub trait MapKey: Sized {
    /// Says what such keys are, for the report of another one.
    const EXPECTED: &'static str;

    /// True if different values are different keys, so that a map need not look for equal ones.
    #[doc(hidden)]
    const DIFFERENT: bool = false;

    /// Returns the key.
    fn to_key(&self) -> Key<'_>;

    /// Reads a key; none if it is of the other kind or out of range.
    fn from_key(key: &Key<'_>) -> Option<Self>;
}

/// Reads a key; where lists are maps, integers may be the texts that Flax makes of them.
pub(super) fn read<K: MapKey>(key: &Key<'_>, cx: &Context<'_>) -> Option<K> {
    K::from_key(key).or_else(|| match key {
        Key::String(text) if cx.lists_are_maps() => {
            let integer: i128 = text.parse().ok()?;
            let same = integer.to_string() == **text;
            same.then(|| K::from_key(&Key::Integer(integer))).flatten()
        }
        _ => None,
    })
}

/// Returns the text that stands for an integer key where lists are maps.
pub(super) fn as_text(key: &Key<'_>, cx: &Context<'_>) -> Option<Key<'static>> {
    match key {
        Key::Integer(integer) if cx.lists_are_maps() => Some(Key::from(integer.to_string())),
        _ => None,
    }
}

impl MapKey for String {
    const EXPECTED: &'static str = "a string as key";
    const DIFFERENT: bool = true;

    fn to_key(&self) -> Key<'_> {
        Key::from(self.as_str())
    }

    fn from_key(key: &Key<'_>) -> Option<Self> {
        key.as_str().map(str::to_owned)
    }
}

impl MapKey for Cow<'_, str> {
    const EXPECTED: &'static str = "a string as key";
    const DIFFERENT: bool = true;

    fn to_key(&self) -> Key<'_> {
        Key::from(self.as_ref())
    }

    fn from_key(key: &Key<'_>) -> Option<Self> {
        key.as_str().map(|text| Cow::Owned(text.to_owned()))
    }
}

impl MapKey for Key<'_> {
    const EXPECTED: &'static str = "a string or an integer as key";
    const DIFFERENT: bool = true;

    fn to_key(&self) -> Key<'_> {
        self.borrowed()
    }

    fn from_key(key: &Key<'_>) -> Option<Self> {
        Some(key.clone().into_owned())
    }
}

macro_rules! integer_keys {
    ($($type:ty),*) => {$(
        impl MapKey for $type {
            const EXPECTED: &'static str = concat!("a key that fits ", stringify!($type));
            const DIFFERENT: bool = true;

            fn to_key(&self) -> Key<'_> {
                Key::Integer(*self as i128)
            }

            fn from_key(key: &Key<'_>) -> Option<Self> {
                match key {
                    Key::Integer(value) => Self::try_from(*value).ok(),
                    Key::String(_) => None,
                }
            }
        }
    )*};
}

integer_keys!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
