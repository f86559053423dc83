//! The two texts of a record: a list of fields, a dict of their properties.

use super::error::DTypeErrorKind;
use super::layout::{Layout, byte_size};
use super::lexer::{Fault, Token};
use super::parser::{Named, Parser, syntax};
use super::record::{self, Record};
use super::{DType, Field};

/// One entry of the list form: `('a', '<i4', (2,))`.
struct Entry {
    name: Named,
    title: Option<String>,
    dtype: DType,
    shape: Vec<usize>,
}

/// The dict form, as far as it has been read.
#[derive(Default)]
struct Keys {
    names: Option<Vec<Named>>,
    formats: Option<Vec<(DType, Vec<usize>)>>,
    offsets: Option<Vec<usize>>,
    titles: Option<Vec<Option<String>>>,
    itemsize: Option<usize>,
    aligned: Option<bool>,
}

impl Parser<'_> {
    /// Reads a list of fields; `top` makes one unnamed void opaque data.
    pub(super) fn list(&mut self, align: bool, top: bool) -> Result<DType, Fault> {
        let column = self.column();
        let mut entries = Vec::new();
        self.items(('[', ']'), "a list of fields", |parser| {
            entries.push(parser.entry(align)?);
            Ok(())
        })?;
        if let ([Entry { dtype, .. }], true) = (&entries[..], top && entries.iter().all(is_padding))
        {
            return Ok(dtype.clone());
        }
        let mut layout = Layout::new(align);
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for entry in entries {
            let too_large = (DTypeErrorKind::TooLarge, entry.name.1);
            let size = byte_size(entry.dtype.itemsize(), &entry.shape);
            let offset = size
                .and_then(|size| layout.place(size, entry.dtype.alignment()))
                .ok_or(too_large)?;
            if is_padding(&entry) {
                continue;
            }
            let field = Field::new(entry.name.0, entry.dtype, entry.shape, offset);
            columns.push(entry.name.1);
            fields.push(with_title(field, entry.title));
        }
        let itemsize = layout
            .itemsize()
            .ok_or((DTypeErrorKind::TooLarge, column))?;
        finish(fields, itemsize, align, &columns, column)
    }

    fn entry(&mut self, align: bool) -> Result<Entry, Fault> {
        self.open('(', "a field in brackets")?;
        let (title, name) = if *self.token() == Token::Mark('(') {
            self.open('(', "a title and a name")?;
            let title = self.title()?;
            self.expect(',', "a comma and a name")?;
            let name = self.name("a quoted name")?;
            self.comma()?;
            self.close(')', "the closing bracket of title and name")?;
            (title, name)
        } else {
            (None, self.name("a quoted name")?)
        };
        self.expect(',', "a comma and a dtype")?;
        let (dtype, inner) = self.format(align)?;
        let mut shape = Vec::new();
        if self.comma()? && *self.token() != Token::Mark(')') {
            shape = self.shape()?;
            self.comma()?;
        }
        shape.extend(inner);
        self.close(')', "the closing bracket of the field")?;
        let entry = Entry {
            name,
            title,
            dtype,
            shape,
        };
        if entry.name.0.is_empty() && !is_padding(&entry) {
            return Err((
                DTypeErrorKind::names("", "is empty, and the field is no padding"),
                entry.name.1,
            ));
        }
        Ok(entry)
    }

    /// Reads a dict of names, formats, offsets and itemsize, perhaps titles and aligned.
    pub(super) fn dict(&mut self, align: bool) -> Result<DType, Fault> {
        let column = self.column();
        let mut keys = Keys::default();
        let mut formats_at = column;
        self.items(('{', '}'), "a dict", |parser| {
            let (key, at) = parser.name("a quoted key")?;
            parser.expect(':', "`:` after the key")?;
            if key == "formats" {
                formats_at = parser.column();
            }
            parser.value(&mut keys, &key, at, align)
        })?;
        let aligned = keys.aligned == Some(true);
        if aligned && !align && self.is_deep() {
            // Alignment reaches into the lists of the formats, and is only known after them.
            let after = self.column();
            self.seek(formats_at)?;
            keys.formats = Some(self.formats(true)?);
            self.seek(after)?;
        }
        let (Some(names), Some(formats), Some(offsets), Some(itemsize)) =
            (keys.names, keys.formats, keys.offsets, keys.itemsize)
        else {
            return syntax("a dict with names, formats, offsets and itemsize", column);
        };
        let titles = keys.titles.unwrap_or_else(|| vec![None; names.len()]);
        if [formats.len(), offsets.len(), titles.len()] != [names.len(); 3] {
            return Err((
                DTypeErrorKind::layout("", "has lists of unequal lengths"),
                column,
            ));
        }
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (((name, (dtype, shape)), offset), title) in
            names.into_iter().zip(formats).zip(offsets).zip(titles)
        {
            columns.push(name.1);
            fields.push(with_title(Field::new(name.0, dtype, shape, offset), title));
        }
        finish(fields, itemsize, align || aligned, &columns, column)
    }

    fn value(&mut self, keys: &mut Keys, key: &str, at: usize, align: bool) -> Result<(), Fault> {
        let known = match key {
            "names" => keys
                .names
                .replace(self.many(|parser| parser.name("a quoted name"))?)
                .is_none(),
            "formats" => keys.formats.replace(self.formats(align)?).is_none(),
            "offsets" => keys
                .offsets
                .replace(self.many(|parser| parser.int("an offset"))?)
                .is_none(),
            "titles" => keys.titles.replace(self.many(Parser::title)?).is_none(),
            "itemsize" => keys
                .itemsize
                .replace(self.int("a size in bytes")?)
                .is_none(),
            "aligned" => keys.aligned.replace(self.bool()?).is_none(),
            _ => return syntax("one of the keys of a record", at),
        };
        if known {
            Ok(())
        } else {
            syntax("each key once", at)
        }
    }

    fn formats(&mut self, align: bool) -> Result<Vec<(DType, Vec<usize>)>, Fault> {
        self.many(|parser| parser.format(align))
    }

    fn many<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut values = Vec::new();
        self.items(('[', ']'), "a list", |parser| {
            values.push(each(parser)?);
            Ok(())
        })?;
        Ok(values)
    }

    pub(super) fn bool(&mut self) -> Result<bool, Fault> {
        let value = match self.token() {
            Token::Word("True") => true,
            Token::Word("False") => false,
            _ => return syntax("`True` or `False`", self.column()),
        };
        self.advance()?;
        Ok(value)
    }
}

/// Returns true for the unnamed void that stands for bytes of no field.
fn is_padding(entry: &Entry) -> bool {
    let plain_void = matches!(entry.dtype, DType::Void(..)) && entry.shape.is_empty();
    plain_void && entry.name.0.is_empty() && entry.title.is_none()
}

fn with_title(field: Field, title: Option<String>) -> Field {
    match title {
        Some(title) => field.titled(title),
        None => field,
    }
}

/// Checks a record; faults point at the field's name, or at the record's beginning.
fn finish(
    fields: Vec<Field>,
    itemsize: usize,
    align: bool,
    columns: &[usize],
    start: usize,
) -> Result<DType, Fault> {
    let place = |(kind, index): record::Fault| {
        (
            kind,
            index
                .and_then(|index: usize| columns.get(index).copied())
                .unwrap_or(start),
        )
    };
    let mut record = Record::checked(fields, itemsize).map_err(place)?;
    if align {
        record = record.into_aligned().map_err(place)?;
    }
    Ok(DType::Record(record))
}
