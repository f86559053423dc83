//! Archives into states.

use std::io::Read;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};

use super::super::fault::fault;
use super::super::flat::nested;
use super::super::npy::header::{Header, MAGIC};
use super::super::npy::{array, payload_length};
use super::super::options::ReadOptions;
use super::{NAME, SUFFIX};
use crate::encoding::{NumpyEncoding, no_memory};
use crate::error::{Error, ErrorKind};
use crate::path::{Path, Segment};
use crate::state::Value;

/// Reads an archive: a map of names to arrays, in the order of the archive.
///
/// Payloads that are not compressed are borrowed from `bytes`.
///
/// ```
/// use npcodec::formats::npz;
/// use npcodec::{NumpyEncoding, StateDict, Value};
///
/// let mut dict = StateDict::new();
/// dict.insert("x", NumpyEncoding::new(vec![2], vec![1, 2], "'|u1'", None)?);
/// let value = Value::from(dict);
/// assert_eq!(npz::from_slice(&npz::to_vec(&value)?)?, value);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Format`](ErrorKind::Format) for bytes that are no archive of arrays, for members that overlap,
/// are encrypted or compressed otherwise than by deflate, and for wrong sizes and checksums;
/// [`RepeatedKey`](ErrorKind::RepeatedKey); those of
/// [`npy::from_slice`](crate::formats::npy::from_slice) with the name of the array.
pub fn from_slice(bytes: &[u8]) -> Result<Value<'_>, Error> {
    from_slice_with(bytes, &ReadOptions::new())
}

/// Reads an archive with options.
///
/// # Errors
/// Those of [`from_slice`], [`Limit`](ErrorKind::Limit), and [`TooDeep`](ErrorKind::TooDeep) for
/// names that nest deeper than the limit.
pub fn from_slice_with<'a>(bytes: &'a [u8], options: &ReadOptions) -> Result<Value<'a>, Error> {
    options.check_input(bytes)?;
    let mut arrays = Vec::new();
    for member in members(bytes)? {
        let name = member.name;
        let array = member.array(options).map_err(|error| {
            let place = Path::root().join(Segment::Key(name.to_owned()));
            error.at(member.start).under(&place)
        })?;
        arrays.push((name.to_owned(), Value::Array(array)));
    }
    let separator = options.separator.as_deref();
    nested(NAME, arrays, separator, options.limits).map(Value::Map)
}

/// A file of an archive.
struct Member<'a> {
    /// The name of the array.
    name: &'a str,
    /// The bytes, compressed or not.
    data: &'a [u8],
    /// Where they begin.
    start: u64,
    method: CompressionMethod,
    /// How many bytes there are without compression, by the archive.
    size: u64,
    crc: u32,
}

/// Lists the members of an archive.
fn members(bytes: &[u8]) -> Result<Vec<Member<'_>>, Error> {
    let broken = |error: rawzip::Error| fault(NAME, "a zip archive", error);
    let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut members = Vec::new();
    let mut ranges = Vec::new();
    for entry in archive.entries() {
        let entry = entry.map_err(broken)?;
        let range = central_name(bytes, &entry);
        let name = bytes.get(range).unwrap_or_default();
        let name = std::str::from_utf8(name)
            .ok()
            .filter(|name| entry.flags().is_utf8() || name.is_ascii())
            .ok_or_else(|| fault(NAME, "names in UTF-8", name.escape_ascii()))?;
        let key = name.strip_suffix(SUFFIX).unwrap_or(name);
        let place = || Path::root().join(Segment::Key(key.to_owned()));
        let refuse = |expected: &str, found: String| {
            let error = fault(NAME, expected, found);
            Err(error.at(entry.local_header_offset()).under(&place()))
        };
        if name.contains('\0') {
            return refuse(
                "a name without NUL, where zip names end",
                format!("{name:?}"),
            );
        }
        if entry.flags().is_encrypted() {
            return refuse("members that are not encrypted", "one that is".to_owned());
        }
        let found = archive.get_entry(entry.wayfinder()).map_err(|error| {
            let error = fault(NAME, "a member", error);
            error.at(entry.local_header_offset()).under(&place())
        })?;
        if found.local_header().file_path().as_bytes() != name.as_bytes() {
            let other = found.local_header().file_path().as_bytes().escape_ascii();
            return refuse("one name of a member", format!("another one, {other}"));
        }
        let (start, end) = found.compressed_data_range();
        let data = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let data = data.and_then(|(start, end)| bytes.get(start..end));
        ranges.push((entry.local_header_offset(), end));
        members.push(Member {
            name: key,
            data: data.unwrap_or_default(),
            start,
            method: entry.compression_method(),
            size: entry.uncompressed_size_hint(),
            crc: entry.crc32(),
        });
    }
    if members.len() as u64 != archive.entries_hint() {
        let expected = format!("{} members", archive.entries_hint());
        return Err(fault(NAME, expected, members.len()));
    }
    // What lies in two members could be inflated twice.
    ranges.sort_unstable();
    ranges.push((archive.directory_offset(), u64::MAX));
    for pair in ranges.windows(2) {
        if let [(_, end), (start, _)] = pair {
            if end > start {
                return Err(fault(NAME, "members one behind the other", "an overlap").at(*start));
            }
        }
    }
    Ok(members)
}

