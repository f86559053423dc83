//! Adding to a replay buffer.

use super::buffer::ReplayBuffer;
use super::element::Element;
use super::faults::Faults;
use super::sampler::{ReplayItemId, SamplingDistribution};
use crate::error::{Error, ReplayError};

/// How many elements are ever added. No buffer has come to so many, and a file that says more is
/// not gone on with.
pub(super) const MOST: i64 = 1 << 62;

impl<E: Element, S: SamplingDistribution<Priority = ()>> ReplayBuffer<E, S> {
    /// Adds a transition: none, one or, at the end of an episode, several elements.
    ///
    /// # Errors
    /// Those of [`Element::from_window`] and [`Element::pack`],
    /// [`Carried`](ReplayError::Carried) for elements of an unknown structure,
    /// [`CountOfAdded`](ReplayError::CountOfAdded) once 2^62 were added, and those of the sampler.
    pub fn add(&mut self, transition: E::Transition) -> Result<(), Error> {
        self.add_with_priority(transition, ())
    }
}

impl<E: Element, S: SamplingDistribution> ReplayBuffer<E, S> {
    /// Adds a transition whose elements all have a priority.
    ///
    /// # Errors
    /// Those of [`add`](ReplayBuffer::add).
    pub fn add_with_priority(
        &mut self,
        transition: E::Transition,
        priority: impl Into<S::Priority>,
    ) -> Result<(), Error> {
        self.trees.check()?;
        let priority = priority.into();
        match self.config.faults {
            Faults::Refuse => self.add_whole(transition, &priority),
            Faults::Reproduce => self.add_by_steps(transition, &priority),
        }
    }

    /// Makes all elements and checks that they can be added before anything is changed.
    fn add_whole(
        &mut self,
        transition: E::Transition,
        priority: &S::Priority,
    ) -> Result<(), Error> {
        let forgotten = self.accumulator.push(transition);
        let elements = self.prepared(priority);
        match elements {
            Ok(elements) => {
                self.accumulator.finish();
                let unbroken = match self.accumulator.trajectory().is_empty() {
                    true => 0,
                    false => self.unbroken.saturating_add(elements.len()),
                };
                // A sampler that fails after its check leaves an element out.
                self.unbroken = 0;
                for element in elements {
                    self.insert(element, priority.clone())?;
                }
                self.unbroken = unbroken;
                Ok(())
            }
            Err(error) => {
                self.accumulator.undo(forgotten);
                Err(error)
            }
        }
    }

    fn prepared(&self, priority: &S::Priority) -> Result<Vec<E>, Error> {
        let elements: Vec<E> = self.accumulator.elements(self.earlier())?;
        if elements.is_empty() {
            return Ok(elements);
        }
        let elements = elements.into_iter().map(|element| self.packed(element));
        let elements = elements.collect::<Result<Vec<_>, _>>()?;
        let added = elements.len();
        self.check_count(added)?;
        // One goes for each that comes once more than the capacity were added.
        let room = self.capacity().saturating_sub(self.add_count).max(0);
        let removed = added.saturating_sub(usize::try_from(room).unwrap_or(usize::MAX));
        let oldest = self.memory.iter().take(removed).map(|(key, _)| key);
        let oldest: Vec<ReplayItemId> = oldest.collect();
        self.sampler.check(added, priority, removed, &oldest)?;
        Ok(elements)
    }

    /// Returns the element whose next state is the state of the next one.
    fn earlier(&self) -> Option<&E> {
        let horizon = self.config.update_horizon;
        let key = i64::try_from(horizon)
            .ok()
            .map(|steps| self.add_count - steps);
        self.memory.get(key.filter(|_| self.unbroken >= horizon)?)
    }

    /// Does one thing after the other and stops at the first that fails, as Dopamine does.
    fn add_by_steps(
        &mut self,
        transition: E::Transition,
        priority: &S::Priority,
    ) -> Result<(), Error> {
        let is_terminal = super::Transition::is_terminal(&transition);
        self.unbroken = 0;
        self.accumulator.push(transition);
        while let Some(window) = self.accumulator.window(0) {
            let element = self.packed(E::from_window(&window)?)?;
            self.insert(element, priority.clone())?;
            if !is_terminal {
                break;
            }
            self.accumulator.forget();
        }
        self.accumulator.finish();
        Ok(())
    }

    fn packed(&self, element: E) -> Result<E, Error> {
        if self.config.compress {
            element.pack()
        } else {
            Ok(element)
        }
    }

    fn insert(&mut self, element: E, priority: S::Priority) -> Result<(), Error> {
        self.check_count(1)?;
        let key = self.add_count;
        self.memory.insert(key, element);
        self.sampler.add(key, priority)?;
        self.add_count += 1;
        if self.add_count > self.capacity() {
            let oldest = self.memory.pop_oldest();
            oldest.map_or(Ok(()), |oldest| self.sampler.remove(oldest))?;
        }
        Ok(())
    }

    /// Checks that so many more can be added and the file be read again.
    fn check_count(&self, added: usize) -> Result<(), Error> {
        let added = i64::try_from(added).unwrap_or(i64::MAX);
        let add_count = self.add_count.saturating_add(added);
        if add_count <= MOST {
            return Ok(());
        }
        Err(ReplayError::CountOfAdded { add_count }.into())
    }

    fn capacity(&self) -> i64 {
        i64::try_from(self.config.max_capacity).unwrap_or(i64::MAX)
    }
}
