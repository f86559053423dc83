//! The pieces of Python source text that a dtype is made of.

use super::error::DTypeErrorKind;

/// A piece of a dtype text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A quoted text, without quotes and escapes.
    Text(String),
    /// A decimal number.
    Int(usize),
    /// A word, dots included: `None`, `np.str_`.
    Word(&'a str),
    /// A bracket or separator.
    Mark(char),
    /// The end of the text.
    End,
}

/// What is wrong, and at which byte of the text.
pub(super) type Fault = (DTypeErrorKind, usize);

/// Reads pieces off a text.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Whether numbers may end with the `L` of Python 2.
    long: bool,
}

fn syntax(expected: &'static str, column: usize) -> Fault {
    (DTypeErrorKind::Syntax { expected }, column)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            long: false,
        }
    }

    /// Takes `1L` for a number too, as Python 2 wrote it.
    #[cfg(any(feature = "npy", feature = "flower"))]
    pub(super) fn with_long(mut self, long: bool) -> Self {
        self.long = long;
        self
    }

    /// Goes back to a byte at which a piece began.
    pub(super) fn seek(&mut self, column: usize) {
        self.at = column;
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Returns the next piece and the byte at which it begins.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), Fault> {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
        let column = self.at;
        let token = match self.rest().chars().next() {
            None => Token::End,
            Some('\'' | '"') => Token::Text(self.quoted()?),
            Some('0'..='9') => Token::Int(self.int()?),
            Some('(' | ')' | '[' | ']' | '{' | '}' | ',' | ':') => {
                Token::Mark(self.bump().unwrap_or(','))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let word = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                if self.rest().starts_with(['\'', '"']) {
                    return Err(syntax("a quoted text without a prefix", column));
                }
                Token::Word(word)
            }
            Some(_) => return Err(syntax("a quoted text, a number or a bracket", column)),
        };
        Ok((token, column))
    }

    fn int(&mut self) -> Result<usize, Fault> {
        let column = self.at;
        let digits = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let digits = match digits.strip_suffix('L') {
            Some(digits) if self.long && !digits.is_empty() => digits,
            _ => digits,
        };
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(syntax("a decimal number", column));
        }
        let value = digits.parse().ok();
        value.ok_or((DTypeErrorKind::TooLarge, column))
    }

    fn quoted(&mut self) -> Result<String, Fault> {
        let quote = self.bump();
        let mut text = String::new();
        loop {
            let column = self.at;
            match self.bump() {
                None | Some('\n' | '\r') => return Err(syntax("a closing quote", column)),
                Some('\0') => return Err(syntax("a text without NUL bytes", column)),
                Some('\\') => text.push(self.escape(column)?),
                c if c == quote => return Ok(text),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, column: usize) -> Result<char, Fault> {
        let code = match self.bump() {
            Some(c @ ('\\' | '\'' | '"')) => return Ok(c),
            Some('a') => return Ok('\x07'),
            Some('b') => return Ok('\x08'),
            Some('t') => return Ok('\t'),
            Some('n') => return Ok('\n'),
            Some('v') => return Ok('\x0b'),
            Some('f') => return Ok('\x0c'),
            Some('r') => return Ok('\r'),
            Some(first @ '0'..='7') => self.octal(first),
            Some('x') => self.hex(2, column)?,
            Some('u') => self.hex(4, column)?,
            Some('U') => self.hex(8, column)?,
            _ => return Err(syntax("an escape that Python prints", column)),
        };
        char::from_u32(code).ok_or_else(|| syntax("an escape of a Unicode scalar value", column))
    }

    fn octal(&mut self, first: char) -> u32 {
        let mut code = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.rest().chars().next().and_then(|c| c.to_digit(8)) else {
                break;
            };
            self.at += 1;
            code = code * 8 + digit;
        }
        code
    }

    fn hex(&mut self, digits: usize, column: usize) -> Result<u32, Fault> {
        let short = || syntax("a hexadecimal escape of full length", column);
        let code = self.rest().get(..digits).ok_or_else(short)?;
        if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(short());
        }
        self.at += digits;
        u32::from_str_radix(code, 16).map_err(|_| short())
    }
}
