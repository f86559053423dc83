//! The pickles under `treedef`, which say to JAX how leaves become elements.
//!
//! They are made from a table and compared with it. Nothing is ever unpickled.

use crate::error::{Error, ReplayError};

/// What a `treedef` is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// The elements of a memory: `ReplayElement`.
    Element,
    /// The steps of a trajectory: `TransitionElement`.
    Transition,
    /// A memory or a trajectory without any.
    None,
}

/// The pickles that one range of versions of jax and flax reads and writes.
///
/// A file of another range cannot be loaded there, and one that names the wrong kind of node ends
/// the Python process; so a buffer can be [moved](super::ReplayBuffer::set_treedefs) to another.
///
/// ```
/// use npcodec::replay::{Tree, TreeDefs};
///
/// let trees = TreeDefs::for_jax("0.4.30")?.for_flax("0.8.5")?;
/// let pickle = trees.pickle(Tree::Element);
/// assert_eq!(TreeDefs::recognise(&pickle), Some((Tree::Element, trees)));
/// assert!(TreeDefs::for_jax("0.4").is_err());               // several ranges
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeDefs {
    module: &'static str,
    registry: bool,
    dataclass: bool,
}

const OLD: &str = "jaxlib.xla_extension.pytree";
const NEW: &str = "jaxlib._jax.pytree";

/// The kinds of nodes.
const LEAF: u8 = 0;
const NONE: u8 = 1;
const NAMED_TUPLE: u8 = 3;
const CUSTOM: u8 = 6;
const DATACLASS: u8 = 7;

/// Those of the newest versions.
impl Default for TreeDefs {
    fn default() -> Self {
        Self {
            module: NEW,
            registry: true,
            dataclass: true,
        }
    }
}

impl TreeDefs {
    /// Returns the pickles of a version of jax, as `0.10.2`, with flax 0.8.3 or later. What was run
    /// is 0.4.13 and 0.4.18 up to 0.10.2; later ones are taken to be like the last.
    ///
    /// # Errors
    /// [`Version`](ReplayError::Version) for a text that is no version, one that leaves open which
    /// range it is in, and one between ranges or before them.
    pub fn for_jax(version: &str) -> Result<Self, Error> {
        let (module, registry) = match numbers(version) {
            Some((0, 4, Some(13))) => (OLD, false),
            Some((0, 4, Some(18..)) | (0, 5, _) | (0, 6, Some(0))) => (OLD, true),
            Some((0, 6, Some(1..)) | (0, 7.., _) | (1.., _, _)) => (NEW, true),
            _ => return Err(unknown(version)),
        };
        let dataclass = true;
        Ok(Self {
            module,
            registry,
            dataclass,
        })
    }

    /// Returns the pickles of the same jax with a version of flax, which decides what kind of node
    /// a `ReplayElement` is: another since 0.8.3.
    ///
    /// # Errors
    /// [`Version`](ReplayError::Version), as [`for_jax`](Self::for_jax).
    pub fn for_flax(mut self, version: &str) -> Result<Self, Error> {
        self.dataclass = match numbers(version) {
            Some((0, 0..=7, _) | (0, 8, Some(0..=2))) => false,
            Some((0, 8, Some(3..)) | (0, 9.., _) | (1.., _, _)) => true,
            _ => return Err(unknown(version)),
        };
        Ok(self)
    }

    /// Returns what a pickle is of and whose it is, if it is one that the table has.
    #[must_use]
    pub fn recognise(pickle: &[u8]) -> Option<(Tree, Self)> {
        Self::find(pickle, |trees, tree| Some(trees.pickle(tree)))
    }

    /// Looks for a pickle among those that are made for each version.
    pub(super) fn find(
        pickle: &[u8],
        make: impl Fn(&Self, Tree) -> Option<Vec<u8>>,
    ) -> Option<(Tree, Self)> {
        for (module, registry) in [(NEW, true), (OLD, true), (OLD, false)] {
            for dataclass in [true, false] {
                let trees = Self {
                    module,
                    registry,
                    dataclass,
                };
                for tree in [Tree::Element, Tree::Transition, Tree::None] {
                    if make(&trees, tree).is_some_and(|made| same(&made, pickle)) {
                        return Some((tree, trees));
                    }
                }
            }
        }
        None
    }

