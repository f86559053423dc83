//! The one pass over the structure of a file.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use super::{Node, PARTS, segment};
use crate::error::{Error, ErrorKind};
use crate::file::reader::{Slice, Token, Tokens, check};
use crate::limits::Limits;
use crate::path::Segment;
use crate::state::Key;

/// A key of a map.
#[derive(Hash)]
enum Name<'b> {
    Text(Cow<'b, str>),
    Integer(i128),
}

/// Goes over a file and keeps where the arrays are, and what is around them.
#[derive(Clone)]
pub(super) struct Walk<'b> {
    bytes: &'b [u8],
    pub(super) tokens: Tokens<Slice<'b>>,
    pub(super) nodes: Vec<Node>,
    /// How many nodes there may be.
    most: usize,
    limits: Limits,
    hasher: RandomState,
    /// The keys of the maps that are open: their hashes, and where they begin.
    keys: Vec<(u64, usize)>,
}

impl<'b> Walk<'b> {
    pub(super) fn new(bytes: &'b [u8], limits: Limits) -> Self {
        Self {
            bytes,
            tokens: Tokens::new(Slice::new(bytes)),
            nodes: Vec::new(),
            // All that are open may turn out to hold nothing.
            most: bytes.len() / 4 + limits.depth,
            limits,
            hasher: RandomState::new(),
            keys: Vec::new(),
        }
    }

    pub(super) fn at(&self) -> usize {
        self.tokens.offset() as usize
    }

    /// Passes over a value, on a stack of counters.
    pub(super) fn pass(&mut self) -> Result<(), Error> {
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

    /// Reads a value whose key begins at a byte; there may be `depth` levels inside.
    pub(super) fn value(&mut self, key: usize, position: usize, depth: usize) -> Result<(), Error> {
        let start = self.at();
        let here = |error: Error| error.at(start as u64);
        let (count, is_map) = match self.tokens.next()? {
            Token::List(count) => (count, false),
            Token::Map(count) => (count, true),
            Token::Text(length) => return self.tokens.text(length).map(drop),
            Token::Bytes(length) => {
                check("bytes in one array", length, self.limits.array_bytes).map_err(here)?;
                return self.tokens.skip(length);
            }
            Token::Extension(_, length) => return self.tokens.skip(length),
            _ => return Ok(()),
        };
        if is_map {
            check("keys in one map", count, self.limits.keys).map_err(here)?;
        }
        let limit = self.limits.depth;
        let inside = depth
            .checked_sub(1)
            .ok_or_else(|| here(ErrorKind::TooDeep { limit }.into()))?;
        let number = self.node(key, start, position)?;
        if is_map && self.is_array(count) {
            self.close(number);
            return Ok(());
        }
        let outer = self.keys.len();
        for position in 0..count {
            let key = self.at();
            if is_map {
                self.key()?;
            }
            self.child(key, position, number, inside)?;
        }
        self.all_different(outer)?;
        self.keys.truncate(outer);
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
    ) -> Result<(), Error> {
        let number = self.nodes.len();
        self.value(key, position, depth)?;
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
        let at = self.at();
        let here = |error: Error| error.at(at as u64);
        let segment = match self.tokens.next()? {
            Token::Text(length) => {
                check("bytes in one key", length, self.limits.key_bytes).map_err(here)?;
                Name::Text(self.tokens.text(length)?)
            }
            Token::Unsigned(value) => Name::Integer(value.into()),
            Token::Signed(value) => Name::Integer(value.into()),
            other => {
                let found = other.describe().to_owned();
                return Err(here(ErrorKind::KeyType { found }.into()));
            }
        };
        self.keys.push((self.hasher.hash_one(segment), at));
        Ok(())
    }

    /// Refuses a key that stands twice in one map: among those from a place of `keys` on.
    fn all_different(&mut self, outer: usize) -> Result<(), Error> {
        let keys = &mut self.keys[outer..];
        keys.sort_unstable();
        let key = |at: usize| segment(&mut Tokens::new(Slice::new(&self.bytes[at..])));
        let twice = keys.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let twice = twice.filter(|pair| key(pair[0].1) == key(pair[1].1));
        let Some(at) = twice.map(|pair| pair[1].1).min() else {
            return Ok(());
        };
        let key = match key(at) {
            Some(Segment::Key(text)) => Key::from(text),
            Some(Segment::Index(value)) => Key::Integer(value),
            None => return Ok(()),
        };
        let key = key.to_string();
        Err(Error::from(ErrorKind::RepeatedKey { key }).at(at as u64))
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

    /// Passes over one entry of an array; returns which it is. Of what stands there, only lists and
    /// maps in the wrong place make the map another one: the rest is an array that is wrong.
    fn part(&mut self) -> Option<usize> {
        let Token::Text(length) = self.tokens.next().ok()? else {
            return None;
        };
        if length > self.limits.key_bytes {
            return None;
        }
        let key = self.tokens.text(length).ok()?;
        let part = PARTS.iter().position(|part| *part == key)?;
        match self.tokens.next().ok()? {
            Token::List(count) if part == 0 => {
                for _ in 0..count {
                    let length = self.tokens.next().ok()?;
                    self.scalar(length)?;
                }
            }
            value => self.scalar(value)?,
        }
        Some(part)
    }

    fn scalar(&mut self, token: Token) -> Option<()> {
        match token {
            Token::List(_) | Token::Map(_) => None,
            Token::Bytes(length) if length > self.limits.array_bytes => None,
            Token::Text(length) | Token::Bytes(length) | Token::Extension(_, length) => {
                self.tokens.skip(length).ok()
            }
            _ => Some(()),
        }
    }
}
