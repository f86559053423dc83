//! Which conversions a reader may make.

/// Which conversions of numbers are allowed while reading.
///
/// Byte order is never a conversion: big-endian items are read in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Cast {
    /// None: the file has to hold the very type.
    #[default]
    Exact,
    /// Between any two kinds of numbers, as long as each value stays what it is; NaN stays NaN.
    Safe,
    /// Rounds to nearest, as IEEE 754 does, and drops the fractions of integers.
    ///
    /// Integers out of range are an error all the same, and complex numbers do not become real.
    Lossy,
}
