//! The types that ml_dtypes adds, which NumPy knows by name only.

use std::fmt;

/// The types that ml_dtypes adds to NumPy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MlType {
    /// `bfloat16`, two bytes.
    BFloat16,
    /// `float8_e3m4`
    Float8E3M4,
    /// `float8_e4m3`
    Float8E4M3,
    /// `float8_e4m3b11fnuz`
    Float8E4M3B11Fnuz,
    /// `float8_e4m3fn`
    Float8E4M3Fn,
    /// `float8_e4m3fnuz`
    Float8E4M3Fnuz,
    /// `float8_e5m2`
    Float8E5M2,
    /// `float8_e5m2fnuz`
    Float8E5M2Fnuz,
    /// `float8_e8m0fnu`
    Float8E8M0Fnu,
    /// `float6_e2m3fn`, one byte an item.
    Float6E2M3Fn,
    /// `float6_e3m2fn`, one byte an item.
    Float6E3M2Fn,
    /// `float4_e2m1fn`, one byte an item.
    Float4E2M1Fn,
    /// `int1`, one byte an item.
    Int1,
    /// `int2`, one byte an item.
    Int2,
    /// `int4`, one byte an item.
    Int4,
    /// `uint1`, one byte an item.
    UInt1,
    /// `uint2`, one byte an item.
    UInt2,
    /// `uint4`, one byte an item.
    UInt4,
}

impl MlType {
    const ALL: [Self; 18] = [
        Self::BFloat16,
        Self::Float8E3M4,
        Self::Float8E4M3,
        Self::Float8E4M3B11Fnuz,
        Self::Float8E4M3Fn,
        Self::Float8E4M3Fnuz,
        Self::Float8E5M2,
        Self::Float8E5M2Fnuz,
        Self::Float8E8M0Fnu,
        Self::Float6E2M3Fn,
        Self::Float6E3M2Fn,
        Self::Float4E2M1Fn,
        Self::Int1,
        Self::Int2,
        Self::Int4,
        Self::UInt1,
        Self::UInt2,
        Self::UInt4,
    ];

    /// Returns the name that ml_dtypes registers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BFloat16 => "bfloat16",
            Self::Float8E3M4 => "float8_e3m4",
            Self::Float8E4M3 => "float8_e4m3",
            Self::Float8E4M3B11Fnuz => "float8_e4m3b11fnuz",
            Self::Float8E4M3Fn => "float8_e4m3fn",
            Self::Float8E4M3Fnuz => "float8_e4m3fnuz",
            Self::Float8E5M2 => "float8_e5m2",
            Self::Float8E5M2Fnuz => "float8_e5m2fnuz",
            Self::Float8E8M0Fnu => "float8_e8m0fnu",
            Self::Float6E2M3Fn => "float6_e2m3fn",
            Self::Float6E3M2Fn => "float6_e3m2fn",
            Self::Float4E2M1Fn => "float4_e2m1fn",
            Self::Int1 => "int1",
            Self::Int2 => "int2",
            Self::Int4 => "int4",
            Self::UInt1 => "uint1",
            Self::UInt2 => "uint2",
            Self::UInt4 => "uint4",
        }
    }

    /// Returns the type of a name, or none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ml| ml.name() == name)
    }

    /// Returns the size in bytes; types of a few bits take a whole byte.
    #[must_use]
    pub fn itemsize(self) -> usize {
        match self {
            Self::BFloat16 => 2,
            _ => 1,
        }
    }

    /// Returns `dtype.str`, which all but one share with opaque bytes.
    pub(super) fn str_text(self) -> &'static str {
        match self {
            Self::BFloat16 => "<V2",
            Self::Float8E5M2 => "<f1",
            _ => "<V1",
        }
    }
}

impl fmt::Display for MlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
