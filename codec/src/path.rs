//! Where a value stands in a state tree: `agent.layers[3]["a.b"]`.
//!
//! [`Path`] owns its segments and is what errors, reports and filters hold. [`Place`] is the same
//! thing while a tree is being walked: a chain of links on the stack, free until somebody asks.

mod pattern;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

pub use pattern::PathPattern;
pub(crate) use pattern::{Reach, reach};

/// One step down a state tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Segment {
    /// A string key of a map.
    Key(String),
    /// A position in a list, or an integer key of a map.
    Index(i128),
}

/// A place in a state tree, printed and parsed as `agent.layers[3]["a.b"]`.
///
/// Keys that hold anything but letters, digits, `_`, `-`, `/`, `:` or `@` are quoted, so that every
/// path has exactly one spelling. The empty path is the root and prints as nothing.
///
/// ```
/// use npcodec::Path;
///
/// let path: Path = r#"agent.layers[3]["a.b"]"#.parse()?;
/// assert_eq!(path.segments().len(), 4);
/// assert_eq!(path.to_string(), r#"agent.layers[3]["a.b"]"#);
/// # Ok::<(), npcodec::PathSyntaxError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<Segment>);

impl Path {
    /// Returns the path of the root.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the steps from the root.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Returns true for the path of the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many bytes the keys have, without making the text.
    pub(crate) fn text_len(&self) -> usize {
        let keys = self.0.iter().map(|segment| match segment {
            Segment::Key(key) => key.len(),
            Segment::Index(_) => size_of::<i128>(),
        });
        keys.sum()
    }

    /// Returns this path with one more step at its end.
    #[must_use]
    pub fn join(mut self, segment: Segment) -> Self {
        self.0.push(segment);
        self
    }

    /// Returns the rest of a path that goes through a key first.
    pub(crate) fn below(&self, key: &str) -> Option<Self> {
        match self.0.split_first() {
            Some((Segment::Key(first), rest)) if first == key => Some(Self(rest.to_vec())),
            _ => None,
        }
    }

    /// Returns this path with `outer` put before it.
    #[must_use]
    pub(crate) fn under(mut self, outer: &Path) -> Self {
        self.0.splice(0..0, outer.0.iter().cloned());
        self
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | ':' | '@'))
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            write_segment(f, position, segment)?;
        }
        Ok(())
    }
}

/// Writes the step at a position of a path.
fn write_segment(f: &mut fmt::Formatter<'_>, position: usize, segment: &Segment) -> fmt::Result {
    match segment {
        Segment::Index(index) => write!(f, "[{index}]"),
        Segment::Key(key) if is_plain(key) => {
            let dot = if position == 0 { "" } else { "." };
            write!(f, "{dot}{key}")
        }
        Segment::Key(key) => write!(f, "[\"{}\"]", Escaped(key)),
    }
}

/// Prints a text without quotes, backslashes or unprintable characters in it.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for c in self.0.chars() {
            match c {
                '\'' => f.write_char(c)?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// The text is no path; [`PathSyntaxError::column`] says where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathSyntaxError {
    column: usize,
    expected: &'static str,
}

impl PathSyntaxError {
    /// Returns the byte in the text at which it stops being a path.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for PathSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a path: expected {} at column {}",
            self.expected, self.column
        )
    }
}

impl std::error::Error for PathSyntaxError {}

impl FromStr for Path {
    type Err = PathSyntaxError;

    fn from_str(text: &str) -> Result<Self, PathSyntaxError> {
        parse(text, |segment| segment, |_| None).map(Self)
    }
}

