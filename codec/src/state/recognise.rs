//! Which maps are encodings: the rule for values without a target type.

use super::{Key, StateDict, Value};
use crate::encoding::{
    Integer, LongIntegerEncoding, NumpyEncoding, Part, PartKey, Parts, Source, Span, join,
    read_span,
};
use crate::error::{Error, ErrorKind};

/// Turns a map into the array or integer that it encodes, and leaves any other map as it is.
///
/// A map is an array only with `shape`, `data` and `dtype`, and at most `order` and `pad` beside
/// them; an integer only with the single key `integer`.
///
/// `stored` is where the bytes under `data` are that have not been read: they are if the map is no
/// array.
///
/// # Errors
/// Whatever is wrong with a map that has the keys of an encoding; those of the source.
pub(crate) fn recognise<'a>(
    mut map: StateDict<'a>,
    stored: Option<Span>,
    source: Option<&dyn Source>,
) -> Result<Value<'a>, Error> {
    if map.len() == 1 && map.contains_key("integer") {
        return match map.into_iter().next() {
            Some((_, Value::String(text))) => Ok(Value::Integer(Integer::Long(
                LongIntegerEncoding::new(text)?,
            ))),
            other => Err(ErrorKind::Encoding {
                key: "integer",
                expected: "a decimal text",
                found: other
                    .map_or("nothing", |(_, value)| value.kind())
                    .to_owned(),
            }
            .into()),
        };
    }
    let array = (3..=5).contains(&map.len())
        && ["shape", "data", "dtype"]
            .iter()
            .all(|&key| map.contains_key(key))
        && map.keys().all(|key| is_part_of_array(key));
    if !array {
        if let (Some(span), Some(source)) = (stored, source) {
            map.insert("data", Value::Bytes(read_span(source, span)?.into()));
        }
        return Ok(Value::Map(map));
    }
    let mut parts = Parts::default();
    for (key, value) in map {
        if let Some(key) = key.as_str().map(PartKey::of) {
            let part = match stored {
                Some(span) if key == PartKey::Data => Part::Stored(span),
                _ => part(value),
            };
            parts.set(key, part);
        }
    }
    parts.build().map(Value::Array)
}

/// Returns true for the five keys that the map of an array may have.
pub(super) fn is_part_of_array(key: &Key<'_>) -> bool {
    key.as_str()
        .is_some_and(|key| PartKey::of(key).is_of_array())
}

/// Returns the array that a map holds in chunks, if it does; or what is wrong with them.
pub(crate) fn joined<'v>(map: &StateDict<'v>) -> Option<Result<NumpyEncoding<'v>, Error>> {
    let (2, Some(chunks), Some(axis)) = (map.len(), map.get("chunks"), map.get("axis")) else {
        return None;
    };
    let fault = |key, expected, value: &Value<'_>| {
        let found = value.kind().to_owned();
        Error::from(ErrorKind::Encoding {
            key,
            expected,
            found,
        })
    };
    let arrays = match chunks {
        Value::List(items) => items
            .iter()
            .map(|item| match item {
                Value::Array(array) => array.clone().sound(),
                other => Err(fault("chunks", "a list of arrays", other)),
            })
            .collect::<Result<Vec<_>, _>>(),
        other => Err(fault("chunks", "a list of arrays", other)),
    };
    let number = match axis {
        Value::Integer(axis) => axis.to_u128().and_then(|axis| usize::try_from(axis).ok()),
        _ => None,
    };
    let axis = number.ok_or_else(|| fault("axis", "the number of an axis", axis));
    Some(arrays.and_then(|arrays| join(arrays, axis?)))
}

fn part(value: Value<'_>) -> Part<'_> {
    match value {
        Value::Bytes(bytes) => Part::Bytes(bytes),
        Value::String(text) => Part::Text(text),
        Value::List(items) => {
            let lengths = items.iter().map(|item| match item {
                Value::Integer(length) => length
                    .to_u128()
                    .and_then(|length| usize::try_from(length).ok())
                    .ok_or_else(|| length.to_string()),
                other => Err(other.kind().to_owned()),
            });
            match lengths.collect() {
                Ok(shape) => Part::Shape(shape),
                Err(what) => Part::Other(format!("a list that holds {what}")),
            }
        }
        Value::Integer(value) => Part::Other(value.to_string()),
        other => Part::Other(other.kind().to_owned()),
    }
}
