//! The elements of a buffer by their keys, oldest first.

use std::collections::VecDeque;

use super::element::Element;
use super::sampler::ReplayItemId;

/// Elements in the order in which they came, which is that of their keys.
#[derive(Debug, Clone)]
pub(super) struct Memory<E>(VecDeque<(ReplayItemId, E)>);

impl<E> Default for Memory<E> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<E> Memory<E> {
    /// Takes over elements whose keys ascend.
    pub(super) fn of(elements: impl Iterator<Item = (ReplayItemId, E)>) -> Self {
        Self(elements.collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Finds a key where it is if none is missing, and looks for it otherwise.
    fn position(&self, key: ReplayItemId) -> Result<usize, usize> {
        let first = self.0.front().map_or(0, |(first, _)| *first);
        let guess = key
            .checked_sub(first)
            .and_then(|at| usize::try_from(at).ok());
        match guess {
            Some(guess) if self.0.get(guess).is_some_and(|(found, _)| *found == key) => Ok(guess),
            _ => self.0.binary_search_by_key(&key, |(key, _)| *key),
        }
    }

    /// Lets each element share memory with the one that came so many steps before it.
    pub(super) fn share(&mut self, steps: usize)
    where
        E: Element,
    {
        let elements = self.0.make_contiguous();
        for later in steps..elements.len() {
            let (before, from) = elements.split_at_mut(later);
            if let (Some((_, earlier)), Some((_, element))) =
                (before.get(later - steps), from.first_mut())
            {
                element.share(earlier);
            }
        }
    }

    pub(super) fn get(&self, key: ReplayItemId) -> Option<&E> {
        let (_, element) = self.0.get(self.position(key).ok()?)?;
        Some(element)
    }

    /// Adds an element; one that has its key is replaced where it is.
    pub(super) fn insert(&mut self, key: ReplayItemId, element: E) {
        match self.position(key) {
            Ok(at) => self.0[at].1 = element,
            Err(at) => self.0.insert(at, (key, element)),
        }
    }

    /// Removes the oldest element and returns its key.
    pub(super) fn pop_oldest(&mut self) -> Option<ReplayItemId> {
        self.0.pop_front().map(|(key, _)| key)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the elements, oldest first.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (ReplayItemId, &E)> {
        self.0.iter().map(|(key, element)| (*key, element))
    }
}
