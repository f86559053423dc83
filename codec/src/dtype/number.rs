//! The built-in numbers and their byte order.

/// The order of an item's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ByteOrder {
    /// Least significant byte first, `<`.
    Little,
    /// Most significant byte first, `>`.
    Big,
    /// Items of single bytes, `|`.
    NotApplicable,
}

/// NumPy's built-in numbers, bool among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Number {
    /// `b1`: one byte, 0 or 1.
    Bool,
    /// `i1`
    Int8,
    /// `i2`
    Int16,
    /// `i4`
    Int32,
    /// `i8`
    Int64,
    /// `u1`
    UInt8,
    /// `u2`
    UInt16,
    /// `u4`
    UInt32,
    /// `u8`
    UInt64,
    /// `f2`
    Float16,
    /// `f4`
    Float32,
    /// `f8`
    Float64,
    /// `f12` or `f16`: x87's 80-bit long double in 12 or 16 bytes (the size), carried opaquely.
    LongDouble(u8),
    /// `c8`
    Complex64,
    /// `c16`
    Complex128,
    /// `c24` or `c32`: two long doubles of the given size each.
    ComplexLongDouble(u8),
}

impl ByteOrder {
    /// Returns NumPy's character: `<`, `>` or `|`.
    #[must_use]
    pub fn as_char(self) -> char {
        match self {
            Self::Little => '<',
            Self::Big => '>',
            Self::NotApplicable => '|',
        }
    }

    /// Returns what this order is for items of several bytes, of which NumPy knows the order.
    pub(super) fn multibyte(self) -> Self {
        match self {
            Self::Big => Self::Big,
            Self::Little | Self::NotApplicable => Self::Little,
        }
    }
}

impl Number {
    /// Returns the size in bytes.
    #[must_use]
    pub fn itemsize(self) -> usize {
        match self {
            Self::Bool | Self::Int8 | Self::UInt8 => 1,
            Self::Int16 | Self::UInt16 | Self::Float16 => 2,
            Self::Int32 | Self::UInt32 | Self::Float32 => 4,
            Self::Int64 | Self::UInt64 | Self::Float64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
            Self::LongDouble(size) => usize::from(size),
            Self::ComplexLongDouble(size) => usize::from(size) * 2,
        }
    }

    /// Returns the letter of NumPy's kind: `b`, `i`, `u`, `f` or `c`.
    #[must_use]
    pub fn kind(self) -> char {
        match self {
            Self::Bool => 'b',
            Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64 => 'i',
            Self::UInt8 | Self::UInt16 | Self::UInt32 | Self::UInt64 => 'u',
            Self::Float16 | Self::Float32 | Self::Float64 | Self::LongDouble(_) => 'f',
            Self::Complex64 | Self::Complex128 | Self::ComplexLongDouble(_) => 'c',
        }
    }

    /// Returns the number of a kind and size, `f4`; or none.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        Some(match code {
            "b1" | "?" => Self::Bool,
            "i1" => Self::Int8,
            "i2" => Self::Int16,
            "i4" => Self::Int32,
            "i8" => Self::Int64,
            "u1" => Self::UInt8,
            "u2" => Self::UInt16,
            "u4" => Self::UInt32,
            "u8" => Self::UInt64,
            "f2" => Self::Float16,
            "f4" => Self::Float32,
            "f8" => Self::Float64,
            "f12" => Self::LongDouble(12),
            "f16" => Self::LongDouble(16),
            "c8" => Self::Complex64,
            "c16" => Self::Complex128,
            "c24" => Self::ComplexLongDouble(12),
            "c32" => Self::ComplexLongDouble(16),
            _ => return None,
        })
    }

    /// Returns what NumPy aligns the number to: its size, or that of one component.
    pub(super) fn alignment(self) -> usize {
        match self {
            // Where a long double takes 12 bytes, it is aligned to 4.
            Self::LongDouble(12) | Self::ComplexLongDouble(12) => 4,
            Self::Complex64 | Self::Complex128 => self.itemsize() / 2,
            Self::ComplexLongDouble(size) => usize::from(size).max(1),
            // A long double of no bytes is nothing NumPy has, but can be made.
            _ => self.itemsize().max(1),
        }
    }

    /// Returns true for the long doubles, whose bytes depend on the machine.
    pub(super) fn is_opaque(self) -> bool {
        matches!(self, Self::LongDouble(_) | Self::ComplexLongDouble(_))
    }
}
