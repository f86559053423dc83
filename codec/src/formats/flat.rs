//! Nested maps as flat names, for formats that know nothing else.

use super::fault::{fault, refuse};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::file::check;
use crate::limits::Limits;
use crate::path::{Path, Place, Segment, excerpt};
use crate::state::{Key, StateDict, Value};

/// What stands between the names of nested maps unless another separator is asked for.
pub(super) const SEPARATOR: &str = ".";

/// An array with the name that it has in a flat file.
pub(super) struct Named<'v, 'a> {
    pub(super) name: String,
    pub(super) path: Path,
    pub(super) array: &'v NumpyEncoding<'a>,
}

/// Says why a format cannot hold an array, if it cannot.
pub(super) type Judge<'j> = &'j dyn Fn(&NumpyEncoding<'_>) -> Option<String>;

/// What a state is in a flat file: its arrays in the order of the state, and all that is none.
pub(super) struct Flat<'v, 'a, 'j> {
    pub(super) arrays: Vec<Named<'v, 'a>>,
    pub(super) refused: Vec<UnsupportedLeaf>,
    separator: &'j str,
    judge: Judge<'j>,
    /// True if there are maps in the map, so that a key with the separator in it has two readings.
    nests: bool,
}

impl<'v, 'a, 'j> Flat<'v, 'a, 'j> {
    /// Goes over a state, but for what stands under one key of its map.
    pub(super) fn new(
        value: &'v Value<'a>,
        apart: Option<&str>,
        separator: &'j str,
        judge: Judge<'j>,
    ) -> Self {
        let mut flat = Self {
            arrays: Vec::new(),
            refused: Vec::new(),
            separator,
            judge,
            nests: false,
        };
        match value {
            Value::Map(map) => {
                let entries = || {
                    let entries = map.iter();
                    entries.filter(|(key, _)| apart.is_none() || key.as_str() != apart)
                };
                flat.nests = entries().any(|(_, value)| value.as_map().is_some());
                flat.map(entries(), "", Place::Root);
            }
            other => flat.refuse(Path::root(), other, "the file is a map of names to arrays"),
        }
        flat
    }

    /// Adds a value to what the format cannot hold.
    pub(super) fn refuse(&mut self, path: Path, value: &Value<'_>, reason: impl Into<String>) {
        let leaf = UnsupportedLeaf::new(path, found(value), reason);
        self.refused.push(leaf);
    }

    fn map<'k>(
        &mut self,
        entries: impl Iterator<Item = (&'k Key<'a>, &'v Value<'a>)>,
        prefix: &str,
        place: Place<'_>,
    ) where
        'a: 'k,
    {
        for (key, value) in entries {
            let (key, place) = match key {
                Key::String(key) => (&**key, Place::Key(&place, key)),
                Key::Integer(number) => {
                    let place = Place::Index(&place, *number);
                    self.refuse(
                        place.path(),
                        value,
                        "its key is an integer, and names are texts",
                    );
                    continue;
                }
            };
            if self.nests && !self.separator.is_empty() && key.contains(self.separator) {
                let reason = format!(
                    "its key holds the separator {:?}: take another separator",
                    self.separator
                );
                self.refuse(place.path(), value, reason);
                continue;
            }
            match value {
                Value::Map(inner) if inner.is_empty() => {
                    self.refuse(
                        place.path(),
                        value,
                        "a map without arrays has no name in the file",
                    );
                }
                Value::Map(_) if self.separator.is_empty() => {
                    self.refuse(
                        place.path(),
                        value,
                        "without a separator there are no nested maps",
                    );
                }
                Value::Map(inner) => {
                    let prefix = format!("{prefix}{key}{}", self.separator);
                    self.map(inner.iter(), &prefix, place);
                }
                Value::Array(array) => {
                    let (name, path) = (format!("{prefix}{key}"), place.path());
                    if let Some(reason) = (self.judge)(array) {
                        self.refuse(path, value, reason);
                    } else if self.nests && !splits_into(&name, self.separator, &path) {
                        let separator = self.separator;
                        let reason =
                            format!("with the separator {separator:?} its name has other keys");
                        self.refuse(path, value, reason);
                    } else {
                        self.arrays.push(Named { name, path, array });
                    }
                }
                other => self.refuse(place.path(), other, "only arrays are held"),
            }
        }
    }

    /// Returns the arrays if nothing was refused.
    ///
    /// # Errors
    /// [`Unsupported`](ErrorKind::Unsupported) with everything that was.
    pub(super) fn arrays(self, format: &'static str) -> Result<Vec<Named<'v, 'a>>, Error> {
        refuse(format, self.refused)?;
        Ok(self.arrays)
    }
}

