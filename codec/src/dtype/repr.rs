//! A text as Python's `repr` prints it.

use std::fmt;

use super::printable::is_printable;

/// Prints a text as a Python literal: its choice of quotes, its escapes.
pub(crate) struct Repr<'a>(pub(crate) &'a str);

impl fmt::Display for Repr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let quote = if self.0.contains('\'') && !self.0.contains('"') {
            '"'
        } else {
            '\''
        };
        f.write_char(quote)?;
        for c in self.0.chars() {
            match (c, u32::from(c)) {
                ('\\', _) => f.write_str("\\\\")?,
                ('\n', _) => f.write_str("\\n")?,
                ('\r', _) => f.write_str("\\r")?,
                ('\t', _) => f.write_str("\\t")?,
                _ if c == quote => write!(f, "\\{c}")?,
                _ if is_printable(c) => f.write_char(c)?,
                (_, code @ ..=0xff) => write!(f, "\\x{code:02x}")?,
                (_, code @ ..=0xffff) => write!(f, "\\u{code:04x}")?,
                (_, code) => write!(f, "\\U{code:08x}")?,
            }
        }
        f.write_char(quote)
    }
}

/// Prints a shape as a Python tuple: `()`, `(3,)`, `(2, 3)`.
pub(crate) struct Shape<'a>(pub(crate) &'a [usize]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(f, "({one},)"),
            many => {
                f.write_str("(")?;
                commas(f, many, |f, dimension| dimension.fmt(f))?;
                f.write_str(")")
            }
        }
    }
}

/// Prints each item, with `, ` between them.
pub(super) fn commas<T>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        each(f, item)?;
    }
    Ok(())
}
