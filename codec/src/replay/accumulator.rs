//! What makes elements of transitions: stacks of observations, sums of rewards over some steps.

use std::collections::VecDeque;

use super::element::{Element, Transition};
use super::window::Window;
use crate::error::{Error, ReplayError};

/// Dopamine's `TransitionAccumulator`: the open trajectory, and the elements that its steps give.
///
/// As there, a terminal step repeats the newest state that is complete, with one older observation
/// more replaced by zeros each time, and steps that are cut off by a limit of time give no shorter
/// sums.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionAccumulator<T> {
    trajectory: VecDeque<T>,
    stack_size: usize,
    update_horizon: usize,
    gamma: f64,
}

impl<T: Transition> TransitionAccumulator<T> {
    /// Makes an accumulator that stacks `stack_size` observations and sums the rewards of
    /// `update_horizon` steps up.
    ///
    /// # Errors
    /// [`NotPositive`](ReplayError::NotPositive) if one of them is 0.
    pub fn new(stack_size: usize, update_horizon: usize, gamma: f64) -> Result<Self, Error> {
        let sizes = [
            ("stack_size", stack_size),
            ("update_horizon", update_horizon),
        ];
        if let Some((what, _)) = sizes.into_iter().find(|(_, size)| *size == 0) {
            return Err(ReplayError::NotPositive { what }.into());
        }
        Ok(Self {
            trajectory: VecDeque::new(),
            stack_size,
            update_horizon,
            gamma,
        })
    }

    /// Returns the open trajectory.
    #[must_use]
    pub fn trajectory(&self) -> &VecDeque<T> {
        &self.trajectory
    }

    /// Returns how many steps a trajectory has at most: older ones are forgotten.
    #[must_use]
    pub fn most(&self) -> usize {
        self.stack_size.saturating_add(self.update_horizon)
    }

    /// Adds a step and returns the elements that it gives. An error leaves the trajectory as it was.
    ///
    /// # Errors
    /// Those of [`Element::from_window`].
    pub fn accumulate<E: Element<Transition = T>>(&mut self, step: T) -> Result<Vec<E>, Error> {
        let forgotten = self.push(step);
        let elements = self.elements(None);
        match elements {
            Ok(_) => self.finish(),
            Err(_) => self.undo(forgotten),
        }
        elements
    }

    /// Makes the elements that the newest step gives. The next state of the earlier one, if there is
    /// one, is the state of the first.
    pub(super) fn elements<E: Element<Transition = T>>(
        &self,
        earlier: Option<&E>,
    ) -> Result<Vec<E>, Error> {
        let most = match self.trajectory.back() {
            Some(step) if step.is_terminal() => self.trajectory.len(),
            _ => 1,
        };
        let windows = (0..most).map_while(|front| self.window(front));
        let made = windows.map(|window| match earlier {
            Some(earlier) if window.front == 0 => E::from_window_after(&window, earlier),
            _ => E::from_window(&window),
        });
        made.collect()
    }

    /// Returns what the next element is made of, the first `front` steps being gone.
    pub(super) fn window(&self, front: usize) -> Option<Window<'_, T>> {
        let total = self.trajectory.len();
        let length = total.checked_sub(front)?;
        let is_terminal = self.trajectory.back()?.is_terminal();
        let horizon = match length > self.update_horizon {
            true => self.update_horizon,
            false if length > 1 && is_terminal => length - 1,
            false => return None,
        };
        Some(Window {
            trajectory: &self.trajectory,
            front,
            start: total - horizon - 1,
            stack_size: self.stack_size,
            update_horizon: self.update_horizon,
            gamma: self.gamma,
        })
    }

    /// Adds a step, and returns the one that is forgotten for it.
    pub(super) fn push(&mut self, step: T) -> Option<T> {
        let full = self.trajectory.len() >= self.most();
        let forgotten = if full {
            self.trajectory.pop_front()
        } else {
            None
        };
        self.trajectory.push_back(step);
        forgotten
    }

    /// Takes the newest step back.
    pub(super) fn undo(&mut self, forgotten: Option<T>) {
        self.trajectory.pop_back();
        if let Some(step) = forgotten {
            self.trajectory.push_front(step);
        }
    }

    /// Drops the first step.
    pub(super) fn forget(&mut self) {
        self.trajectory.pop_front();
    }

    /// Ends the trajectory if the newest step does.
    pub(super) fn finish(&mut self) {
        let newest = self.trajectory.back();
        if newest.is_some_and(|step| step.is_terminal() || step.episode_end()) {
            self.clear();
        }
    }

    /// Forgets the open trajectory.
    pub fn clear(&mut self) {
        self.trajectory.clear();
    }

    /// Goes on with a trajectory, of which the newest steps are kept.
    pub(super) fn set(&mut self, steps: Vec<T>) {
        let excess = steps.len().saturating_sub(self.most());
        self.trajectory = steps.into_iter().skip(excess).collect();
    }
}
