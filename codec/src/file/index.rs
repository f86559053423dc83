//! Where the arrays of a file are: one pass over its structure, which passes over payloads.

mod leaves;
mod walk;

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::OnceLock;

use leaves::Leaves;
use walk::Walk;

use super::reader::{Slice, Token, Tokens};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::path::{Path, Segment};

/// The arrays of a file, and the lists and maps that hold them, in the order of the file.
///
/// What holds no array is no node, so that the index is no larger than a few times its file.
#[derive(Debug)]
pub(super) struct Index {
    nodes: Box<[Node]>,
    hasher: RandomState,
    /// Nodes by the hash of their parent and key, sorted; made when it is first needed.
    by_key: OnceLock<Vec<(u64, u32)>>,
    leaves: Leaves,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Where the value begins and ends.
    start: usize,
    end: usize,
    /// Where its key begins; where the value begins if it is an item of a list.
    key: usize,
    parent: u32,
    /// Which child of its parent it is, counting those that are no nodes.
    position: u32,
    /// How many nodes it is with all below it: one for an array.
    size: u32,
}

/// The keys of an array, those first that each has.
const PARTS: [&str; 5] = ["shape", "data", "dtype", "order", "pad"];

/// How many children of a node are looked at one by one.
const FEW: u32 = 16;

impl Index {
    /// Reads the structure of a file.
    ///
    /// # Errors
    /// Those of [`decode`](crate::decode) but for what is wrong with an array, which shows when it is
    /// read.
    pub(super) fn new(bytes: &[u8], limits: Limits) -> Result<Self, Error> {
        let mut walk = Walk::new(bytes, limits);
        walk.value(0, 0, limits.depth)?;
        let left = bytes.len() - walk.at();
        if left > 0 {
            let error = Error::from(ErrorKind::TrailingBytes { count: left });
            return Err(error.at(walk.at() as u64));
        }
        Ok(Self {
            nodes: walk.nodes.into_boxed_slice(),
            hasher: RandomState::new(),
            by_key: OnceLock::new(),
            leaves: Leaves::default(),
        })
    }

    /// Returns how many arrays there are.
    pub(super) fn count(&self) -> usize {
        self.nodes.iter().filter(|node| node.size == 1).count()
    }

    /// Returns the arrays in the order of the file: where each is, and its number.
    pub(super) fn arrays(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        let numbered = (0..).zip(&self.nodes);
        numbered
            .filter(|(_, node)| node.size == 1)
            .map(|(number, node)| (number, node.start..node.end))
    }

    /// Returns the path of a node.
    pub(super) fn path(&self, bytes: &[u8], number: u32) -> Path {
        let mut segments = Vec::new();
        let mut at = number;
        while at > 0 {
            let node = self.nodes[at as usize];
            segments.push(node.segment(bytes));
            at = node.parent;
        }
        segments.into_iter().rev().collect()
    }

    /// Finds the value at a path.
    pub(super) fn find(&self, bytes: &[u8], path: &Path) -> Option<Range<usize>> {
        let mut segments = path.segments();
        let mut at = match self.nodes.first() {
            Some(root) if root.start == 0 => 0,
            _ => return self.leaves.find(bytes, 0, segments),
        };
        while let Some((next, below)) = segments.split_first() {
            match self.child(bytes, at, next) {
                Some(child) => (at, segments) = (child, below),
                // What holds no arrays is no node.
                None => {
                    return self
                        .leaves
                        .find(bytes, self.nodes[at as usize].start, segments);
                }
            }
        }
        let node = self.nodes[at as usize];
        Some(node.start..node.end)
    }

    fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        let end = at + self.nodes[at as usize].size;
        let first = Some(at + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| {
            Some(child + self.nodes[child as usize].size).filter(|&next| next < end)
        })
    }

    fn child(&self, bytes: &[u8], at: u32, segment: &Segment) -> Option<u32> {
        let is_it = |child: u32| self.nodes[child as usize].segment(bytes) == *segment;
        if self.nodes[at as usize].size <= FEW {
            return self.children(at).find(|&child| is_it(child));
        }
        let hash = self.hasher.hash_one((at, segment));
        let by_key = self.by_key.get_or_init(|| self.by_key(bytes));
        let first = by_key.partition_point(|(other, _)| *other < hash);
        let same = by_key[first..]
            .iter()
            .take_while(|(other, _)| *other == hash);
        same.map(|(_, number)| *number)
            .find(|&number| self.nodes[number as usize].parent == at && is_it(number))
    }

    fn by_key(&self, bytes: &[u8]) -> Vec<(u64, u32)> {
        let numbered = (0..).zip(&self.nodes).skip(1);
        let hashed = numbered.map(|(number, node): (u32, &Node)| {
            let hash = self.hasher.hash_one((node.parent, node.segment(bytes)));
            (hash, number)
        });
        let mut by_key: Vec<_> = hashed.collect();
        by_key.sort_unstable();
        by_key
    }
}

impl Node {
    fn segment(&self, bytes: &[u8]) -> Segment {
        if self.key == self.start {
            return Segment::Index(self.position.into());
        }
        let mut tokens = Tokens::new(Slice::new(&bytes[self.key..]));
        segment(&mut tokens).unwrap_or(Segment::Index(self.position.into()))
    }
}

/// Reads the key of a map, past a value that can be none.
fn segment(tokens: &mut Tokens<Slice<'_>>) -> Option<Segment> {
    match tokens.next().ok()? {
        Token::Text(length) => Some(Segment::Key(tokens.text(length).ok()?.into_owned())),
        Token::Unsigned(value) => Some(Segment::Index(value.into())),
        Token::Signed(value) => Some(Segment::Index(value.into())),
        _ => None,
    }
}