/// Returns true if a name has the keys of a path again where it is split.
///
/// It has others where a separator of several characters begins earlier, in the end of a key.
fn splits_into(name: &str, separator: &str, path: &Path) -> bool {
    let keys = path.segments().iter().map(|segment| match segment {
        Segment::Key(key) => key.as_str(),
        Segment::Index(_) => "",
    });
    match separator {
        // Nothing is nested then.
        "" => true,
        separator => name.split(separator).eq(keys),
    }
}

/// Says what a value is that a format cannot hold.
pub(super) fn found(value: &Value<'_>) -> String {
    match value {
        Value::Array(array) => format!("array of dtype {}", excerpt(array.dtype_text())),
        other => other.kind().to_owned(),
    }
}

/// Makes nested maps of flat names.
///
/// # Errors
/// [`Format`](ErrorKind::Format) for a name that stands for an array and for a map,
/// [`RepeatedKey`](ErrorKind::RepeatedKey), [`TooDeep`](ErrorKind::TooDeep).
pub(super) fn nested<'a>(
    format: &'static str,
    flat: Vec<(String, Value<'a>)>,
    separator: Option<&str>,
    limits: Limits,
) -> Result<StateDict<'a>, Error> {
    check("keys in one map", flat.len(), limits.keys)?;
    let mut top = StateDict::new();
    for (name, value) in flat {
        check("bytes in one key", name.len(), limits.key_bytes)?;
        let place = |name: &str| Path::root().join(Segment::Key(name.to_owned()));
        let mut map = &mut top;
        let mut last = &*name;
        if let Some(separator) = separator.filter(|separator| !separator.is_empty()) {
            // The top is a level, and what each separator opens another one.
            let mut depth = 1;
            while let Some((first, rest)) = last.split_once(separator) {
                depth += 1;
                if depth > limits.depth {
                    let limit = limits.depth;
                    return Err(Error::from(ErrorKind::TooDeep { limit }).under(&place(&name)));
                }
                map = inner(map, first).ok_or_else(|| {
                    let expected = format!("names that nest by {separator:?}");
                    let found = format!("an array and a map under {first:?}");
                    fault(format, expected, found).under(&place(&name))
                })?;
                last = rest;
            }
        }
        match map.get(last) {
            None => {
                map.insert(last.to_owned(), value);
            }
            Some(Value::Map(_)) => {
                let expected = format!("names that nest by {:?}", separator.unwrap_or_default());
                let found = "a map and an array of the same name";
                return Err(fault(format, expected, found).under(&place(&name)));
            }
            Some(_) => {
                let key = name.clone();
                return Err(Error::from(ErrorKind::RepeatedKey { key }).under(&place(&name)));
            }
        }
    }
    Ok(top)
}

/// Returns the map under a key, made if nothing is there; none if something else is.
fn inner<'m, 'a>(map: &'m mut StateDict<'a>, key: &str) -> Option<&'m mut StateDict<'a>> {
    if !map.contains_key(key) {
        map.insert(key.to_owned(), StateDict::new());
    }
    match map.get_mut(key) {
        Some(Value::Map(inner)) => Some(inner),
        _ => None,
    }
}
