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
use crate::encoding::{NumpyEncoding, Outline};
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
        self.map(3 + usize::from(array.order.is_some()) + usize::from(padded))?;

        if align > 1 {
            // What stands between padding and payload is made before the padding is known.
            let mut between = mem::take(&mut self.between);
            between.clear();
            Self::head(head(&mut between, array.shape, array.payload.len()))?;
            self.string("pad")?;
            let pad = padding(self.writer.at(), between.len(), align)?;
            Self::head(msgpack::write_bin_len(&mut self.writer, pad as u32))?;
            self.zeros(pad)?;
            self.write(&between)?;
            self.between = between;
        } else {
            if let Some(pad) = array.pad {
                self.string("pad")?;
                self.bytes(pad)?;
            }
            Self::head(head(&mut self.writer, array.shape, array.payload.len()))?;
        }
        match array.payload {
            Payload::Bytes(bytes) => self.write(bytes)?,
            Payload::Length(bytes) => self.writer.pass(bytes),
        }
        self.string("dtype")?;
        self.string(array.text)?;
        if let Some(order) = array.order {
            self.string("order")?;
            self.string(order.as_str())?;
        }
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

/// Writes what stands between padding and payload.
fn head(writer: &mut impl Write, shape: &[usize], bytes: usize) -> io::Result<()> {
    msgpack::write_str(writer, "shape")?;
    msgpack::write_array_len(writer, shape.len() as u32)?;
    for &length in shape {
        msgpack::write_uint(writer, length as u64)?;
    }
    msgpack::write_str(writer, "data")?;
    msgpack::write_bin_len(writer, bytes as u32)?;
    Ok(())
}
