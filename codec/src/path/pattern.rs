//! Which places of a state tree are meant: paths with wildcards.

use std::fmt;
use std::str::FromStr;

use super::{Path, PathSyntaxError, Segment, parse, write_segment};

/// Places of a state tree, as a path in which `*` stands for any one step and `**` for any number.
///
/// A place is selected with everything below it: `agent` selects the whole agent. A key that is
/// really `*` is quoted: `["*"]`.
///
/// ```
/// use npcodec::{Path, PathPattern};
///
/// let kernels: PathPattern = "layers[*].**.kernel".parse()?;
/// assert!(kernels.selects(&"layers[3].dense.kernel".parse::<Path>()?));
/// assert!(kernels.selects(&"layers[3].kernel".parse::<Path>()?));
/// assert!(!kernels.selects(&"layers[3].bias".parse::<Path>()?));
/// # Ok::<(), npcodec::PathSyntaxError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathPattern(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Step {
    One(Segment),
    Any,
    AnyNumber,
    /// No segment at all.
    Never,
}

/// How far a pattern goes along with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// Neither the place nor anything below it.
    Outside,
    /// Something below the place may be selected.
    Above,
    /// The place is selected, or one above it.
    Selected,
}

impl PathPattern {
    /// Returns true if the pattern selects the place, or one above it.
    #[must_use]
    pub fn selects(&self, path: &Path) -> bool {
        self.reach(path) == Reach::Selected
    }

    /// Makes the pattern that selects no place.
    pub(crate) fn nothing() -> Self {
        Self(vec![Step::Never])
    }

    pub(crate) fn reach(&self, path: &Path) -> Reach {
        // The positions in the pattern that the path may have come to.
        let mut positions = self.onward(vec![0]);
        for segment in path.segments() {
            if positions.contains(&self.0.len()) {
                return Reach::Selected;
            }
            let mut next = Vec::new();
            for position in positions {
                match self.0.get(position) {
                    Some(Step::One(own)) if own == segment => next.push(position + 1),
                    Some(Step::Any) => next.push(position + 1),
                    Some(Step::AnyNumber) => next.push(position),
                    _ => {}
                }
            }
            positions = self.onward(next);
        }
        if positions.contains(&self.0.len()) {
            Reach::Selected
        } else if positions.is_empty() {
            Reach::Outside
        } else {
            Reach::Above
        }
    }

    /// Adds the positions behind a step that stands for no segment at all.
    fn onward(&self, mut positions: Vec<usize>) -> Vec<usize> {
        let mut at = 0;
        while let Some(&position) = positions.get(at) {
            let behind = position + 1;
            if self.0.get(position) == Some(&Step::AnyNumber) && !positions.contains(&behind) {
                positions.push(behind);
            }
            at += 1;
        }
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}

impl From<Path> for PathPattern {
    fn from(path: Path) -> Self {
        Self(path.0.into_iter().map(Step::One).collect())
    }
}

impl FromStr for PathPattern {
    type Err = PathSyntaxError;

    fn from_str(text: &str) -> Result<Self, PathSyntaxError> {
        let wild = |step: &str| match step {
            "*" => Some(Step::Any),
            "**" => Some(Step::AnyNumber),
            _ => None,
        };
        parse(text, Step::One, wild).map(Self)
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            let dot = if position == 0 { "" } else { "." };
            match step {
                Step::One(segment) => write_segment(f, position, segment)?,
                Step::Any => write!(f, "{dot}*")?,
                Step::AnyNumber => write!(f, "{dot}**")?,
                Step::Never => {}
            }
        }
        Ok(())
    }
}

/// Returns how far the furthest of some patterns goes along with a path.
pub(crate) fn reach(patterns: &[PathPattern], path: &Path) -> Reach {
    let reaches = patterns.iter().map(|pattern| pattern.reach(path));
    reaches.max().unwrap_or(Reach::Outside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_stand_for_one_step_or_any_number() {
        use Reach::{Above, Outside, Selected};
        for (pattern, path, expected) in [
            ("a.b", "a", Above),
            ("a.b", "a.b", Selected),
            ("a.b", "a.b.c[1]", Selected),
            ("a.b", "a.c", Outside),
            ("a[*].b", "a[7]", Above),
            ("a[*].b", "a[7].b", Selected),
            ("a.*.b", "a[7].b", Selected),
            ("**.b", "", Above),
            ("**.b", "b", Selected),
            ("**.b", "x.y.b", Selected),
            ("**.b", "x.y", Above),
            ("a.**.b.**.c", "a.b.b.x.c", Selected),
            ("a.**.b.**.c", "b", Outside),
            ("**", "", Selected),
            ("", "x", Selected),
            (r#"["*"]"#, "x", Outside),
        ] {
            let parsed: PathPattern = pattern.parse().unwrap();
            assert_eq!(
                parsed.reach(&path.parse().unwrap()),
                expected,
                "{pattern} {path}"
            );
            assert_eq!(parsed.to_string().parse(), Ok(parsed), "{pattern}");
        }
        assert!("a.*b".parse::<PathPattern>().is_err());
    }

    #[test]
    fn many_wildcards_cost_no_more_than_their_number() {
        let pattern: PathPattern = ["**.a"; 40].join(".").parse().unwrap();
        let path: Path = ["a"; 80].join(".").parse().unwrap();
        assert_eq!(pattern.reach(&path), Reach::Selected);
    }
}
