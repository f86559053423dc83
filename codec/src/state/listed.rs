//! Lists that a format has written as maps, with the keys "0", "1", ...

use super::{Key, StateDict, Value};

/// The newtype name under which a list is asked for where a map with such keys would do.
pub(crate) const LIST_TOKEN: &str = "$npcodec::list";

/// Returns the position that a key stands for, written as Python writes it.
fn position(key: &Key<'_>) -> Option<usize> {
    let text = key.as_str()?;
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    let shortest = text == "0" || !text.starts_with('0');
    text.parse().ok().filter(|_| decimal && shortest)
}

/// Puts each value at the position of its key, if the keys are the positions of a list: keys occur once,
/// so that none is left free if none is too large.
fn in_order<T>(count: usize, entries: impl Iterator<Item = (usize, T)>) -> Vec<Option<T>> {
    let mut places: Vec<Option<T>> = Vec::new();
    places.resize_with(count, || None);
    for (position, value) in entries {
        if let Some(place) = places.get_mut(position) {
            *place = Some(value);
        }
    }
    places
}

impl<'a> StateDict<'a> {
    fn is_listed(&self) -> bool {
        let count = self.len();
        self.keys()
            .all(|key| position(key).is_some_and(|position| position < count))
    }

    /// Returns the items of the list that the map stands for, if its keys are the positions of one.
    pub(crate) fn listed(&self) -> Option<Vec<&Value<'a>>> {
        if !self.is_listed() {
            return None;
        }
        let entries = self.iter();
        let entries = entries.filter_map(|(key, value)| Some((position(key)?, value)));
        in_order(self.len(), entries).into_iter().collect()
    }

    /// Takes the items of the list that the map stands for, or gives the map back.
    pub(crate) fn into_listed(self) -> Result<Vec<Value<'a>>, Self> {
        if !self.is_listed() {
            return Err(self);
        }
        let count = self.len();
        let entries = self.into_iter();
        let entries = entries.filter_map(|(key, value)| Some((position(&key)?, value)));
        Ok(in_order(count, entries).into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_positions_is_a_list_in_any_order() {
        let map = |keys: &[&'static str]| -> StateDict<'static> {
            let entries = keys.iter().enumerate();
            entries
                .map(|(at, key)| (*key, Value::from(at as u64)))
                .collect()
        };
        let items = |keys: &[&'static str]| {
            let listed: Option<Vec<_>> = map(keys)
                .listed()
                .map(|items| items.into_iter().cloned().collect());
            assert_eq!(map(keys).into_listed().ok(), listed);
            listed
        };
        let numbers = |numbers: &[u64]| Some(numbers.iter().map(|&n| Value::from(n)).collect());
        assert_eq!(items(&[]), numbers(&[]));
        assert_eq!(items(&["0", "1", "2"]), numbers(&[0, 1, 2]));
        assert_eq!(items(&["2", "0", "1"]), numbers(&[1, 2, 0]));
        for keys in [
            &["1"][..],
            &["0", "2"],
            &["00"],
            &["0", "01"],
            &["+0"],
            &["0", "a"],
            &[""],
        ] {
            assert_eq!(items(keys), None, "{keys:?}");
        }
        assert_eq!(StateDict::from_iter([(0i64, 1)]).listed(), None);
    }
}
