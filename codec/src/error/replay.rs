//! What a replay buffer refuses.

use std::fmt;

use crate::dtype::Shape;
use crate::path::{Escaped, excerpt};

/// What a replay buffer, its sampler or its generator refuses.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReplayError {
    /// A generator whose state is carried along, but that cannot be drawn from.
    NotDrawable {
        /// NumPy's name of the bit generator.
        bit_generator: String,
    },
    /// Floats were to be drawn from a range that is negative or not finite.
    UniformRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Integers were to be drawn below 0 or above what `int64` holds.
    IntegersHigh {
        /// The bound that all integers are to be below.
        high: u64,
    },
    /// There is nothing to sample from.
    NoKeys,
    /// A sample of no keys, or of more than there are where each is drawn once.
    SampleSize {
        /// How many keys were asked for.
        size: usize,
        /// How many there are.
        count: usize,
    },
    /// A key that the sampler does not hold.
    UnknownKey {
        /// The key.
        key: i64,
    },
    /// A key that was sampled, under which the memory holds nothing.
    MissingElement {
        /// The key.
        key: i64,
    },
    /// A key that Dopamine cannot give out, since its samples are arrays of `int32`.
    LargeKey {
        /// The key.
        key: i64,
    },
    /// A priority that is negative, infinite or no number.
    Priority {
        /// The priority, after the exponent.
        priority: f64,
    },
    /// As many priorities as keys are needed, and at least one.
    PriorityCount {
        /// How many keys there are.
        keys: usize,
        /// How many priorities.
        priorities: usize,
    },
    /// A sum tree of no leaves, or of more than memory can hold.
    TreeCapacity {
        /// How many were asked for.
        capacity: usize,
    },
    /// Every leaf of the sum tree is taken, and a key is to be added before the oldest one goes.
    TreeFull {
        /// How many leaves there are.
        leaves: usize,
    },
    /// A node of the sum tree that no sequence of priorities gives, or a root that would come near to
    /// the largest float.
    TreeNode {
        /// Which node, the root being 0.
        node: usize,
        /// What it holds.
        value: f64,
    },
    /// Rounding has moved the sums of the tree away from its leaves so far that a draw failed.
    Drift {
        /// Which node a draw came to.
        node: usize,
        /// What the node holds.
        sum: f64,
        /// What was left of the draw there.
        target: f64,
    },
    /// Rounding has moved the sums of the tree away from its leaves so far that an item was drawn
    /// whose priority is 0.
    ZeroProbability {
        /// The key of the item.
        key: i64,
    },
    /// The index of a key is not where the key is: removing it would remove another one.
    StaleIndex {
        /// The key.
        key: i64,
    },
    /// A size of 0.
    NotPositive {
        /// What is 0.
        what: &'static str,
    },
    /// Arrays that are to be stacked have different shapes.
    Shapes {
        /// The shape of the first one, or of the array that takes them.
        expected: Vec<usize>,
        /// Another shape.
        found: Vec<usize>,
    },
    /// What the caller has given does not fit what the file holds.
    Configuration {
        /// What was given.
        given: String,
        /// What the file holds.
        found: String,
    },
    /// A memory has not as many elements as keys.
    ElementCount {
        /// How many keys there are.
        keys: usize,
        /// How many elements.
        elements: usize,
    },
    /// The keys of a memory, which come one after the other, do not ascend.
    KeyOrder {
        /// A key.
        key: i64,
        /// The one before it.
        after: i64,
    },
    /// A key that no element can have where so many were added.
    AddCount {
        /// How many elements were added.
        add_count: i64,
        /// The key.
        key: i64,
    },
    /// An `add_count` that no buffer comes to.
    CountOfAdded {
        /// How many elements were added, or would be.
        add_count: i64,
    },
    /// Elements of this structure are only carried along: none can be made of transitions.
    Carried,
    /// There is no `treedef` for elements of this type, which Dopamine needs.
    NoTreedef,
    /// A text that is no version of a Python package, or one for which no `treedef` is known.
    Version {
        /// The text.
        text: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDrawable { bit_generator } => write!(
                f,
                "the state of a generator \"{}\" is carried along, only PCG64 is drawn from",
                Escaped(&excerpt(bit_generator))
            ),
            Self::UniformRange { low, high } => {
                write!(f, "no floats can be drawn from {low} up to {high}")
            }
            Self::IntegersHigh { high } => write!(
                f,
                "integers are drawn below a bound of 1 to 2^63, not below {high}"
            ),
            Self::NoKeys => f.write_str("there are no keys to sample from"),
            Self::SampleSize { size, count } => {
                write!(f, "a sample of {size} cannot be drawn from {count} keys")
            }
            Self::UnknownKey { key } => write!(f, "the sampler does not hold key {key}"),
            Self::MissingElement { key } => {
                write!(
                    f,
                    "key {key} was sampled, and the memory has no element under it"
                )
            }
            Self::LargeKey { key } => write!(
                f,
                "key {key} was sampled, and does not fit the int32 that Dopamine's samples are"
            ),
            Self::Priority { priority } => {
                write!(f, "expected a priority of 0 or more, found {priority}")
            }
            Self::PriorityCount { keys, priorities } => {
                write!(f, "{priorities} priorities for {keys} keys")
            }
            Self::TreeCapacity { capacity } => {
                write!(f, "a sum tree cannot have {capacity} leaves")
            }
            Self::TreeFull { leaves } => write!(
                f,
                "all {leaves} leaves of the sum tree are taken, and a key is added before the oldest goes \
                 (its capacity has to be larger than the buffer's)"
            ),
            Self::TreeNode { node, value } => {
                write!(f, "node {node} of the sum tree is {value}")
            }
            Self::Drift { node, sum, target } => write!(
                f,
                "the sum tree has drifted: {target} was drawn at node {node}, which holds {sum}"
            ),
            Self::ZeroProbability { key } => write!(
                f,
                "the sum tree has drifted: key {key} was drawn, whose priority is 0"
            ),
            Self::StaleIndex { key } => write!(
                f,
                "the index of key {key} is stale, as sorted samples leave it: another key would be removed"
            ),
            Self::NotPositive { what } => write!(f, "{what} must be 1 or more"),
            Self::Shapes { expected, found } => write!(
                f,
                "an array of shape {} cannot be stacked on one of shape {}",
                Shape(found),
                Shape(expected)
            ),
            Self::Configuration { given, found } => {
                write!(f, "{given} was given, and the file holds {found}")
            }
            Self::ElementCount { keys, elements } => {
                write!(f, "the memory has {keys} keys and {elements} elements")
            }
            Self::KeyOrder { key, after } => write!(f, "key {key} stands after key {after}"),
            Self::AddCount { add_count, key } => write!(
                f,
                "key {key} cannot be there where `add_count` is {add_count}"
            ),
            Self::CountOfAdded { add_count } => {
                write!(f, "`add_count` is from 0 to 2^62, and not {add_count}")
            }
            Self::Carried => f.write_str(
                "elements of this structure are carried along, none can be made of transitions",
            ),
            Self::NoTreedef => f.write_str("there is no treedef for elements of this type"),
            Self::Version { text } => write!(
                f,
                "no treedefs are known for version \"{}\"",
                Escaped(&excerpt(text))
            ),
        }
    }
}

#[cfg(test)]
mod tests;
