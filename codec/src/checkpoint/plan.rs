//! The steps that put a checked state in its place.

use std::fmt;

/// Steps that will change a state, none of which can fail.
///
/// Staging a state checks all of it and collects the steps; only if nothing was refused are they
/// taken, so that a state is changed as a whole or not at all.
#[derive(Default)]
pub struct Plan<'s>(Vec<Box<dyn FnOnce() + 's>>);

impl<'s> Plan<'s> {
    /// Adds a step.
    pub fn step(&mut self, step: impl FnOnce() + 's) {
        self.0.push(Box::new(step));
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn commit(self) {
        for step in self.0 {
            step();
        }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("steps", &self.len()).finish()
    }
}
