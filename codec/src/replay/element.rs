//! What a replay buffer holds, and the transitions that it is made of.

use serde::de::Deserializer;

use super::frames::{Frames, Observation, States};
use super::gather::{stack_frames, stack_frames_into};
use super::reward::Reward;
use super::stack::{Stack, Stacked, stack, stack_into};
use super::treedef::{Tree, TreeDefs};
use super::window::Window;
use super::wire::{self, part};
use crate::checkpoint::{Context, ListSink, Restore, RestoreOwned, Save, Sink};
use crate::error::{Error, ReplayError};

/// A step of an environment.
pub trait Transition: Save + RestoreOwned {
    /// Returns true if the environment has come to its end.
    fn is_terminal(&self) -> bool;

    /// Returns true if the episode ends here, by its end or by a limit of time.
    fn episode_end(&self) -> bool;
}

/// What a replay buffer holds: in a file a list of leaves.
///
/// [`ReplayElement`] is Dopamine's own. Implement it for elements that have more to them.
pub trait Element: Save + RestoreOwned {
    /// The steps of which an element is made.
    type Transition: Transition;
    /// What a sample is: arrays of the leaves of its elements.
    type Batch;

    /// Makes an element of a part of a trajectory.
    ///
    /// # Errors
    /// [`Shapes`](ReplayError::Shapes), and [`Carried`](ReplayError::Carried) if none can be made.
    fn from_window(window: &Window<'_, Self::Transition>) -> Result<Self, Error>;

    /// Makes an element whose state is made of the very observations of which the next state of an
    /// earlier one was made, so that it can be shared. Only the newest observation, to whose shape
    /// the others are broadcast, is another one.
    ///
    /// # Errors
    /// Those of [`from_window`](Self::from_window).
    fn from_window_after(
        window: &Window<'_, Self::Transition>,
        earlier: &Self,
    ) -> Result<Self, Error> {
        let _ = earlier;
        Self::from_window(window)
    }

    /// Shares memory with an earlier element, whose next state may be the state of this one.
    fn share(&mut self, earlier: &Self) {
        let _ = earlier;
    }

    /// Compresses what is to be compressed.
    ///
    /// # Errors
    /// [`Snappy`](crate::ErrorKind::Snappy).
    fn pack(self) -> Result<Self, Error>;

    /// Stacks elements.
    ///
    /// # Errors
    /// [`Shapes`](ReplayError::Shapes), and those of compressed records.
    fn batch(elements: &[&Self]) -> Result<Self::Batch, Error>;

    /// Stacks elements into arrays that exist.
    ///
    /// # Errors
    /// [`Shapes`](ReplayError::Shapes), and those of compressed records; the arrays may have been
    /// filled in part.
    fn batch_into(elements: &[&Self], batch: &mut Self::Batch) -> Result<(), Error>;

    /// Checks an element from a file against what the buffer was made with.
    ///
    /// # Errors
    /// [`Configuration`](ReplayError::Configuration), which names both sides.
    fn fits(&self, stack_size: usize, compress: bool) -> Result<(), Error> {
        let _ = (stack_size, compress);
        Ok(())
    }

    /// Expands what is compressed, to see whether it can be.
    ///
    /// # Errors
    /// Those of compressed records.
    fn verify(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the `treedef` of elements or of transitions, if it is known.
    #[must_use]
    fn treedef(trees: &TreeDefs, tree: Tree) -> Option<Vec<u8>> {
        let _ = (trees, tree);
        None
    }
}

/// Dopamine's `TransitionElement`.
#[derive(Debug, Clone, PartialEq)]
pub struct TransitionElement<O, A = i64, R = f64> {
    /// What was observed before the action.
    pub observation: O,
    /// The action.
    pub action: A,
    /// The reward for it.
    pub reward: R,
    /// True if the environment came to its end.
    pub is_terminal: bool,
    /// True if the episode ended, by that or by a limit of time.
    pub episode_end: bool,
}

impl<O: Observation, A: Stack, R: Reward> Transition for TransitionElement<O, A, R> {
    fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    fn episode_end(&self) -> bool {
        self.episode_end
    }
}

impl<O: Save, A: Save, R: Save> Save for TransitionElement<O, A, R> {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut list = sink.list(5)?;
        list.item(part(&self.observation))?;
        list.item(part(&self.action))?;
        list.item(part(&self.reward))?;
        list.item(part(&self.is_terminal))?;
        list.item(part(&self.episode_end))?;
        list.end()
    }
}

impl<'de, O, A, R> Restore<'de> for TransitionElement<O, A, R>
where
    O: Restore<'de>,
    A: Restore<'de>,
    R: Restore<'de>,
{
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let leaves: Option<(O, A, R, bool, bool)> = wire::restore(d, cx)?;
        let made = |(observation, action, reward, is_terminal, episode_end)| Self {
            observation,
            action,
            reward,
            is_terminal,
            episode_end,
        };
        Ok(leaves.map(made))
    }
}

/// Dopamine's `ReplayElement`: a state, what was done in it, and the state some steps later.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayElement<O: Observation, A = i64, R: Reward = f64> {
    /// The stacked observations.
    pub state: Frames<O>,
    /// The action.
    pub action: A,
    /// The discounted sum of the rewards up to the next state.
    pub reward: R::Return,
    /// The stacked observations after that.
    pub next_state: Frames<O>,
    /// True if the environment came to its end there.
    pub is_terminal: bool,
    /// The same as `is_terminal`: Dopamine does not keep whether an episode was cut off.
    pub episode_end: bool,
}

