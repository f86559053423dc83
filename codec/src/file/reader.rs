//! MessagePack as the source of any serde type.
//!
//! Strings and byte strings are borrowed from the input, every error knows its byte, lists and maps
//! are counted on the way down, and what is left behind the value is an error.

mod access;
mod token;

use std::cell::Cell;
use std::rc::Rc;

use serde::de::value::{BorrowedStrDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

use access::{ExtensionParts, Items, Variant};
use token::{Token, Tokens};

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::state::visit_items;

/// Reads values from a slice.
#[derive(Debug)]
pub(crate) struct Reader<'de> {
    tokens: Tokens<'de>,
    /// How many lists and maps may still be entered.
    depth: usize,
    limits: Limits,
    /// Where the value begins that is being read.
    position: Rc<Cell<u64>>,
}

impl<'de> Reader<'de> {
    /// Starts a reader.
    ///
    /// # Errors
    /// [`Limit`](ErrorKind::Limit) for an input that is longer than the limits allow.
    pub(crate) fn new(input: &'de [u8], limits: Limits) -> Result<Self, Error> {
        check("bytes of input", input.len(), limits.total_bytes)?;
        Ok(Self {
            tokens: Tokens::new(input),
            depth: limits.depth,
            limits,
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
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.tokens.rest().len() {
            0 => Ok(()),
            count => {
                let error = Error::from(ErrorKind::TrailingBytes { count });
                Err(error.at(self.tokens.offset()))
            }
        }
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

    /// Looks ahead at a key, only where its length is limited.
    fn check_key(&self) -> Result<(), Error> {
        if self.limits.key_bytes == usize::MAX {
            return Ok(());
        }
        match self.tokens.clone().next()? {
            Token::Text(text) => check("bytes in one key", text.len(), self.limits.key_bytes)
                .map_err(|error| error.at(self.tokens.offset())),
            _ => Ok(()),
        }
    }

    fn too_deep(&self) -> Error {
        let limit = self.limits.depth;
        ErrorKind::TooDeep { limit }.into()
    }

    fn enter(&mut self) -> Result<Level<'_, 'de>, Error> {
        self.depth = self.depth.checked_sub(1).ok_or_else(|| self.too_deep())?;
        Ok(Level(self))
    }

    fn visit<V: Visitor<'de>>(&mut self, token: Token<'de>, visitor: V) -> Result<V::Value, Error> {
        match token {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Unsigned(value) => visitor.visit_u64(value),
            Token::Signed(value) => visitor.visit_i64(value),
            Token::Float32(value) => visitor.visit_f32(value),
            Token::Float64(value) => visitor.visit_f64(value),
            Token::Text(text) => visitor.visit_borrowed_str(text),
            Token::Bytes(bytes) => {
                check("bytes in one array", bytes.len(), self.limits.array_bytes)?;
                visitor.visit_borrowed_bytes(bytes)
            }
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
            Token::Extension(code, bytes) => {
                let parts = ExtensionParts {
                    code: Some(code),
                    bytes: Some(bytes),
                };
                visitor.visit_newtype_struct(SeqAccessDeserializer::new(parts))
            }
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
            let inside = match self.tokens.next()? {
                Token::List(count) => count,
                Token::Map(count) => count.saturating_mul(2),
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

pub(super) fn check(what: &'static str, found: usize, limit: usize) -> Result<(), Error> {
    if found > limit {
        return Err(ErrorKind::Limit { what, limit, found }.into());
    }
    Ok(())
}

/// A list or map that was entered; leaves it when dropped, whatever happened inside.
struct Level<'r, 'de>(&'r mut Reader<'de>);

impl Drop for Level<'_, '_> {
    fn drop(&mut self) {
        self.0.depth += 1;
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| {
            let token = reader.tokens.next()?;
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
            if reader.tokens.rest().first() == Some(&rmp::Marker::Null.to_u8()) {
                reader.tokens.next()?;
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
        self.located(|reader| match reader.tokens.next()? {
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
            if name != rmp_serde::MSGPACK_EXT_STRUCT_NAME {
                return visitor.visit_newtype_struct(reader);
            }
            match reader.tokens.next()? {
                token @ Token::Extension(..) => reader.visit(token, visitor),
                token => Err(Error::invalid_type(token.unexpected(), &"an extension")),
            }
        })
    }

    /// A list, or bytes where a list of bytes may be wanted.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.located(|reader| match reader.tokens.next()? {
            Token::Bytes(bytes) => visit_items(bytes.iter().copied(), visitor),
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
        self.located(|reader| match reader.tokens.next()? {
            Token::Text(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
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
