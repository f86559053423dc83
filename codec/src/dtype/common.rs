//! The texts of the plain numbers, which nearly every array has: known without parsing or printing.

use super::{ByteOrder, DType, Number};

const COMMON: [(&str, Number, ByteOrder); 14] = [
    ("'|b1'", Number::Bool, ByteOrder::NotApplicable),
    ("'|i1'", Number::Int8, ByteOrder::NotApplicable),
    ("'<i2'", Number::Int16, ByteOrder::Little),
    ("'<i4'", Number::Int32, ByteOrder::Little),
    ("'<i8'", Number::Int64, ByteOrder::Little),
    ("'|u1'", Number::UInt8, ByteOrder::NotApplicable),
    ("'<u2'", Number::UInt16, ByteOrder::Little),
    ("'<u4'", Number::UInt32, ByteOrder::Little),
    ("'<u8'", Number::UInt64, ByteOrder::Little),
    ("'<f2'", Number::Float16, ByteOrder::Little),
    ("'<f4'", Number::Float32, ByteOrder::Little),
    ("'<f8'", Number::Float64, ByteOrder::Little),
    ("'<c8'", Number::Complex64, ByteOrder::Little),
    ("'<c16'", Number::Complex128, ByteOrder::Little),
];

/// Returns the dtype of a common text.
pub(super) fn dtype(text: &str) -> Option<DType> {
    let found = COMMON.iter().find(|(common, ..)| *common == text);
    found.map(|&(_, number, order)| DType::Number(number, order))
}

impl DType {
    /// Returns the text of a common dtype.
    pub(crate) fn common_text(&self) -> Option<&'static str> {
        let Self::Number(number, order) = self else {
            return None;
        };
        let found = COMMON.iter().find(|(_, common, _)| common == number);
        found
            .filter(|(.., common)| common == order)
            .map(|(text, ..)| *text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_are_those_that_are_printed() {
        for (text, number, order) in COMMON {
            let common = DType::Number(number, order);
            assert_eq!(common.to_string(), text);
            assert_eq!(
                (dtype(text), common.common_text()),
                (Some(common), Some(text))
            );
        }
        assert_eq!(
            DType::Number(Number::Int16, ByteOrder::Big).common_text(),
            None
        );
    }
}
