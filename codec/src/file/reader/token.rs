//! The lexical layer of MessagePack: markers, lengths and the bytes behind them.

use std::borrow::Cow;

use rmp::Marker;
use serde::de::Unexpected;

use super::input::{Input, truncated};
use crate::error::{Error, ErrorKind};

/// One scalar whole, or the head of what follows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float32(f32),
    Float64(f64),
    /// A string of that many bytes follows.
    Text(usize),
    /// That many bytes follow.
    Bytes(usize),
    /// That many items follow.
    List(usize),
    /// That many keys follow, each with its value.
    Map(usize),
    /// The code of an extension; that many bytes follow.
    Extension(i8, usize),
}

impl Token {
    /// Says what it is, in a word.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "a bool",
            Self::Unsigned(_) | Self::Signed(_) => "an integer",
            Self::Float32(_) | Self::Float64(_) => "a float",
            Self::Text(_) => "a string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Extension(..) => "an extension",
        }
    }

    /// Says what was found where something else was needed.
    pub(crate) fn unexpected(&self) -> Unexpected<'static> {
        match *self {
            Self::Nil => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(value),
            Self::Unsigned(value) => Unexpected::Unsigned(value),
            Self::Signed(value) => Unexpected::Signed(value),
            Self::Float32(value) => Unexpected::Float(value.into()),
            Self::Float64(value) => Unexpected::Float(value),
            Self::List(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
            Self::Text(_) | Self::Bytes(_) | Self::Extension(..) => {
                Unexpected::Other(self.describe())
            }
        }
    }
}

/// Takes an input apart, from its beginning to its end.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<I> {
    input: I,
    /// Where the token begins that was read last.
    start: u64,
}

impl<'de, I: Input<'de>> Tokens<I> {
    pub(crate) fn new(input: I) -> Self {
        Self { input, start: 0 }
    }

    /// Returns the byte at which the next token begins.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// Returns how many bytes are left, where that is known.
    #[inline]
    pub(crate) fn left(&self) -> Option<u64> {
        self.input.left()
    }

    /// Counts the bytes that are left, to the end.
    pub(crate) fn rest(&mut self) -> Result<u64, Error> {
        self.input.rest()
    }

