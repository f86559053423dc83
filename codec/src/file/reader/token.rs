//! The lexical layer of MessagePack: markers, lengths and the bytes behind them.

use rmp::Marker;
use serde::de::Unexpected;

use crate::error::{Error, ErrorKind};

/// One scalar whole, or the head of a list or map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'de> {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float32(f32),
    Float64(f64),
    Text(&'de str),
    Bytes(&'de [u8]),
    /// That many items follow.
    List(usize),
    /// That many keys follow, each with its value.
    Map(usize),
    Extension(i8, &'de [u8]),
}

impl Token<'_> {
    /// Says what was found where something else was needed.
    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match *self {
            Self::Nil => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(value),
            Self::Unsigned(value) => Unexpected::Unsigned(value),
            Self::Signed(value) => Unexpected::Signed(value),
            Self::Float32(value) => Unexpected::Float(value.into()),
            Self::Float64(value) => Unexpected::Float(value),
            Self::Text(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::List(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
            Self::Extension(..) => Unexpected::Other("an extension"),
        }
    }
}

/// Takes an input apart, from its beginning to its end.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'de> {
    input: &'de [u8],
    offset: usize,
    /// Where the token that is being read begins.
    start: usize,
}

impl<'de> Tokens<'de> {
    pub(super) fn new(input: &'de [u8]) -> Self {
        Self {
            input,
            offset: 0,
            start: 0,
        }
    }

    /// Returns the byte at which the next token begins.
    pub(super) fn offset(&self) -> u64 {
        self.offset as u64
    }

    /// Returns what is not yet read.
    pub(super) fn rest(&self) -> &'de [u8] {
        &self.input[self.offset..]
    }

    /// Reads the next token.
    ///
    /// The count of a list or map is checked against the input that is left: an item takes a byte at
    /// least, an entry two.
    pub(super) fn next(&mut self) -> Result<Token<'de>, Error> {
        self.start = self.offset;
        self.token().map_err(|error| error.at(self.start as u64))
    }

    fn token(&mut self) -> Result<Token<'de>, Error> {
        let [marker] = self.array()?;
        match Marker::from_u8(marker) {
            Marker::Null => Ok(Token::Nil),
            Marker::False => Ok(Token::Bool(false)),
            Marker::True => Ok(Token::Bool(true)),
            Marker::FixPos(value) => Ok(Token::Unsigned(value.into())),
            Marker::FixNeg(value) => Ok(signed(value)),
            Marker::U8 => Ok(Token::Unsigned(self.u8()?.into())),
            Marker::U16 => Ok(Token::Unsigned(self.u16()?.into())),
            Marker::U32 => Ok(Token::Unsigned(self.u32()?.into())),
            Marker::U64 => Ok(Token::Unsigned(u64::from_be_bytes(self.array()?))),
            Marker::I8 => Ok(signed(i8::from_be_bytes(self.array()?))),
            Marker::I16 => Ok(signed(i16::from_be_bytes(self.array()?))),
            Marker::I32 => Ok(signed(i32::from_be_bytes(self.array()?))),
            Marker::I64 => Ok(signed(i64::from_be_bytes(self.array()?))),
            Marker::F32 => Ok(Token::Float32(f32::from_be_bytes(self.array()?))),
            Marker::F64 => Ok(Token::Float64(f64::from_be_bytes(self.array()?))),
            Marker::FixStr(length) => self.text(length.into()),
            Marker::Str8 => self.u8().and_then(|length| self.text(length.into())),
            Marker::Str16 => self.u16().and_then(|length| self.text(length.into())),
            Marker::Str32 => self.u32().and_then(|length| self.text(length as usize)),
            Marker::Bin8 => self.u8().and_then(|length| self.bytes(length.into())),
            Marker::Bin16 => self.u16().and_then(|length| self.bytes(length.into())),
            Marker::Bin32 => self.u32().and_then(|length| self.bytes(length as usize)),
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

    fn text(&mut self, length: usize) -> Result<Token<'de>, Error> {
        match std::str::from_utf8(self.take(length)?) {
            Ok(text) => Ok(Token::Text(text)),
            Err(_) => Err(syntax("a string that is not UTF-8")),
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Token<'de>, Error> {
        self.take(length).map(Token::Bytes)
    }

    fn extension(&mut self, length: usize) -> Result<Token<'de>, Error> {
        let [code] = self.array()?;
        let bytes = self.take(length)?;
        Ok(Token::Extension(i8::from_be_bytes([code]), bytes))
    }

    fn list(&self, count: usize) -> Result<Token<'de>, Error> {
        self.require(count).map(|()| Token::List(count))
    }

    fn map(&self, count: usize) -> Result<Token<'de>, Error> {
        self.require(count.saturating_mul(2))
            .map(|()| Token::Map(count))
    }

    fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_be_bytes)
    }

    fn u16(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let taken = *self.rest().first_chunk().ok_or_else(|| self.truncated(N))?;
        self.offset += N;
        Ok(taken)
    }

    fn take(&mut self, count: usize) -> Result<&'de [u8], Error> {
        let taken = self
            .rest()
            .get(..count)
            .ok_or_else(|| self.truncated(count))?;
        self.offset += count;
        Ok(taken)
    }

    fn require(&self, count: usize) -> Result<(), Error> {
        if self.rest().len() < count {
            return Err(self.truncated(count));
        }
        Ok(())
    }

    /// Counts from the beginning of the token, of which `missing` bytes were to follow.
    fn truncated(&self, missing: usize) -> Error {
        ErrorKind::Truncated {
            needed: (self.offset - self.start).saturating_add(missing),
            found: self.input.len() - self.start,
        }
        .into()
    }
}

/// Only what is negative is signed, in whatever width it was written.
fn signed<'de>(value: impl Into<i64>) -> Token<'de> {
    let value = value.into();
    u64::try_from(value).map_or(Token::Signed(value), Token::Unsigned)
}

fn syntax(reason: &str) -> Error {
    let reason = reason.to_owned();
    ErrorKind::Syntax { reason }.into()
}
