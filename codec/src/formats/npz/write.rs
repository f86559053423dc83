//! States into archives, as Python's `zipfile` lays them out for `numpy.savez`.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::super::flat::Named;
use super::super::npy::header_of;
use super::SUFFIX;
use crate::error::{Error, ErrorKind};

/// Sizes and offsets beyond this go into fields of 64 bits; `zipfile` takes them for signed.
const LARGE: u64 = (1 << 31) - 1;

/// What stands in a field of 32 bits whose value is in one of 64.
const ELSEWHERE: u32 = u32::MAX;

/// The version of zip that knows fields of 64 bits.
const VERSION: u16 = 45;

/// 1980-01-01, the first day there is, in the order time, date.
const DATE: [u16; 2] = [0, 0x21];

/// What the directory says of a member.
struct Entry<'n> {
    name: &'n str,
    flags: u16,
    method: u16,
    crc: u32,
    size: u64,
    compressed: u64,
    offset: u64,
}

/// Writes an archive of arrays.
pub(super) fn archive(
    writer: impl Write,
    arrays: &[Named<'_, '_>],
    deflate: bool,
) -> Result<(), Error> {
    let mut output = Output { writer, at: 0 };
    let mut entries = Vec::new();
    for named in arrays {
        let entry = output
            .member(named, deflate)
            .map_err(|error| error.under(&named.path))?;
        entries.push(entry);
    }
    output.directory(&entries)
}

/// Returns about how many bytes an archive has that is not compressed, and no fewer than nearly all.
pub(super) fn length(arrays: &[Named<'_, '_>]) -> usize {
    /// The two heads of a member, and the header of most arrays.
    const AROUND: usize = 30 + 20 + 46 + 2 * SUFFIX.len() + 128;
    let members = arrays.iter().map(|named| {
        let names = named.name.len().saturating_mul(2);
        let payload = named.array.data().len();
        payload.saturating_add(names).saturating_add(AROUND)
    });
    members.fold(22, usize::saturating_add)
}

/// A writer that knows how much it has written.
struct Output<W> {
    writer: W,
    at: u64,
}

impl<W: Write> Output<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.writer.write_all(bytes).map_err(ErrorKind::io)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn member<'n>(&mut self, named: &'n Named<'_, '_>, deflate: bool) -> Result<Entry<'n>, Error> {
        let header = header_of(named.array)?;
        let payload = named.array.data();
        let mut crc = Crc::new();
        crc.update(&header);
        crc.update(payload);
        let packed = match deflate {
            true => Some(deflated(&header, payload).map_err(ErrorKind::io)?),
            false => None,
        };
        let size = header.len() as u64 + payload.len() as u64;
        let entry = Entry {
            name: &named.name,
            // Bit 11: the name is UTF-8.
            flags: if named.name.is_ascii() { 0 } else { 1 << 11 },
            method: if deflate { 8 } else { 0 },
            crc: crc.sum(),
            size,
            compressed: packed.as_ref().map_or(size, |packed| packed.len() as u64),
            offset: self.at,
        };
        let mut head = b"PK\x03\x04".to_vec();
        put16(&mut head, &[VERSION]);
        entry.common(&mut head);
        put32(&mut head, &[ELSEWHERE, ELSEWHERE]);
        // NumPy asks for fields of 64 bits always.
        put16(&mut head, &[entry.name_length(), 20]);
        entry.name(&mut head);
        put16(&mut head, &[1, 16]);
        put64(&mut head, &[entry.size, entry.compressed]);
        self.put(&head)?;
        match packed {
            Some(packed) => self.put(&packed)?,
            None => {
                self.put(&header)?;
                self.put(payload)?;
            }
        }
        Ok(entry)
    }

    fn directory(&mut self, entries: &[Entry<'_>]) -> Result<(), Error> {
        let start = self.at;
        for entry in entries {
            let mut bytes = b"PK\x01\x02".to_vec();
            entry.directory(&mut bytes);
            self.put(&bytes)?;
        }
        let (count, length) = (entries.len() as u64, self.at - start);
        let mut end = Vec::new();
        if count > u64::from(u16::MAX) || start > LARGE || length > LARGE {
            let at = self.at;
            end.extend(b"PK\x06\x06");
            put64(&mut end, &[44]);
            put16(&mut end, &[VERSION, VERSION]);
            put32(&mut end, &[0, 0]);
            put64(&mut end, &[count, count, length, start]);
            end.extend(b"PK\x06\x07");
            put32(&mut end, &[0]);
            put64(&mut end, &[at]);
            put32(&mut end, &[1]);
        }
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        end.extend(b"PK\x05\x06");
        put16(&mut end, &[0, 0, count, count]);
        put32(&mut end, &[most(length), most(start)]);
        put16(&mut end, &[0]);
        self.put(&end)?;
        Ok(self.writer.flush().map_err(ErrorKind::io)?)
    }
}

impl Entry<'_> {
    /// Writes what the member and the directory both say.
    fn common(&self, bytes: &mut Vec<u8>) {
        put16(bytes, &[self.flags, self.method]);
        put16(bytes, &DATE);
        put32(bytes, &[self.crc]);
    }

    fn name_length(&self) -> u16 {
        // Cannot be more: longer names are refused.
        u16::try_from(self.name.len() + SUFFIX.len()).unwrap_or(u16::MAX)
    }

    fn name(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.name.as_bytes());
        bytes.extend(SUFFIX.as_bytes());
    }

    fn directory(&self, bytes: &mut Vec<u8>) {
        /// The system on which the member was made: Unix.
        const UNIX: u16 = 3 << 8;
        /// The permissions of the member: `rw-------`.
        const MODE: u32 = 0o600 << 16;
        let sizes = self.size > LARGE || self.compressed > LARGE;
        let mut large = Vec::new();
        if sizes {
            put64(&mut large, &[self.size, self.compressed]);
        }
        if self.offset > LARGE {
            put64(&mut large, &[self.offset]);
        }
        put16(bytes, &[UNIX | VERSION, VERSION]);
        self.common(bytes);
        match sizes {
            true => put32(bytes, &[ELSEWHERE, ELSEWHERE]),
            false => put32(bytes, &[most(self.compressed), most(self.size)]),
        }
        let extra = match large.len() {
            0 => 0,
            // At most three fields of 8 bytes.
            length => 4 + length as u16,
        };
        put16(bytes, &[self.name_length(), extra, 0, 0, 0]);
        put32(bytes, &[MODE]);
        let here = self.offset <= LARGE;
        put32(bytes, &[if here { most(self.offset) } else { ELSEWHERE }]);
        self.name(bytes);
        if extra > 0 {
            put16(bytes, &[1, extra - 4]);
            bytes.append(&mut large);
        }
    }
}

/// Returns a number, or the largest where it does not fit.
fn most(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn put16(bytes: &mut Vec<u8>, values: &[u16]) {
    values
        .iter()
        .for_each(|value| bytes.extend(value.to_le_bytes()));
}

fn put32(bytes: &mut Vec<u8>, values: &[u32]) {
    values
        .iter()
        .for_each(|value| bytes.extend(value.to_le_bytes()));
}

fn put64(bytes: &mut Vec<u8>, values: &[u64]) {
    values
        .iter()
        .for_each(|value| bytes.extend(value.to_le_bytes()));
}

fn deflated(header: &[u8], payload: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(header)?;
    encoder.write_all(payload)?;
    encoder.finish()
}
