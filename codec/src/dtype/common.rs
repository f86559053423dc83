//! The texts that nearly every array has, known without parsing or printing: those of the plain numbers,
//! and of the records that `elements.compress` makes, of which a replay buffer has two for each element.

use super::{ByteOrder, DType, Number, Record};

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
    match found {
        Some(&(_, number, order)) => Some(DType::Number(number, order)),
        None => compressed(text).map(DType::Record),
    }
}

/// Returns the record of a compressed array whose columns have bytes.
fn compressed(text: &str) -> Option<Record> {
    let (block, rest) = number(text.strip_prefix("[('data', '|u1', (")?)?;
    let (axes, rest) = number(rest.strip_prefix(",)), ('shape', '<i4', (")?)?;
    let (name, rest) = number(rest.strip_prefix(",)), ('dtype', '|S")?)?;
    let record = (rest == "')]").then(|| Record::compressed(block, axes, name));
    record?
}

/// Takes a decimal number that is not 0 off a text.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = text.split_at(end);
    let number = digits.parse().ok().filter(|_| !digits.starts_with('0'));
    number.map(|number| (number, rest))
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
    use super::super::parser::Parser;
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

    #[test]
    fn compressed_records_are_what_the_parser_makes_of_them() {
        let text = |block: &str, axes: &str, name: &str| {
            format!(
                "[('data', '|u1', ({block},)), ('shape', '<i4', ({axes},)), ('dtype', '|S{name}')]"
            )
        };
        for (block, axes, name) in [
            ("1", "1", "1"),
            ("28224", "3", "3"),
            ("2147483000", "64", "4"),
        ] {
            let text = text(block, axes, name);
            let record = compressed(&text).map(DType::Record).unwrap();
            let parsed = Parser::whole(&text).unwrap();
            assert_eq!((&record, record.depth()), (&parsed, parsed.depth()));
            assert_eq!(
                (record.itemsize(), record.text()),
                (parsed.itemsize(), text)
            );
        }
        for (block, axes, name) in [
            ("0", "3", "3"),
            ("07", "3", "3"),
            ("+7", "3", "3"),
            ("7", "", "3"),
            ("7", "3", "3 "),
            ("7", "3", "-1"),
            ("2147483647", "3", "3"),
            ("18446744073709551615", "1", "1"),
            ("18446744073709551616", "1", "1"),
            ("7", "4611686018427387904", "3"),
        ] {
            assert!(
                compressed(&text(block, axes, name)).is_none(),
                "{block} {axes} {name}"
            );
        }
        let plain = text("7", "3", "3");
        for end in 0..plain.len() {
            assert!(compressed(&plain[..end]).is_none());
        }
        assert!(compressed(&format!("{plain} ")).is_none());
    }
}
