//! What stands between the quotes: `<f4`, `|S3`, `<M8[ns]`, `bfloat16`.

use std::fmt;

use super::error::DTypeErrorKind;
use super::layout::MOST;
use super::{ByteOrder, DType, DatetimeUnit, MlType, Number};

/// Reads a type that is no record.
pub(super) fn parse(text: &str) -> Result<DType, DTypeErrorKind> {
    if let Some(ml) = MlType::from_name(text) {
        return Ok(DType::Ml(ml));
    }
    let order = text
        .chars()
        .next()
        .filter(|c| matches!(c, '<' | '>' | '|' | '='));
    let code = &text[order.map_or(0, char::len_utf8)..];
    if is_object(code) {
        return Err(DTypeErrorKind::object(text));
    }
    let multibyte = if order == Some('>') {
        ByteOrder::Big
    } else {
        ByteOrder::Little
    };
    let (kind, rest) = match code.chars().next() {
        Some(kind) => (kind, &code[kind.len_utf8()..]),
        None => return Err(DTypeErrorKind::unknown(text)),
    };
    match kind {
        'S' => Ok(DType::Bytes(length(rest, 1, text)?)),
        'U' => Ok(DType::Unicode(length(rest, 4, text)?, multibyte)),
        'V' => {
            let given = match order {
                Some('<') => ByteOrder::Little,
                Some('>') => ByteOrder::Big,
                _ => ByteOrder::NotApplicable,
            };
            Ok(DType::Void(length(rest, 1, text)?, given))
        }
        'M' | 'm' if rest.starts_with('8') => {
            let unit = DatetimeUnit::parse(&rest[1..]).ok_or_else(|| DTypeErrorKind::unit(text))?;
            Ok(if kind == 'M' {
                DType::Datetime(unit, multibyte)
            } else {
                DType::Timedelta(unit, multibyte)
            })
        }
        // The one type of ml_dtypes whose `dtype.str` is no void.
        'f' if rest == "1" => Ok(DType::Ml(MlType::Float8E5M2)),
        _ => {
            let number = Number::from_code(code).ok_or_else(|| DTypeErrorKind::unknown(text))?;
            let order = if number.itemsize() == 1 {
                ByteOrder::NotApplicable
            } else {
                multibyte
            };
            Ok(DType::Number(number, order))
        }
    }
}

/// Returns true for all spellings of NumPy's two types that hold pointers.
fn is_object(code: &str) -> bool {
    let sized = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
    code.strip_prefix(['O', 'T']).is_some_and(sized)
        || code.starts_with("object")
        || code.starts_with("StringDType")
}

/// Reads a length in units of `size` bytes; NumPy prints none for 0 within records.
fn length(digits: &str, size: usize, text: &str) -> Result<usize, DTypeErrorKind> {
    if digits.is_empty() {
        return Ok(0);
    }
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    if leading_zero || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DTypeErrorKind::unknown(text));
    }
    let length = digits
        .parse()
        .ok()
        .filter(|&length: &usize| length <= MOST / size);
    length.ok_or(DTypeErrorKind::TooLarge)
}

/// Prints `dtype.str`; nothing for a record.
pub(super) struct Code<'a>(pub(super) &'a DType);

impl fmt::Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.0.byte_order().as_char();
        match self.0 {
            DType::Number(number, _) => write!(f, "{order}{}{}", number.kind(), number.itemsize()),
            DType::Ml(ml) => f.write_str(ml.str_text()),
            DType::Unicode(length, _) => write!(f, "{order}U{length}"),
            DType::Bytes(length) => write!(f, "{order}S{length}"),
            DType::Void(length, _) => write!(f, "{order}V{length}"),
            DType::Datetime(unit, _) => write!(f, "{order}M8{unit}"),
            DType::Timedelta(unit, _) => write!(f, "{order}m8{unit}"),
            DType::Record(_) => Ok(()),
        }
    }
}
