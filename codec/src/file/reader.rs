//! MessagePack as the source of any serde type.
//!
//! Strings and byte strings are borrowed from the input, every error knows its byte, lists and maps
//! are counted on the way down, and what is left behind the value is an error.

mod access;
mod input;
mod stream;
mod token;
mod window;

use std::borrow::Cow;
use std::cell::Cell;
use std::mem;
use std::rc::Rc;

use rmp::Marker;
use serde::de::value::{BorrowedStrDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use access::{ExtensionParts, Items, Variant};
pub(crate) use input::{Input, Slice};
pub(crate) use stream::Stream;
pub(crate) use token::{Token, Tokens};
pub(crate) use window::Window;

use crate::encoding::{PAYLOAD_TOKEN, Span};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::state::visit_items;

/// The longest payload that is read on the way and not left where it is, in bytes.
const STORED_FROM: usize = 4096;

/// Reads values from an input.
#[derive(Debug)]
pub(crate) struct Reader<I> {
    tokens: Tokens<I>,
    /// How many lists and maps may still be entered.
    depth: usize,
    limits: Limits,
    /// True where the next value is the key of a map.
    at_key: bool,
    /// Where the value begins that is being read.
    position: Rc<Cell<u64>>,
}

impl<'de, I: Input<'de>> Reader<I> {
    /// Starts a reader.
    ///
    /// # Errors
    /// [`Limit`](ErrorKind::Limit) for an input that is longer than the limits allow.
    pub(crate) fn new(input: I, limits: Limits) -> Result<Self, Error> {
        let length = usize::try_from(input.left().unwrap_or(0)).unwrap_or(usize::MAX);
        check("bytes of input", length, limits.total_bytes)?;
        Ok(Self {
            tokens: Tokens::new(input),
            depth: limits.depth,
            limits,
            at_key: false,
            position: Rc::default(),
        })
    }

    /// Returns the cell that says where the value begins that is being read.
    pub(crate) fn position(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.position)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`TrailingBytes`](ErrorKind::TrailingBytes) if the input goes on.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if self.tokens.peek()?.is_none() {
            return Ok(());
        }
        let offset = self.tokens.offset();
        let count = usize::try_from(self.tokens.rest()?).unwrap_or(usize::MAX);
        Err(Error::from(ErrorKind::TrailingBytes { count }).at(offset))
    }

    /// Gives the errors of a reading the byte at which it began, unless they know a closer one.
    fn located<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let start = self.tokens.offset();
        self.position.set(start);
        read(self).map_err(|error| error.at(start))
    }

    fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        self.located(|reader| seed.deserialize(reader))
    }

    /// Reads the next token, and checks the length of a key.
    fn next(&mut self) -> Result<Token, Error> {
        let token = self.tokens.next()?;
        if let (true, Token::Text(length)) = (mem::take(&mut self.at_key), token) {
            check("bytes in one key", length, self.limits.key_bytes)?;
        }
        Ok(token)
    }

    fn too_deep(&self) -> Error {
        let limit = self.limits.depth;
        ErrorKind::TooDeep { limit }.into()
    }

    fn enter(&mut self) -> Result<Level<'_, I>, Error> {
        self.depth = self.depth.checked_sub(1).ok_or_else(|| self.too_deep())?;
        Ok(Level(self))
    }

    fn visit<V: Visitor<'de>>(&mut self, token: Token, visitor: V) -> Result<V::Value, Error> {
        match token {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Unsigned(value) => visitor.visit_u64(value),
            Token::Signed(value) => visitor.visit_i64(value),
            Token::Float32(value) => visitor.visit_f32(value),
            Token::Float64(value) => visitor.visit_f64(value),
            Token::Text(length) => match self.tokens.text(length)? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            Token::Bytes(length) => match self.bytes(length)? {
                Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
                Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
            },
            Token::List(count) => {
                let mut items = Items::new(self.enter()?, count);
                let value = visitor.visit_seq(&mut items)?;
                items.end("items", "list")?;
                Ok(value)
            }
            Token::Map(count) => {
                check("keys in one map", count, self.limits.keys)?;
                let mut entries = Items::new(self.enter()?, count);
                let value = visitor.visit_map(&mut entries)?;
                entries.end("entries", "map")?;
                Ok(value)
            }
            Token::Extension(code, length) => {
                let parts = ExtensionParts {
                    code: Some(code),
                    bytes: Some(self.tokens.bytes(length)?),
                };
                visitor.visit_newtype_struct(SeqAccessDeserializer::new(parts))
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Cow<'de, [u8]>, Error> {
        check("bytes in one array", length, self.limits.array_bytes)?;
        self.tokens.bytes(length)
    }

    /// Reads the payload of an array, or says where it is.
    fn payload<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let marker = self.tokens.peek()?.map(Marker::from_u8);
        if !matches!(marker, Some(Marker::Bin8 | Marker::Bin16 | Marker::Bin32)) {
            return visitor.visit_newtype_struct(self);
        }
        match self.next()? {
            Token::Bytes(length) if length > STORED_FROM => {
                check("bytes in one array", length, self.limits.array_bytes)?;
                let offset = self.tokens.offset();
                self.tokens.skip(length)?;
                visitor.visit_i128(Span { offset, length }.pack())
            }
            token => self.visit(token, visitor),
        }
    }

    /// Reads past a value, on a stack of counters and not on that of the thread.
    fn skip(&mut self) -> Result<(), Error> {
        let mut around: Vec<usize> = Vec::new();
        let mut left = 1;
        loop {
            while left == 0 {
                match around.pop() {
                    Some(outer) => left = outer,
                    None => return Ok(()),
                }
            }
            left -= 1;
            let start = self.tokens.offset();
            let inside = match self.next()? {
                Token::List(count) => count,
                Token::Map(count) => count.saturating_mul(2),
                Token::Text(length) => {
                    self.tokens.text(length)?;
                    continue;
                }
                Token::Bytes(length) | Token::Extension(_, length) => {
                    self.tokens.skip(length)?;
                    continue;
                }
                _ => continue,
            };
            if around.len() == self.depth {
                return Err(self.too_deep().at(start));
            }
            around.push(left);
            left = inside;
        }
    }
}