    /// Returns the pickle, as `pickle.dumps` of protocol 4 makes it.
    #[must_use]
    pub fn pickle(self, tree: Tree) -> Vec<u8> {
        let mut body = Vec::new();
        global(&mut body, self.module, "PyTreeDef");
        body.extend(b"\x29\x81\x94");
        if self.registry {
            global(&mut body, "jax._src.tree_util", "default_registry");
        }
        body.extend(b"\x5d\x94");
        match tree {
            Tree::None => {
                node(
                    &mut body,
                    [NONE, 0, 0, 1],
                    |data| data.push(b'N'),
                    |custom| custom.push(b'N'),
                );
                body.push(b'a');
            }
            Tree::Element => self.element(&mut body),
            Tree::Transition => transition(&mut body),
        }
        if self.registry {
            body.extend(b"\x86\x94");
        }
        body.extend(b"b.");
        let mut pickle = b"\x80\x04\x95".to_vec();
        pickle.extend((body.len() as u64).to_le_bytes());
        pickle.extend(body);
        pickle
    }

    fn element(self, body: &mut Vec<u8>) {
        leaves(body, 6);
        let kind = if self.dataclass { DATACLASS } else { CUSTOM };
        let name = |out: &mut Vec<u8>| global(out, ELEMENTS, "ReplayElement");
        node(body, [kind, 6, 6, 7], |data| data.push(b'\x29'), name);
        body.push(b'e');
    }
}

/// Compares pickles; protocol 5 differs from 4 in the number only.
fn same(made: &[u8], pickle: &[u8]) -> bool {
    match (made, pickle) {
        ([0x80, 4, made @ ..], [0x80, 4 | 5, rest @ ..]) => made == rest,
        _ => made == pickle,
    }
}

const ELEMENTS: &str = "dopamine.jax.replay_memory.elements";

fn transition(body: &mut Vec<u8>) {
    leaves(body, 5);
    let name = |out: &mut Vec<u8>| global(out, ELEMENTS, "TransitionElement");
    node(body, [NAMED_TUPLE, 5, 5, 6], name, |custom| {
        custom.push(b'N')
    });
    body.push(b'e');
}

fn leaves(body: &mut Vec<u8>, count: usize) {
    body.push(b'(');
    for _ in 0..count {
        node(
            body,
            [LEAF, 0, 1, 1],
            |data| data.push(b'N'),
            |custom| custom.push(b'N'),
        );
    }
}

/// Writes the tuple of a node: kind, arity, two objects, and how many leaves and nodes it has.
fn node(
    out: &mut Vec<u8>,
    [kind, arity, leaves, nodes]: [u8; 4],
    data: impl FnOnce(&mut Vec<u8>),
    custom: impl FnOnce(&mut Vec<u8>),
) {
    out.extend([b'(', b'K', kind, b'K', arity]);
    data(out);
    custom(out);
    out.extend([b'K', leaves, b'K', nodes, b't', 0x94]);
}

fn global(out: &mut Vec<u8>, module: &str, name: &str) {
    for text in [module, name] {
        out.extend([0x8c, text.len() as u8]);
        out.extend(text.as_bytes());
        out.push(0x94);
    }
    out.extend(b"\x93\x94");
}

fn unknown(version: &str) -> Error {
    let text = version.to_owned();
    ReplayError::Version { text }.into()
}

/// Splits a version of two or three numbers.
fn numbers(version: &str) -> Option<Version> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let version = (parts.next()??, parts.next()??, parts.next());
    let (major, minor, patch) = version;
    let patch = match patch {
        Some(patch) => Some(patch?),
        None => None,
    };
    parts.next().is_none().then_some((major, minor, patch))
}

type Version = (u32, u32, Option<u32>);
