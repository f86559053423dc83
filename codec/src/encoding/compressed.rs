//! Snappy records, as Dopamine's `elements.compress` makes them.
//!
//! A compressed array is a 0-d record of three columns: `data`, one raw Snappy block of the row-major
//! bytes; `shape`, as int32; and `dtype`, the ASCII text of `dtype.str`. The block's own claim of its
//! size is never believed: the record says how long the output is.

use std::cell::OnceCell;

use super::record::columns;
use super::snappy;
use super::{Extents, NumpyEncoding, Source, Span, byte_len, no_memory};
use crate::dtype::{ByteOrder, DType, Field, Number, Record};
use crate::error::{Error, ErrorKind};

/// The start of a framed Snappy stream, which is not a block.
const FRAMED: &[u8] = b"\xff\x06\x00\x00sNaPpY";

/// No Snappy block expands to more than this many times its size: three bytes make at most 64.
const RATIO: usize = 22;

fn fault(reason: impl Into<String>) -> Error {
    let reason = reason.into();
    ErrorKind::Snappy { reason }.into()
}

/// Compresses an array of a plain dtype (bool, integers, floats, complex) into a record.
///
/// The record is what Dopamine's `elements.compress` gives for the same array, byte for byte; a
/// column-major array is turned into row-major order first, as Dopamine does.
///
/// # Errors
/// [`ErrorKind::Snappy`] for a dtype that a record cannot name (structured, text, ml_dtypes), for an
/// axis longer than int32 and for a payload longer than Snappy's 4 GiB.
pub fn compress(array: &NumpyEncoding<'_>) -> Result<NumpyEncoding<'static>, Error> {
    let Columns {
        mut bytes,
        axes,
        name,
    } = compress_columns(array)?;
    let block = bytes.len() - 4 * axes - name;
    // The encoder makes room for data that do not shrink; whoever keeps many records would keep it.
    bytes.shrink_to_fit();
    let dtype = Record::packed(vec![
        (
            "data".to_owned(),
            DType::Number(Number::UInt8, ByteOrder::NotApplicable),
            vec![block],
        ),
        (
            "shape".to_owned(),
            DType::Number(Number::Int32, ByteOrder::Little),
            vec![axes],
        ),
        ("dtype".to_owned(), DType::Bytes(name), vec![]),
    ])?;
    NumpyEncoding::from_dtype(vec![], bytes, DType::Record(dtype), None)
}

/// The columns of a record, one behind the other: `data`, `shape` and `dtype`.
pub(crate) struct Columns {
    /// All of them, in memory that has room for a block that does not shrink.
    pub(crate) bytes: Vec<u8>,
    /// How many axes the shape has, of four bytes each.
    pub(crate) axes: usize,
    /// How many bytes the dtype has.
    pub(crate) name: usize,
}

/// Makes the columns of the record of an array.
///
/// # Errors
/// Those of [`compress`].
pub(crate) fn compress_columns(array: &NumpyEncoding<'_>) -> Result<Columns, Error> {
    let name = Some(array.dtype())
        .filter(|dtype| dtype.is_plain())
        .and_then(DType::str_text)
        .ok_or_else(|| fault(format!("dtype {} cannot be compressed", array.dtype_text())))?;
    let mut bytes = snap::raw::Encoder::new()
        .compress_vec(&array.row_major())
        .map_err(|error| fault(error.to_string()))?;
    for &length in array.shape() {
        let length = i32::try_from(length)
            .map_err(|_| fault(format!("an axis of {length} items does not fit int32")))?;
        bytes.extend_from_slice(&length.to_le_bytes());
    }
    bytes.extend_from_slice(name.as_bytes());
    Ok(Columns {
        bytes,
        axes: array.shape().len(),
        name: name.len(),
    })
}

/// Returns the most bytes that the record of an array of so many bytes can take; where
/// [`compress`] would refuse the array, all there are.
pub(crate) fn most_bytes(bytes: usize, dimensions: usize) -> usize {
    /// The longest `dtype.str` of a plain dtype, and room to spare.
    const NAME: usize = 16;
    match snap::raw::max_compress_len(bytes) {
        0 => usize::MAX,
        block => block + 4 * dimensions + NAME,
    }
}

/// Restores the array that a record holds.
///
/// # Errors
/// [`ErrorKind::Snappy`] if the array is no such record, if the block is a framed stream, is broken,
/// or has not exactly as many bytes as shape and dtype say; the errors of [`NumpyEncoding::new`] for
/// what the record says of shape and dtype.
pub fn uncompress(record: &NumpyEncoding<'_>) -> Result<NumpyEncoding<'static>, Error> {
    let packed = Packed::open(record)?;
    packed.header.clone().loaded(Some(&packed))
}

/// A record whose parts agree with each other: an array whose payload is still in its block.
pub(crate) struct Packed<'r> {
    header: NumpyEncoding<'static>,
    block: &'r [u8],
    /// How many bytes the block gives.
    length: usize,
    /// The payload, for who looks at it in pieces.
    whole: OnceCell<Vec<u8>>,
}

impl<'r> Packed<'r> {
    /// Takes a record apart; nothing of the block is read but its length.
    ///
    /// # Errors
    /// Those of [`uncompress`], but for a block that is broken.
    pub(crate) fn open(record: &'r NumpyEncoding<'_>) -> Result<Self, Error> {
        let columns = Some(record)
            .filter(|record| record.shape().is_empty())
            .and_then(|record| columns(record.dtype()))
            .ok_or_else(|| {
                let found = record.dtype_text();
                fault(format!(
                    "expected one record of data, shape and dtype, found {found}"
                ))
            })?;
        let column = |field: &Field| &record.data()[field.offset()..][..field.size()];
        let shape = shape(column(columns.shape), columns.order)?;
        let name = column(columns.dtype);
        let name = name
            .iter()
            .rposition(|&byte| byte != 0)
            .map_or(&name[..0], |last| &name[..=last]);
        let text = format!("'{}'", name.escape_ascii());
        let dtype: DType = text.parse()?;
        if !dtype.is_plain() {
            return Err(fault(format!("dtype {text} cannot be compressed")));
        }
        let length = byte_len(&shape, dtype.itemsize())?;
        let block = column(columns.data);
        check_claim(block, length)?;
        let span = Span { offset: 0, length };
        Ok(Self {
            header: NumpyEncoding::stored(shape, span, text.into(), None)?,
            block,
            length,
            whole: OnceCell::new(),
        })
    }

    /// Returns the array, whose source is this.
    pub(crate) fn header(&self) -> &NumpyEncoding<'static> {
        &self.header
    }

    /// Checks the block, so that reading it cannot fail.
    ///
    /// # Errors
    /// [`ErrorKind::Snappy`].
    pub(crate) fn check(&self) -> Result<(), Error> {
        snappy::check(self.block, self.length).map_err(|error| fault(error.to_string()))
    }

    fn expand(&self, bytes: &mut [u8]) -> Result<(), Error> {
        snappy::expand(self.block, bytes).map_err(|error| fault(error.to_string()))
    }
}