/// Returns where in the directory the name of a member stands.
fn central_name(bytes: &[u8], entry: &rawzip::ZipFileHeaderRecord<'_>) -> std::ops::Range<usize> {
    /// The bytes of an entry of the directory before its name.
    const FIXED: usize = 46;
    let start = usize::try_from(entry.central_directory_offset()).unwrap_or(bytes.len());
    let start = start.saturating_add(FIXED);
    start..start.saturating_add(entry.file_path().as_bytes().len())
}

impl<'a> Member<'a> {
    fn array(&self, options: &ReadOptions) -> Result<NumpyEncoding<'a>, Error> {
        match self.method {
            CompressionMethod::STORE => self.stored(options),
            CompressionMethod::DEFLATE => self.inflated(options),
            other => Err(fault(NAME, "stored or deflated members", other)),
        }
    }

    fn stored(&self, options: &ReadOptions) -> Result<NumpyEncoding<'a>, Error> {
        if self.size != self.data.len() as u64 {
            let expected = format!("a stored member of {} bytes", self.size);
            return Err(fault(NAME, expected, self.data.len()));
        }
        let header = header(self.data, self.data.len())?;
        self.check_size(&header, options)?;
        let mut crc = Crc::new();
        crc.update(self.data);
        self.check_crc(&crc)?;
        let payload = self.data.get(header.payload..).unwrap_or_default();
        array(header, payload)
    }

    fn inflated(&self, options: &ReadOptions) -> Result<NumpyEncoding<'a>, Error> {
        /// Deflate makes at most so many bytes of one.
        const RATIO: u64 = 1032;
        let most = (self.data.len() as u64).saturating_mul(RATIO);
        if self.size > most {
            let expected = format!("at most the {most} bytes that deflate can hold here");
            return Err(fault(NAME, expected, self.size));
        }
        let mut inflating = DeflateDecoder::new(self.data);
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let mut first = Vec::new();
        let header = loop {
            // Headers are short: most have 128 bytes.
            let next = (first.len() * 4).clamp(256, 1 << 16).min(size);
            inflate(&mut inflating, &mut first, next)?;
            match Header::read(&first) {
                Err(error) if may_be_longer(&error) && first.len() == next && next < size => {}
                _ => break header(&first, size)?,
            }
        };
        self.check_size(&header, options)?;
        let length = size.saturating_sub(header.payload);
        let mut crc = Crc::new();
        crc.update(&first);
        let mut payload = Vec::new();
        payload
            .try_reserve_exact(length)
            .map_err(|_| no_memory(length))?;
        payload.extend_from_slice(first.get(header.payload..).unwrap_or_default());
        let inflated = payload.len();
        inflate(&mut inflating, &mut payload, length)?;
        crc.update(payload.get(inflated..).unwrap_or_default());
        let more = inflating.read(&mut [0]).map_err(broken)?;
        if payload.len() != length || more != 0 {
            let expected = format!("{length} bytes of payload");
            let found = match more {
                0 => payload.len().to_string(),
                _ => "more".to_owned(),
            };
            return Err(fault(NAME, expected, found));
        }
        self.check_crc(&crc)?;
        array(header, payload)
    }

    /// Checks that the archive and the header of the array say the same of the size.
    fn check_size(&self, header: &Header, options: &ReadOptions) -> Result<(), Error> {
        let length = payload_length(header, options)?;
        let expected = (header.payload as u64).saturating_add(length as u64);
        if expected == self.size {
            return Ok(());
        }
        let expected = format!("a member of {expected} bytes, as the header of its array says");
        Err(fault(NAME, expected, self.size))
    }

    fn check_crc(&self, crc: &Crc) -> Result<(), Error> {
        if crc.sum() == self.crc {
            return Ok(());
        }
        let expected = format!("a member of checksum {:08x}", self.crc);
        Err(fault(NAME, expected, format_args!("{:08x}", crc.sum())))
    }
}

/// Reads the header of a member, of which some bytes are here.
fn header(bytes: &[u8], size: usize) -> Result<Header, Error> {
    if !bytes.starts_with(MAGIC) {
        let found = bytes.get(..bytes.len().min(16)).unwrap_or_default();
        let found = format!("{size} bytes: \"{}\"", found.escape_ascii());
        return Err(fault(NAME, "an array as `numpy.save` writes it", found));
    }
    Header::read(bytes)
}

fn may_be_longer(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Truncated { .. })
}

/// Inflates until there are so many bytes, or none are left.
fn inflate(
    inflating: &mut DeflateDecoder<&[u8]>,
    bytes: &mut Vec<u8>,
    length: usize,
) -> Result<(), Error> {
    let missing = length.saturating_sub(bytes.len()) as u64;
    inflating.take(missing).read_to_end(bytes).map_err(broken)?;
    Ok(())
}

fn broken(error: std::io::Error) -> Error {
    fault(NAME, "a deflated member", error)
}
