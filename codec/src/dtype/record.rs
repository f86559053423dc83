//! Structured dtypes: fields, offsets, padding.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::error::{DTypeError, DTypeErrorKind, MOST_DEEP};
use super::layout::{Layout, MOST, byte_size};
use super::{ByteOrder, DType, Field, Number};
use crate::limits::DIMENSIONS;
use crate::path::Path;

/// A structured dtype: named fields at offsets of an item.
///
/// Names and titles are unique, fields lie within the item and no two of them share a byte. They
/// need not be in the order of their offsets. Two records are equal if their bytes mean the same:
/// whether one was [`aligned`](Self::aligned) does not count, as in NumPy.
#[derive(Debug, Clone)]
pub struct Record {
    fields: Vec<Field>,
    itemsize: usize,
    /// 1 unless the record was laid out with alignment.
    alignment: usize,
    /// Whether it was, be it with an alignment of 1.
    aligned: bool,
    /// How many brackets stand inside each other in the record's text.
    depth: usize,
}

/// What is wrong, and with which field.
pub(super) type Fault = (DTypeErrorKind, Option<usize>);

impl Record {
    /// Returns the record with these fields in an item of `itemsize` bytes.
    ///
    /// # Errors
    ///
    /// [`Names`](DTypeErrorKind::Names) for a missing or repeated name, [`Layout`](DTypeErrorKind::Layout)
    /// for fields that overlap or do not fit, [`TooLarge`](DTypeErrorKind::TooLarge) past
    /// `i32::MAX` bytes and [`TooDeep`](DTypeErrorKind::TooDeep) for records nested so deeply that
    /// their text could not be read again.
    pub fn new(fields: Vec<Field>, itemsize: usize) -> Result<Self, DTypeError> {
        Self::checked(fields, itemsize).map_err(|(kind, _)| DTypeError::new(kind))
    }

    /// Returns the record with fields of these names, dtypes and shapes, one behind the other.
    ///
    /// An empty shape stands for a field that is no sub-array.
    ///
    /// ```
    /// use npcodec::dtype::{DType, Record};
    ///
    /// let record = Record::packed(vec![
    ///     ("id".to_owned(), "'<i4'".parse()?, vec![]),
    ///     ("p".to_owned(), "'<f8'".parse()?, vec![2, 3]),
    /// ])?;
    /// assert_eq!(DType::Record(record).text(), "[('id', '<i4'), ('p', '<f8', (2, 3))]");
    /// # Ok::<(), npcodec::dtype::DTypeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn packed(fields: Vec<(String, DType, Vec<usize>)>) -> Result<Self, DTypeError> {
        Self::laid_out(fields, false)
    }

    /// Returns the record with such fields laid out as C does it: `np.dtype(..., align=True)`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn aligned(fields: Vec<(String, DType, Vec<usize>)>) -> Result<Self, DTypeError> {
        Self::laid_out(fields, true)
    }

    /// Returns the record without some columns, which become padding; none if it cannot be.
    pub(crate) fn without(&self, columns: &[Path]) -> Option<Self> {
        let mut fields = Vec::new();
        for field in &self.fields {
            let inside = columns
                .iter()
                .filter_map(|column| column.below(field.name()));
            let inside: Vec<Path> = inside.collect();
            if inside.iter().any(Path::is_root) {
                continue;
            }
            match field.dtype() {
                DType::Record(record) if !inside.is_empty() => {
                    let dtype = DType::Record(record.without(&inside)?);
                    let (name, shape) = (field.name(), field.shape().to_vec());
                    fields.push(Field::new(name, dtype, shape, field.offset()));
                }
                _ => fields.push(field.clone()),
            }
        }
        Self::new(fields, self.itemsize).ok()
    }

    /// Returns the record of an array that `elements.compress` compressed, if it is not too large.
    pub(super) fn compressed(block: usize, axes: usize, name: usize) -> Option<Self> {
        let behind = axes.checked_mul(4)?.checked_add(block)?;
        let itemsize = behind.checked_add(name).filter(|&size| size <= MOST)?;
        let byte = DType::Number(Number::UInt8, ByteOrder::NotApplicable);
        let int = DType::Number(Number::Int32, ByteOrder::Little);
        let mut record = Self {
            fields: vec![
                Field::new("data", byte, vec![block], 0),
                Field::new("shape", int, vec![axes], block),
                Field::new("dtype", DType::Bytes(name), vec![], behind),
            ],
            itemsize,
            alignment: 1,
            aligned: false,
            depth: 0,
        };
        record.depth = record.text_depth();
        Some(record)
    }

    fn laid_out(fields: Vec<(String, DType, Vec<usize>)>, align: bool) -> Result<Self, DTypeError> {
        let too_large = || DTypeError::new(DTypeErrorKind::TooLarge);
        let mut layout = Layout::new(align);
        let mut placed = Vec::new();
        for (name, dtype, shape) in fields {
            let size = byte_size(dtype.itemsize(), &shape).ok_or_else(too_large)?;
            let offset = layout
                .place(size, dtype.alignment())
                .ok_or_else(too_large)?;
            placed.push(Field::new(name, dtype, shape, offset));
        }
        let record = Self::new(placed, layout.itemsize().ok_or_else(too_large)?)?;
        if align {
            record
                .into_aligned()
                .map_err(|(kind, _)| DTypeError::new(kind))
        } else {
            Ok(record)
        }
    }

    pub(super) fn checked(fields: Vec<Field>, itemsize: usize) -> Result<Self, Fault> {
        if itemsize > MOST {
            return Err((DTypeErrorKind::TooLarge, None));
        }
        check_names(&fields)?;
        for (index, field) in fields.iter().enumerate() {
            check_field(field, itemsize).map_err(|kind| (kind, Some(index)))?;
        }
        check_overlap(&fields)?;
        let mut record = Self {
            fields,
            itemsize,
            alignment: 1,
            aligned: false,
            depth: 0,
        };
        record.depth = record.text_depth();
        if record.depth > MOST_DEEP {
            Err((DTypeErrorKind::TooDeep, None))
        } else {
            Ok(record)
        }
    }

    /// Makes this a record that aligned ones align, after a look whether its fields are.
    pub(super) fn into_aligned(mut self) -> Result<Self, Fault> {
        for (index, field) in self.fields.iter().enumerate() {
            let alignment = field.dtype().alignment();
            if field.offset() % alignment != 0 {
                let kind = DTypeErrorKind::layout(field.name(), "is not aligned as the text says");
                return Err((kind, Some(index)));
            }
            self.alignment = self.alignment.max(alignment);
        }
        if self.itemsize % self.alignment != 0 {
            return Err((
                DTypeErrorKind::layout("", "has a size that breaks its alignment"),
                None,
            ));
        }
        self.aligned = true;
        Ok(self)
    }

    fn text_depth(&self) -> usize {
        let packed = self.is_packed();
        let deepest = self.fields.iter().map(|field| {
            let inner = field.dtype().depth();
            match (packed, field.shape().is_empty()) {
                (true, true) => inner.max(usize::from(field.title().is_some())),
                (true, false) => inner.max(1),
                (false, true) => inner,
                (false, false) => inner.max(1) + 1,
            }
        });
        2 + deepest.max().unwrap_or(0)
    }

    /// Returns the fields, in the order of their names in the text.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the field of a name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name() == name)
    }

    /// Returns the size of an item in bytes, padding included.
    #[must_use]
    pub fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// Returns what NumPy aligns the record to: 1, unless it was laid out with alignment.
    #[must_use]
    pub fn alignment(&self) -> usize {
        self.alignment
    }

    /// Returns true if the record was laid out with alignment.
    pub(super) fn is_aligned(&self) -> bool {
        self.aligned
    }

    /// Returns true if the fields follow each other without padding, in order.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        let mut end = 0;
        let in_place = self.fields.iter().all(|field| {
            let here = field.offset() == end;
            end = field.end();
            here
        });
        in_place && end == self.itemsize
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.itemsize == other.itemsize && self.fields == other.fields
    }
}

