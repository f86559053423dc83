//! The bytes of an array: pieces that are borrowed or shared, and copied by nobody.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::dtype::Element;
use crate::encoding::{Source, no_memory};
use crate::error::{Error, ErrorKind};

/// Memory that an array was made of, and that may be taken back.
pub(super) trait Memory: Any + Send + Sync {
    fn bytes(&self) -> &[u8];

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// The items of an array that was taken over.
pub(super) struct Items<T>(pub(super) Vec<T>);

impl<T: Element> Memory for Items<T> {
    fn bytes(&self) -> &[u8] {
        T::as_bytes(&self.0).unwrap_or_default()
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

#[derive(Clone)]
enum Piece<'a> {
    Borrowed(&'a [u8]),
    Shared(Bytes),
    Taken(Arc<dyn Memory>, Range<usize>),
}

impl Piece<'_> {
    /// Cuts the piece after so many bytes, if it is longer.
    fn split(self, length: usize) -> (Self, Option<Self>) {
        if self.bytes().len() <= length {
            return (self, None);
        }
        let (head, tail) = match self {
            Self::Borrowed(bytes) => {
                let (head, tail) = bytes.split_at(length);
                (Self::Borrowed(head), Self::Borrowed(tail))
            }
            Self::Shared(mut bytes) => {
                let head = bytes.split_to(length);
                (Self::Shared(head), Self::Shared(bytes))
            }
            Self::Taken(memory, Range { start, end }) => {
                let middle = start + length;
                let head = Self::Taken(Arc::clone(&memory), start..middle);
                (head, Self::Taken(memory, middle..end))
            }
        };
        (head, Some(tail))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes) => bytes,
            Self::Taken(memory, range) => memory.bytes().get(range.clone()).unwrap_or_default(),
        }
    }
}

/// The data of an [`Array`](super::Array): bytes that are borrowed, shared, or were taken over.
///
/// `From` makes one of a slice, which is borrowed; of a `Vec<u8>`, which is taken over; and of
/// `bytes::Bytes`, which are shared. Clones share the bytes. They may lie in several pieces, such as
/// the header of an array and its items, or the chunks in which it came.
#[derive(Clone, Default)]
pub struct Data<'a> {
    pieces: Vec<Piece<'a>>,
    length: usize,
}

