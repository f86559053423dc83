//! Reading raw Snappy blocks into memory that exists.
//!
//! The format is that of Snappy's `format_description.txt`: a varint of the length, then literals and
//! copies of what was written before. Screens of games are long runs, which a copy of an offset smaller
//! than its length stands for; they are filled here and not copied byte by byte.

use std::fmt;

/// A block that is not what it should be: at which of its bytes, and what is wrong there.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    at: usize,
    kind: FaultKind,
}

#[derive(Debug, PartialEq)]
enum FaultKind {
    Length,
    Ends,
    Literal { length: usize, left: usize },
    Offset { offset: usize, written: usize },
    Output { length: usize, room: usize },
    Short { written: usize, length: usize },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::Length => f.write_str("no length")?,
            FaultKind::Ends => f.write_str("the block ends")?,
            FaultKind::Literal { length, left } => {
                write!(f, "a literal of {length} bytes, of which {left} are there")?;
            }
            FaultKind::Offset { offset, written } => {
                write!(f, "a copy from {offset} bytes back, after {written} bytes")?;
            }
            FaultKind::Output { length, room } => {
                write!(
                    f,
                    "{length} bytes more, where {room} are left of the length"
                )?;
            }
            FaultKind::Short { written, length } => {
                write!(f, "the block ends after {written} of {length} bytes")?;
            }
        }
        write!(f, " (byte {} of the block)", self.at)
    }
}

/// Returns the length that a block claims, and the byte at which its elements begin.
pub(super) fn claimed(block: &[u8]) -> Result<(usize, usize), Fault> {
    let mut length = 0_u64;
    for (at, &byte) in block.iter().enumerate().take(5) {
        length |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            let length = u32::try_from(length).ok();
            let length = length.and_then(|length| usize::try_from(length).ok());
            return length.map(|length| (length, at + 1)).ok_or(Fault {
                at,
                kind: FaultKind::Length,
            });
        }
    }
    Err(Fault {
        at: 0,
        kind: FaultKind::Length,
    })
}

/// Expands a block, which has to fill the output.
pub(super) fn expand(block: &[u8], out: &mut [u8]) -> Result<(), Fault> {
    let mut written = 0;
    elements(block, out.len(), |element| match element {
        Element::Literal(literal) => {
            out[written..written + literal.len()].copy_from_slice(literal);
            written += literal.len();
        }
        Element::Copy { offset, length } => {
            copy(out, written, offset, length);
            written += length;
        }
    })
}

/// Checks that [`expand`] will fill so many bytes with a block.
pub(super) fn check(block: &[u8], length: usize) -> Result<(), Fault> {
    elements(block, length, |_| {})
}

/// What a block is made of, checked against what was written before.
enum Element<'b> {
    Literal(&'b [u8]),
    Copy { offset: usize, length: usize },
}

/// Goes over the elements of a block that has to give so many bytes.
#[inline]
fn elements<'b>(
    block: &'b [u8],
    expected: usize,
    mut put: impl FnMut(Element<'b>),
) -> Result<(), Fault> {
    let short = |at, written| {
        let length = expected;
        let kind = FaultKind::Short { written, length };
        Fault { at, kind }
    };
    let (claimed, mut at) = claimed(block)?;
    if claimed != expected {
        return Err(short(0, claimed));
    }
    let mut written = 0;
    while let Some(&tag) = block.get(at) {
        let fault = |kind| Fault { at, kind };
        let (kind, high) = (tag & 3, usize::from(tag >> 2));
        let behind = match kind {
            0 => high.saturating_sub(59),
            kind => [1, 2, 4][usize::from(kind) - 1],
        };
        let extra = block
            .get(at + 1..at + 1 + behind)
            .ok_or(fault(FaultKind::Ends))?;
        let extra = extra
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | usize::from(byte));
        let next = at + 1 + behind;
        let length = match kind {
            0 if behind > 0 => extra.saturating_add(1),
            1 => 4 + (high & 7),
            _ => high + 1,
        };
        let room = expected - written;
        if length > room {
            return Err(fault(FaultKind::Output { length, room }));
        }
        if kind == 0 {
            let rest = &block[next..];
            let literal = rest.get(..length).ok_or_else(|| {
                let left = rest.len();
                fault(FaultKind::Literal { length, left })
            })?;
            put(Element::Literal(literal));
            at = next + length;
        } else {
            let offset = if kind == 1 {
                (high >> 3) << 8 | extra
            } else {
                extra
            };
            if offset == 0 || offset > written {
                return Err(fault(FaultKind::Offset { offset, written }));
            }
            put(Element::Copy { offset, length });
            at = next;
        }
        written += length;
    }
    match written == expected {
        true => Ok(()),
        false => Err(short(at, written)),
    }
}

