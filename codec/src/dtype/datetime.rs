//! Units of `datetime64` and `timedelta64`.

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
