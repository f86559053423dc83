//! Priorities as the leaves of a tree of sums, with the drift that rounding gives them.

use ndarray::{Array1, ArrayView1};
use npcodec_derive::Checkpoint;
use serde::de::Deserializer;

use super::faults::Faults;
use super::wire;
use crate::checkpoint::{Context, MapSink, Restore, Save, SaveOnce, Sink};
use crate::encoding::{NumpyEncoding, no_memory};
use crate::error::{Error, ReplayError};

/// How far all sums of a tree together are let drift from their parts: far more than rounding comes
/// to, and so little that what is set can be judged by the root alone.
const DRIFT: f64 = 1e306;

/// Dopamine's `SumTree`: a leaf for each index, and above them the sums.
///
/// A priority that is set is added as a difference, to the leaf and to every sum above it. So a leaf
/// may differ from what was set by a rounding, and the sums drift away from their parts. Both are
/// state: they are saved, restored and gone on with as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct SumTree {
    nodes: Vec<f64>,
    max_recorded_priority: f64,
}

impl SumTree {
    /// Makes a tree of so many leaves, rounded up to a power of two, all of them 0.
    ///
    /// # Errors
    /// [`TreeCapacity`](ReplayError::TreeCapacity) for 0, and if there is no memory for so many.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let count = Self::count(capacity)?;
        let nodes = bytemuck::try_zeroed_vec(count);
        let nodes = nodes.map_err(|()| no_memory(count.saturating_mul(size_of::<f64>())))?;
        let max_recorded_priority = 1.0;
        Ok(Self {
            nodes,
            max_recorded_priority,
        })
    }

    /// Returns how many nodes a tree of so many leaves has.
    ///
    /// # Errors
    /// [`TreeCapacity`](ReplayError::TreeCapacity) for 0, and for more than memory can have.
    pub fn count(capacity: usize) -> Result<usize, Error> {
        let leaves = match capacity {
            0 => None,
            _ => capacity.checked_next_power_of_two(),
        };
        leaves
            .and_then(|leaves| leaves.checked_mul(2))
            .filter(|count| *count <= isize::MAX as usize / size_of::<f64>())
            .map(|count| count - 1)
            .ok_or_else(|| ReplayError::TreeCapacity { capacity }.into())
    }

    /// Returns the nodes: the root, then level by level down to the leaves.
    #[must_use]
    pub fn nodes(&self) -> &[f64] {
        &self.nodes
    }

    /// Returns how many leaves there are.
    #[must_use]
    pub fn leaves(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    fn first_leaf(&self) -> usize {
        self.nodes.len() / 2
    }

    /// Returns the sum of all priorities, as far as rounding has left it that.
    #[must_use]
    pub fn root(&self) -> f64 {
        self.nodes[0]
    }

    /// Returns the priority of an index, if there is a leaf for it.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<f64> {
        let node = self.first_leaf().checked_add(index)?;
        self.nodes.get(node).copied()
    }

    /// Returns the largest priority that was ever set, at least 1: what Dopamine's agents give new
    /// items. It is in no file: a tree that is restored begins again at 1.
    #[must_use]
    pub fn max_recorded_priority(&self) -> f64 {
        self.max_recorded_priority
    }

    /// Sets what [`max_recorded_priority`](Self::max_recorded_priority) is from here on.
    pub fn set_max_recorded_priority(&mut self, priority: f64) {
        self.max_recorded_priority = priority;
    }

    /// Sets the priorities of indices. Of several for one index the first counts.
    ///
    /// # Errors
    /// [`PriorityCount`](ReplayError::PriorityCount), [`Priority`](ReplayError::Priority) for one
    /// that is negative or NaN, and infinite unless faults are reproduced;
    /// [`TreeFull`](ReplayError::TreeFull) for an index that has no leaf;
    /// [`TreeNode`](ReplayError::TreeNode) if twice their sum is infinite or nearly, unless faults are reproduced. No
    /// node is changed then.
    pub fn set(
        &mut self,
        indices: &[usize],
        priorities: &[f64],
        faults: Faults,
    ) -> Result<(), Error> {
        let (keys, count) = (indices.len(), priorities.len());
        if keys != count || count == 0 {
            let priorities = count;
            return Err(ReplayError::PriorityCount { keys, priorities }.into());
        }
        for &priority in priorities {
            check_priority(priority, faults)?;
        }
        let full = indices.iter().any(|index| self.get(*index).is_none());
        let largest = priorities.iter().copied().fold(0.0, f64::max);
        let recorded = self.max_recorded_priority.max(largest);
        if full {
            if faults == Faults::Reproduce {
                self.max_recorded_priority = recorded;
            }
            let leaves = self.leaves();
            return Err(ReplayError::TreeFull { leaves }.into());
        }
        let first = self.first_leaf();
        let mut changes: Vec<(usize, f64)> = indices
            .iter()
            .zip(priorities)
            .map(|(index, priority)| (first + index, priority - self.nodes[first + index]))
            .collect();
        // Stable: of equal indices the first stays the first.
        changes.sort_by_key(|&(node, _)| node);
        changes.dedup_by_key(|&mut (node, _)| node);
        if faults == Faults::Refuse {
            self.check_sum(changes.iter().map(|&(_, difference)| difference))?;
        }
        self.max_recorded_priority = recorded;
        self.change(changes);
        Ok(())
    }

    /// Checks that the root stays a number after these differences, also where the priority of a key
    /// is then moved: it is added before it is taken away.
    pub(super) fn check_sum(&self, differences: impl Iterator<Item = f64>) -> Result<(), Error> {
        let value = differences.fold(self.root(), |sum, difference| sum + difference);
        // Twice, and some room for the drift.
        if (2.1 * value).is_finite() {
            return Ok(());
        }
        Err(ReplayError::TreeNode { node: 0, value }.into())
    }

    /// Adds differences to leaves, given in their order, and to what is above them: level by level,
    /// and one by one, since two roundings are not one.
    fn change(&mut self, mut changes: Vec<(usize, f64)>) {
        loop {
            for &(node, difference) in &changes {
                self.nodes[node] += difference;
            }
            if changes[0].0 == 0 {
                return;
            }
            for (node, _) in &mut changes {
                *node = (*node - 1) / 2;
            }
        }
    }

    /// Returns the index in whose part of the sum a target lies.
    ///
    /// # Errors
    /// [`Drift`](ReplayError::Drift) for a target that is not from 0 up to the root, and if the sums
    /// have drifted so far that the target is in no part.
    pub fn query(&self, target: f64) -> Result<usize, Error> {
        let (mut node, mut target) = (0, target);
        let drift = |node: usize, target| {
            let sum = self.nodes[node];
            ReplayError::Drift { node, sum, target }
        };
        let within = target >= 0.0 && target < self.root();
        if !within {
            return Err(drift(0, target).into());
        }
        let first = self.first_leaf();
        while node < first {
            let below = target < self.nodes[node];
            if !below {
                return Err(drift(node, target).into());
            }
            let left = 2 * node + 1;
            let is_left = target < self.nodes[left];
            if !is_left {
                target -= self.nodes[left];
            }
            node = if is_left { left } else { left + 1 };
        }
        Ok(node - first)
    }

    /// Makes every sum anew of the leaves, which ends the drift; Dopamine never does, so that draws
    /// differ from its draws from here on.
    pub fn resum(&mut self) {
        for node in (0..self.first_leaf()).rev() {
            self.nodes[node] = self.nodes[2 * node + 1] + self.nodes[2 * node + 2];
        }
    }

    /// Sets all priorities to 0; the largest that was ever set stays.
    pub fn clear(&mut self) {
        self.nodes.fill(0.0);
    }

    /// Checks that the nodes are what priorities can make: numbers, leaves of 0 or more, and sums that
    /// differ from their parts by no more than rounding comes to.
    ///
    /// # Errors
    /// [`TreeNode`](ReplayError::TreeNode).
    pub fn check(&self) -> Result<(), Error> {
        let (first, most) = (self.first_leaf(), DRIFT / self.leaves() as f64);
        let fits = |node: usize, value: f64| {
            let parts = self.nodes.get(2 * node + 1..=2 * node + 2);
            match parts.filter(|_| node < first) {
                Some(parts) => (value - (parts[0] + parts[1])).abs() <= most,
                None => value.is_finite() && value >= 0.0,
            }
        };
        let mut nodes = self.nodes.iter().copied().enumerate();
        match nodes.find(|(node, value)| !fits(*node, *value)) {
            Some((node, value)) => Err(ReplayError::TreeNode { node, value }.into()),
            None => Ok(()),
        }
    }
}