impl Eq for Record {}

impl Hash for Record {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fields.hash(state);
        self.itemsize.hash(state);
    }
}

fn check_names(fields: &[Field]) -> Result<(), Fault> {
    let mut used = HashSet::new();
    for (index, field) in fields.iter().enumerate() {
        if field.name().is_empty() {
            return Err((DTypeErrorKind::names("", "is empty"), Some(index)));
        }
        for name in std::iter::once(field.name()).chain(field.title()) {
            if !used.insert(name) {
                return Err((DTypeErrorKind::names(name, "occurs twice"), Some(index)));
            }
        }
    }
    Ok(())
}

fn check_field(field: &Field, itemsize: usize) -> Result<(), DTypeErrorKind> {
    let fault = |reason| DTypeErrorKind::layout(field.name(), reason);
    if field.shape().len() > DIMENSIONS {
        return Err(fault("has more than 64 dimensions"));
    }
    if field.offset() > MOST || field.shape().iter().any(|&n| n > MOST) {
        return Err(DTypeErrorKind::TooLarge);
    }
    byte_size(field.dtype().itemsize(), field.shape()).ok_or(DTypeErrorKind::TooLarge)?;
    if field.end() > itemsize {
        return Err(fault("passes the end of the item"));
    }
    Ok(())
}

fn check_overlap(fields: &[Field]) -> Result<(), Fault> {
    let mut solid: Vec<usize> = (0..fields.len())
        .filter(|&index| fields[index].size() > 0)
        .collect();
    solid.sort_by_key(|&index| fields[index].offset());
    for pair in solid.windows(2) {
        if fields[pair[1]].offset() < fields[pair[0]].end() {
            let later = pair[0].max(pair[1]);
            return Err((
                DTypeErrorKind::layout(fields[later].name(), "overlaps another"),
                Some(later),
            ));
        }
    }
    Ok(())
}
