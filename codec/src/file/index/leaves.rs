//! Finding what is no node of the index: a walk over the file, from the last node on the way.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::walk::Walk;
use super::{FEW, segment};
use crate::file::reader::{Slice, Token, Tokens};
use crate::limits::Limits;
use crate::path::Segment;

/// The keys of a map by their hashes, sorted, and the bytes at which they begin.
type Keys = Arc<[(u64, usize)]>;

/// The maps that were gone through. One that is asked again is asked often: it keeps where its keys
/// are.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    hasher: RandomState,
    asked: Mutex<HashMap<usize, Option<Keys>>>,
}

impl Leaves {
    /// Finds the value at a path below the value at a byte, in a file whose structure is known to be
    /// sound.
    pub(super) fn find(
        &self,
        bytes: &[u8],
        start: usize,
        path: &[Segment],
    ) -> Option<Range<usize>> {
        let mut at = start;
        for wanted in path {
            at = self.inside(bytes, at, wanted)?;
        }
        let mut walk = Walk::new(bytes.get(at..)?, Limits::new());
        walk.pass().ok()?;
        Some(at..at + walk.at())
    }

    /// Finds the byte at which a value begins that is in the list or map at a byte.
    fn inside(&self, bytes: &[u8], start: usize, wanted: &Segment) -> Option<usize> {
        let mut walk = Walk::new(bytes.get(start..)?, Limits::new());
        match (walk.tokens.next().ok()?, wanted) {
            (Token::List(count), Segment::Index(index)) => {
                let index = usize::try_from(*index).ok();
                let index = index.filter(|&index| index < count)?;
                (0..index).try_for_each(|_| walk.pass()).ok()?;
                Some(start + walk.at())
            }
            (Token::Map(count), _) => {
                if let Some(keys) = self.keys(start, &walk, count) {
                    return self.under(bytes, &keys, wanted);
                }
                for _ in 0..count {
                    let is_it = segment(&mut walk.tokens).as_ref() == Some(wanted);
                    if is_it {
                        return Some(start + walk.at());
                    }
                    walk.pass().ok()?;
                }
                None
            }
            _ => None,
        }
    }

    /// Returns where the keys of a map are, if it is large and asked again; the walk is at its first.
    fn keys(&self, map: usize, walk: &Walk<'_>, count: usize) -> Option<Keys> {
        if count <= FEW as usize {
            return None;
        }
        let asked = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let known = asked().get(&map).cloned();
        match known {
            Some(Some(keys)) => return Some(keys),
            Some(None) => {}
            None => {
                asked().insert(map, None);
                return None;
            }
        }
        let (mut walk, mut keys) = (walk.clone(), Vec::new());
        for _ in 0..count {
            let at = map + walk.at();
            let key = segment(&mut walk.tokens)?;
            keys.push((self.hasher.hash_one(key), at));
            walk.pass().ok()?;
        }
        keys.sort_unstable();
        let keys = Keys::from(keys);
        asked().insert(map, Some(Arc::clone(&keys)));
        Some(keys)
    }

    fn under(&self, bytes: &[u8], keys: &Keys, wanted: &Segment) -> Option<usize> {
        let hash = self.hasher.hash_one(wanted);
        let first = keys.partition_point(|(other, _)| *other < hash);
        let same = keys[first..].iter().take_while(|(other, _)| *other == hash);
        same.map(|&(_, at)| at).find_map(|at| {
            let mut tokens = Tokens::new(Slice::new(&bytes[at..]));
            let is_it = segment(&mut tokens).as_ref() == Some(wanted);
            is_it.then(|| at + tokens.offset() as usize)
        })
    }
}