/// Takes a text apart into steps: segments, and what else an unquoted step can be.
fn parse<T>(
    text: &str,
    one: impl Fn(Segment) -> T,
    special: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, PathSyntaxError> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let column = text.len() - rest.len();
        let fault = |expected| PathSyntaxError { column, expected };
        let (step, after) = if let Some(quoted) = rest.strip_prefix("[\"") {
            let (key, after) = unquote(quoted).ok_or_else(|| fault("a quoted key"))?;
            let after = after
                .strip_prefix(']')
                .ok_or_else(|| fault("`]` after the key"))?;
            (one(Segment::Key(key)), after)
        } else if let Some(index) = rest.strip_prefix('[') {
            let (digits, after) = index.split_once(']').ok_or_else(|| fault("`]`"))?;
            let step =
                special(digits).or_else(|| digits.parse().ok().map(Segment::Index).map(&one));
            (step.ok_or_else(|| fault("an integer in brackets"))?, after)
        } else {
            let key = match (steps.is_empty(), rest.strip_prefix('.')) {
                (true, None) => rest,
                (false, Some(key)) => key,
                _ => return Err(fault("a key, `.` or `[`")),
            };
            let end = key.find(['.', '[']).unwrap_or(key.len());
            let (key, after) = key.split_at(end);
            let plain = || is_plain(key).then(|| one(Segment::Key(key.to_owned())));
            let step = special(key).or_else(plain);
            let expected = "a key without special characters, or one in [\"...\"]";
            (step.ok_or_else(|| fault(expected))?, after)
        };
        steps.push(step);
        rest = after;
    }
    Ok(steps)
}

/// Reads a quoted key up to its closing quote; returns it with what follows.
fn unquote(mut text: &str) -> Option<(String, &str)> {
    let mut key = String::new();
    loop {
        let c = text.chars().next()?;
        text = &text[c.len_utf8()..];
        if c == '"' {
            return Some((key, text));
        }
        if c != '\\' {
            key.push(c);
            continue;
        }
        let escape = text.chars().next()?;
        text = &text[escape.len_utf8()..];
        key.push(match escape {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\\' | '"' | '\'' => escape,
            'u' => {
                let (digits, after) = text.strip_prefix('{')?.split_once('}')?;
                text = after;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
}

/// A link of the chain that leads from a value to the root while a tree is walked.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Place<'p> {
    /// The root of the tree.
    Root,
    /// The value under a string key.
    Key(&'p Place<'p>, &'p str),
    /// The value at a position in a list, or under an integer key.
    Index(&'p Place<'p>, i128),
}

impl Place<'_> {
    /// Collects the chain into a path.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut segments = Vec::new();
        let mut place = *self;
        loop {
            let (up, segment) = match place {
                Place::Root => break,
                Place::Key(up, key) => (up, Segment::Key(key.to_owned())),
                Place::Index(up, index) => (up, Segment::Index(index)),
            };
            segments.push(segment);
            place = *up;
        }
        segments.reverse();
        Path(segments)
    }
}

/// Shortens a text that came from a file, so that an error stays readable.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    const MOST: usize = 120;
    if text.len() <= MOST {
        return Cow::Borrowed(text);
    }
    let end = (0..=MOST)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    Cow::Owned(format!("{}… ({} bytes)", &text[..end], text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_prints_as_it_parses() {
        for text in [
            "",
            "agent.layers[3].kernel",
            r#"agent.layers[3]["a.b"]"#,
            r#"["a\"b\\c"][-7].x"#,
            r#"["\n\u{1b}[0m"]["\u{200b}b"]"#,
            r#"[""].a/b"#,
        ] {
            let path: Path = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(path.to_string(), text);
            assert_eq!(path.to_string().parse::<Path>().as_ref(), Ok(&path));
        }
        let hostile = Path::root().join(Segment::Key("a\u{1b}]\"\\.[".into()));
        assert_eq!(hostile.to_string().parse(), Ok(hostile));
    }

    #[test]
    fn a_text_that_is_no_path_says_the_column() {
        for (text, column) in [
            ("a..b", 1),
            (".a", 0),
            ("a[x]", 1),
            ("a[\"b", 1),
            ("a b", 0),
            ("a[1]b", 4),
        ] {
            assert_eq!(
                text.parse::<Path>().map_err(|e| e.column()),
                Err(column),
                "{text}"
            );
        }
    }

    #[test]
    fn a_place_collects_its_path() {
        let root = Place::Root;
        let layers = Place::Key(&root, "layers");
        let third = Place::Index(&layers, 3);
        assert_eq!(third.path().to_string(), "layers[3]");
    }
}
