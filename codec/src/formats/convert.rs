//! States made to fit a format: the conversions that were asked for, where they are needed.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::{Conversion, Converted, Format, WriteOptions};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind};
use crate::path::{Path, Segment};
use crate::state::{Key, StateDict, Value};

/// No leaf takes more conversions than this: a big-endian datetime takes two.
const STEPS: usize = 8;

/// Makes a value one that a format can hold, by the conversions of the options.
///
/// A value that the format holds as it is stays as it is; without conversions, this is the check that
/// [`write_value`](super::write_value) makes.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with every leaf that the format cannot hold and no
/// conversion was allowed for, each with the conversions that would help.
pub fn convert<'v>(
    format: Format,
    value: &'v Value<'_>,
    options: &WriteOptions,
) -> Result<(Value<'v>, Vec<Converted>), Error> {
    let mut work = Work {
        format,
        options,
        value: value.borrowed(),
        converted: Vec::new(),
        maps: HashMap::new(),
        texts: HashMap::new(),
    };
    // Ends, since no conversion makes what another one takes back: what is in a list is converted in
    // the round after the list.
    let mut leaves = loop {
        let leaves = options.unsupported(format, &work.value)?;
        if leaves.is_empty() {
            return Ok((work.value, work.converted));
        }
        work.texts.clear();
        let before = work.converted.len();
        for leaf in &leaves {
            work.leaf(&leaf.path);
        }
        if work.converted.len() == before {
            break leaves;
        }
    };
    for leaf in &mut leaves {
        if let Some(conversions) = work.help(&leaf.path) {
            leaf.reason = format!("{} ({conversions} would help)", leaf.reason);
        }
        leaf.path = work.original(&leaf.path);
    }
    let format = format.name();
    Err(ErrorKind::Unsupported { format, leaves }.into())
}

struct Work<'v, 'o> {
    format: Format,
    options: &'o WriteOptions,
    value: Value<'v>,
    converted: Vec<Converted>,
    /// The maps that were lists, or had integer keys, and which of their keys those were.
    maps: HashMap<Path, HashSet<String>>,
    /// The maps that were looked at in this round, and whether their integer keys may be texts.
    texts: HashMap<Path, bool>,
}

impl Work<'_, '_> {
    fn done(&mut self, path: &Path, conversion: Conversion) {
        let path = self.original(path);
        self.converted.push(Converted { path, conversion });
    }

    /// Returns true for the formats whose arrays have names, and no maps around them.
    fn names_are_texts(&self) -> bool {
        matches!(self.format, Format::Npz | Format::Safetensors)
    }

    /// Takes the first conversion of a leaf that is allowed.
    fn leaf(&mut self, path: &Path) {
        let allowed = |conversion| self.options.conversions.contains(&conversion);
        let (keys, nil) = (
            allowed(Conversion::IntegerKeysAsText),
            allowed(Conversion::LeaveOutNil),
        );
        let names = self.names_are_texts();
        let Some((last, above)) = path.segments().split_last() else {
            return self.value_at(path);
        };
        let above: Path = above.iter().cloned().collect();
        if let Some(Value::Map(map)) = at(&mut self.value, &above) {
            let key = key_of(last);
            let is_number = matches!(key, Key::Integer(_)) && map.contains_key(&key);
            let texts = &mut self.texts;
            let mut may_be_text = || {
                *texts
                    .entry(above.clone())
                    .or_insert_with(|| may_be_text(map))
            };
            if keys && names && is_number && may_be_text() {
                let texts = keys_as_text(map);
                self.maps.insert(above.clone(), texts);
                return self.done(&above, Conversion::IntegerKeysAsText);
            }
            if nil && map.get(&key) == Some(&Value::Nil) {
                // All of them: taken out one by one, each would move those behind it.
                for key in without_nil(map) {
                    self.done(&above.clone().join(segment(key)), Conversion::LeaveOutNil);
                }
                return;
            }
        }
        self.value_at(path);
    }

    /// Takes the first conversion of the value at a path.
    fn value_at(&mut self, path: &Path) {
        let Some(value) = at(&mut self.value, path) else {
            return;
        };
        if let Some((conversion, new)) = converted(value, &self.options.conversions) {
            let indices = new.as_map().map(texts);
            *value = new;
            self.done(path, conversion);
            if let Some(indices) = indices {
                self.maps.insert(path.clone(), indices);
            }
        }
    }

    /// Returns the path that a leaf had before lists became maps.
    fn original(&self, path: &Path) -> Path {
        let mut here = Path::root();
        let segments = path.segments().iter().map(|segment| {
            let indices = self.maps.get(&here);
            here = std::mem::take(&mut here).join(segment.clone());
            match segment {
                Segment::Key(key) if indices.is_some_and(|all| all.contains(key)) => {
                    let index = key.parse().map(Segment::Index);
                    index.unwrap_or_else(|_| segment.clone())
                }
                other => other.clone(),
            }
        });
        segments.collect()
    }

