//! The ordered map that every record is.

use indexmap::IndexMap;
use indexmap::map::{IntoIter, Iter, IterMut};

/// A map of texts to values of one type that keeps the order of insertion, as Flower's `TypedDict`.
///
/// The order is a part of what a record is written as, and so of its object id; `==` does not look at
/// it. Rust's names are used where Rust has them: Flower's
/// `popitem` is [`pop_first`](TypedDict::pop_first), `update` is `extend` and `copy` is `clone`.
///
/// ```
/// use npcodec::flower::TypedDict;
///
/// let mut dict: TypedDict<i64> = [("a", 1), ("b", 2)].into_iter().collect();
/// dict.insert("a", 3);                                       // keeps its place
/// assert_eq!(dict.iter().next(), Some(("a", &3)));
/// assert_eq!(dict.pop_or("c", 7), 7);                        // pop("c", 7)
/// assert_eq!(dict.pop_first(), Some(("a".to_owned(), 3)));   // popitem()
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TypedDict<V>(IndexMap<String, V>);

impl<V> TypedDict<V> {
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

    /// Returns true if the key is there.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns the value under a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&V> {
        self.0.get(key)
    }

    /// Returns the value under a key, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.0.get_mut(key)
    }

    /// Puts a value under a key; returns the one that was there, whose place it takes. A new key goes
    /// to the end.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<V>) -> Option<V> {
        self.0.insert(key.into(), value.into())
    }

    /// Returns the value under a key, which is put there first if the key is new.
    pub fn setdefault(&mut self, key: impl Into<String>, value: impl Into<V>) -> &mut V {
        self.0.entry(key.into()).or_insert_with(|| value.into())
    }

    /// Takes a value out; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        self.0.shift_remove(key)
    }

    /// Takes a value out, as [`remove`](Self::remove) does; none where Flower's `pop` without a default
    /// raises a `KeyError`.
    pub fn pop(&mut self, key: &str) -> Option<V> {
        self.remove(key)
    }

    /// Takes a value out, or gives `default` back if the key is not there: Flower's `pop` with a default.
    pub fn pop_or(&mut self, key: &str, default: impl Into<V>) -> V {
        self.remove(key).unwrap_or_else(|| default.into())
    }

    /// Takes the first entry out: Flower's `popitem`, where that of a Python dict takes the last.
    #[doc(alias = "popitem")]
    pub fn pop_first(&mut self) -> Option<(String, V)> {
        self.0.shift_remove_index(0)
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Iterates over the keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.0.keys().map(String::as_str)
    }

    /// Iterates over the values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.values()
    }

    /// Iterates over the values in the order of their keys, to change them.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.0.values_mut()
    }

    /// Iterates over keys and values in their order.
    #[doc(alias = "items")]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &V)> + ExactSizeIterator {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Iterates over keys and values in their order, to change the values.
    pub fn iter_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (&str, &mut V)> + ExactSizeIterator {
        self.0.iter_mut().map(|(key, value)| (key.as_str(), value))
    }
}

impl<V> Default for TypedDict<V> {
    fn default() -> Self {
        Self(IndexMap::new())
    }
}

/// Of two entries with one key, the second has the value and the first the place.
impl<K: Into<String>, V, I: Into<V>> FromIterator<(K, I)> for TypedDict<V> {
    fn from_iter<E: IntoIterator<Item = (K, I)>>(entries: E) -> Self {
        let mut dict = Self::default();
        dict.extend(entries);
        dict
    }
}

/// Inserts one entry after the other: Flower's `update`.
impl<K: Into<String>, V, I: Into<V>> Extend<(K, I)> for TypedDict<V> {
    fn extend<E: IntoIterator<Item = (K, I)>>(&mut self, entries: E) {
        let entries = entries.into_iter();
        self.0
            .extend(entries.map(|(key, value)| (key.into(), value.into())));
    }
}

impl<V> IntoIterator for TypedDict<V> {
    type Item = (String, V);
    type IntoIter = IntoIter<String, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'d, V> IntoIterator for &'d TypedDict<V> {
    type Item = (&'d String, &'d V);
    type IntoIter = Iter<'d, String, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'d, V> IntoIterator for &'d mut TypedDict<V> {
    type Item = (&'d String, &'d mut V);
    type IntoIter = IterMut<'d, String, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

/// Makes a record the typed dict that it holds: `record!(ConfigRecord, ConfigValue)` for a tuple struct
/// `ConfigRecord(TypedDict<ConfigValue>, Origin)`; a lifetime goes last, `record!(ArrayRecord<'a>, Array<'a>; 'a)`.
macro_rules! record {
    ($record:ty, $value:ty $(; $life:lifetime)?) => {
        impl $(<$life>)? $record {
            /// Makes an empty record.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }
        }

        impl $(<$life>)? std::ops::Deref for $record {
            type Target = $crate::flower::TypedDict<$value>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl $(<$life>)? std::ops::DerefMut for $record {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }

        impl<$($life,)? K: Into<String>, I: Into<$value>> FromIterator<(K, I)> for $record {
            fn from_iter<E: IntoIterator<Item = (K, I)>>(entries: E) -> Self {
                let mut record = Self::default();
                record.extend(entries);
                record
            }
        }

        impl<$($life,)? K: Into<String>, I: Into<$value>> Extend<(K, I)> for $record {
            fn extend<E: IntoIterator<Item = (K, I)>>(&mut self, entries: E) {
                self.0.extend(entries);
            }
        }

        impl $(<$life>)? IntoIterator for $record {
            type Item = (String, $value);
            type IntoIter = indexmap::map::IntoIter<String, $value>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.into_iter()
            }
        }

        impl<'d $(, $life)?> IntoIterator for &'d $record {
            type Item = (&'d String, &'d $value);
            type IntoIter = indexmap::map::Iter<'d, String, $value>;

            fn into_iter(self) -> Self::IntoIter {
                (&self.0).into_iter()
            }
        }
    };
}

pub(super) use record;

#[cfg(test)]
mod tests {
    use super::*;

    fn dict(entries: &[(&str, i64)]) -> TypedDict<i64> {
        entries.iter().copied().collect()
    }

    fn items(dict: &TypedDict<i64>) -> Vec<(&str, i64)> {
        dict.iter().map(|(key, value)| (key, *value)).collect()
    }

    #[test]
    fn keys_keep_their_places_as_in_flower() {
        let mut of = dict(&[("1", 1), ("0", 0), ("10", 10)]);
        assert_eq!(of.insert("0", 5), Some(0));
        assert_eq!(items(&of), [("1", 1), ("0", 5), ("10", 10)]);
        let taken = of.remove("1").unwrap();
        of.insert("1", taken);
        assert_eq!(items(&of), [("0", 5), ("10", 10), ("1", 1)]);
        *of.setdefault("0", 9) += 1;
        of.setdefault("new", 9);
        of.extend([("10", 11), ("last", 12)]);
        let all = [("0", 6), ("10", 11), ("1", 1), ("new", 9), ("last", 12)];
        assert_eq!(items(&of), all);
        assert_eq!(of.pop_first(), Some(("0".to_owned(), 6)));
        assert_eq!(of.len(), 4);
        of.clear();
        assert_eq!(of.pop_first(), None);
    }

    #[test]
    fn equality_does_not_look_at_the_order() {
        assert_eq!(dict(&[("a", 1), ("b", 2)]), dict(&[("b", 2), ("a", 1)]));
        assert_ne!(dict(&[("a", 1)]), dict(&[("a", 1), ("b", 2)]));
    }
}
