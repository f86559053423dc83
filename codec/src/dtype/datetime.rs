//! Units of `datetime64` and `timedelta64`.

use std::fmt;

/// A unit of time with its multiple: `[ns]`, `[25s]`, or none at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DatetimeUnit {
    /// No unit: `'<m8'`.
    Generic,
    /// A unit and how many of it one count stands for.
    Counted {
        /// How many units one count stands for, at least 1.
        multiple: u32,
        /// The unit.
        unit: TimeUnit,
    },
}

/// NumPy's units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeUnit {
    /// `Y`
    Year,
    /// `M`
    Month,
    /// `W`
    Week,
    /// `D`
    Day,
    /// `h`
    Hour,
    /// `m`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Millisecond,
    /// `us`
    Microsecond,
    /// `ns`
    Nanosecond,
    /// `ps`
    Picosecond,
    /// `fs`
    Femtosecond,
    /// `as`
    Attosecond,
}

impl TimeUnit {
    const ALL: [Self; 13] = [
        Self::Year,
        Self::Month,
        Self::Week,
        Self::Day,
        Self::Hour,
        Self::Minute,
        Self::Second,
        Self::Millisecond,
        Self::Microsecond,
        Self::Nanosecond,
        Self::Picosecond,
        Self::Femtosecond,
        Self::Attosecond,
    ];

    /// Returns NumPy's abbreviation: `ns`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Year => "Y",
            Self::Month => "M",
            Self::Week => "W",
            Self::Day => "D",
            Self::Hour => "h",
            Self::Minute => "m",
            Self::Second => "s",
            Self::Millisecond => "ms",
            Self::Microsecond => "us",
            Self::Nanosecond => "ns",
            Self::Picosecond => "ps",
            Self::Femtosecond => "fs",
            Self::Attosecond => "as",
        }
    }

    /// Returns the unit of an abbreviation, or none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl DatetimeUnit {
    /// Reads what follows `M8` or `m8`: `[25s]`, or nothing for no unit.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::Generic);
        }
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        if inner == "generic" {
            return Some(Self::Generic);
        }
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        let (count, name) = inner.split_at(digits);
        let multiple = match count {
            "" => 1,
            _ => count
                .parse()
                .ok()
                .filter(|&n: &u32| n > 0 && i32::try_from(n).is_ok())?,
        };
        Some(Self::Counted {
            multiple,
            unit: TimeUnit::from_name(name)?,
        })
    }
}

impl fmt::Display for DatetimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generic => Ok(()),
            Self::Counted { multiple: 1, unit } => write!(f, "[{unit}]"),
            Self::Counted { multiple, unit } => write!(f, "[{multiple}{unit}]"),
        }
    }
}