/// Repeats what stands `offset` bytes before the end of what is written.
fn copy(out: &mut [u8], written: usize, offset: usize, length: usize) {
    let start = written - offset;
    if offset == 1 {
        let byte = out[start];
        out[written..written + length].fill(byte);
        return;
    }
    // What is there to copy doubles where the copy overlaps itself.
    let (mut done, mut step) = (0, offset);
    while done < length {
        let part = step.min(length - done);
        out.copy_within(start..start + part, written + done);
        done += part;
        step = offset + done;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(block: &[u8], length: usize) -> Result<Vec<u8>, String> {
        let mut out = vec![0; length];
        let checked = check(block, length);
        let read = expand(block, &mut out);
        assert_eq!(read, checked);
        read.map_err(|fault| fault.to_string())?;
        Ok(out)
    }

    #[test]
    fn literals_and_copies_of_every_form() {
        for (block, text) in [
            // A literal of 3, then 4 from 3 back by each form of a copy.
            (&b"\x07\x08abc\x01\x03"[..], &b"abcabca"[..]),
            (b"\x07\x08abc\x0e\x03\x00", b"abcabca"),
            (b"\x07\x08abc\x0f\x03\x00\x00\x00", b"abcabca"),
            // A run, and a literal whose length stands behind the tag.
            (b"\x0a\x00z\x22\x01\x00", b"zzzzzzzzzz"),
            (b"\x03\xf0\x02abc", b"abc"),
            (b"\x03\xf4\x02\x00abc", b"abc"),
            (b"\x03\xf8\x02\x00\x00abc", b"abc"),
            (b"\x03\xfc\x02\x00\x00\x00abc", b"abc"),
            (b"\x00", b""),
        ] {
            assert_eq!(expanded(block, text.len()), Ok(text.to_vec()), "{block:x?}");
        }
    }

    #[test]
    fn broken_blocks_say_where_they_are_broken() {
        for (block, length, text) in [
            (&b""[..], 0, "no length (byte 0 of the block)"),
            (
                b"\xff\xff\xff\xff\x1f",
                0,
                "no length (byte 4 of the block)",
            ),
            (
                b"\x80\x80\x80\x80\x80\x01",
                0,
                "no length (byte 0 of the block)",
            ),
            (
                b"\x03\x08ab",
                3,
                "a literal of 3 bytes, of which 2 are there (byte 1 of the block)",
            ),
            (b"\x03\xf4\x02", 3, "the block ends (byte 1 of the block)"),
            (b"\x03\x00a\x06", 3, "the block ends (byte 3 of the block)"),
            (
                b"\x03\x00a\x06\x02\x00",
                3,
                "a copy from 2 bytes back, after 1 bytes (byte 3 of the block)",
            ),
            (
                b"\x03\x00a\x06\x00\x00",
                3,
                "a copy from 0 bytes back, after 1 bytes (byte 3 of the block)",
            ),
            (
                b"\x03\x00a\x0a\x01\x00",
                3,
                "3 bytes more, where 2 are left of the length (byte 3 of the block)",
            ),
            (
                b"\x03\x00a\x02\x01\x00",
                3,
                "the block ends after 2 of 3 bytes (byte 6 of the block)",
            ),
        ] {
            assert_eq!(expanded(block, length), Err(text.to_owned()), "{block:x?}");
        }
    }

    /// The encoder of `snap`, and its decoder: on texts with runs, periods and noise.
    #[test]
    fn blocks_of_the_encoder_are_read_as_its_decoder_reads_them() {
        let mut random = 1_u64;
        for round in 0..400_usize {
            let mut data = Vec::new();
            while data.len() < round * 97 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(round as u64);
                let (length, period) = ((random >> 33) as usize % 300, (random >> 50) as usize % 9);
                let noise = random >> 20 & 1 == 1;
                let item = |i: usize| match (noise, period) {
                    (true, _) => (random.rotate_left(i as u32) >> 7) as u8,
                    (false, 0) => 87,
                    (false, period) => (i % period) as u8,
                };
                data.extend((0..length).map(item));
            }
            let block = snap::raw::Encoder::new().compress_vec(&data).unwrap();
            assert_eq!(claimed(&block).map(|(length, _)| length), Ok(data.len()));
            assert!(expanded(&block, data.len()) == Ok(data), "round {round}");
        }
    }
}
