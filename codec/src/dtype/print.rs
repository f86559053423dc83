//! Dtypes as text: the one that is written, and the one that NumPy's `descr` gives.

use std::fmt::{self, Display};

use super::repr::{Repr, Shape, commas};
use super::scalar::Code;
use super::{DType, Field, Record};

impl DType {
    /// Returns the text under which this dtype is written.
    ///
    /// `'<f4'`, `'bfloat16'`, `[('', '|V4')]`; a record without padding is a list of its fields, any
    /// other the dict from which NumPy restores the offsets. Parsing the text gives the dtype back.
    #[must_use]
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Returns the text that Python writes: `repr(dtype.descr)` for records and voids, else
    /// `repr(dtype.str)`.
    ///
    /// Padding shows as unnamed voids and the types of ml_dtypes as what NumPy takes them for,
    /// mostly voids. There is no such text for fields that are not in the order of their offsets.
    #[must_use]
    pub fn descr(&self) -> Option<String> {
        has_descr(self).then(|| Top(self, Form::Descr).to_string())
    }

    /// Returns `dtype.str`, `<f4`; none for records and the types of ml_dtypes, which it loses.
    #[must_use]
    pub fn str_text(&self) -> Option<String> {
        match self {
            Self::Ml(_) | Self::Record(_) => None,
            _ => Some(Code(self).to_string()),
        }
    }
}

impl Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Top(self, Form::Exact).fmt(f)
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Exact,
    Descr,
}

fn has_descr(dtype: &DType) -> bool {
    let DType::Record(record) = dtype else {
        return true;
    };
    let mut end = 0;
    record.fields().iter().all(|field| {
        let in_order = field.offset() >= end;
        end = field.end();
        in_order && has_descr(field.dtype())
    })
}

/// A dtype on its own.
struct Top<'a>(&'a DType, Form);

impl Display for Top<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = match (self.0, self.1) {
            (DType::Void(..), _) => Code(self.0).to_string(),
            (DType::Ml(ml), Form::Descr) => ml.str_text().to_owned(),
            _ => return Inner(self.0, self.1).fmt(f),
        };
        if code.contains('V') {
            write!(f, "[('', '{code}')]")
        } else {
            write!(f, "'{code}'")
        }
    }
}

/// The dtype of a field.
struct Inner<'a>(&'a DType, Form);

impl Display for Inner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (DType::Ml(ml), Form::Exact) => write!(f, "'{ml}'"),
            (DType::Record(record), form @ Form::Exact) if record.is_packed() => {
                list(f, record, form)
            }
            (DType::Record(record), form @ Form::Descr) => list(f, record, form),
            (DType::Record(record), Form::Exact) => dict(f, record),
            (scalar, _) => write!(f, "'{}'", Code(scalar)),
        }
    }
}

/// A field of the list form, or the padding that shows as one.
enum Entry<'a> {
    Field(&'a Field),
    Padding(usize),
}

fn list(f: &mut fmt::Formatter<'_>, record: &Record, form: Form) -> fmt::Result {
    let mut entries = Vec::new();
    let mut end = 0;
    for field in record.fields() {
        if field.offset() > end {
            entries.push(Entry::Padding(field.offset() - end));
        }
        entries.push(Entry::Field(field));
        end = field.end();
    }
    if record.itemsize() > end {
        entries.push(Entry::Padding(record.itemsize() - end));
    }
    f.write_str("[")?;
    commas(f, entries, |f, entry| match entry {
        Entry::Padding(size) => write!(f, "('', '|V{size}')"),
        Entry::Field(field) => {
            let dtype = Inner(field.dtype(), form);
            match field.title() {
                Some(title) => write!(f, "(({}, {}), {dtype}", Repr(title), Repr(field.name()))?,
                None => write!(f, "({}, {dtype}", Repr(field.name()))?,
            }
            if !field.shape().is_empty() {
                write!(f, ", {}", Shape(field.shape()))?;
            }
            f.write_str(")")
        }
    })?;
    f.write_str("]")
}

fn dict(f: &mut fmt::Formatter<'_>, record: &Record) -> fmt::Result {
    let fields = record.fields();
    f.write_str("{'names': [")?;
    commas(f, fields, |f, field| Repr(field.name()).fmt(f))?;
    f.write_str("], 'formats': [")?;
    commas(f, fields, |f, field| {
        let dtype = Inner(field.dtype(), Form::Exact);
        match field.shape() {
            [] => dtype.fmt(f),
            shape => write!(f, "({dtype}, {})", Shape(shape)),
        }
    })?;
    f.write_str("], 'offsets': [")?;
    commas(f, fields, |f, field| field.offset().fmt(f))?;
    if fields.iter().any(|field| field.title().is_some()) {
        f.write_str("], 'titles': [")?;
        commas(f, fields, |f, field| match field.title() {
            Some(title) => Repr(title).fmt(f),
            None => f.write_str("None"),
        })?;
    }
    write!(f, "], 'itemsize': {}}}", record.itemsize())
}
