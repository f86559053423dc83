//! The arrays of a state as a list without names.

use super::convert::{arrays, load, refuse};
use super::flatten::{Leaves, leaves};
use super::rebuild::{Tree, path};
use crate::checkpoint::{Checkpoint, ReadOptions, Restore, Save};
use crate::dtype::DType;
use crate::encoding::NumpyEncoding;
#[cfg(feature = "compress")]
use crate::encoding::Packed;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::flower::Array;
use crate::path::{Path, Segment};
use crate::report::{LoadReport, Mismatch};
use crate::state::Value;

/// Returns the arrays of a state in the order of its fields, without their names.
///
/// For peers that exchange parameters as a list. The records of [`to_records`](super::to_records) are
/// matched by name, and are the better form wherever both sides can take them.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with every leaf that is no array, nil among them: the list would be
/// shorter or lack something. Lists and maps without items are no leaves. Those of
/// [`to_records`](super::to_records).
pub fn to_list<T: Save + ?Sized>(state: &T) -> Result<Vec<Array<'_>>, Error> {
    let leaves = array_leaves(state)?;
    let mut unsupported = Vec::new();
    let list = arrays(leaves.arrays, &mut unsupported);
    let list = list.into_iter().map(|(_, array)| array).collect();
    refuse(unsupported).map(|()| list)
}

/// Loads a list of arrays into a state, into the memory of the arrays that it has, in the order of its
/// fields.
///
/// There must be exactly as many arrays as the state has, each of the shape and dtype of the one in
/// its place. The byte order of numbers may be another, and so may what of a dtype the values decide:
/// the length of texts, and of a compressed block. All of it is checked before anything is changed.
///
/// ```
/// use npcodec::flower::{load_list, to_list};
/// use npcodec::ndarray::{Array1, array};
///
/// let theirs = vec![array![1.0f32, 2.0], array![3.0]];
/// let mut ours: Vec<Array1<f32>> = vec![array![0.0, 0.0], array![0.0]];
/// load_list(&mut ours, &to_list(&theirs)?)?;
/// assert_eq!(ours, theirs);
///
/// let error = load_list(&mut ours, &to_list(&theirs[..1])?).unwrap_err();
/// assert_eq!(error.to_string(), "expected a list of 2 arrays, found one of 1");
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Mismatch`] for another number of arrays; [`ErrorKind::Report`] with every place whose
/// array does not fit, the index as its path; those of [`to_list`].
pub fn load_list<'r, 'a: 'r, T: Save + Restore<'r>>(
    state: &mut T,
    list: impl IntoIterator<Item = &'r Array<'a>>,
) -> Result<(), Error> {
    let (places, containers) = outline(state)?;
    let list: Vec<_> = list.into_iter().collect();
    if places.len() != list.len() {
        let expected = format!("a list of {} arrays", places.len());
        let found = format!("one of {}", list.len());
        return Err(ErrorKind::Mismatch { expected, found }.into());
    }
    let (mut arrays, mut report) = (Vec::new(), LoadReport::default());
    for (index, (place, array)) in places.iter().zip(list).enumerate() {
        let path = || Path::root().join(Segment::Index(index as i128));
        let array = array.to_encoding().map_err(|error| error.under(&path()))?;
        let (expected, found) = (&place.content, Content::of(&array));
        if !expected.takes(&found) {
            report.add_mismatch(|| Mismatch {
                path: path(),
                offset: None,
                expected: format!("{} for `{}`", expected.words, place.path),
                found: found.words,
            });
        }
        arrays.push(array);
    }
    if !report.is_clean() {
        return Err(ErrorKind::Report(report).into());
    }
    let mut tree = Tree::default();
    for (place, array) in places.into_iter().zip(arrays) {
        tree.insert(&place.path, Value::Array(array))?;
    }
    for (path, is_map) in containers {
        match is_map {
            true => tree.mark_map(&path)?,
            false => tree.insert(&path, Value::List(Vec::new()))?,
        }
    }
    load(state, tree.value()?, &ReadOptions::new()).map(drop)
}

/// A place of the list, and what stands there.
struct Slot {
    path: Path,
    content: Content,
}

/// What an array is. Of a Snappy record it is what that holds: its own dtype depends on the values.
struct Content {
    shape: Vec<usize>,
    dtype: DType,
    compressed: bool,
    words: String,
}

impl Content {
    fn of(array: &NumpyEncoding<'_>) -> Self {
        #[cfg(feature = "compress")]
        if let Ok(packed) = Packed::open(array) {
            let mut content = Self::of(packed.header());
            content.compressed = true;
            content.words.push_str(", compressed");
            return content;
        }
        Self {
            shape: array.shape().to_vec(),
            dtype: array.dtype().clone(),
            compressed: false,
            words: array.to_string(),
        }
    }

    /// Returns true if the other can be loaded in this one's place: both have one shape, and dtypes that
    /// differ in nothing but the byte order of a number or the length of texts. A field that compresses
    /// takes plain arrays too.
    fn takes(&self, other: &Self) -> bool {
        let same = match (&self.dtype, &other.dtype) {
            (DType::Number(a, _), DType::Number(b, _)) => a == b,
            (DType::Unicode(..), DType::Unicode(..)) => true,
            (a, b) => a == b,
        };
        same && self.shape == other.shape && (self.compressed || !other.compressed)
    }
}

/// The places of the arrays of a state, and the lists and maps that are to be made for it.
type Outline = (Vec<Slot>, Vec<(Path, bool)>);

fn outline<T: Save + ?Sized>(state: &T) -> Result<Outline, Error> {
    let leaves = array_leaves(state)?;
    let slots = leaves.arrays.into_iter().map(|(path, array)| Slot {
        content: Content::of(&array),
        path,
    });
    let lists = leaves.config.keys().map(|key| (path(key), false));
    let maps = leaves.markers.maps.iter().map(|key| (path(key), true));
    Ok((slots.collect(), lists.chain(maps).collect()))
}

/// Takes a state apart that holds arrays alone, and lists and maps without items.
fn array_leaves<T: Save + ?Sized>(state: &T) -> Result<Leaves<'_>, Error> {
    let mut leaves = leaves(state.to_value()?)?;
    let settings = leaves
        .config
        .iter()
        .map(|(key, value)| (path(key), Value::from(value)));
    let settings =
        settings.filter(|(_, value)| value.as_list().is_none_or(|list| !list.is_empty()));
    let nil = leaves.markers.nil.iter().map(|key| (path(key), Value::Nil));
    for (path, value) in settings.chain(nil) {
        let leaf = UnsupportedLeaf::new(path, value.kind(), "a list of arrays has no place for it");
        leaves.unsupported.push(leaf);
    }
    refuse(std::mem::take(&mut leaves.unsupported)).map(|()| leaves)
}
