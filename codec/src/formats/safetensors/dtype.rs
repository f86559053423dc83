//! Which dtypes of NumPy are dtypes of safetensors.

use ::safetensors::Dtype;

use crate::dtype::{ByteOrder, DType, MlType, Number};

static SAME: [(Dtype, DType); 19] = [
    (Dtype::BOOL, single(Number::Bool)),
    (Dtype::U8, single(Number::UInt8)),
    (Dtype::I8, single(Number::Int8)),
    (Dtype::F8_E5M2, DType::Ml(MlType::Float8E5M2)),
    (Dtype::F8_E4M3, DType::Ml(MlType::Float8E4M3Fn)),
    (Dtype::F8_E8M0, DType::Ml(MlType::Float8E8M0Fnu)),
    (Dtype::F8_E4M3FNUZ, DType::Ml(MlType::Float8E4M3Fnuz)),
    (Dtype::F8_E5M2FNUZ, DType::Ml(MlType::Float8E5M2Fnuz)),
    (Dtype::I16, little(Number::Int16)),
    (Dtype::U16, little(Number::UInt16)),
    (Dtype::F16, little(Number::Float16)),
    (Dtype::BF16, DType::Ml(MlType::BFloat16)),
    (Dtype::I32, little(Number::Int32)),
    (Dtype::U32, little(Number::UInt32)),
    (Dtype::F32, little(Number::Float32)),
    (Dtype::C64, little(Number::Complex64)),
    (Dtype::F64, little(Number::Float64)),
    (Dtype::I64, little(Number::Int64)),
    (Dtype::U64, little(Number::UInt64)),
];

const fn single(number: Number) -> DType {
    DType::Number(number, ByteOrder::NotApplicable)
}

const fn little(number: Number) -> DType {
    DType::Number(number, ByteOrder::Little)
}

/// Returns NumPy's dtype; none for those of less than a byte.
pub(super) fn numpy(dtype: Dtype) -> Option<DType> {
    let found = SAME.iter().find(|(theirs, _)| *theirs == dtype);
    found.map(|(_, ours)| ours.clone())
}

/// Returns safetensors's dtype, or why there is none.
pub(super) fn theirs(dtype: &DType) -> Result<Dtype, String> {
    let same = |ours: &DType| match (ours, dtype) {
        // Single bytes have no order, whatever a program says.
        (DType::Number(ours, _), DType::Number(number, _)) if number.itemsize() == 1 => {
            ours == number
        }
        _ => ours == dtype,
    };
    if let Some((theirs, _)) = SAME.iter().find(|(_, ours)| same(ours)) {
        return Ok(*theirs);
    }
    Err(match dtype {
        DType::Number(number, ByteOrder::Big)
            if theirs(&DType::Number(*number, ByteOrder::Little)).is_ok() =>
        {
            "its numbers are little-endian".to_owned()
        }
        DType::Number(Number::Complex128, _) => "complex64 is its only complex type".to_owned(),
        DType::Ml(MlType::Float4E2M1Fn | MlType::Float6E2M3Fn | MlType::Float6E3M2Fn) => {
            "it packs items of less than a byte, and NumPy does not".to_owned()
        }
        _ => "it has no such type".to_owned(),
    })
}
