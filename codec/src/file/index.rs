//! Where the arrays of a file are: one pass over its structure, which passes over payloads.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::OnceLock;

use super::reader::{Slice, Token, Tokens};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::path::{Path, Segment};

/// The arrays of a file, and the lists and maps that hold them, in the order of the file.
///
/// What holds no array is no node, so that the index is no larger than a few times its file.
#[derive(Debug)]
pub(super) struct Index {
    nodes: Vec<Node>,
    hasher: RandomState,
    /// Nodes by the hash of their parent and key, sorted; made when it is first needed.
    by_key: OnceLock<Vec<(u64, u32)>>,
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
    /// Those of [`decode`](crate::decode) for bytes that are no MessagePack value; what is wrong with
    /// an array shows when it is read.
    pub(super) fn new(bytes: &[u8], limits: Limits) -> Result<Self, Error> {
        let mut walk = Walk {
            tokens: Tokens::new(Slice::new(bytes)),
            nodes: Vec::new(),
            most: bytes.len() / 8 + 64,
        };
        walk.value(0, 0, limits.depth, limits.depth)?;
        let left = bytes.len() - walk.at();
        if left > 0 {
            let error = Error::from(ErrorKind::TrailingBytes { count: left });
            return Err(error.at(walk.at() as u64));
        }
        Ok(Self {
            nodes: walk.nodes,
            hasher: RandomState::new(),
            by_key: OnceLock::new(),
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
            _ => return scan(bytes, 0, segments),
        };
        while let Some((next, below)) = segments.split_first() {
            match self.child(bytes, at, next) {
                Some(child) => (at, segments) = (child, below),
                // What holds no arrays is no node.
                None => return scan(bytes, self.nodes[at as usize].start, segments),
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

/// Looks for the value at a path below the value at a byte, in a file whose structure is known to be
/// sound.
fn scan(bytes: &[u8], start: usize, path: &[Segment]) -> Option<Range<usize>> {
    let mut walk = Walk {
        tokens: Tokens::new(Slice::new(bytes.get(start..)?)),
        nodes: Vec::new(),
        most: 0,
    };
    for wanted in path {
        let found = match walk.tokens.next().ok()? {
            Token::List(count) => (0..count).find_map(|index| {
                let is_it = *wanted == Segment::Index(index as i128);
                (is_it || walk.pass().is_err()).then_some(is_it)
            }),
            Token::Map(count) => (0..count).find_map(|_| {
                let is_it = segment(&mut walk.tokens).as_ref() == Some(wanted);
                (is_it || walk.pass().is_err()).then_some(is_it)
            }),
            _ => None,
        };
        if found != Some(true) {
            return None;
        }
    }
    let from = start + walk.at();
    walk.pass().ok()?;
    Some(from..start + walk.at())
}

struct Walk<'b> {
    tokens: Tokens<Slice<'b>>,
    nodes: Vec<Node>,
    /// How many nodes there may be.
    most: usize,
}

impl Walk<'_> {
    fn at(&self) -> usize {
        self.tokens.offset() as usize
    }

    /// Passes over a value, on a stack of counters.
    fn pass(&mut self) -> Result<(), Error> {
        let mut left: usize = 1;
        while let Some(rest) = left.checked_sub(1) {
            left = rest;
            match self.tokens.next()? {
                Token::List(count) => left = left.saturating_add(count),
                Token::Map(count) => left = left.saturating_add(count.saturating_mul(2)),
                Token::Text(length) | Token::Bytes(length) | Token::Extension(_, length) => {
                    self.tokens.skip(length)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a value whose key begins at a byte; `depth` of `limit` levels may be inside.
    fn value(
        &mut self,
        key: usize,
        position: usize,
        depth: usize,
        limit: usize,
    ) -> Result<(), Error> {
        let start = self.at();
        let (count, is_map) = match self.tokens.next()? {
            Token::List(count) => (count, false),
            Token::Map(count) => (count, true),
            Token::Text(length) => return self.tokens.text(length).map(drop),
            Token::Bytes(length) | Token::Extension(_, length) => {
                return self.tokens.skip(length);
            }
            _ => return Ok(()),
        };
        let inside = depth
            .checked_sub(1)
            .ok_or_else(|| Error::from(ErrorKind::TooDeep { limit }).at(start as u64))?;
        let number = self.node(key, start, position)?;
        if is_map && self.is_array(count) {
            self.close(number);
            return Ok(());
        }
        for position in 0..count {
            let key = self.at();
            if is_map {
                self.key()?;
            }
            self.child(key, position, number, inside, limit)?;
        }
        match self.nodes.len() == number + 1 {
            true => drop(self.nodes.pop()),
            false => self.close(number),
        }
        Ok(())
    }

    fn child(
        &mut self,
        key: usize,
        position: usize,
        parent: usize,
        depth: usize,
        limit: usize,
    ) -> Result<(), Error> {
        let number = self.nodes.len();
        self.value(key, position, depth, limit)?;
        if let Some(node) = self.nodes.get_mut(number) {
            node.parent = parent as u32;
        }
        Ok(())
    }

    fn node(&mut self, key: usize, start: usize, position: usize) -> Result<usize, Error> {
        let number = self.nodes.len();
        if number >= self.most.min(u32::MAX as usize) {
            return Err(ErrorKind::Limit {
                what: "lists and maps around arrays",
                limit: self.most,
                found: number,
            }
            .into());
        }
        self.nodes.push(Node {
            start,
            end: start,
            key,
            parent: 0,
            position: u32::try_from(position).unwrap_or(u32::MAX),
            size: 1,
        });
        Ok(number)
    }

    fn close(&mut self, number: usize) {
        let (end, size) = (self.at(), self.nodes.len() - number);
        if let Some(node) = self.nodes.get_mut(number) {
            node.end = end;
            node.size = size as u32;
        }
    }

    fn key(&mut self) -> Result<(), Error> {
        let start = self.at() as u64;
        let found = match self.tokens.next()? {
            Token::Text(length) => return self.tokens.text(length).map(drop),
            Token::Unsigned(_) | Token::Signed(_) => return Ok(()),
            other => other.describe().to_owned(),
        };
        Err(Error::from(ErrorKind::KeyType { found }).at(start))
    }

    /// Passes over the entries of a map that has the keys of an array and the kinds of their values;
    /// stays at its first entry if it has not.
    fn is_array(&mut self, count: usize) -> bool {
        if !(3..=5).contains(&count) {
            return false;
        }
        let before = self.tokens.clone();
        let mut parts = [false; PARTS.len()];
        for _ in 0..count {
            match self.part() {
                Some(part) if !parts[part] => parts[part] = true,
                _ => {
                    self.tokens = before;
                    return false;
                }
            }
        }
        let is_array = parts.starts_with(&[true; 3]);
        if !is_array {
            self.tokens = before;
        }
        is_array
    }

    /// Passes over one entry of an array; returns which it is.
    fn part(&mut self) -> Option<usize> {
        let Token::Text(length) = self.tokens.next().ok()? else {
            return None;
        };
        let key = self.tokens.text(length).ok()?;
        let part = PARTS.iter().position(|part| *part == key)?;
        match (key.as_ref(), self.tokens.next().ok()?) {
            ("shape", Token::List(count)) => {
                for _ in 0..count {
                    let Token::Unsigned(_) = self.tokens.next().ok()? else {
                        return None;
                    };
                }
            }
            ("data" | "pad", Token::Bytes(length)) | ("dtype" | "order", Token::Text(length)) => {
                self.tokens.skip(length).ok()?;
            }
            _ => return None,
        }
        Some(part)
    }
}
