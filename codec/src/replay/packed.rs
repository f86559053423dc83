//! Records of `elements.compress` in little memory: their bytes, and where the columns begin.

use std::borrow::Cow;
use std::sync::Arc;

use crate::checkpoint::{Outline, Sink};
use crate::dtype::{ByteOrder, DType, Number, Record};
use crate::encoding::{InMemory, NumpyEncoding, compress, compress_columns, uncompress};
use crate::error::{Error, ErrorKind};

/// A compressed array: a Snappy block, its shape and its dtype. Clones share their memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The columns `data`, `shape` and `dtype`, one behind the other.
    bytes: Arc<[u8]>,
    /// How many axes the shape has.
    axes: usize,
    /// How many characters the dtype has.
    name: usize,
}

impl Packed {
    pub(super) fn compress(array: &NumpyEncoding<'_>) -> Result<Self, Error> {
        let columns = compress_columns(array)?;
        Ok(Self {
            bytes: columns.bytes.as_slice().into(),
            axes: columns.axes,
            name: columns.name,
        })
    }

    /// Shares the memory of another record, if it holds the same.
    pub(super) fn share(&mut self, other: &Self) {
        if self == other {
            self.bytes = Arc::clone(&other.bytes);
        }
    }

    /// Takes over a record. What it holds is checked when it is expanded.
    pub(super) fn new(record: &NumpyEncoding<'_>) -> Result<Self, Error> {
        match Self::of(record) {
            Some(packed) => Ok(packed),
            // Columns in another order or byte order than Dopamine's.
            None => Self::of(&compress(&uncompress(record)?)?).ok_or_else(|| {
                let reason = "its columns are not those of elements.compress".to_owned();
                ErrorKind::Snappy { reason }.into()
            }),
        }
    }

    fn of(record: &NumpyEncoding<'_>) -> Option<Self> {
        let DType::Record(columns) = record.dtype() else {
            return None;
        };
        let packed = Self {
            bytes: record.data().into(),
            axes: *columns.field("shape")?.shape().first()?,
            name: columns.field("dtype")?.dtype().itemsize(),
        };
        let fits = record.dtype_text() == packed.text()
            || packed.columns().is_ok_and(|own| own == *record.dtype());
        fits.then_some(packed)
    }

    /// Returns where the shape begins.
    fn block(&self) -> usize {
        let behind = self.axes.saturating_mul(4).saturating_add(self.name);
        self.bytes.len().saturating_sub(behind)
    }

    /// Returns the text of the dtype.
    fn text(&self) -> String {
        let (block, axes, name) = (self.block(), self.axes, self.name);
        format!("[('data', '|u1', ({block},)), ('shape', '<i4', ({axes},)), ('dtype', '|S{name}')]")
    }

    fn columns(&self) -> Result<DType, Error> {
        let byte = DType::Number(Number::UInt8, ByteOrder::NotApplicable);
        let int = DType::Number(Number::Int32, ByteOrder::Little);
        let record = Record::packed(vec![
            ("data".to_owned(), byte, vec![self.block()]),
            ("shape".to_owned(), int, vec![self.axes]),
            ("dtype".to_owned(), DType::Bytes(self.name), vec![]),
        ])?;
        Ok(DType::Record(record))
    }

    /// Writes the record as it is; its dtype is only made for a sink that asks for it.
    pub(super) fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let text = self.text();
        let array = InMemory {
            payload: &self.bytes,
            shape: &[],
            text: &text,
            order: None,
        };
        let outline = || Outline::new(vec![], self.columns()?, None);
        sink.array_in_memory(Some(array), outline, || self.record())
    }

    /// Returns the record, whose bytes stay where they are.
    pub(super) fn record(&self) -> Result<NumpyEncoding<'_>, Error> {
        let data = Cow::Borrowed(&*self.bytes);
        NumpyEncoding::from_dtype(vec![], data, self.columns()?, None)
    }

    /// Returns the shape that the record claims.
    pub(super) fn shape(&self) -> Vec<usize> {
        let shape = &self.bytes[self.block()..][..4 * self.axes];
        let extents = shape.chunks_exact(4).map(|bytes| {
            let extent = bytes
                .iter()
                .rev()
                .fold(0, |sum, byte| sum << 8 | u32::from(*byte));
            extent as usize
        });
        extents.collect()
    }
}