/// The arrays of a sample of [`ReplayElement`]s: one row for each.
#[derive(Debug, Clone)]
pub struct ReplayBatch<O: Observation, A: Stack = i64, R: Reward = f64> {
    /// The states.
    pub state: States<O>,
    /// The actions.
    pub action: Stacked<A>,
    /// The sums of rewards.
    pub reward: Stacked<R::Return>,
    /// The next states.
    pub next_state: States<O>,
    /// Whether the environment came to its end.
    pub is_terminal: Stacked<bool>,
    /// The same.
    pub episode_end: Stacked<bool>,
}

impl<O: Observation, A: Stack, R: Reward> Save for ReplayElement<O, A, R> {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut list = sink.list(6)?;
        list.item(part(&self.state))?;
        list.item(part(&self.action))?;
        list.item(part(&self.reward))?;
        list.item(part(&self.next_state))?;
        list.item(part(&self.is_terminal))?;
        list.item(part(&self.episode_end))?;
        list.end()
    }
}

impl<'de, O: Observation, A: Stack, R: Reward> Restore<'de> for ReplayElement<O, A, R> {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        type Leaves<O, A, R> = (Frames<O>, A, R, Frames<O>, bool, bool);
        let leaves: Option<Leaves<O, A, R::Return>> = wire::restore(d, cx)?;
        let made = |(state, action, reward, next_state, is_terminal, episode_end)| Self {
            state,
            action,
            reward,
            next_state,
            is_terminal,
            episode_end,
        };
        Ok(leaves.map(made))
    }
}

impl<O: Observation, A: Stack, R: Reward> Element for ReplayElement<O, A, R> {
    type Transition = TransitionElement<O, A, R>;
    type Batch = ReplayBatch<O, A, R>;

    fn from_window(window: &Window<'_, Self::Transition>) -> Result<Self, Error> {
        let shape = window.newest().observation.as_view().shape().to_vec();
        let state = Frames::stack(window.state().map(observed), &shape)?;
        Self::with_state(window, state, &shape)
    }

    fn from_window_after(
        window: &Window<'_, Self::Transition>,
        earlier: &Self,
    ) -> Result<Self, Error> {
        let shape = window.newest().observation.as_view().shape().to_vec();
        // A state is broadcast to the shape of the newest observation that goes into its element.
        if earlier.next_state.shape().split_last() != Some((&window.stack_size, &shape)) {
            return Self::from_window(window);
        }
        Self::with_state(window, earlier.next_state.clone(), &shape)
    }

    fn share(&mut self, earlier: &Self) {
        self.state.share(&earlier.next_state);
    }

    fn pack(self) -> Result<Self, Error> {
        Ok(Self {
            state: self.state.pack()?,
            next_state: self.next_state.pack()?,
            ..self
        })
    }

    fn batch(elements: &[&Self]) -> Result<Self::Batch, Error> {
        Ok(ReplayBatch {
            state: stack_frames(elements.iter().map(|element| &element.state))?,
            action: stack(elements.iter().map(|element| &element.action))?,
            reward: stack(elements.iter().map(|element| &element.reward))?,
            next_state: stack_frames(elements.iter().map(|element| &element.next_state))?,
            is_terminal: stack(elements.iter().map(|element| &element.is_terminal))?,
            episode_end: stack(elements.iter().map(|element| &element.episode_end))?,
        })
    }

    fn batch_into(elements: &[&Self], batch: &mut Self::Batch) -> Result<(), Error> {
        let elements = || elements.iter().copied();
        stack_frames_into(elements().map(|element| &element.state), &mut batch.state)?;
        stack_into(elements().map(|element| &element.action), &mut batch.action)?;
        stack_into(elements().map(|element| &element.reward), &mut batch.reward)?;
        let next = elements().map(|element| &element.next_state);
        stack_frames_into(next, &mut batch.next_state)?;
        let terminal = elements().map(|element| &element.is_terminal);
        stack_into(terminal, &mut batch.is_terminal)?;
        let end = elements().map(|element| &element.episode_end);
        stack_into(end, &mut batch.episode_end)
    }

    fn fits(&self, stack_size: usize, compress: bool) -> Result<(), Error> {
        for frames in [&self.state, &self.next_state] {
            let side = |stack: usize, compressed: bool| {
                let kind = if compressed { "compressed" } else { "plain" };
                format!("{kind} states of {stack} observations")
            };
            let (found, packed) = (frames.shape(), frames.is_compressed());
            let found = found.last().copied().unwrap_or(0);
            if (found, packed) != (stack_size, compress) {
                return Err(ReplayError::Configuration {
                    given: side(stack_size, compress),
                    found: side(found, packed),
                }
                .into());
            }
        }
        Ok(())
    }

    fn verify(&self) -> Result<(), Error> {
        self.state.unpack()?;
        self.next_state.unpack()?;
        Ok(())
    }

    fn treedef(trees: &TreeDefs, tree: Tree) -> Option<Vec<u8>> {
        Some(trees.pickle(tree))
    }
}

impl<O: Observation, A: Stack, R: Reward> ReplayElement<O, A, R> {
    fn with_state(
        window: &Window<'_, TransitionElement<O, A, R>>,
        state: Frames<O>,
        shape: &[usize],
    ) -> Result<Self, Error> {
        let newest = window.newest();
        let rewards = window.rewards();
        Ok(Self {
            state,
            action: window.first().action.clone(),
            reward: R::discounted(rewards.map(|(step, discount)| (&step.reward, discount)))?,
            next_state: Frames::stack(window.next_state().map(observed), shape)?,
            is_terminal: newest.is_terminal,
            episode_end: newest.is_terminal,
        })
    }
}

fn observed<O, A, R>(step: Option<&TransitionElement<O, A, R>>) -> Option<&O> {
    step.map(|step| &step.observation)
}
