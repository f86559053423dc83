//! Prints what a state holds, one line for each part.

use std::fmt::Write as _;

use npcodec::ndarray::IxDyn;
use npcodec::{NumpyEncoding, Path, Segment, StateDict, Value, uncompress};

/// The lines of a tree: a path, and what stands there.
pub(crate) type Lines = Vec<(String, String)>;

/// Describes every part of a value. Of items that differ only in their numbers the first is shown.
pub(crate) fn lines(value: &Value<'_>) -> Lines {
    let mut lines = Vec::new();
    walk(value, Path::root(), &mut lines);
    lines
}

/// Sets lines in two columns.
pub(crate) fn columns(lines: &[(String, String)]) -> String {
    let width = lines.iter().map(|(path, _)| path.chars().count()).max();
    let width = width.unwrap_or(0);
    lines.iter().fold(String::new(), |mut text, (path, what)| {
        let _ = writeln!(text, "  {path:width$}  {what}");
        text
    })
}

fn walk(value: &Value<'_>, path: Path, lines: &mut Lines) {
    match value {
        Value::Map(map) if has_names(map) => {
            for (key, value) in map.iter() {
                let key = key.as_str().unwrap_or_default().to_owned();
                walk(value, path.clone().join(Segment::Key(key)), lines);
            }
        }
        Value::List(items) if !items.iter().all(is_number) => {
            let mut alike = 0;
            for (index, item) in (0..).zip(items) {
                let known =
                    usize::try_from(index - 1).is_ok_and(|at| form(&items[at]) == form(item));
                if known && matches!(item, Value::List(_) | Value::Map(_)) {
                    alike += 1;
                } else {
                    walk(item, path.clone().join(Segment::Index(index)), lines);
                }
            }
            if alike > 0 {
                lines.push((
                    format!("{path}[..]"),
                    format!("and {alike} more of that form"),
                ));
            }
        }
        value => lines.push((path.to_string(), describe(value))),
    }
}

/// Whether the entries of a map are worth a line each.
fn has_names(map: &StateDict<'_>) -> bool {
    !map.is_empty() && map.keys().all(|key| key.as_str().is_some())
}

fn is_number(value: &Value<'_>) -> bool {
    matches!(kind(value), "bool" | "integer" | "float32" | "float64")
}

fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::Nil => "nil",
        Value::Bool(_) => "bool",
        Value::Integer(_) => "integer",
        Value::Float32(_) => "float32",
        Value::Float64(_) => "float64",
        Value::String(_) => "string",
        Value::Bytes(_) => "bytes",
        Value::List(_) => "list",
        Value::Map(_) => "map",
        Value::Array(_) => "array",
        _ => "other",
    }
}

/// What items have in common of which one is shown for all.
fn form(value: &Value<'_>) -> String {
    match value {
        Value::Map(map) => map
            .iter()
            .map(|(key, value)| format!("{key}: {}; ", form(value)))
            .collect(),
        Value::List(items) => items.iter().map(|item| form(item) + ", ").collect(),
        Value::Array(array) => uncompress(array).as_ref().unwrap_or(array).to_string(),
        other => kind(other).to_owned(),
    }
}

fn describe(value: &Value<'_>) -> String {
    let line = format!("{:8} {}", kind(value), detail(value));
    line.trim_end().to_owned()
}

fn detail(value: &Value<'_>) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float32(value) => value.to_string(),
        Value::Float64(value) => value.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Bytes(bytes) => format!("{} B", bytes.len()),
        Value::List(items) => between(items.iter().map(detail)),
        Value::Map(map) => between(
            map.iter()
                .map(|(key, value)| format!("{key}: {}", detail(value))),
        ),
        Value::Array(array) => match uncompress(array) {
            Ok(inner) => format!("{}, compressed to {} B", facts(&inner), array.data().len()),
            Err(_) => facts(array),
        },
        _ => String::new(),
    }
}

fn facts(array: &NumpyEncoding<'_>) -> String {
    // A dtype text may hold any name of a field, and a terminal is not to run what it says.
    let dtype = array
        .dtype_text()
        .escape_debug()
        .to_string()
        .replace("\\'", "'");
    let lengths = array
        .shape()
        .iter()
        .map(usize::to_string)
        .collect::<Vec<_>>();
    let order = array
        .order()
        .map_or(String::new(), |order| format!(", order {order:?}"));
    let range = match array.to_array::<f64, IxDyn>() {
        Ok(items) => {
            let (low, high) = items
                .iter()
                .fold((f64::NAN, f64::NAN), |(low, high), &item| {
                    (item.min(low), item.max(high))
                });
            format!(", {low:.3} to {high:.3}")
        }
        Err(_) => String::new(),
    };
    let bytes = array.data().len();
    format!("{dtype} [{}], {bytes} B{order}{range}", lengths.join(" "))
}

fn between(items: impl ExactSizeIterator<Item = String>) -> String {
    let count = items.len();
    let items = items.collect::<Vec<_>>();
    match items.as_slice() {
        [first, _, .., last] => format!("{count} items: {first} .. {last}"),
        few => format!("{count} items: {}", few.join(", ")),
    }
}