/// Checks one priority, after the exponent.
pub(super) fn check_priority(priority: f64, faults: Faults) -> Result<(), Error> {
    let fits = priority >= 0.0 && (priority.is_finite() || faults == Faults::Reproduce);
    if fits {
        Ok(())
    } else {
        Err(ReplayError::Priority { priority }.into())
    }
}

/// The dict of a tree.
#[derive(Checkpoint)]
#[checkpoint(crate = "crate")]
struct State {
    nodes: Array1<f64>,
}

impl Save for SumTree {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map_of_different(1)?;
        map.entry("nodes".into(), Nodes(&self.nodes))?;
        map.end()
    }
}

/// The nodes as an array that borrows them.
struct Nodes<'a>(&'a [f64]);

impl<'a> SaveOnce<'a> for Nodes<'a> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        sink.array_with(|| NumpyEncoding::from_array(ArrayView1::from(self.0)))
    }
}

impl<'de> Restore<'de> for SumTree {
    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let state: Option<State> = wire::restore(d, cx)?;
        Ok(state.and_then(|State { nodes }| {
            let count = nodes.len();
            let leaves = count.div_ceil(2);
            if Self::count(leaves).ok() != Some(count) {
                let expected = "as many nodes as a tree has, one less than a power of two";
                cx.field("nodes").mismatch(expected, count.to_string());
                return None;
            }
            Some(Self {
                nodes: nodes.to_vec(),
                max_recorded_priority: 1.0,
            })
        }))
    }
}
