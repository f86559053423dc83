//! What is done where Dopamine itself goes wrong.

/// What is done where Dopamine's own code damages a buffer, or fails half-way.
///
/// | in Dopamine 4.1.2 | `Refuse` | `Reproduce` |
/// |---|---|---|
/// | a prioritized buffer whose sum tree has no leaf to spare fails at every add once it is full, and its memory and sampler grow all the same | [`TreeFull`](crate::ReplayError::TreeFull) | the error comes after the damage |
/// | after a sorted sample of `SequentialSampling` evictions remove other keys than the oldest | [`StaleIndex`](crate::ReplayError::StaleIndex); [`SequentialSampling::reindex`](super::SequentialSampling::reindex) ends it | the wrong key is removed |
/// | rounding makes sums of the tree negative, or gives out items whose priority is 0 | [`UniformRange`](crate::ReplayError::UniformRange), [`Drift`](crate::ReplayError::Drift), [`ZeroProbability`](crate::ReplayError::ZeroProbability); [`SumTree::resum`](super::SumTree::resum) ends it | such items are given out |
/// | infinite priorities, or such whose sum is infinite, make nodes that are no numbers | [`Priority`](crate::ReplayError::Priority), [`TreeNode`](crate::ReplayError::TreeNode) | they are stored |
/// | an error that comes after the draws of a sample leaves them made | the generator is as it was | they stay made |
/// | a trajectory that is longer than the accumulator's is cut at its front | [`Configuration`](crate::ReplayError::Configuration) | it is cut |
/// | a file may have keys that its sampler holds twice, or not at all | [`KeyOrder`](crate::ReplayError::KeyOrder), [`UnknownKey`](crate::ReplayError::UnknownKey), [`MissingElement`](crate::ReplayError::MissingElement) | what comes of it comes later |
/// | a memory that is larger than the capacity never shrinks | [`Configuration`](crate::ReplayError::Configuration) | it stays so large |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Faults {
    /// It is an error before anything is changed: whatever fails leaves the buffer as it was,
    /// but for keys that a sequential sampler has sorted.
    #[default]
    Refuse,
    /// Everything is as in Dopamine, what a failure leaves half-done included.
    Reproduce,
}
