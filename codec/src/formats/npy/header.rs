//! The header of an `.npy` file, byte for byte as NumPy 1.26 to 2.4 writes it.
//!
//! ```text
//! 93 4E 55 4D 50 59 | major minor | length of the text, little-endian | text
//! ```
//!
//! The text is a Python dict, blanks and a newline, after which the payload starts at a multiple of
//! 64. Source: NumPy's `numpy/lib/_format_impl.py` and its NEP 1.

use std::borrow::Cow;

use crate::dtype::{DType, DTypeErrorKind, NpyHeader, Shape};
use crate::encoding::byte_len;
use crate::error::{Error, ErrorKind};
use crate::path::excerpt;

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// What the payload's start is a multiple of, in a file that NumPy wrote.
const ALIGNMENT: usize = 64;

/// NumPy leaves room for the length of the slowest axis to grow to so many digits.
const GROWTH_DIGITS: usize = 21;

/// The longest header that `numpy.load` reads, in characters.
pub(crate) const LONGEST: usize = 10_000;

/// What the header of an `.npy` file says, and where its payload begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The dtype of the items; those of ml_dtypes are opaque bytes here, but for `float8_e5m2`.
    pub(crate) dtype: DType,
    /// True if the payload is in column-major order.
    pub(crate) fortran_order: bool,
    /// The lengths of the axes, at most 64.
    pub(crate) shape: Vec<usize>,
    /// How many bytes come before the payload.
    pub(crate) payload: usize,
}

impl Header {
    /// Reads the header at the beginning of `bytes`; what follows it is not looked at.
    ///
    /// The layout may be any that `numpy.load` takes; no memory is taken for what the header claims.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`], [`ErrorKind::Format`] for bytes that are no header, and
    /// [`ErrorKind::DType`] for a dtype that is not known or is refused; each with the byte.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let (start, payload, version) = text_range(bytes)?;
        let text = bytes.get(start..payload).unwrap_or_default();
        let text = match version {
            3 => Cow::Borrowed(utf8(text, start)?),
            _ => latin1(text),
        };
        let length = text.chars().count();
        if length > LONGEST {
            let expected = format!("a header of at most {LONGEST} characters");
            return Err(fault(expected, format!("{length}"), start));
        }
        let header = NpyHeader::parse(&text, version < 3)
            .map_err(|(kind, column)| literal(&kind, column, &text, (start, version)))?;
        Ok(Self {
            dtype: header.dtype,
            fortran_order: header.fortran_order,
            shape: header.shape,
            payload,
        })
    }

    /// Multiplies shape and itemsize: how many bytes the payload has.
    ///
    /// # Errors
    /// [`ErrorKind::SizeOverflow`].
    pub(crate) fn byte_len(&self) -> Result<usize, Error> {
        byte_len(&self.shape, self.dtype.itemsize())
    }

    /// Makes the header of an array; its length is a multiple of 64.
    ///
    /// `fortran_order` is NumPy's: true only where memory is in column-major and not in row-major
    /// order.
    ///
    /// # Errors
    /// [`ErrorKind::TooManyDimensions`], and [`ErrorKind::Format`] for a record that has no
    /// [`descr`].
    pub(crate) fn bytes(
        dtype: &DType,
        shape: &[usize],
        fortran_order: bool,
    ) -> Result<Vec<u8>, Error> {
        byte_len(shape, 0)?;
        let descr = descr(dtype).ok_or_else(|| {
            let expected = "fields in the order of their offsets".to_owned();
            fault(expected, excerpt(&dtype.text()).into_owned(), 0)
        })?;
        let order = if fortran_order { "True" } else { "False" };
        let mut text = format!(
            "{{'descr': {descr}, 'fortran_order': {order}, 'shape': {}, }}",
            Shape(shape)
        );
        let slowest = if fortran_order {
            shape.last()
        } else {
            shape.first()
        };
        if let Some(length) = slowest {
            let digits = length.checked_ilog10().unwrap_or(0) as usize + 1;
            text.extend(std::iter::repeat_n(' ', GROWTH_DIGITS - digits));
        }
        let (text, is_latin1) = match text.chars().map(u8::try_from).collect() {
            Ok(latin1) => (latin1, true),
            Err(_) => (text.into_bytes(), false),
        };
        framed(&text, is_latin1)
    }
}

/// Returns the dtype as it stands in a header, `'<f4'`; none for a record whose fields are not in the
/// order of their offsets.
pub(crate) fn descr(dtype: &DType) -> Option<String> {
    match dtype {
        DType::Void(..) => dtype.str_text().map(|text| format!("'{text}'")),
        DType::Ml(_) => {
            // As opaque bytes, which `descr` prints as a list of one padding.
            let text = dtype.descr()?;
            let code = text
                .strip_prefix("[('', ")
                .and_then(|rest| rest.strip_suffix(")]"));
            Some(code.map_or_else(|| text.clone(), str::to_owned))
        }
        _ => dtype.descr(),
    }
}

