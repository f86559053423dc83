//! The files of safetensors, in which PyTorch's and JAX's weights travel.
//!
//! A file is a flat map of names to arrays of numbers, little-endian and row-major, with a map of texts
//! beside it. A PyTorch state dict that `safetensors.torch` saved is read here as it is, bfloat16 and
//! float8 included.
//!
//! | in a state | in a file |
//! |---|---|
//! | nested maps | names with `.` between the keys ([`WriteOptions::separator`]) |
//! | the map of texts under [`METADATA`] | `__metadata__` |
//! | an array in Fortran order | the same values, gathered in row-major order |
//!
//! Everything else is refused: complex128, types of less than a byte, texts, records, datetimes, long
//! doubles, big-endian numbers, and all that is no array ([`unsupported`] says what is in a state).
//!
//! The format is that of safetensors's README: the length of the header in 8 bytes, little-endian; the
//! header, JSON, filled up with spaces to a multiple of 8; the arrays without holes, sorted by their
//! types, those with larger items first, and then by their names. For a state that both can write, the
//! bytes are those of Python's `safetensors.numpy.save`, but for Fortran-ordered arrays, whose columns
//! that takes for rows, and for more than one text of metadata, which it writes in a random order.

mod dtype;
mod header;

use std::io::Write;

use ::safetensors::tensor::TensorInfo;

use self::header::Header;
pub use super::options::ReadOptions;

use super::fault::fault;
use super::flat::{Flat, Named, SEPARATOR, nested};
use crate::array::flat_order;
use crate::dtype::Order;
use crate::encoding::{NumpyEncoding, no_memory};
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::file::check;
use crate::path::{Path, Segment};
use crate::state::{StateDict, Value};

/// The key under which the texts of a file stand in its state, as they do in the file.
pub const METADATA: &str = "__metadata__";

/// The name of the format in errors.
pub(super) const NAME: &str = "safetensors";

/// How a state is written as safetensors.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    separator: String,
}

impl Default for WriteOptions {
    fn default() -> Self {
        let separator = SEPARATOR.to_owned();
        Self { separator }
    }
}

impl WriteOptions {
    /// Starts from the default: `.` between the keys of nested maps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what stands between the keys of nested maps; an empty text refuses nested maps.
    #[must_use]
    pub fn separator(mut self, separator: impl Into<String>) -> Self {
        self.separator = separator.into();
        self
    }
}

