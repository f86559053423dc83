//! The table of the README, computed cell by cell.

use npcodec::formats::{
    self, Conversion, Format, ReadOptions, WriteOptions, read_value_with, write_value,
};
use npcodec::{ErrorKind, StateDict, Value};

use crate::samples::{array, rows};

/// Returns the words of a cell, which the README explains above the table.
fn cell(format: Format, name: &str, sample: &Value<'static>) -> String {
    let key = match name {
        "texts beside the arrays" => "__metadata__",
        _ => "x",
    };
    let value = match (format, sample) {
        (Format::Npy, array) => array.clone(),
        (_, sample) => Value::Map(StateDict::from_iter([(key, sample.clone())])),
    };
    match write_value(format, &value, &WriteOptions::new()) {
        Ok((bytes, converted)) => {
            assert!(converted.is_empty(), "{name} in {format}");
            same(format, name, &value, &bytes)
        }
        Err(error) => {
            let is_listed = matches!(error.kind(), ErrorKind::Unsupported { .. });
            assert!(is_listed, "{name} in {format}: {error}");
            converted(format, name, &value)
        }
    }
}

fn read<'a>(format: Format, name: &str, bytes: &'a [u8]) -> Value<'a> {
    let options = ReadOptions::new().nested(".");
    let read = read_value_with(bytes, &options);
    let (found, value) = read.unwrap_or_else(|error| panic!("{name} in {format}: {error}"));
    let is_plain = found == Format::MessagePack;
    assert!(found == format || is_plain, "{name} in {format}: {found}");
    value
}

fn same(format: Format, name: &str, value: &Value<'_>, bytes: &[u8]) -> String {
    let read = read(format, name, bytes);
    if &read == value {
        return "yes".to_owned();
    }
    let arrays = (only_array(value), only_array(&read));
    let (Some(wrote), Some(found)) = arrays else {
        panic!("{name} in {format}: {value:?} became {read:?}");
    };
    assert_eq!(wrote.shape(), found.shape(), "{name} in {format}");
    assert_eq!(wrote.row_major(), found.row_major(), "{name} in {format}");
    assert_eq!(wrote.dtype(), found.dtype(), "{name} in {format}");
    if wrote.is_scalar() {
        return "as 0-d".to_owned();
    }
    assert!(wrote.order() != found.order(), "{name} in {format}");
    "by rows".to_owned()
}

fn only_array<'v, 'a>(value: &'v Value<'a>) -> Option<&'v npcodec::NumpyEncoding<'a>> {
    match value {
        Value::Map(map) => map.values().next()?.as_array(),
        other => other.as_array(),
    }
}

/// Names the conversions with which a value can be written, if there are any.
fn converted(format: Format, name: &str, value: &Value<'_>) -> String {
    let all = WriteOptions::new().allow(Conversion::ALL);
    let Ok((bytes, converted)) = write_value(format, value, &all) else {
        return "no".to_owned();
    };
    let _ = read(format, name, &bytes);
    let mut names: Vec<_> = converted
        .iter()
        .map(|done| format!("`{:?}`", done.conversion))
        .collect();
    names.dedup();
    // Each of them alone is not enough, and no other is needed.
    let used = converted.iter().map(|done| done.conversion);
    let options = WriteOptions::new().allow(used);
    assert_eq!(
        write_value(format, value, &options).unwrap().0,
        bytes,
        "{name} in {format}"
    );
    names.join(", ")
}

fn borrows(format: Format) -> String {
    let value = match format {
        Format::Npy => array(&[3], "'<f4'", None),
        _ => Value::Map([("x", array(&[3], "'<f4'", None))].into_iter().collect()),
    };
    let (bytes, _) = write_value(format, &value, &WriteOptions::new()).unwrap();
    let read = read(format, "borrowed", &bytes);
    yes(only_array(&read).is_some_and(npcodec::NumpyEncoding::is_borrowed))
}

fn streams(format: Format) -> String {
    const SIZE: usize = 1 << 22;
    let value = match format {
        Format::Npy => array(&[SIZE], "'|u1'", None),
        _ => Value::Map([("x", array(&[SIZE], "'|u1'", None))].into_iter().collect()),
    };
    let memory = allocation_counter::measure(|| {
        formats::write_to(std::io::sink(), format, &value, &WriteOptions::new()).unwrap();
    });
    yes(memory.bytes_max < (SIZE / 16) as u64)
}

fn yes(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn computed() -> Vec<String> {
    let mut lines = Vec::new();
    for (name, samples) in rows() {
        let cells = Format::ALL.map(|format| {
            let cells = samples.iter().map(|sample| cell(format, name, sample));
            let mut cells: Vec<_> = cells.collect();
            cells.dedup();
            assert_eq!(cells.len(), 1, "{name} in {format}: {cells:?}");
            cells.remove(0)
        });
        lines.push(format!("| {name} | {} |", cells.join(" | ")));
    }
    let borrowed = Format::ALL.map(borrows).join(" | ");
    lines.push(format!("| payloads borrowed on reading | {borrowed} |"));
    let streamed = Format::ALL.map(streams).join(" | ");
    lines.push(format!("| payloads streamed on writing | {streamed} |"));
    lines
}

/// Returns the rows of the table under a heading.
fn documented(readme: &str) -> Vec<&str> {
    let section = readme
        .split("\n## ")
        .find(|part| part.starts_with("The neighbouring formats"));
    let lines = section.unwrap_or_default().lines();
    let table = lines.skip_while(|line| !line.starts_with("| in a state |"));
    table
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect()
}

#[test]
fn each_cell_of_the_table_is_what_happens() {
    let readme = include_str!("../../../README.md");
    let computed = computed();
    let expected = documented(readme);
    let table = computed.join("\n");
    assert_eq!(expected.len(), computed.len(), "the table is now\n{table}");
    for (stated, found) in expected.iter().zip(&computed) {
        assert_eq!(stated, found, "the table is now\n{table}");
    }
}