impl<'a> Data<'a> {
    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns true if there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Iterates over the pieces in their order; none is empty.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().map(Piece::bytes)
    }

    /// Returns the bytes in one piece: borrowed if they lie in one, gathered if not.
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        match &self.pieces[..] {
            [] => Cow::Borrowed(&[]),
            [one] => Cow::Borrowed(one.bytes()),
            many => Cow::Owned(many.iter().map(Piece::bytes).collect::<Vec<_>>().concat()),
        }
    }

    /// Returns the bytes to be shared: as they are if they are shared already, else as a copy.
    #[must_use]
    pub fn into_shared(mut self) -> Bytes {
        match self.pieces.pop() {
            Some(Piece::Shared(bytes)) if self.pieces.is_empty() => bytes,
            Some(last) => {
                self.pieces.push(last);
                Bytes::from(self.to_bytes().into_owned())
            }
            None => Bytes::new(),
        }
    }

    /// Writes the bytes, piece by piece.
    ///
    /// # Errors
    /// [`ErrorKind::Io`].
    pub fn write_to(&self, mut writer: impl std::io::Write) -> Result<(), Error> {
        let mut pieces = self.pieces();
        let written = pieces.try_for_each(|piece| writer.write_all(piece));
        written.map_err(|error| ErrorKind::io(error).into())
    }

    /// Puts bytes at the end.
    ///
    /// More than memory can be is a length of `usize::MAX`: what is shared may be there many times.
    pub(super) fn append(&mut self, more: impl Into<Self>) {
        let more = more.into();
        self.length = self.length.saturating_add(more.length);
        self.pieces.extend(more.pieces);
    }

    /// Takes the items of an array over.
    ///
    /// `range` are the bytes of those that belong to it.
    pub(super) fn taken<T: Element>(items: Vec<T>, range: Range<usize>) -> Self {
        let length = range.len();
        let piece = Piece::Taken(Arc::new(Items(items)), range);
        Self::of(piece, length)
    }

    fn of(piece: Piece<'a>, length: usize) -> Self {
        let mut pieces = Vec::new();
        if length > 0 {
            pieces.push(piece);
        }
        Self { pieces, length }
    }

    /// Iterates over parts of `size` bytes, the last one shorter, which share the bytes.
    pub(super) fn chunks(&self, size: NonZeroUsize) -> impl Iterator<Item = Data<'a>> {
        let mut pieces = self.pieces.iter().cloned();
        let mut rest: Option<Piece<'a>> = None;
        std::iter::from_fn(move || {
            let mut chunk = Data::default();
            while chunk.length < size.get() {
                let Some(piece) = rest.take().or_else(|| pieces.next()) else {
                    break;
                };
                let (head, tail) = piece.split(size.get() - chunk.length);
                rest = tail;
                chunk.length += head.bytes().len();
                chunk.pieces.push(head);
            }
            (!chunk.is_empty()).then_some(chunk)
        })
    }

    /// Returns the first bytes, as many as `most` or all: borrowed if they lie in one piece.
    pub(super) fn prefix(&self, most: usize) -> Cow<'_, [u8]> {
        let first = self.pieces.first().map(Piece::bytes).unwrap_or_default();
        if first.len() >= most.min(self.length) {
            return Cow::Borrowed(first);
        }
        let mut prefix = Vec::new();
        for piece in self.pieces() {
            let room = most.saturating_sub(prefix.len()).min(piece.len());
            prefix.extend_from_slice(&piece[..room]);
        }
        Cow::Owned(prefix)
    }

    /// Returns the bytes from one on: borrowed if they lie in one piece, gathered if not.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there is no memory for them.
    pub(super) fn tail(&self, start: usize) -> Result<Cow<'_, [u8]>, Error> {
        let length = self.length.saturating_sub(start);
        let mut skip = start;
        let mut bytes = Vec::new();
        for piece in self.pieces() {
            let part = piece.get(skip.min(piece.len())..).unwrap_or_default();
            skip -= skip.min(piece.len());
            if part.len() == length {
                return Ok(Cow::Borrowed(part));
            }
            if bytes.is_empty() && !part.is_empty() {
                bytes
                    .try_reserve_exact(length)
                    .map_err(|_| no_memory(length))?;
            }
            bytes.extend_from_slice(part);
        }
        Ok(Cow::Owned(bytes))
    }

    /// Returns the bytes from one on: as they are if they were borrowed, or taken over and are of nobody
    /// else; as a copy if not.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there is no memory for them.
    pub(super) fn into_tail(self, start: usize) -> Result<Cow<'a, [u8]>, Error> {
        let length = self.length.saturating_sub(start);
        if let Some(&Piece::Borrowed(bytes)) = self.pieces.last() {
            if let Some(skip) = bytes.len().checked_sub(length) {
                return Ok(Cow::Borrowed(&bytes[skip..]));
            }
        }
        match self.into_items::<u8>(start) {
            Ok(bytes) => Ok(Cow::Owned(bytes)),
            Err(data) => data.tail(start).map(|bytes| Cow::Owned(bytes.into_owned())),
        }
    }

    /// Takes the items back that the bytes from `start` on are those of, if nobody else has them.
    pub(super) fn into_items<T: Element>(mut self, start: usize) -> Result<Vec<T>, Self> {
        let payload = self.length.saturating_sub(start);
        let is_whole = |piece: &Piece<'_>| match piece {
            Piece::Taken(memory, range) => {
                *range == (0..payload) && memory.bytes().len() == payload
            }
            _ => false,
        };
        if !self.pieces.last().is_some_and(is_whole) {
            return Err(self);
        }
        if let Some(Piece::Taken(memory, range)) = self.pieces.pop() {
            match Arc::clone(&memory).into_any().downcast::<Items<T>>() {
                Ok(items) => {
                    drop(memory);
                    match Arc::try_unwrap(items) {
                        Ok(items) => return Ok(items.0),
                        Err(items) => self.pieces.push(Piece::Taken(items, range)),
                    }
                }
                Err(_) => self.pieces.push(Piece::Taken(memory, range)),
            }
        }
        Err(self)
    }

    /// Returns the same bytes in memory of their own, where they were borrowed.
    pub(super) fn into_owned(self) -> Data<'static> {
        let pieces = self.pieces.into_iter().map(|piece| match piece {
            Piece::Borrowed(bytes) => Piece::Shared(Bytes::copy_from_slice(bytes)),
            Piece::Shared(bytes) => Piece::Shared(bytes),
            Piece::Taken(memory, range) => Piece::Taken(memory, range),
        });
        Data {
            pieces: pieces.collect(),
            length: self.length,
        }
    }
}

impl Source for Data<'_> {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), Error> {
        let mut skip = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut to = bytes;
        for piece in self.pieces() {
            let part = piece.get(skip.min(piece.len())..).unwrap_or_default();
            skip -= skip.min(piece.len());
            let (now, later) = to.split_at_mut(part.len().min(to.len()));
            now.copy_from_slice(&part[..now.len()]);
            to = later;
        }
        if to.is_empty() {
            return Ok(());
        }
        let error = std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        Err(ErrorKind::io(error).into())
    }
}

impl PartialEq for Data<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (mut ours, mut theirs): (&[u8], &[u8]) = (&[], &[]);
        let (mut pieces, mut others) = (self.pieces(), other.pieces());
        if self.length != other.length {
            return false;
        }
        loop {
            if ours.is_empty() {
                let Some(piece) = pieces.next() else {
                    return true;
                };
                ours = piece;
            }
            if theirs.is_empty() {
                theirs = others.next().unwrap_or_default();
            }
            let common = ours.len().min(theirs.len());
            let same = std::ptr::eq(ours, theirs) || ours[..common] == theirs[..common];
            if !same || common == 0 {
                return false;
            }
            (ours, theirs) = (&ours[common..], &theirs[common..]);
        }
    }
}

impl Eq for Data<'_> {}

impl fmt::Debug for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.length)
    }
}

impl<'a> From<&'a [u8]> for Data<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::of(Piece::Borrowed(bytes), bytes.len())
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Data<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

impl From<Vec<u8>> for Data<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self::taken(bytes, range)
    }
}

impl From<Bytes> for Data<'_> {
    fn from(bytes: Bytes) -> Self {
        let length = bytes.len();
        Self::of(Piece::Shared(bytes), length)
    }
}

impl<'a> From<Cow<'a, [u8]>> for Data<'a> {
    fn from(bytes: Cow<'a, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => bytes.into(),
            Cow::Owned(bytes) => bytes.into(),
        }
    }
}

/// Shares the bytes as they are if they are shared already; else copies them.
impl From<Data<'_>> for Bytes {
    fn from(data: Data<'_>) -> Self {
        data.into_shared()
    }
}