/// Reads a file: a map of names to arrays, whose payloads are borrowed from `bytes`.
///
/// The texts of the file, if it has any, are a map under [`METADATA`]: a state of arrays alone is
/// there after `dict.remove(METADATA)`.
///
/// ```
/// use npcodec::formats::safetensors;
/// use npcodec::{NumpyEncoding, StateDict, Value};
///
/// let mut dict = StateDict::new();
/// dict.insert("bias", NumpyEncoding::new(vec![1], vec![0, 0, 128, 63], "'<f4'", None)?);
/// let bytes = safetensors::to_vec(&Value::from(dict.clone()))?;
/// assert_eq!(safetensors::from_slice(&bytes)?, Value::from(dict));
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Format`](ErrorKind::Format) for a header that is none, for tensors with holes or overlaps and
/// for items of less than a byte; [`Truncated`](ErrorKind::Truncated),
/// [`RepeatedKey`](ErrorKind::RepeatedKey), [`TooManyDimensions`](ErrorKind::TooManyDimensions) and
/// [`Limit`](ErrorKind::Limit), also for a header of more than 100,000,000 bytes.
pub fn from_slice(bytes: &[u8]) -> Result<Value<'_>, Error> {
    from_slice_with(bytes, &ReadOptions::new())
}

/// Reads a file with options.
///
/// # Errors
/// Those of [`from_slice`], and [`TooDeep`](ErrorKind::TooDeep) for names that nest deeper than the
/// limit.
pub fn from_slice_with<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<Value<'a>, Error> {
    options.check_input(bytes)?;
    let (header, data) = Header::read(bytes)?;
    let start = bytes.len() - data.len();
    let mut dict = StateDict::new();
    if let Some(texts) = header.metadata {
        let mut map = StateDict::new();
        for (key, text) in texts {
            if map.contains_key(&*key) {
                let place = Path::root().join(Segment::Key(METADATA.to_owned()));
                return Err(Error::from(ErrorKind::RepeatedKey { key }).under(&place));
            }
            map.insert(key, text);
        }
        dict.insert(METADATA, map);
    }
    let mut arrays = Vec::new();
    for (name, info) in header.tensors {
        let offset = (start + info.data_offsets.0) as u64;
        let array = array(data, info, options).map_err(|error| {
            let place = Path::root().join(Segment::Key(name.clone()));
            error.at(offset).under(&place)
        })?;
        arrays.push((name, Value::Array(array)));
    }
    let separator = options.separator.as_deref();
    for (key, value) in nested(NAME, arrays, separator, options.limits)? {
        if dict.insert(key, value).is_some() {
            let key = METADATA.to_owned();
            return Err(ErrorKind::RepeatedKey { key }.into());
        }
    }
    Ok(Value::Map(dict))
}

fn array<'a>(
    data: &'a [u8],
    info: TensorInfo,
    options: &ReadOptions,
) -> Result<NumpyEncoding<'a>, Error> {
    let dtype = dtype::numpy(info.dtype).ok_or_else(|| {
        let expected = "a type of whole bytes, as NumPy's are";
        fault(NAME, expected, info.dtype)
    })?;
    let (start, end) = info.data_offsets;
    let data = data.get(start..end).unwrap_or_default();
    check("bytes in one array", data.len(), options.limits.array_bytes)?;
    let order = flat_order(&info.shape, Order::C);
    NumpyEncoding::from_dtype(info.shape, data, dtype, order)
}

/// Writes a state, a map of arrays and maps of arrays, into memory of its size.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with every leaf that safetensors cannot hold.
pub fn to_vec(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    to_vec_with(value, &WriteOptions::new())
}

/// Writes a state into memory, with options.
///
/// # Errors
/// Those of [`to_vec`].
pub fn to_vec_with(value: &Value<'_>, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    let file = File::new(value, options)?;
    let mut bytes = file.header.to_bytes()?;
    let payloads = file.arrays.iter().map(|named| named.array.data().len());
    let length = payloads.fold(0, usize::saturating_add);
    bytes
        .try_reserve_exact(length)
        .map_err(|_| no_memory(length))?;
    for named in &file.arrays {
        bytes.extend_from_slice(&named.array.row_major());
    }
    Ok(bytes)
}

/// Writes a state to a writer: contiguous payloads from where they are, others gathered one at a time.
///
/// # Errors
/// Those of [`to_vec`], before the first byte is written, and [`Io`](ErrorKind::Io).
pub fn to_writer(writer: impl Write, value: &Value<'_>) -> Result<(), Error> {
    to_writer_with(writer, value, &WriteOptions::new())
}

/// Writes a state to a writer, with options.
///
/// # Errors
/// Those of [`to_writer`].
pub fn to_writer_with(
    mut writer: impl Write,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<(), Error> {
    let file = File::new(value, options)?;
    let mut write = |bytes: &[u8]| writer.write_all(bytes).map_err(ErrorKind::io);
    write(&file.header.to_bytes()?)?;
    for named in &file.arrays {
        write(&named.array.row_major())?;
    }
    Ok(writer.flush().map_err(ErrorKind::io)?)
}

/// Returns the leaves of a state that safetensors cannot hold, each with the reason.
#[must_use]
pub fn unsupported(value: &Value<'_>) -> Vec<UnsupportedLeaf> {
    unsupported_with(value, &WriteOptions::new())
}

/// Returns the leaves of a state that safetensors cannot hold under these options.
#[must_use]
pub fn unsupported_with(value: &Value<'_>, options: &WriteOptions) -> Vec<UnsupportedLeaf> {
    match File::new(value, options).as_ref().map_err(Error::kind) {
        Err(ErrorKind::Unsupported { leaves, .. }) => leaves.clone(),
        _ => Vec::new(),
    }
}

/// What is going to be written: a header, and the arrays in the order of the file.
struct File<'v, 'a> {
    header: Header,
    arrays: Vec<Named<'v, 'a>>,
}

impl<'v, 'a> File<'v, 'a> {
    fn new(value: &'v Value<'a>, options: &WriteOptions) -> Result<Self, Error> {
        let judge = |array: &NumpyEncoding<'_>| {
            let mut lengths = array.shape().iter();
            // Readers multiply before they come to an axis without items.
            if lengths
                .try_fold(1_usize, |n, &length| n.checked_mul(length))
                .is_none()
            {
                return Some("the product of its shape is too large".to_owned());
            }
            dtype::theirs(array.dtype()).err()
        };
        let metadata = value.as_map().and_then(|map| map.get(METADATA));
        let mut flat = Flat::new(value, Some(METADATA), &options.separator, &judge);
        let place = || Path::root().join(Segment::Key(METADATA.to_owned()));
        let texts = metadata.and_then(texts);
        if let (Some(other), None) = (metadata, &texts) {
            flat.refuse(place(), other, "its key is that of a map of texts");
        }
        if let Some(at) = flat.arrays.iter().position(|named| named.name == METADATA) {
            let named = flat.arrays.swap_remove(at);
            let array = Value::Array(named.array.borrowed());
            flat.refuse(named.path, &array, "its name is that of the map of texts");
        }
        let arrays = flat.arrays(NAME)?;
        let mut tensors = Vec::new();
        for named in arrays {
            let dtype = dtype::theirs(named.array.dtype())
                .map_err(|reason| fault(NAME, "a type that it has", reason))?;
            tensors.push((dtype, named));
        }
        // As the library sorts them, by falling alignment and by name.
        tensors.sort_by(|(left, one), (right, other)| {
            right.cmp(left).then_with(|| one.name.cmp(&other.name))
        });
        let mut header = Header {
            metadata: texts,
            ..Header::default()
        };
        let mut start: usize = 0;
        let mut arrays = Vec::new();
        for (dtype, named) in tensors {
            let end = start.saturating_add(named.array.data().len());
            let info = TensorInfo {
                dtype,
                shape: named.array.shape().to_vec(),
                data_offsets: (start, end),
            };
            header.tensors.push((named.name.clone(), info));
            arrays.push(named);
            start = end;
        }
        Ok(Self { header, arrays })
    }
}

/// Returns the texts of a map that holds nothing else.
fn texts(value: &Value<'_>) -> Option<Vec<(String, String)>> {
    let entries = value.as_map()?.iter().map(|(key, value)| {
        let entry = (key.as_str()?.to_owned(), value.as_str()?.to_owned());
        Some(entry)
    });
    entries.collect()
}
