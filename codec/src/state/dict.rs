//! The map of a state: string and integer keys in the order of insertion.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use indexmap::{Equivalent, IndexMap};

use super::Value;

/// A key of a map: a string, or an integer of 64 bits, as Dopamine's samplers use them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Key<'a> {
    /// A string key.
    String(Cow<'a, str>),
    /// An integer key, of the range -2^63 to 2^64-1.
    Integer(i128),
}

impl Key<'_> {
    /// Returns the string if the key is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            Self::Integer(_) => None,
        }
    }

    /// Returns the same key, borrowing from this one.
    #[must_use]
    pub fn borrowed(&self) -> Key<'_> {
        match self {
            Self::String(text) => Key::String(Cow::Borrowed(text)),
            Self::Integer(value) => Key::Integer(*value),
        }
    }

    /// Returns the same key with its own text.
    #[must_use]
    pub fn into_owned(self) -> Key<'static> {
        match self {
            Self::String(text) => Key::String(Cow::Owned(text.into_owned())),
            Self::Integer(value) => Key::Integer(value),
        }
    }
}

// A string key hashes as its text, so that a map can be asked by `&str`.
impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::String(text) => str::hash(text, state),
            Self::Integer(value) => value.hash(state),
        }
    }
}

impl Equivalent<Key<'_>> for str {
    fn equivalent(&self, key: &Key<'_>) -> bool {
        key.as_str() == Some(self)
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => write!(f, "\"{}\"", crate::path::Escaped(text)),
            Self::Integer(value) => write!(f, "{value}"),
        }
    }
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(Cow::Borrowed(text))
    }
}

impl From<String> for Key<'_> {
    fn from(text: String) -> Self {
        Self::String(Cow::Owned(text))
    }
}

impl From<i64> for Key<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u64> for Key<'_> {
    fn from(value: u64) -> Self {
        Self::Integer(value.into())
    }
}

/// A map of keys to values that keeps the order of insertion.
///
/// ```
/// use npcodec::{StateDict, Value};
///
/// let mut dict = StateDict::new();
/// dict.insert("step", 7);
/// dict.insert(3i64, "an integer key");
/// assert_eq!(dict.get("step"), Some(&Value::from(7)));
/// assert_eq!(dict.keys().count(), 2);
/// ```
// Behind a box, so that a value that is no map does not take the room of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StateDict<'a>(Box<IndexMap<Key<'a>, Value<'a>>>);

impl<'a> StateDict<'a> {
    /// Makes an empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value under a key, a `&str` or a [`Key`].
    #[must_use]
    pub fn get<Q: Hash + Equivalent<Key<'a>> + ?Sized>(&self, key: &Q) -> Option<&Value<'a>> {
        self.0.get(key)
    }

    /// Returns the value under a key, to be changed.
    #[must_use]
    pub fn get_mut<Q: Hash + Equivalent<Key<'a>> + ?Sized>(
        &mut self,
        key: &Q,
    ) -> Option<&mut Value<'a>> {
        self.0.get_mut(key)
    }

    /// Returns true if the key is there.
    #[must_use]
    pub fn contains_key<Q: Hash + Equivalent<Key<'a>> + ?Sized>(&self, key: &Q) -> bool {
        self.0.contains_key(key)
    }

    /// Puts a value under a key; returns the one that was there. A new key goes to the end.
    pub fn insert(
        &mut self,
        key: impl Into<Key<'a>>,
        value: impl Into<Value<'a>>,
    ) -> Option<Value<'a>> {
        self.0.insert(key.into(), value.into())
    }

    /// Puts a value under a key, and returns the key if it was there.
    pub(crate) fn insert_new(&mut self, key: Key<'a>, value: Value<'a>) -> Option<&Key<'a>> {
        let (index, before) = self.0.insert_full(key, value);
        before?;
        self.0.get_index(index).map(|(key, _)| key)
    }

    /// Takes a value out; the others keep their order.
    pub fn remove<Q: Hash + Equivalent<Key<'a>> + ?Sized>(&mut self, key: &Q) -> Option<Value<'a>> {
        self.0.shift_remove(key)
    }

    /// Iterates over keys and values in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key<'a>, &Value<'a>)> {
        self.0.iter()
    }

    /// Iterates over the keys in their order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Key<'a>> {
        self.0.keys()
    }

    /// Iterates over the values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value<'a>> {
        self.0.values()
    }

    /// Returns the same map, borrowing texts and payloads from this one.
    #[must_use]
    pub fn borrowed(&self) -> StateDict<'_> {
        self.iter()
            .map(|(key, value)| (key.borrowed(), value.borrowed()))
            .collect()
    }

    /// Returns the same map with its own texts and payloads.
    #[must_use]
    pub fn into_owned(self) -> StateDict<'static> {
        self.into_iter()
            .map(|(key, value)| (key.into_owned(), value.into_owned()))
            .collect()
    }

    /// Makes room for more keys.
    pub(crate) fn reserve(&mut self, keys: usize) {
        self.0.reserve(keys);
    }

    pub(crate) fn entry_at(&self, position: usize) -> Option<(&Key<'a>, &Value<'a>)> {
        self.0.get_index(position)
    }

    pub(crate) fn position_of(&self, key: &Key<'_>) -> Option<usize> {
        self.0.get_index_of(&Same(key))
    }

    pub(crate) fn position<Q: Hash + Equivalent<Key<'a>> + ?Sized>(
        &self,
        key: &Q,
    ) -> Option<usize> {
        self.0.get_index_of(key)
    }
}

/// Asks a map for a key of another lifetime.
#[derive(Hash)]
struct Same<'k>(&'k Key<'k>);

impl Equivalent<Key<'_>> for Same<'_> {
    fn equivalent(&self, key: &Key<'_>) -> bool {
        self.0 == key
    }
}

impl<'a, K: Into<Key<'a>>, V: Into<Value<'a>>> FromIterator<(K, V)> for StateDict<'a> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value)| (key.into(), value.into()));
        Self(Box::new(entries.collect()))
    }
}

impl<'a> IntoIterator for StateDict<'a> {
    type Item = (Key<'a>, Value<'a>);
    type IntoIter = indexmap::map::IntoIter<Key<'a>, Value<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'s, 'a> IntoIterator for &'s StateDict<'a> {
    type Item = (&'s Key<'a>, &'s Value<'a>);
    type IntoIter = indexmap::map::Iter<'s, Key<'a>, Value<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
