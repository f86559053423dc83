//! Arrays as the maps that they are in a file: whole or in chunks, padded or not.

use std::borrow::Cow;
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::vec;

use rmp::encode as msgpack;

use super::layout::{Split, padding};
use super::output::Output;
use crate::dtype::Order;
use crate::encoding::{InMemory, NumpyEncoding, Outline};
use crate::error::Error;
use crate::limits::LONGEST;
use crate::state::check_length;

/// What becomes of the arrays that are not the state's own memory.
pub(super) enum Arrays<'a> {
    /// They are sized, and kept if they had to be made for it.
    Keep(Vec<Option<Box<NumpyEncoding<'a>>>>),
    /// Those that were kept are written, and the others made.
    Reuse(vec::IntoIter<Option<Box<NumpyEncoding<'a>>>>),
    /// They are sized and not kept; `exact` says whether that was possible for all of them.
    Check { exact: bool },
    /// They are made and written, one after the other.
    Stream,
}

/// What is written of an array.
#[derive(Clone, Copy)]
struct Described<'p> {
    shape: &'p [usize],
    text: &'p str,
    order: Option<Order>,
    pad: Option<&'p [u8]>,
    payload: Payload<'p>,
}

#[derive(Clone, Copy)]
enum Payload<'p> {
    Bytes(&'p [u8]),
    /// Only the length, for who counts.
    Length(usize),
}

impl Payload<'_> {
    fn len(self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Length(bytes) => bytes,
        }
    }

    fn part(self, range: Range<usize>) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Bytes(&bytes[range]),
            Self::Length(_) => Self::Length(range.len()),
        }
    }
}

impl Arrays<'_> {
    /// Returns true where a state is looked over before it is written.
    pub(super) fn is_first_pass(&self) -> bool {
        matches!(self, Self::Keep(_) | Self::Check { .. })
    }
}

impl<'a, W: Write> Output<'a, '_, W> {
    pub(super) fn array(
        &mut self,
        outline: impl FnOnce() -> Result<Option<Outline>, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        match &mut self.arrays {
            Arrays::Stream => {
                let array = make()?;
                return self.encoding(&array);
            }
            Arrays::Reuse(kept) => {
                let kept = kept.next().flatten();
                let array = kept.map_or_else(make, |array| Ok(*array))?;
                return self.encoding(&array);
            }
            Arrays::Keep(_) | Arrays::Check { .. } => {}
        }
        if let Some(outline) = outline()? {
            if outline.exact().is_some() {
                self.outline(&outline)?;
                if let Arrays::Keep(kept) = &mut self.arrays {
                    kept.push(None);
                }
                return Ok(());
            }
            if let Arrays::Check { exact } = &mut self.arrays {
                if outline.bytes() <= LONGEST {
                    *exact = false;
                    return Ok(());
                }
            }
        }
        let array = make()?;
        self.encoding(&array)?;
        if let Arrays::Keep(kept) = &mut self.arrays {
            kept.push((!array.is_borrowed()).then(|| Box::new(array)));
        }
        Ok(())
    }

    /// Writes an array of the state's own memory, or counts it.
    pub(super) fn array_in_memory(&mut self, array: InMemory<'_, '_>) -> Result<(), Error> {
        let payload = match &mut self.arrays {
            Arrays::Stream => Payload::Bytes(array.payload),
            Arrays::Reuse(kept) => {
                kept.next();
                Payload::Bytes(array.payload)
            }
            Arrays::Keep(kept) => {
                kept.push(None);
                Payload::Length(array.payload.len())
            }
            Arrays::Check { .. } => Payload::Length(array.payload.len()),
        };
        self.described(Described {
            shape: array.shape,
            text: array.text,
            order: array.order,
            pad: None,
            payload,
        })
    }

    fn encoding(&mut self, array: &NumpyEncoding<'_>) -> Result<(), Error> {
        self.described(Described {
            shape: array.shape(),
            text: array.dtype_text(),
            order: array.order(),
            pad: array.pad(),
            payload: Payload::Bytes(array.data()),
        })
    }

    /// Counts the bytes of an array that is not made.
    fn outline(&mut self, outline: &Outline) -> Result<(), Error> {
        let Some((shape, dtype, order)) = outline.exact() else {
            return Ok(());
        };
        let text = dtype.common_text();
        let text = text.map_or_else(|| Cow::Owned(dtype.text()), Cow::Borrowed);
        self.described(Described {
            shape,
            text: &text,
            order,
            pad: None,
            payload: Payload::Length(outline.bytes()),
        })
    }

    fn described(&mut self, array: Described<'_>) -> Result<(), Error> {
        let bytes = array.payload.len();
        let Some(split) = Split::of(array.shape, array.order, bytes, self.options)? else {
            return self.whole(array);
        };
        let rows = array.shape[split.axis];
        self.map(2)?;
        self.string("chunks")?;
        self.list(rows.div_ceil(split.rows))?;
        let mut shape = array.shape.to_vec();
        for first in (0..rows).step_by(split.rows) {
            let end = rows.min(first + split.rows);
            shape[split.axis] = end - first;
            let both = shape.iter().filter(|&&length| length > 1).count() < 2;
            self.whole(Described {
                shape: &shape,
                order: array.order.filter(|_| !both),
                payload: array.payload.part(first * split.row..end * split.row),
                ..array
            })?;
        }
        self.string("axis")?;
        self.count(split.axis)
    }

    fn whole(&mut self, array: Described<'_>) -> Result<(), Error> {
        check_length(array.payload.len())?;
        let align = self.options.align;
        let padded = align > 1 || array.pad.is_some();
        if let (Payload::Length(bytes), None, false) = (array.payload, array.pad, align > 1) {
            self.writer.pass(size(&array).saturating_add(bytes));
            return Ok(());
        }
        let entries = 3 + u8::from(array.order.is_some()) + u8::from(padded);
        // Put together first: a writer is asked three times for each array, and not for each byte.
        let mut text = mem::take(&mut self.between);
        text.clear();
        if align > 1 {
            Self::head(head(&mut text, array.shape, array.payload.len()))?;
            self.write(&[FIXMAP | entries])?;
            self.string("pad")?;
            let pad = padding(self.writer.at(), text.len(), align)?;
            Self::head(msgpack::write_bin_len(&mut self.writer, pad as u32))?;
            self.zeros(pad)?;
        } else {
            text.push(FIXMAP | entries);
            if let Some(pad) = array.pad {
                self.write(&text)?;
                text.clear();
                self.string("pad")?;
                self.bytes(pad)?;
            }
            Self::head(head(&mut text, array.shape, array.payload.len()))?;
        }
        self.write(&text)?;
        match array.payload {
            Payload::Bytes(bytes) => self.write(bytes)?,
            Payload::Length(bytes) => self.writer.pass(bytes),
        }
        text.clear();
        text.extend_from_slice(b"\xa5dtype");
        check_length(array.text.len())?;
        Self::head(msgpack::write_str(&mut text, array.text))?;
        if let Some(order) = array.order {
            text.extend_from_slice(b"\xa5order");
            Self::head(msgpack::write_str(&mut text, order.as_str()))?;
        }
        self.write(&text)?;
        self.between = text;
        Ok(())
    }

    fn zeros(&mut self, mut count: usize) -> Result<(), Error> {
        const ZEROS: &[u8] = &[0; 1024];
        while count > 0 {
            let part = count.min(ZEROS.len());
            self.write(&ZEROS[..part])?;
            count -= part;
        }
        Ok(())
    }
}

