//! The elements of a buffer by their keys, oldest first.

use std::collections::{HashMap, VecDeque};

use super::sampler::ReplayItemId;

/// Elements in the order in which they came.
#[derive(Debug, Clone)]
pub(super) struct Memory<E> {
    order: VecDeque<ReplayItemId>,
    elements: HashMap<ReplayItemId, E>,
}

impl<E> Default for Memory<E> {
    fn default() -> Self {
        Self {
            order: VecDeque::new(),
            elements: HashMap::new(),
        }
    }
}

impl<E> Memory<E> {
    /// Returns the keys, oldest first.
    pub(super) fn keys(&self) -> &VecDeque<ReplayItemId> {
        &self.order
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn get(&self, key: ReplayItemId) -> Option<&E> {
        self.elements.get(&key)
    }

    /// Adds an element; one that has its key is replaced where it is.
    pub(super) fn insert(&mut self, key: ReplayItemId, element: E) {
        if self.elements.insert(key, element).is_none() {
            self.order.push_back(key);
        }
    }

    /// Removes the oldest element and returns its key.
    pub(super) fn pop_oldest(&mut self) -> Option<ReplayItemId> {
        let key = self.order.pop_front()?;
        self.elements.remove(&key);
        Some(key)
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.elements.clear();
    }

    /// Returns the elements, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ReplayItemId, &E)> {
        let with_element = |key: &ReplayItemId| Some((*key, self.elements.get(key)?));
        self.order.iter().filter_map(with_element)
    }
}