    /// Finds the conversions that would make a leaf fit, of all that there are.
    fn help(&mut self, path: &Path) -> Option<String> {
        let names = self.names_are_texts();
        if let Some((last, above)) = path.segments().split_last() {
            let above: Path = above.iter().cloned().collect();
            if let Some(Value::Map(map)) = at(&mut self.value, &above) {
                let key = key_of(last);
                if names && matches!(key, Key::Integer(_)) {
                    let texts = &mut self.texts;
                    let help = texts.entry(above).or_insert_with(|| may_be_text(map));
                    return help.then(|| name(Conversion::IntegerKeysAsText));
                }
                if map.get(&key) == Some(&Value::Nil) {
                    return Some(name(Conversion::LeaveOutNil));
                }
            }
        }
        let mut value = match at(&mut self.value, path)? {
            // What is in a list is looked at when the list is a map.
            Value::List(items) => {
                // Elsewhere lists are held, or are no map either.
                let list = name(Conversion::ListsAsMaps);
                return (names && !items.is_empty()).then_some(list);
            }
            other => small(other),
        };
        let mut names = Vec::new();
        while names.len() < STEPS {
            let (conversion, next) = converted(&value, &Conversion::ALL)?;
            names.push(name(conversion));
            value = next;
            let alone = match self.format {
                Format::Npy => value.borrowed(),
                _ => Value::Map([("x", value.borrowed())].into_iter().collect()),
            };
            let left = self.options.unsupported(self.format, &alone);
            if left.is_ok_and(|left| left.is_empty()) {
                return Some(names.join(" and "));
            }
        }
        None
    }
}

/// Returns a value of the same kind and type without what makes it large.
fn small<'v>(value: &Value<'v>) -> Value<'v> {
    match value {
        Value::Array(array) => {
            let none = NumpyEncoding::from_dtype(vec![0], vec![], array.dtype().clone(), None);
            none.map_or(Value::Nil, Value::Array)
        }
        Value::Bytes(_) => Value::Bytes(Cow::Borrowed(&[])),
        other => other.clone(),
    }
}

fn name(conversion: Conversion) -> String {
    format!("`Conversion::{conversion:?}`")
}

/// Takes the first conversion that there is for a value.
fn converted<'v>(value: &Value<'v>, allowed: &[Conversion]) -> Option<(Conversion, Value<'v>)> {
    let ways = allowed.iter().map(|way| (*way, way.apply(value)));
    let mut found = ways.filter_map(|(way, value)| Some((way, value?)));
    found.next()
}

/// Returns true if the integer keys of a map are others than its texts.
fn may_be_text(map: &StateDict<'_>) -> bool {
    map.keys().all(|key| match key {
        Key::Integer(number) => !map.contains_key(&*number.to_string()),
        Key::String(_) => true,
    })
}

/// Takes what is nil out of a map, and returns the keys.
fn without_nil<'v>(map: &mut StateDict<'v>) -> Vec<Key<'v>> {
    let entries = std::mem::take(map).into_iter();
    let (nil, rest): (Vec<_>, Vec<_>) = entries.partition(|(_, value)| *value == Value::Nil);
    *map = rest.into_iter().collect();
    nil.into_iter().map(|(key, _)| key).collect()
}

/// Turns the integer keys of a map into texts, and returns those.
fn keys_as_text(map: &mut StateDict<'_>) -> HashSet<String> {
    let mut texts = HashSet::new();
    let entries = std::mem::take(map)
        .into_iter()
        .map(|(key, value)| match key {
            Key::Integer(number) => {
                texts.insert(number.to_string());
                (Key::from(number.to_string()), value)
            }
            text => (text, value),
        });
    *map = entries.collect();
    texts
}

/// Returns the keys of a map that are texts.
fn texts(map: &StateDict<'_>) -> HashSet<String> {
    let keys = map.keys().filter_map(Key::as_str);
    keys.map(str::to_owned).collect()
}

fn key_of(segment: &Segment) -> Key<'static> {
    match segment {
        Segment::Key(key) => Key::from(key.clone()),
        Segment::Index(index) => Key::Integer(*index),
    }
}

fn segment(key: Key<'_>) -> Segment {
    match key {
        Key::String(key) => Segment::Key(key.into_owned()),
        Key::Integer(index) => Segment::Index(index),
    }
}

/// Goes down a path.
fn at<'t, 'v>(top: &'t mut Value<'v>, path: &Path) -> Option<&'t mut Value<'v>> {
    let mut value = top;
    for segment in path.segments() {
        value = match (value, segment) {
            (Value::Map(map), segment) => map.get_mut(&key_of(segment))?,
            (Value::List(items), Segment::Index(index)) => {
                items.get_mut(usize::try_from(*index).ok()?)?
            }
            _ => return None,
        };
    }
    Some(value)
}
