//! Scalar kinds: the built-in numbers and those of ml_dtypes.

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
