//! Values out of tokens, within limits.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind};
use crate::file::{Slice, Token, Tokens, check};
use crate::limits::{self, Limits};
use crate::path::{Path, Segment};
use crate::state::{Key, StateDict, Value};

/// What a format makes of the values that MessagePack leaves open.
pub(in crate::formats) trait Dialect<'a> {
    /// Reads a text of so many bytes.
    fn text(&self, reader: &mut Reader<'a>, length: usize) -> Result<Value<'a>, Error> {
        reader.text(length).map(Value::String)
    }

    /// Reads an extension of so many bytes.
    fn extension(
        &self,
        reader: &mut Reader<'a>,
        code: i8,
        length: usize,
    ) -> Result<Value<'a>, Error>;

    /// Reads a map of so many entries; `in_list` says that it is somewhere inside of a list.
    fn map(&self, reader: &mut Reader<'a>, count: usize, in_list: bool)
    -> Result<Value<'a>, Error>;
}

/// Reads the one value that bytes hold.
///
/// # Errors
/// Those of the dialect, and [`Limit`](ErrorKind::Limit), [`TooDeep`](ErrorKind::TooDeep),
/// [`Truncated`](ErrorKind::Truncated), [`Syntax`](ErrorKind::Syntax),
/// [`TrailingBytes`](ErrorKind::TrailingBytes).
pub(in crate::formats) fn read<'a, D: Dialect<'a>>(
    bytes: &'a [u8],
    limits: Limits,
    dialect: &D,
) -> Result<Value<'a>, Error> {
    check("bytes of input", bytes.len(), limits.total_bytes)?;
    let mut reader = Reader {
        bytes,
        tokens: Tokens::new(Slice::new(bytes)),
        depth: limits.depth,
        limits,
    };
    let value = reader.value(dialect, false)?;
    reader.end(bytes.len())?;
    Ok(value)
}

/// Where the reading of bytes is.
#[derive(Debug)]
pub(in crate::formats) struct Reader<'a> {
    bytes: &'a [u8],
    tokens: Tokens<Slice<'a>>,
    /// How many lists and maps may still be entered.
    depth: usize,
    limits: Limits,
}