pub(crate) fn check(what: &'static str, found: usize, limit: usize) -> Result<(), Error> {
    if found > limit {
        return Err(ErrorKind::Limit { what, limit, found }.into());
    }
    Ok(())
}

/// A list or map that was entered; leaves it when dropped, whatever happened inside.
struct Level<'r, I>(&'r mut Reader<I>);

impl<I> Drop for Level<'_, I> {
    fn drop(&mut self) {
        self.0.depth += 1;
    }
}

impl<'de, I: Input<'de>> Deserializer<'de> for &mut Reader<I> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| {
            let token = reader.next()?;
            reader.visit(token, visitor)
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| {
            reader.skip()?;
            visitor.visit_unit()
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| {
            if reader.tokens.peek()? == Some(Marker::Null.to_u8()) {
                reader.next()?;
                return visitor.visit_none();
            }
            visitor.visit_some(reader)
        })
    }

    /// rmp-serde writes unit structs as empty lists.
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.located(|reader| match reader.next()? {
            Token::Nil | Token::List(0) => visitor.visit_unit(),
            token => reader.visit(token, visitor),
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.located(|reader| {
            if name == PAYLOAD_TOKEN && I::STORED {
                return reader.payload(visitor);
            }
            if name != rmp_serde::MSGPACK_EXT_STRUCT_NAME {
                return visitor.visit_newtype_struct(reader);
            }
            match reader.next()? {
                token @ Token::Extension(..) => reader.visit(token, visitor),
                token => Err(Error::invalid_type(token.unexpected(), &"an extension")),
            }
        })
    }

    /// A list, or bytes where a list of bytes may be wanted.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| match reader.next()? {
            Token::Bytes(length) => {
                let bytes = reader.bytes(length)?;
                visit_items(bytes.iter().copied(), visitor)
            }
            token => reader.visit(token, visitor),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.located(|reader| match reader.next()? {
            Token::Text(length) => match reader.tokens.text(length)? {
                Cow::Borrowed(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
                Cow::Owned(name) => visitor.visit_enum(name.into_deserializer()),
            },
            Token::Map(1) => visitor.visit_enum(Variant(reader.enter()?)),
            token => Err(Error::invalid_type(
                token.unexpected(),
                &"the name of a variant, alone or with its content",
            )),
        })
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        map struct identifier
    }
}