    /// Returns the first byte of the next token.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, Error> {
        self.input.peek()
    }

    /// Reads the next token.
    ///
    /// The length of what follows is checked against the input that is left, where that is known: an
    /// item takes a byte at least, an entry two.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token, Error> {
        self.start = self.input.offset();
        let token = self.token();
        token.map_err(|error| self.counted_from_start(error))
    }

    /// Reads the string that follows its head.
    #[inline]
    pub(crate) fn text(&mut self, length: usize) -> Result<Cow<'de, str>, Error> {
        let text = match self.bytes(length)? {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).ok(),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).ok(),
        };
        text.ok_or_else(|| syntax("a string that is not UTF-8").at(self.start))
    }

    /// Reads the bytes that follow their head.
    #[inline]
    pub(crate) fn bytes(&mut self, length: usize) -> Result<Cow<'de, [u8]>, Error> {
        let taken = self.input.take(length);
        taken.map_err(|error| self.counted_from_start(error))
    }

    /// Passes over the bytes that follow their head.
    pub(crate) fn skip(&mut self, length: usize) -> Result<(), Error> {
        let passed = self.input.skip(length);
        passed.map_err(|error| self.counted_from_start(error))
    }

    /// Counts from the beginning of the token what an input counts from where it ended.
    fn counted_from_start(&self, error: Error) -> Error {
        let taken = usize::try_from(self.input.offset() - self.start).unwrap_or(usize::MAX);
        let error = match *error.kind() {
            ErrorKind::Truncated { needed, found } => {
                truncated(needed.saturating_add(taken), found.saturating_add(taken))
            }
            _ => error,
        };
        error.at(self.start)
    }

    fn token(&mut self) -> Result<Token, Error> {
        let [marker] = self.input.array()?;
        match Marker::from_u8(marker) {
            Marker::Null => Ok(Token::Nil),
            Marker::False => Ok(Token::Bool(false)),
            Marker::True => Ok(Token::Bool(true)),
            Marker::FixPos(value) => Ok(Token::Unsigned(value.into())),
            Marker::FixNeg(value) => Ok(signed(value)),
            Marker::U8 => Ok(Token::Unsigned(self.u8()?.into())),
            Marker::U16 => Ok(Token::Unsigned(self.u16()?.into())),
            Marker::U32 => Ok(Token::Unsigned(self.u32()?.into())),
            Marker::U64 => Ok(Token::Unsigned(u64::from_be_bytes(self.input.array()?))),
            Marker::I8 => Ok(signed(i8::from_be_bytes(self.input.array()?))),
            Marker::I16 => Ok(signed(i16::from_be_bytes(self.input.array()?))),
            Marker::I32 => Ok(signed(i32::from_be_bytes(self.input.array()?))),
            Marker::I64 => Ok(signed(i64::from_be_bytes(self.input.array()?))),
            Marker::F32 => Ok(Token::Float32(f32::from_be_bytes(self.input.array()?))),
            Marker::F64 => Ok(Token::Float64(f64::from_be_bytes(self.input.array()?))),
            Marker::FixStr(length) => self.text_head(length.into()),
            Marker::Str8 => self.u8().and_then(|length| self.text_head(length.into())),
            Marker::Str16 => self.u16().and_then(|length| self.text_head(length.into())),
            Marker::Str32 => self
                .u32()
                .and_then(|length| self.text_head(length as usize)),
            Marker::Bin8 => self.u8().and_then(|length| self.bytes_head(length.into())),
            Marker::Bin16 => self.u16().and_then(|length| self.bytes_head(length.into())),
            Marker::Bin32 => self
                .u32()
                .and_then(|length| self.bytes_head(length as usize)),
            Marker::FixArray(count) => self.list(count.into()),
            Marker::Array16 => self.u16().and_then(|count| self.list(count.into())),
            Marker::Array32 => self.u32().and_then(|count| self.list(count as usize)),
            Marker::FixMap(count) => self.map(count.into()),
            Marker::Map16 => self.u16().and_then(|count| self.map(count.into())),
            Marker::Map32 => self.u32().and_then(|count| self.map(count as usize)),
            Marker::FixExt1 => self.extension(1),
            Marker::FixExt2 => self.extension(2),
            Marker::FixExt4 => self.extension(4),
            Marker::FixExt8 => self.extension(8),
            Marker::FixExt16 => self.extension(16),
            Marker::Ext8 => self.u8().and_then(|length| self.extension(length.into())),
            Marker::Ext16 => self.u16().and_then(|length| self.extension(length.into())),
            Marker::Ext32 => self
                .u32()
                .and_then(|length| self.extension(length as usize)),
            Marker::Reserved => Err(syntax("no value begins with the byte 0xc1")),
        }
    }

    #[inline]
    fn text_head(&self, length: usize) -> Result<Token, Error> {
        self.require(length).map(|()| Token::Text(length))
    }

    #[inline]
    fn bytes_head(&self, length: usize) -> Result<Token, Error> {
        self.require(length).map(|()| Token::Bytes(length))
    }

    fn extension(&mut self, length: usize) -> Result<Token, Error> {
        let code = i8::from_be_bytes(self.input.array()?);
        self.require(length)
            .map(|()| Token::Extension(code, length))
    }

    #[inline]
    fn list(&self, count: usize) -> Result<Token, Error> {
        self.require(count).map(|()| Token::List(count))
    }

    #[inline]
    fn map(&self, count: usize) -> Result<Token, Error> {
        self.require(count.saturating_mul(2))
            .map(|()| Token::Map(count))
    }

    #[inline]
    fn u8(&mut self) -> Result<u8, Error> {
        self.input.array().map(u8::from_be_bytes)
    }

    #[inline]
    fn u16(&mut self) -> Result<u16, Error> {
        self.input.array().map(u16::from_be_bytes)
    }

    #[inline]
    fn u32(&mut self) -> Result<u32, Error> {
        self.input.array().map(u32::from_be_bytes)
    }

    #[inline]
    fn require(&self, count: usize) -> Result<(), Error> {
        match self.input.left() {
            Some(left) if left < count as u64 => Err(truncated(
                count,
                usize::try_from(left).unwrap_or(usize::MAX),
            )),
            _ => Ok(()),
        }
    }
}

/// Only what is negative is signed, in whatever width it was written.
fn signed(value: impl Into<i64>) -> Token {
    let value = value.into();
    u64::try_from(value).map_or(Token::Signed(value), Token::Unsigned)
}

fn syntax(reason: &str) -> Error {
    let reason = reason.to_owned();
    ErrorKind::Syntax { reason }.into()
}