impl<'a> Reader<'a> {
    /// Reads a value; `in_list` says that it is somewhere inside of a list.
    pub(in crate::formats) fn value<D: Dialect<'a>>(
        &mut self,
        dialect: &D,
        in_list: bool,
    ) -> Result<Value<'a>, Error> {
        let start = self.offset();
        self.read(dialect, in_list).map_err(|error| error.at(start))
    }

    fn read<D: Dialect<'a>>(&mut self, dialect: &D, in_list: bool) -> Result<Value<'a>, Error> {
        Ok(match self.next()? {
            Token::Nil => Value::Nil,
            Token::Bool(value) => Value::Bool(value),
            Token::Unsigned(value) => Value::Integer(value.into()),
            Token::Signed(value) => Value::Integer(value.into()),
            Token::Float32(value) => Value::Float32(value),
            Token::Float64(value) => Value::Float64(value),
            Token::Text(length) => return dialect.text(self, length),
            Token::Bytes(length) => Value::Bytes(Cow::Borrowed(self.payload(length)?)),
            Token::List(count) => return self.inside(|reader| reader.list(count, dialect)),
            Token::Map(count) => {
                check("keys in one map", count, self.limits.keys)?;
                return self.inside(|reader| dialect.map(reader, count, in_list));
            }
            Token::Extension(code, length) => return dialect.extension(self, code, length),
        })
    }

    fn list<D: Dialect<'a>>(&mut self, count: usize, dialect: &D) -> Result<Value<'a>, Error> {
        let mut items = limits::cautious(Some(count));
        for index in 0..count {
            let item = self.value(dialect, true);
            items.push(item.map_err(|error| below(error, Segment::Index(index as i128)))?);
        }
        Ok(Value::List(items))
    }

    /// Reads the entries of a map whose keys are texts and integers.
    pub(in crate::formats) fn entries<D: Dialect<'a>>(
        &mut self,
        count: usize,
        dialect: &D,
        in_list: bool,
    ) -> Result<StateDict<'a>, Error> {
        let mut dict = StateDict::new();
        for _ in 0..count {
            let start = self.offset();
            let key = self.key().map_err(|error| error.at(start))?;
            let value = self.value(dialect, in_list).map_err(|error| {
                let segment = match &key {
                    Key::String(text) => Segment::Key(text.clone().into_owned()),
                    Key::Integer(index) => Segment::Index(*index),
                };
                below(error, segment)
            })?;
            // One look at the table for each key.
            if dict.insert(key.clone(), value).is_some() {
                let key = key.to_string();
                return Err(Error::from(ErrorKind::RepeatedKey { key }).at(start));
            }
        }
        Ok(dict)
    }

    fn key(&mut self) -> Result<Key<'a>, Error> {
        match self.next()? {
            Token::Text(length) => {
                check("bytes in one key", length, self.limits.key_bytes)?;
                self.text(length).map(Key::String)
            }
            Token::Unsigned(value) => Ok(value.into()),
            Token::Signed(value) => Ok(value.into()),
            other => {
                let found = other.describe().to_owned();
                Err(ErrorKind::KeyType { found }.into())
            }
        }
    }

    /// Enters a list or map, and leaves it whatever happens inside.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let limit = self.limits.depth;
        self.depth = self
            .depth
            .checked_sub(1)
            .ok_or(ErrorKind::TooDeep { limit })?;
        let result = read(self);
        self.depth += 1;
        result
    }

    /// Returns the byte that comes next.
    pub(in crate::formats) fn offset(&self) -> u64 {
        self.tokens.offset()
    }

    /// Reads the next token.
    pub(in crate::formats) fn next(&mut self) -> Result<Token, Error> {
        self.tokens.next()
    }

    /// Returns true if the next token has one of these markers.
    pub(in crate::formats) fn is_next(
        &mut self,
        markers: impl FnOnce(u8) -> bool,
    ) -> Result<bool, Error> {
        Ok(self.tokens.peek()?.is_some_and(markers))
    }

    /// Reads a text whose head was read.
    pub(in crate::formats) fn text(&mut self, length: usize) -> Result<Cow<'a, str>, Error> {
        self.tokens.text(length)
    }

    /// Borrows bytes whose head was read.
    pub(in crate::formats) fn payload(&mut self, length: usize) -> Result<&'a [u8], Error> {
        check("bytes in one array", length, self.limits.array_bytes)?;
        let start = usize::try_from(self.offset()).unwrap_or(usize::MAX);
        self.tokens.skip(length)?;
        let end = start.saturating_add(length);
        Ok(self.bytes.get(start..end).unwrap_or_default())
    }

    /// Passes over so many bytes, to be read by a reader of their own.
    #[cfg(feature = "flax")]
    pub(in crate::formats) fn part(&mut self, length: usize) -> Result<Self, Error> {
        let start = usize::try_from(self.offset()).unwrap_or(usize::MAX);
        self.tokens.skip(length)?;
        let end = start.saturating_add(length);
        Ok(Self {
            bytes: self.bytes,
            tokens: Tokens::new(Slice::part(self.bytes, start, end)),
            depth: self.depth,
            limits: self.limits,
        })
    }

    /// Refuses bytes that are left of a part.
    #[cfg(feature = "flax")]
    pub(in crate::formats) fn finish(&self) -> Result<(), Error> {
        self.left(self.tokens.left())
    }

    fn end(&self, length: usize) -> Result<(), Error> {
        self.left((length as u64).checked_sub(self.offset()))
    }

    fn left(&self, left: Option<u64>) -> Result<(), Error> {
        match left {
            None | Some(0) => Ok(()),
            Some(left) => {
                let count = usize::try_from(left).unwrap_or(usize::MAX);
                let error = Error::from(ErrorKind::TrailingBytes { count });
                Err(error.at(self.offset()))
            }
        }
    }
}

/// Puts a step before the path of an error.
pub(in crate::formats) fn below(error: Error, segment: Segment) -> Error {
    error.under(&Path::root().join(segment))
}