/// Puts magic, version and length before a text, and the padding after it.
fn framed(text: &[u8], is_latin1: bool) -> Result<Vec<u8>, Error> {
    let padded = |prefix: usize| {
        let used = prefix + text.len() + 1;
        // Where nothing is missing NumPy adds a whole 64 bytes.
        text.len() + 1 + ALIGNMENT - used % ALIGNMENT
    };
    let mut bytes = MAGIC.to_vec();
    let length = match u16::try_from(padded(10)) {
        Ok(short) if is_latin1 => {
            bytes.extend([1, 0]);
            bytes.extend(short.to_le_bytes());
            usize::from(short)
        }
        _ => {
            let length = padded(12);
            let Ok(long) = u32::try_from(length) else {
                return Err(ErrorKind::TooLong { bytes: length }.into());
            };
            bytes.extend([if is_latin1 { 2 } else { 3 }, 0]);
            bytes.extend(long.to_le_bytes());
            length
        }
    };
    let end = bytes.len() + length;
    bytes.extend(text);
    bytes.resize(end - 1, b' ');
    bytes.push(b'\n');
    Ok(bytes)
}

/// Finds the text of a header: where it begins, where it ends, and the version of the format.
fn text_range(bytes: &[u8]) -> Result<(usize, usize, u8), Error> {
    let magic = bytes
        .get(..MAGIC.len().min(bytes.len()))
        .unwrap_or_default();
    if !MAGIC.starts_with(magic) {
        let found = match magic {
            [b'P', b'K', ..] => "a zip archive".to_owned(),
            _ => format!("the bytes{}", hex(magic)),
        };
        return Err(fault(format!("the bytes{}", hex(MAGIC)), found, 0));
    }
    let truncated = |needed| {
        Error::from(ErrorKind::Truncated {
            needed,
            found: bytes.len(),
        })
        .at(0)
    };
    let Some(&[major, minor]) = bytes.get(MAGIC.len()..8) else {
        return Err(truncated(10));
    };
    let (start, length) = match (major, minor, bytes.get(8..)) {
        (1, 0, Some(&[a, b, ..])) => (10, u32::from(u16::from_le_bytes([a, b]))),
        (2 | 3, 0, Some(&[a, b, c, d, ..])) => (12, u32::from_le_bytes([a, b, c, d])),
        (1, 0, _) => return Err(truncated(10)),
        (2 | 3, 0, _) => return Err(truncated(12)),
        _ => {
            let expected = "version 1.0, 2.0 or 3.0".to_owned();
            return Err(fault(expected, format!("version {major}.{minor}"), 6));
        }
    };
    // Nothing longer can have at most so many characters.
    if length as usize > LONGEST * 4 {
        let expected = format!("a header of at most {LONGEST} characters");
        return Err(fault(expected, format!("{length} bytes"), 8));
    }
    let end = start + length as usize;
    if end > bytes.len() {
        return Err(truncated(end));
    }
    Ok((start, end, major))
}

fn utf8(text: &[u8], start: usize) -> Result<&str, Error> {
    std::str::from_utf8(text).map_err(|error| {
        let at = start + error.valid_up_to();
        let byte = text.get(error.valid_up_to()).copied().unwrap_or(0);
        fault("UTF-8".to_owned(), format!("the byte{}", hex(&[byte])), at)
    })
}

fn latin1(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(ascii) if text.is_ascii() => Cow::Borrowed(ascii),
        _ => Cow::Owned(text.iter().copied().map(char::from).collect()),
    }
}

fn fault(expected: String, found: String, offset: usize) -> Error {
    let kind = ErrorKind::Format {
        format: "npy",
        expected,
        found,
    };
    Error::from(kind).at(offset as u64)
}

/// The error of a header's text: a piece of it that does not belong there, or a dtype that is none.
fn literal(
    kind: &DTypeErrorKind,
    column: usize,
    text: &str,
    (start, version): (usize, u8),
) -> Error {
    let (before, rest) = text.split_at_checked(column).unwrap_or((text, ""));
    let offset = match version {
        3 => start + column,
        _ => start + before.chars().count(),
    };
    match kind.expected() {
        Some(expected) => {
            let found = match rest.trim_end() {
                "" => "the end of the header".to_owned(),
                rest => format!("`{}`", crate::path::Escaped(&excerpt(rest))),
            };
            fault(expected, found, offset)
        }
        None => Error::from(kind.clone().in_text(column, text)).at(offset as u64),
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, " {byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
