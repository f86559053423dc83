//! The `treedef`s of one buffer: those of its file, and what is missing from the table.

use super::element::Element;
use super::treedef::{Tree, TreeDefs};
use crate::error::{Error, ReplayError};

/// The `treedef`s of a buffer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Trees {
    known: TreeDefs,
    element: Carried,
    transition: Carried,
    /// Whether the elements have a structure that the table knows, and the file another.
    strange: bool,
}

/// The pickles of a file for lists with something in them, and for empty ones.
#[derive(Debug, Clone, PartialEq, Default)]
struct Carried {
    full: Option<Vec<u8>>,
    empty: Option<Vec<u8>>,
}

impl Trees {
    /// Returns those of other versions of jax and flax.
    ///
    /// # Errors
    /// [`Carried`](ReplayError::Carried) if one of the pickles is not known for these.
    pub(super) fn moved<E: Element>(&self, known: TreeDefs) -> Result<Self, Error> {
        self.check()?;
        let moved = |carried: &Carried, tree| match &carried.full {
            Some(full) if E::treedef(&known, tree).is_none() => {
                let (tree, _) = TreeDefs::recognise(full).ok_or(ReplayError::Carried)?;
                let full = Some(known.pickle(tree));
                Ok::<_, Error>(Carried { full, empty: None })
            }
            _ => Ok(Carried::default()),
        };
        Ok(Self {
            known,
            element: moved(&self.element, Tree::Element)?,
            transition: moved(&self.transition, Tree::Transition)?,
            strange: false,
        })
    }

    /// Takes over the pickles of a file; each is written again as it was.
    ///
    /// # Errors
    /// [`Configuration`](ReplayError::Configuration) for a list with something in it under the
    /// pickle of an empty one.
    pub(super) fn loaded<E: Element>(
        (memory, elements): (Vec<u8>, usize),
        (trajectory, steps): (Vec<u8>, usize),
    ) -> Result<Self, Error> {
        // That of an element says most: which flax it was.
        let found = [&memory, &trajectory].map(|pickle| {
            let own = TreeDefs::find(pickle, E::treedef);
            own.or_else(|| TreeDefs::recognise(pickle))
        });
        let known = found
            .iter()
            .flatten()
            .find(|(tree, _)| *tree == Tree::Element);
        let known = known.or_else(|| found.iter().flatten().next());
        let known = known.map(|(_, trees)| *trees).unwrap_or_default();
        let [element, transition] = [(memory, elements), (trajectory, steps)].map(carried);
        let (element, transition) = (element?, transition?);
        let strange = [(&element, Tree::Element), (&transition, Tree::Transition)];
        let strange = strange.into_iter().any(|(carried, tree)| {
            let found = |full: &Vec<u8>| TreeDefs::find(full, E::treedef).map(|(found, _)| found);
            let other = |full: &Vec<u8>| found(full) != Some(tree);
            carried.full.as_ref().is_some_and(other) && E::treedef(&known, tree).is_some()
        });
        Ok(Self {
            known,
            element,
            transition,
            strange,
        })
    }

    /// Returns the pickle for a memory of so many elements.
    pub(super) fn memory<E: Element>(&self, elements: usize) -> Result<Vec<u8>, Error> {
        self.pickle::<E>(&self.element, elements, Tree::Element)
    }

    /// Returns the pickle for a trajectory of so many steps.
    pub(super) fn trajectory<E: Element>(&self, steps: usize) -> Result<Vec<u8>, Error> {
        self.pickle::<E>(&self.transition, steps, Tree::Transition)
    }

    fn pickle<E: Element>(
        &self,
        carried: &Carried,
        count: usize,
        tree: Tree,
    ) -> Result<Vec<u8>, Error> {
        if count == 0 {
            let empty = carried.empty.clone();
            return Ok(empty.unwrap_or_else(|| self.known.pickle(Tree::None)));
        }
        let full = carried.full.clone();
        full.or_else(|| E::treedef(&self.known, tree))
            .ok_or_else(|| ReplayError::NoTreedef.into())
    }

    /// Checks that elements that are made here are what the pickles of the file say.
    ///
    /// # Errors
    /// [`Carried`](ReplayError::Carried).
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.strange {
            return Err(ReplayError::Carried.into());
        }
        Ok(())
    }
}

fn carried((pickle, count): (Vec<u8>, usize)) -> Result<Carried, Error> {
    let is_none = TreeDefs::recognise(&pickle).is_some_and(|(tree, _)| tree == Tree::None);
    match (count, is_none) {
        (0, _) => Ok(Carried {
            full: None,
            empty: Some(pickle),
        }),
        (_, true) => Err(ReplayError::Configuration {
            given: "a treedef of nothing".to_owned(),
            found: format!("{count} lists of leaves under it"),
        }
        .into()),
        (_, false) => Ok(Carried {
            full: Some(pickle),
            empty: None,
        }),
    }
}
