//! The part of a trajectory that an element is made of.

use std::collections::VecDeque;

/// The part of a trajectory that an element is made of: from the step that was acted in to the
/// newest one.
#[derive(Debug, Clone)]
pub struct Window<'w, T> {
    pub(super) trajectory: &'w VecDeque<T>,
    /// Where the trajectory begins: steps before it are gone.
    pub(super) front: usize,
    /// The step that was acted in.
    pub(super) start: usize,
    pub(super) stack_size: usize,
    pub(super) update_horizon: usize,
    pub(super) gamma: f64,
}

impl<'w, T> Window<'w, T> {
    /// Returns the step that was acted in.
    #[must_use]
    pub fn first(&self) -> &'w T {
        &self.trajectory[self.start]
    }

    /// Returns the newest step.
    #[must_use]
    pub fn newest(&self) -> &'w T {
        &self.trajectory[self.trajectory.len() - 1]
    }

    /// Returns the steps of the state, oldest first; `None` is before the trajectory.
    pub fn state(&self) -> impl ExactSizeIterator<Item = Option<&'w T>> + use<'w, T> {
        self.stack_up_to(self.start)
    }

    /// Returns the steps of the next state, oldest first; `None` is before the trajectory.
    pub fn next_state(&self) -> impl ExactSizeIterator<Item = Option<&'w T>> + use<'w, T> {
        self.stack_up_to(self.trajectory.len() - 1)
    }

    fn stack_up_to(
        &self,
        last: usize,
    ) -> impl ExactSizeIterator<Item = Option<&'w T>> + use<'w, T> {
        let (trajectory, front, size) = (self.trajectory, self.front, self.stack_size);
        (0..size).map(move |position| {
            let back = size - 1 - position;
            let step = last.checked_sub(back).filter(|step| *step >= front);
            step.and_then(|step| trajectory.get(step))
        })
    }

    /// Returns the steps whose rewards count, each with its discount: C's `pow(gamma, steps)`, as
    /// Python's `**` has it. The newest one's counts only where the trajectory ends with it.
    pub fn rewards(&self) -> impl Iterator<Item = (&'w T, f64)> + use<'w, T> {
        let gamma = self.gamma;
        let steps = self.trajectory.range(self.start..);
        steps
            .take(self.update_horizon)
            .enumerate()
            .map(move |(steps, transition)| (transition, gamma.powf(steps as f64)))
    }
}
