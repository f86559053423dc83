//! The tree of a state, put together from the entries of records.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::markers::{Markers, is_marker};
use crate::encoding::{Integer, LongIntegerEncoding};
use crate::error::{Error, ErrorKind};
use crate::flower::ConfigRecord;
use crate::flower::protobuf::fault;
use crate::limits;
use crate::path::{Path, Place, Segment};
use crate::state::{Key, StateDict, Value};

/// A place of the tree.
#[derive(Default)]
enum Node<'r> {
    /// Nothing is known of it yet.
    #[default]
    Vacant,
    Leaf(Value<'r>),
    /// A map or list, and whether it is known to be a map.
    Branch(IndexMap<Segment, Node<'r>>, bool),
}

/// A state that is put together, by the paths of its leaves, whatever their order.
#[derive(Default)]
pub(super) struct Tree<'r>(Node<'r>);

impl<'r> Tree<'r> {
    /// Puts a leaf in its place.
    ///
    /// # Errors
    /// [`ErrorKind::RepeatedKey`] for a second one; [`ErrorKind::Format`] where a map or list is;
    /// [`ErrorKind::TooDeep`].
    pub(super) fn insert(&mut self, path: &Path, leaf: Value<'r>) -> Result<(), Error> {
        self.0.insert(path, leaf)
    }

    /// Makes a place a map, whatever the keys of its entries.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] where a leaf is; [`ErrorKind::TooDeep`].
    pub(super) fn mark_map(&mut self, path: &Path) -> Result<(), Error> {
        self.0.mark(path)
    }

    /// Puts the values of a record in their places.
    ///
    /// # Errors
    /// Those of [`insert`](Self::insert), and [`ErrorKind::Format`] for markers that are none.
    pub(super) fn insert_config(&mut self, config: &'r ConfigRecord) -> Result<(), Error> {
        let markers = Markers::read(config)?;
        let mut integers: HashSet<&str> = markers.integers.iter().map(AsRef::as_ref).collect();
        for (key, value) in config.iter().filter(|(key, _)| !is_marker(key)) {
            let mut value = Value::from(value);
            if integers.remove(key) {
                value = long_integer(value).map_err(|error| error.under(&path(key)))?;
            }
            self.insert(&path(key), value)?;
        }
        let mut listed = markers.integers.iter();
        if let Some(key) = listed.find(|&key| integers.contains(key.as_ref())) {
            return Err(fault("the text of an integer", "nothing").under(&path(key)));
        }
        for key in &markers.nil {
            self.insert(&path(key), Value::Nil)?;
        }
        for key in &markers.maps {
            self.mark_map(&path(key))?;
        }
        Ok(())
    }

    /// Returns the state.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] for a list that lacks an item, and for names among the items of a list;
    /// [`ErrorKind::KeyType`].
    pub(super) fn value(self) -> Result<Value<'r>, Error> {
        self.0.value(Place::Root)
    }
}

/// Returns the path that a key spells. One that spells none is the key of a map, which no state has
/// under this name.
pub(super) fn path(key: &str) -> Path {
    key.parse()
        .unwrap_or_else(|_| Path::root().join(Segment::Key(key.to_owned())))
}

fn long_integer(value: Value<'_>) -> Result<Value<'_>, Error> {
    match value {
        Value::String(text) => {
            LongIntegerEncoding::new(text).map(|text| Integer::Long(text).into())
        }
        other => Err(fault("the text of an integer", other.kind())),
    }
}

impl<'r> Node<'r> {
    /// Goes down to a place, and makes what is on the way.
    fn at(&mut self, path: &Path) -> Result<&mut Self, Error> {
        let limit = limits::DEPTH;
        if path.segments().len() > limit {
            return Err(ErrorKind::TooDeep { limit }.into());
        }
        let mut node = self;
        for segment in path.segments() {
            if matches!(node, Self::Vacant) {
                // With room for one: a path that is long and alone takes no more than that.
                *node = Self::Branch(IndexMap::with_capacity(1), false);
            }
            node = match node {
                Self::Branch(children, _) => children.entry(segment.clone()).or_default(),
                _ => return Err(clash(path)),
            };
        }
        Ok(node)
    }

    fn insert(&mut self, path: &Path, leaf: Value<'r>) -> Result<(), Error> {
        match self.at(path)? {
            node @ Self::Vacant => {
                *node = Self::Leaf(leaf);
                Ok(())
            }
            Self::Leaf(_) => {
                let key = format!("`{path}`");
                Err(ErrorKind::RepeatedKey { key }.into())
            }
            Self::Branch(..) => Err(clash(path)),
        }
    }

    /// Makes a place a map.
    fn mark(&mut self, path: &Path) -> Result<(), Error> {
        match self.at(path)? {
            Self::Branch(_, is_map) => *is_map = true,
            node @ Self::Vacant => *node = Self::Branch(IndexMap::new(), true),
            Self::Leaf(_) => return Err(clash(path)),
        }
        Ok(())
    }

    /// Makes the value, going down as far as the longest path is.
    fn value(self, place: Place<'_>) -> Result<Value<'r>, Error> {
        let (children, is_map) = match self {
            Self::Vacant => return Ok(Value::Map(StateDict::new())),
            Self::Leaf(value) => return Ok(value),
            Self::Branch(children, is_map) => (children, is_map),
        };
        let has_names = children.keys().any(|key| matches!(key, Segment::Key(_)));
        if !is_map && !has_names {
            return list(children, place).map(Value::List);
        }
        let mut map = StateDict::new();
        for (segment, node) in children {
            let (key, value) = match segment {
                Segment::Key(key) => {
                    let value = node.value(Place::Key(&place, &key))?;
                    (Key::from(key), value)
                }
                Segment::Index(_) if !is_map => {
                    let error = fault("the entries of a map", "those of a list too");
                    return Err(error.under(&place.path()));
                }
                Segment::Index(index) => {
                    (key(index, place)?, node.value(Place::Index(&place, index))?)
                }
            };
            map.insert(key, value);
        }
        Ok(Value::Map(map))
    }
}

fn list<'r>(
    mut children: IndexMap<Segment, Node<'r>>,
    place: Place<'_>,
) -> Result<Vec<Value<'r>>, Error> {
    children.sort_unstable_keys();
    let mut items = limits::cautious(Some(children.len()));
    for (segment, node) in children {
        let next = items.len() as i128;
        if segment != Segment::Index(next) {
            let found = Path::root().join(segment).to_string();
            let error = fault(format!("[{next}] of a list"), &found);
            return Err(error.under(&place.path()));
        }
        items.push(node.value(Place::Index(&place, next))?);
    }
    Ok(items)
}

/// Returns the key that an index of 64 bits is.
fn key(index: i128, place: Place<'_>) -> Result<Key<'static>, Error> {
    if (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&index) {
        return Ok(Key::Integer(index));
    }
    let found = format!("the integer {index}");
    Err(Error::from(ErrorKind::KeyType { found }).under(&place.path()))
}

fn clash(path: &Path) -> Error {
    fault("one value", "a map or list too").under(path)
}