/// Returns how many bytes an array takes beside its payload, where there is no padding.
fn size(array: &Described<'_>) -> usize {
    let text = array.text.len();
    let order = array.order.map_or(0, |_| b"\xa5order\xa1C".len());
    let shape: usize = array.shape.iter().map(|&length| uint_size(length)).sum();
    1 + b"\xa5shape\xa4data\xa5dtype".len()
        + list_head(array.shape.len())
        + shape
        + bytes_head(array.payload.len())
        + text_head(text)
        + text
        + order
}

fn uint_size(value: usize) -> usize {
    match value {
        0..=0x7f => 1,
        0x80..=0xff => 2,
        0x100..=0xffff => 3,
        0x1_0000..=0xffff_ffff => 5,
        _ => 9,
    }
}

fn list_head(count: usize) -> usize {
    match count {
        0..=15 => 1,
        16..=0xffff => 3,
        _ => 5,
    }
}

fn bytes_head(length: usize) -> usize {
    match length {
        0..=0xff => 2,
        0x100..=0xffff => 3,
        _ => 5,
    }
}

fn text_head(length: usize) -> usize {
    match length {
        0..=31 => 1,
        32..=0xff => 2,
        0x100..=0xffff => 3,
        _ => 5,
    }
}

/// The head of a map of fewer than 16 entries, but for their number.
const FIXMAP: u8 = 0x80;

/// Writes what stands between padding and payload.
fn head(text: &mut Vec<u8>, shape: &[usize], bytes: usize) -> io::Result<()> {
    text.extend_from_slice(b"\xa5shape");
    msgpack::write_array_len(text, shape.len() as u32)?;
    for &length in shape {
        msgpack::write_uint(text, length as u64)?;
    }
    text.extend_from_slice(b"\xa4data");
    msgpack::write_bin_len(text, bytes as u32)?;
    Ok(())
}
