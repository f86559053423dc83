//! What `#[derive(Structured)]` is made of: layouts, and columns found by name.

use super::{Cast, ColumnMismatch, Element, InvalidItem, Items, MismatchKind, ReaderError};
use crate::dtype::{ByteOrder, DType, Record};
use crate::path::Segment;

/// Where the columns of a row lie as we write it.
#[derive(Debug, Clone, Copy)]
pub struct Layout<const N: usize> {
    /// The offset of each column.
    pub offsets: [usize; N],
    /// The size of each column.
    pub sizes: [usize; N],
    /// The size of the row.
    pub size: usize,
    /// What the row is aligned to in a row around it.
    pub align: usize,
}

impl<const N: usize> Layout<N> {
    /// Lays the columns out one after the other.
    #[must_use]
    pub const fn packed(columns: [(usize, usize); N]) -> Self {
        Self::new(columns, false)
    }

    /// Lays the columns out with the padding that C and `align=True` of NumPy have.
    #[must_use]
    pub const fn aligned(columns: [(usize, usize); N]) -> Self {
        Self::new(columns, true)
    }

    const fn new(columns: [(usize, usize); N], aligned: bool) -> Self {
        let (mut offsets, mut sizes) = ([0; N], [0; N]);
        let (mut end, mut most, mut column) = (0_usize, 1, 0);
        while column < N {
            let (size, align) = columns[column];
            if aligned {
                end = round_up(end, align);
                if align > most {
                    most = align;
                }
            }
            offsets[column] = end;
            sizes[column] = size;
            end = end.saturating_add(size);
            column += 1;
        }
        Self {
            offsets,
            sizes,
            size: round_up(end, most),
            align: most,
        }
    }

    /// Returns the bytes of a column in the item of a row; nothing if the row is shorter.
    pub fn column_mut<'a>(&self, column: usize, item: &'a mut [u8]) -> &'a mut [u8] {
        let offset = self.offsets.get(column).copied();
        let size = self.sizes.get(column).copied();
        let range = offset.zip(size).and_then(|(offset, size)| {
            let end = offset.checked_add(size)?;
            item.get_mut(offset..end)
        });
        range.unwrap_or_default()
    }
}

const fn round_up(size: usize, align: usize) -> usize {
    match size.checked_next_multiple_of(align) {
        Some(rounded) => rounded,
        None => size,
    }
}

/// Names, dtype and lengths of one column as we write it.
#[must_use]
pub fn column<T: Element>(name: &str) -> (String, DType, Vec<usize>) {
    (name.to_owned(), T::dtype(), T::sub_shape())
}

/// Returns the dtype of a row.
///
/// A row larger than NumPy can have is opaque, which no file holds either.
#[must_use]
pub fn dtype<T: Element>(columns: Vec<(String, DType, Vec<usize>)>, aligned: bool) -> DType {
    let record = if aligned {
        Record::aligned(columns)
    } else {
        Record::packed(columns)
    };
    record.map_or(
        DType::Void(T::SIZE, ByteOrder::NotApplicable),
        DType::Record,
    )
}

/// Checks each row by its columns.
///
/// # Errors
///
/// [`InvalidItem`] for the first row with a column that is no value of its type.
pub fn check(
    rows: Items<'_>,
    columns: impl Fn(&[u8]) -> Result<(), InvalidItem>,
) -> Result<(), InvalidItem> {
    for (index, row) in rows.distinct().enumerate() {
        columns(row).map_err(|invalid| invalid.at(index))?;
    }
    Ok(())
}

/// One column of a file's rows.
#[derive(Debug, Clone, Copy)]
pub struct Column<R> {
    name: &'static str,
    offset: usize,
    size: usize,
    reader: R,
}

impl<R> Column<R> {
    fn part<'a>(&self, item: &'a [u8]) -> Result<&'a [u8], InvalidItem> {
        let end = self.offset.checked_add(self.size);
        end.and_then(|end| item.get(self.offset..end))
            .ok_or_else(|| {
                let row = format!("a row with column `{}`", self.name);
                InvalidItem::new(format!("{} bytes", item.len()), row)
            })
    }

    fn place(&self, invalid: InvalidItem) -> InvalidItem {
        invalid.at(0).under(Segment::Key(self.name.to_owned()))
    }

    /// Reads the column of one row.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] if its bytes are no value of the type.
    pub fn read<T: Element<Reader = R>>(&self, item: &[u8]) -> Result<T, InvalidItem> {
        T::read(&self.reader, self.part(item)?).map_err(|invalid| self.place(invalid))
    }

    /// Checks the column of one row.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] if its bytes are no value of the type.
    pub fn check<T: Element<Reader = R>>(&self, item: &[u8]) -> Result<(), InvalidItem> {
        if T::accepts_all(&self.reader) {
            return Ok(());
        }
        let part = self.part(item)?;
        match Items::new(part, part.len(), 1) {
            Some(one) => T::check(&self.reader, one).map_err(|invalid| self.place(invalid)),
            None => Ok(()),
        }
    }

    /// Returns true if every item of the column is a value.
    pub fn accepts_all<T: Element<Reader = R>>(&self) -> bool {
        T::accepts_all(&self.reader)
    }
}

/// The columns of a file's rows, while they are matched with those of a type.
#[derive(Debug)]
pub struct Columns<'a> {
    record: &'a Record,
    cast: Cast,
    known: Vec<&'static str>,
    mismatches: Vec<ColumnMismatch>,
}

impl<'a> Columns<'a> {
    /// Starts to match the columns of a dtype with those of the type `T`.
    ///
    /// # Errors
    ///
    /// [`ReaderError`] if the dtype has no columns.
    pub fn of<T: Element>(dtype: &'a DType, cast: Cast) -> Result<Self, ReaderError> {
        match dtype {
            DType::Record(record) => Ok(Self {
                record,
                cast,
                known: Vec::new(),
                mismatches: Vec::new(),
            }),
            _ => Err(ReaderError::dtype(&T::dtype(), dtype, None)),
        }
    }

    /// Finds one column by its name; none, and a mismatch, if it is missing or another type.
    pub fn column<T: Element>(&mut self, name: &'static str) -> Option<Column<T::Reader>> {
        self.known.push(name);
        let resolved = match self.record.field(name) {
            None => Err(ReaderError::from(MismatchKind::Missing)),
            Some(field) if field.shape() != T::sub_shape() => {
                Err(ReaderError::from(MismatchKind::Shape {
                    expected: T::sub_shape(),
                    found: field.shape().to_vec(),
                }))
            }
            Some(field) => T::reader(field.dtype(), self.cast).map(|reader| Column {
                name,
                offset: field.offset(),
                size: field.size(),
                reader,
            }),
        };
        resolved
            .map_err(|error| self.mismatches.extend(error.under(name)))
            .ok()
    }

    /// Returns the columns that were found, if they are all that the file has.
    ///
    /// # Errors
    ///
    /// [`ReaderError`] with all mismatches, columns that the type does not have among them.
    pub fn finish<R>(mut self, found: Option<R>) -> Result<R, ReaderError> {
        let fields = self.record.fields().iter();
        for field in fields.filter(|field| !self.known.contains(&field.name())) {
            let unexpected = ReaderError::from(MismatchKind::Unexpected);
            self.mismatches.extend(unexpected.under(field.name()));
        }
        match found {
            Some(found) if self.mismatches.is_empty() => Ok(found),
            _ => Err(ReaderError::all(self.mismatches)),
        }
    }
}
