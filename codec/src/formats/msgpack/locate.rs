//! Where in a file the values of a report are, looked for when there is one.

use std::collections::HashMap;

use crate::error::{Error, ErrorKind};
use crate::file::{Slice, Token, Tokens};
use crate::path::{Path, Segment};
use crate::report::LoadReport;

/// The steps to a value that are left, and which one it is.
type Target<'p> = (usize, &'p [Segment]);

/// Says at which bytes the values of a report begin.
pub(in crate::formats) fn locate(report: &mut LoadReport, bytes: &[u8]) {
    if report.mismatched.is_empty() {
        return;
    }
    let paths = report.mismatched.iter().map(|mismatch| &mismatch.path);
    let targets: Vec<Target<'_>> = paths.map(Path::segments).enumerate().collect();
    let mut walk = Walk {
        tokens: Tokens::new(Slice::new(bytes)),
        found: vec![None; targets.len()],
    };
    // The bytes have been read once: where they cannot be read now, offsets are not known.
    let _ = walk.value(targets);
    for (mismatch, offset) in report.mismatched.iter_mut().zip(walk.found) {
        mismatch.offset = mismatch.offset.or(offset);
    }
}

/// Goes over a file once, into the values that are looked for.
struct Walk<'a> {
    tokens: Tokens<Slice<'a>>,
    found: Vec<Option<u64>>,
}

impl Walk<'_> {
    fn value(&mut self, targets: Vec<Target<'_>>) -> Result<(), Error> {
        let start = self.tokens.offset();
        for (which, _) in &targets {
            // What is not in the file itself, such as a column, is in this value.
            self.found[*which] = Some(start);
        }
        let below = Below::of(targets);
        match self.tokens.next()? {
            Token::List(count) => {
                for index in 0..count {
                    self.part(below.index(index as i128))?;
                }
            }
            Token::Map(count) => {
                for _ in 0..count {
                    let targets = match self.tokens.next()? {
                        Token::Text(length) => below.text(&self.tokens.text(length)?),
                        Token::Unsigned(key) => below.index(key.into()),
                        Token::Signed(key) => below.index(key.into()),
                        other => {
                            let found = other.describe().to_owned();
                            return Err(ErrorKind::KeyType { found }.into());
                        }
                    };
                    self.part(targets)?;
                }
            }
            token => self.pass(token)?,
        }
        Ok(())
    }

    fn part(&mut self, targets: Vec<Target<'_>>) -> Result<(), Error> {
        if !targets.is_empty() {
            return self.value(targets);
        }
        let mut left = 1_u64;
        while left > 0 {
            let token = self.tokens.next()?;
            left -= 1;
            match token {
                Token::List(count) => left = left.saturating_add(count as u64),
                Token::Map(count) => left = left.saturating_add(2 * count as u64),
                token => self.pass(token)?,
            }
        }
        Ok(())
    }

    /// Passes over what follows the head of a value without parts.
    fn pass(&mut self, head: Token) -> Result<(), Error> {
        match head {
            Token::Text(length) | Token::Bytes(length) | Token::Extension(_, length) => {
                self.tokens.skip(length)
            }
            _ => Ok(()),
        }
    }
}

/// The targets inside of a value, by the next step.
struct Below<'p> {
    indices: HashMap<i128, Vec<Target<'p>>>,
    texts: HashMap<String, Vec<Target<'p>>>,
}

impl<'p> Below<'p> {
    fn of(targets: Vec<Target<'p>>) -> Self {
        let (mut indices, mut texts) = (HashMap::new(), HashMap::new());
        for (which, steps) in targets {
            let Some((step, rest)) = steps.split_first() else {
                continue;
            };
            let text = match step {
                Segment::Key(key) => key.clone(),
                Segment::Index(index) => {
                    let targets: &mut Vec<_> = indices.entry(*index).or_default();
                    targets.push((which, rest));
                    // An item of a list may be under a text.
                    index.to_string()
                }
            };
            let targets: &mut Vec<_> = texts.entry(text).or_default();
            targets.push((which, rest));
        }
        Self { indices, texts }
    }

    fn index(&self, index: i128) -> Vec<Target<'p>> {
        self.indices.get(&index).cloned().unwrap_or_default()
    }

    fn text(&self, text: &str) -> Vec<Target<'p>> {
        self.texts.get(text).cloned().unwrap_or_default()
    }
}
