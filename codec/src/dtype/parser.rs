//! The grammar of a dtype text: quoted types, lists of fields, dicts.

use std::str::FromStr;

use super::common;
use super::error::{DTypeError, DTypeErrorKind, MOST_DEEP};
use super::layout::MOST;
use super::lexer::{Fault, Lexer, Token};
use super::{DType, MlType, scalar};

impl FromStr for DType {
    type Err = DTypeError;

    /// Reads the text that stands under the key `dtype`: Python source, of which nothing is run.
    ///
    /// # Errors
    ///
    /// A [`DTypeError`] that knows the column, for all that NumPy does not print.
    fn from_str(text: &str) -> Result<Self, DTypeError> {
        if let Some(dtype) = common::dtype(text) {
            return Ok(dtype);
        }
        Parser::whole(text).map_err(|(kind, column)| DTypeError::at(kind, column, text))
    }
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    column: usize,
    depth: usize,
    /// Whether the types of ml_dtypes stand without quotes, as Python's `str` prints them.
    bare: bool,
    /// Whether alignment reaches from a record into those of its fields.
    deep: bool,
}

/// A text that stands for a name or title, and where it begins.
pub(super) type Named = (String, usize);

pub(super) fn syntax<T>(expected: &'static str, column: usize) -> Result<T, Fault> {
    Err((DTypeErrorKind::Syntax { expected }, column))
}

