//! The header of an `.npy` file: a Python dict of dtype, memory order and shape.

use super::error::{DTypeError, DTypeErrorKind, MOST_DEEP};
use super::lexer::{Fault, Lexer, Token};
use super::parser::{Parser, syntax};
use super::{DType, scalar};
use crate::limits::DIMENSIONS;

/// What the header of an `.npy` file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NpyHeader {
    pub(crate) dtype: DType,
    pub(crate) fortran_order: bool,
    pub(crate) shape: Vec<usize>,
}

impl NpyHeader {
    /// Reads the dict in any layout that is a Python literal; `long` takes the `1L` of Python 2.
    pub(crate) fn parse(text: &str, long: bool) -> Result<Self, Fault> {
        let mut parser = Parser::new(Lexer::new(text).with_long(long))?;
        let (mut dtype, mut fortran_order, mut shape) = (None, None, None);
        parser.items(('{', '}'), "a dict", |parser| {
            let (key, column) = parser.name("a quoted key")?;
            parser.expect(':', "`:` after the key")?;
            let known = match key.as_str() {
                "descr" => dtype.replace(parser.descr()?).is_none(),
                "fortran_order" => fortran_order.replace(parser.bool()?).is_none(),
                "shape" => shape.replace(parser.tuple()?).is_none(),
                _ => return syntax("descr, fortran_order or shape", column),
            };
            if known {
                Ok(())
            } else {
                syntax("each key once", column)
            }
        })?;
        if *parser.token() != Token::End {
            return syntax("the end of the header", parser.column());
        }
        match (dtype, fortran_order, shape) {
            (Some(dtype), Some(fortran_order), Some(shape)) => Ok(Self {
                dtype,
                fortran_order,
                shape,
            }),
            _ => syntax("a dict with descr, fortran_order and shape", 0),
        }
    }
}

impl Parser<'_> {
    /// Reads a `descr`: a quoted type under any of its names, or a list of fields.
    fn descr(&mut self) -> Result<DType, Fault> {
        match self.token() {
            Token::Mark('[') => self.list(false, true),
            Token::Text(text) => {
                if let Some(dtype) = DType::of_name(text) {
                    self.advance()?;
                    return Ok(dtype);
                }
                let (text, column) = self.name("a quoted type")?;
                scalar::parse(&text).map_err(|kind| (kind, column + 1))
            }
            _ => syntax("a quoted type or a list of fields", self.column()),
        }
    }

    /// Reads the shape of an array: `()`, `(3,)`, `(2, 3)`; lengths are only bounded by `usize`.
    fn tuple(&mut self) -> Result<Vec<usize>, Fault> {
        let mut shape = Vec::new();
        self.open('(', "a tuple of lengths")?;
        let mut comma = true;
        while *self.token() != Token::Mark(')') {
            let (Token::Int(length), true) = (self.token(), comma) else {
                return syntax("a length, 0 or more", self.column());
            };
            if shape.len() == DIMENSIONS {
                return syntax("at most 64 dimensions", self.column());
            }
            shape.push(*length);
            self.advance()?;
            comma = self.comma()?;
        }
        if comma || shape.len() > 1 {
            self.close(')', "the closing bracket of the shape")?;
            Ok(shape)
        } else {
            syntax("a comma, which makes one length a tuple", self.column())
        }
    }
}

impl DTypeErrorKind {
    /// Says what the grammar asked for, if it is the grammar that was left.
    pub(crate) fn expected(&self) -> Option<String> {
        match self {
            Self::Syntax { expected } => Some((*expected).to_owned()),
            Self::TooDeep => Some(format!("at most {MOST_DEEP} brackets inside each other")),
            _ => None,
        }
    }

    /// Gives the error its place in a text.
    pub(crate) fn in_text(self, column: usize, text: &str) -> DTypeError {
        DTypeError::at(self, column, text)
    }
}
