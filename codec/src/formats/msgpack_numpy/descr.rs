//! Types as msgpack-numpy writes them: `dtype.str`, or `dtype.descr` as nested lists.

use std::fmt::Write as _;
use std::io::Write;

use super::fault;
use crate::dtype::{DType, Field, Record, Repr};
use crate::error::Error;
use crate::formats::msgpack::Output;
use crate::state::Value;

/// How deep lists of fields may be nested: as deep as a dtype text may be.
const DEPTH: usize = 32;

/// Returns the dtype of a text, or of lists of fields.
///
/// # Errors
/// [`DType`](crate::ErrorKind::DType), [`Format`](crate::ErrorKind::Format).
pub(super) fn dtype(value: &Value<'_>) -> Result<DType, Error> {
    if let Some(name) = text(value) {
        return Ok(DType::from_plain_name(name)?);
    }
    let Value::List(fields) = value else {
        return Err(fault("the text or the fields of a dtype", value.kind()));
    };
    // The text that NumPy prints of the same fields has one reader, with all of its checks.
    let mut python = String::new();
    put_fields(&mut python, fields, DEPTH)?;
    Ok(python.parse()?)
}

/// Returns a text, which may be a byte string.
fn text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::String(text) => Some(text),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

fn put_fields(python: &mut String, fields: &[Value<'_>], levels: usize) -> Result<(), Error> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(fault("fields of fields that end", "more than 32 levels"));
    };
    python.push('[');
    for (position, field) in fields.iter().enumerate() {
        if position > 0 {
            python.push_str(", ");
        }
        put_field(python, field, levels)?;
    }
    python.push(']');
    Ok(())
}

fn put_field(python: &mut String, field: &Value<'_>, levels: usize) -> Result<(), Error> {
    let expected = "a list of name, dtype and perhaps shape";
    let (name, dtype, shape) = match field {
        Value::List(parts) => match &parts[..] {
            [name, dtype] => (name, dtype, None),
            [name, dtype, shape] => (name, dtype, Some(shape)),
            other => return Err(fault(expected, format!("a list of {}", other.len()))),
        },
        other => return Err(fault(expected, other.kind())),
    };
    python.push('(');
    match name {
        Value::List(names) => match &names[..] {
            [title, name] => {
                python.push('(');
                put_text(python, title)?;
                python.push_str(", ");
                put_text(python, name)?;
                python.push(')');
            }
            other => {
                let found = format!("a list of {}", other.len());
                return Err(fault("a list of title and name", found));
            }
        },
        name => put_text(python, name)?,
    }
    python.push_str(", ");
    match dtype {
        Value::List(fields) => put_fields(python, fields, levels)?,
        code => put_text(python, code)?,
    }
    if let Some(shape) = shape {
        python.push_str(", (");
        match shape {
            Value::List(lengths) => {
                for length in lengths {
                    put_length(python, length)?;
                }
            }
            length => put_length(python, length)?,
        }
        python.push(')');
    }
    python.push(')');
    Ok(())
}

fn put_text(python: &mut String, value: &Value<'_>) -> Result<(), Error> {
    let Some(text) = text(value) else {
        return Err(fault("a text in the fields of a dtype", value.kind()));
    };
    // Writing to a string does not fail.
    let _ = write!(python, "{}", Repr(text));
    Ok(())
}

fn put_length(python: &mut String, value: &Value<'_>) -> Result<(), Error> {
    let length = value.as_integer().and_then(|length| length.to_u128());
    let Some(length) = length else {
        return Err(fault("the length of a sub-array", value.kind()));
    };
    let _ = write!(python, "{length},");
    Ok(())
}

/// Returns true for the dtypes that are lists of fields.
pub(super) fn is_fields(dtype: &DType) -> bool {
    matches!(dtype, DType::Void(..) | DType::Record(_))
}

/// Writes the type of an array.
pub(super) fn put<T: Write>(output: &mut Output<T>, dtype: &DType) -> Result<(), Error> {
    match dtype {
        DType::Void(..) => {
            output.list(1)?;
            output.list(2)?;
            output.text("")?;
            put_code(output, dtype)
        }
        _ => put_inner(output, dtype),
    }
}

/// Writes the type of a field.
fn put_inner<T: Write>(output: &mut Output<T>, dtype: &DType) -> Result<(), Error> {
    let DType::Record(record) = dtype else {
        return put_code(output, dtype);
    };
    let entries = entries(record);
    output.list(entries.len())?;
    for entry in entries {
        match entry {
            Entry::Padding(bytes) => {
                output.list(2)?;
                output.text("")?;
                output.text(&format!("|V{bytes}"))?;
            }
            Entry::Field(field) => {
                let shape = field.shape();
                output.list(if shape.is_empty() { 2 } else { 3 })?;
                output.text(field.name())?;
                put_inner(output, field.dtype())?;
                if !shape.is_empty() {
                    output.list(shape.len())?;
                    shape.iter().try_for_each(|&length| output.count(length))?;
                }
            }
        }
    }
    Ok(())
}

fn put_code<T: Write>(output: &mut Output<T>, dtype: &DType) -> Result<(), Error> {
    // The plain numbers need no text to be made.
    match dtype.common_text() {
        Some(text) => output.text(text.trim_matches('\'')),
        None => output.text(&dtype.str_text().unwrap_or_default()),
    }
}

/// What a list of fields has at a position.
pub(super) enum Entry<'r> {
    Field(&'r Field),
    /// So many bytes without a name.
    Padding(usize),
}

/// Returns the fields of a record in their order, with the padding between them and at the end.
pub(super) fn entries(record: &Record) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut end = 0;
    for field in record.fields() {
        if field.offset() > end {
            entries.push(Entry::Padding(field.offset() - end));
        }
        entries.push(Entry::Field(field));
        end = field.offset().saturating_add(field.size());
    }
    if record.itemsize() > end {
        entries.push(Entry::Padding(record.itemsize() - end));
    }
    entries
}
