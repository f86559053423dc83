//! The steps that put a checked state in its place.

use std::fmt;

use crate::encoding::Source;
use crate::error::{Error, ErrorKind};

type Step<'s> = Box<dyn FnOnce(Option<&dyn Source>) -> Result<(), Error> + 's>;

/// Steps that will change a state, none of which can fail but by reading from its file.
///
/// Staging a state checks all of it and collects the steps; only if nothing was refused are they
/// taken, so that a state is changed as a whole or not at all.
#[derive(Default)]
pub struct Plan<'s>(Vec<Step<'s>>);

impl<'s> Plan<'s> {
    /// Adds a step.
    pub fn step(&mut self, step: impl FnOnce() + 's) {
        self.0.push(Box::new(|_| {
            step();
            Ok(())
        }));
    }

    /// Adds a step that reads from where the payloads are.
    pub(crate) fn reading_step(
        &mut self,
        step: impl FnOnce(Option<&dyn Source>) -> Result<(), Error> + 's,
    ) {
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

    /// Takes all steps.
    ///
    /// # Errors
    /// [`PartlyLoaded`](ErrorKind::PartlyLoaded) if the source fails in the middle.
    pub(crate) fn commit(self, source: Option<&dyn Source>) -> Result<(), Error> {
        let count = self.0.len();
        for (taken, step) in self.0.into_iter().enumerate() {
            step(source).map_err(|error| {
                Error::from(ErrorKind::PartlyLoaded {
                    taken,
                    count,
                    reason: error.to_string(),
                })
            })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("steps", &self.len()).finish()
    }
}