impl<'a> Parser<'a> {
    /// Takes up the first piece of a text.
    pub(super) fn new(mut lexer: Lexer<'a>) -> Result<Self, Fault> {
        let (token, column) = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            column,
            depth: 0,
            bare: false,
            deep: true,
        })
    }

    pub(super) fn whole(text: &'a str) -> Result<DType, Fault> {
        Self::new(Lexer::new(text))?.finish()
    }

    /// Reads a record as Python's `str` prints it.
    ///
    /// Of records in an aligned one that text does not say whether they are aligned too; where they cannot
    /// be, they are packed.
    pub(super) fn named(text: &'a str) -> Result<DType, Fault> {
        let read = |deep| {
            let mut parser = Self::new(Lexer::new(text))?;
            (parser.bare, parser.deep) = (true, deep);
            parser.finish()
        };
        read(true).or_else(|fault| read(false).map_err(|_| fault))
    }

    pub(super) fn is_deep(&self) -> bool {
        self.deep
    }

    fn finish(mut self) -> Result<DType, Fault> {
        let dtype = match self.token {
            Token::Mark('[') => self.list(false, true)?,
            _ => self.dtype(false)?,
        };
        match self.token {
            Token::End => Ok(dtype),
            _ => syntax("the end of the text", self.column),
        }
    }

    pub(super) fn column(&self) -> usize {
        self.column
    }

    pub(super) fn token(&self) -> &Token<'a> {
        &self.token
    }

    /// Goes back to the piece that began at a byte.
    pub(super) fn seek(&mut self, column: usize) -> Result<(), Fault> {
        self.lexer.seek(column);
        self.advance().map(drop)
    }

    /// Returns the piece at hand with its column, and takes the next one up.
    pub(super) fn advance(&mut self) -> Result<(Token<'a>, usize), Fault> {
        let (token, column) = self.lexer.next()?;
        Ok((
            std::mem::replace(&mut self.token, token),
            std::mem::replace(&mut self.column, column),
        ))
    }

    pub(super) fn open(&mut self, bracket: char, expected: &'static str) -> Result<(), Fault> {
        if self.token != Token::Mark(bracket) {
            return syntax(expected, self.column);
        }
        if self.depth == MOST_DEEP {
            return Err((DTypeErrorKind::TooDeep, self.column));
        }
        self.depth += 1;
        self.advance().map(drop)
    }

    pub(super) fn close(&mut self, bracket: char, expected: &'static str) -> Result<(), Fault> {
        self.expect(bracket, expected)?;
        self.depth -= 1;
        Ok(())
    }

    pub(super) fn expect(&mut self, mark: char, expected: &'static str) -> Result<(), Fault> {
        if self.token != Token::Mark(mark) {
            return syntax(expected, self.column);
        }
        self.advance().map(drop)
    }

    /// Takes a comma up if there is one.
    pub(super) fn comma(&mut self) -> Result<bool, Fault> {
        let here = self.token == Token::Mark(',');
        if here {
            self.advance()?;
        }
        Ok(here)
    }

    /// Reads what stands between two brackets, with commas between and perhaps after.
    pub(super) fn items(
        &mut self,
        brackets: (char, char),
        expected: &'static str,
        mut each: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.open(brackets.0, expected)?;
        while self.token != Token::Mark(brackets.1) {
            each(self)?;
            if !self.comma()? {
                break;
            }
        }
        self.close(brackets.1, "a comma or the closing bracket")
    }

    /// Reads a dtype; `align` lays its lists out as C does it.
    pub(super) fn dtype(&mut self, align: bool) -> Result<DType, Fault> {
        match self.token {
            Token::Text(_) => self.scalar(),
            Token::Word(word) if self.bare => {
                let ml = MlType::from_name(word).map(DType::Ml);
                let dtype = ml.ok_or((DTypeErrorKind::unknown(word), self.column))?;
                self.advance()?;
                Ok(dtype)
            }
            Token::Mark('[') => self.list(align, false),
            Token::Mark('{') => self.dict(align),
            Token::Mark('(') if self.bare => {
                self.open('(', "a class")?;
                let column = self.column;
                let dtype = self.classed(align)?;
                dtype.map_or_else(|| syntax("a class of numpy's", column), Ok)
            }
            _ => syntax("a quoted type, a list of fields or a dict", self.column),
        }
    }

    /// Reads on behind the bracket of `(numpy.record, [...])`, as Python's `str` prints the dtype of a recarray;
    /// none where no class stands.
    fn classed(&mut self, align: bool) -> Result<Option<DType>, Fault> {
        if !self.bare || !matches!(self.token, Token::Word(word) if word.starts_with("numpy.")) {
            return Ok(None);
        }
        self.advance()?;
        self.expect(',', "a comma and a dtype")?;
        let dtype = self.dtype(align)?;
        self.close(')', "the closing bracket behind the class")?;
        Ok(Some(dtype))
    }

    fn scalar(&mut self) -> Result<DType, Fault> {
        match self.advance()? {
            // The type begins behind its quote.
            (Token::Text(code), column) => scalar::parse(&code).map_err(|kind| (kind, column + 1)),
            (_, column) => syntax("a quoted type", column),
        }
    }

    /// Reads the dtype of a field: `'<i4'`, or the sub-array `('<i4', (2,))`.
    pub(super) fn format(&mut self, align: bool) -> Result<(DType, Vec<usize>), Fault> {
        if self.token != Token::Mark('(') {
            return Ok((self.dtype(align)?, Vec::new()));
        }
        self.open('(', "a sub-array")?;
        if let Some(dtype) = self.classed(align)? {
            return Ok((dtype, Vec::new()));
        }
        let (dtype, inner) = self.format(align)?;
        self.expect(',', "a comma and a shape")?;
        let mut shape = self.shape()?;
        shape.extend(inner);
        self.comma()?;
        self.close(')', "the closing bracket of the sub-array")?;
        Ok((dtype, shape))
    }

    /// Reads the shape of a sub-array: `(2, 3)`, `(3,)`, `3`.
    pub(super) fn shape(&mut self) -> Result<Vec<usize>, Fault> {
        if let Token::Int(_) = self.token {
            return Ok(vec![self.int("a dimension")?]);
        }
        let mut shape = Vec::new();
        self.items(('(', ')'), "a shape", |parser| {
            shape.push(parser.int("a dimension")?);
            Ok(())
        })?;
        Ok(shape)
    }

    /// Reads a number that a size within a dtype can be.
    pub(super) fn int(&mut self, expected: &'static str) -> Result<usize, Fault> {
        match self.token {
            Token::Int(value) if value > MOST => Err((DTypeErrorKind::TooLarge, self.column)),
            Token::Int(value) => {
                self.advance()?;
                Ok(value)
            }
            _ => syntax(expected, self.column),
        }
    }

    /// Reads a name or title: `'a'`, or `np.str_('a')` as NumPy 2 prints it.
    pub(super) fn name(&mut self, expected: &'static str) -> Result<Named, Fault> {
        let wrapped = self.token == Token::Word("np.str_");
        if wrapped {
            self.advance()?;
            self.open('(', "`(` after `np.str_`")?;
        }
        if !matches!(self.token, Token::Text(_)) {
            return syntax(expected, self.column);
        }
        let (token, column) = self.advance()?;
        if wrapped {
            self.close(')', "`)` after the text")?;
        }
        match token {
            Token::Text(text) => Ok((text, column)),
            _ => syntax(expected, column),
        }
    }

    /// Reads a title, or the `None` that stands for none.
    pub(super) fn title(&mut self) -> Result<Option<String>, Fault> {
        if self.token == Token::Word("None") {
            self.advance()?;
            return Ok(None);
        }
        Ok(Some(self.name("a quoted title or `None`")?.0))
    }
}