impl Source for Packed<'_> {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error> {
        if offset == 0 && bytes.len() == self.length {
            return self.expand(bytes);
        }
        if self.whole.get().is_none() {
            let length = self.length;
            let mut whole: Vec<u8> =
                bytemuck::try_zeroed_vec(length).map_err(|()| no_memory(length))?;
            self.expand(&mut whole)?;
            let _ = self.whole.set(whole);
        }
        let whole = self.whole.get().map_or(&[][..], Vec::as_slice);
        let part = usize::try_from(offset)
            .ok()
            .and_then(|start| whole.get(start..)?.get(..bytes.len()))
            .ok_or_else(|| fault("more was asked for than the block holds"))?;
        bytes.copy_from_slice(part);
        Ok(())
    }
}

fn shape(column: &[u8], order: ByteOrder) -> Result<Extents, Error> {
    let lengths = column.chunks_exact(4).map(|length| {
        let mut bytes: [u8; 4] = [0; 4];
        bytes.copy_from_slice(length);
        let length = match order {
            ByteOrder::Big => i32::from_be_bytes(bytes),
            _ => i32::from_le_bytes(bytes),
        };
        usize::try_from(length).map_err(|_| fault(format!("an axis of {length} items")))
    });
    lengths.collect()
}

/// Checks that a block claims so many bytes, and could hold them.
fn check_claim(block: &[u8], expected: usize) -> Result<(), Error> {
    if block.starts_with(FRAMED) {
        return Err(fault("framed Snappy stream found, expected a raw block"));
    }
    let (claimed, _) = snappy::claimed(block).map_err(|error| fault(error.to_string()))?;
    if claimed != expected {
        return Err(fault(format!(
            "shape and dtype need {expected} bytes, the block holds {claimed}"
        )));
    }
    if expected / RATIO > block.len() {
        return Err(fault(format!(
            "shape and dtype need {expected} bytes, a block of {} cannot hold so many",
            block.len()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(block: &[u8], shape: &[i32], name: &str) -> NumpyEncoding<'static> {
        let (n, k, m) = (block.len(), shape.len(), name.len());
        let mut data = block.to_vec();
        data.extend(shape.iter().flat_map(|length| length.to_le_bytes()));
        data.extend(name.bytes());
        let text =
            format!("[('data', '|u1', ({n},)), ('shape', '<i4', ({k},)), ('dtype', '|S{m}')]");
        NumpyEncoding::new(vec![], data, text, None).unwrap()
    }

    #[test]
    fn a_record_holds_exactly_what_it_says() {
        let said = |record: &NumpyEncoding<'_>| {
            uncompress(record)
                .map(|array| array.data().to_vec())
                .map_err(|error| error.to_string())
        };
        assert_eq!(
            said(&record(b"\x03\x08abc", &[3], "|u1")),
            Ok(b"abc".to_vec())
        );
        assert_eq!(said(&record(b"\x00", &[0], "|u1")), Ok(vec![]));
        for (block, shape, name, text) in [
            (
                &b"\x03\x08abc"[..],
                &[4][..],
                "|u1",
                "shape and dtype need 4 bytes, the block holds 3",
            ),
            (b"", &[0], "|u1", "no length (byte 0 of the block)"),
            (
                b"\x80\x80\x80\x80\x01\x00",
                &[3],
                "|u1",
                "shape and dtype need 3 bytes, the block holds 268435456",
            ),
            (
                b"\x80\x80\x80\x80\x01\x00",
                &[1 << 28],
                "|u1",
                "shape and dtype need 268435456 bytes, a block of 6 cannot hold so many",
            ),
            (
                FRAMED,
                &[3],
                "|u1",
                "framed Snappy stream found, expected a raw block",
            ),
            (b"\x03\x08abc", &[-1], "|u1", "an axis of -1 items"),
            (
                b"\x03\x08abc",
                &[3],
                "<U1",
                "dtype '<U1' cannot be compressed",
            ),
        ] {
            assert_eq!(
                said(&record(block, shape, name)),
                Err(format!("compressed record: {text}"))
            );
        }
    }
}
