//! Complex numbers as Python prints and parses them: `(1+2j)`.

use num_complex::Complex;

/// Returns what Python's `repr` gives.
///
/// The rule is CPython's `complex_repr`: a real part that is a positive zero is left out, and the
/// brackets with it.
pub(super) fn print(value: Complex<f64>) -> String {
    if value.re == 0.0 && value.re.is_sign_positive() {
        return format!("{}j", part(value.im));
    }
    let sign = match value.im.is_nan() || value.im.is_sign_positive() {
        true => "+",
        false => "",
    };
    format!("({}{sign}{}j)", part(value.re), part(value.im))
}

/// Prints a float in the fewest digits: with an exponent below 1e-4 and from 1e16 on, and without a
/// point where none is needed.
fn part(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = format!("{value:e}");
    let exponent = shortest.split_once('e');
    let exponent = exponent.and_then(|(digits, exponent)| Some((digits, exponent.parse().ok()?)));
    match exponent {
        Some((_, -4..=15)) | None => value.to_string(),
        Some((digits, exponent)) => {
            let exponent: i32 = exponent;
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}

/// Returns the number of a text, with or without its brackets.
pub(super) fn parse(text: &str) -> Option<Complex<f64>> {
    let bracketed = text.strip_prefix('(');
    let inner = match bracketed {
        Some(inner) => inner.strip_suffix(')')?,
        None => text,
    };
    let Some(body) = inner.strip_suffix(['j', 'J']) else {
        return Some(Complex::new(inner.parse().ok()?, 0.0));
    };
    // The sign between the parts is the last one that is not an exponent's.
    let bytes = body.as_bytes();
    let between = (1..bytes.len())
        .rev()
        .find(|&at| matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E'));
    let (re, im) = match between {
        Some(at) => (body[..at].parse().ok()?, &body[at..]),
        None => (0.0, body),
    };
    Some(Complex::new(re, im.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `repr(complex(re, im))` is in Python 3.11.
    #[test]
    fn complex_numbers_are_printed_as_python_prints_them() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (re, im, text) in [
            (1.0, 2.0, "(1+2j)"),
            (-1.0, -2.0, "(-1-2j)"),
            (0.0, 2.0, "2j"),
            (0.0, 0.0, "0j"),
            (0.0, -0.0, "-0j"),
            (-0.0, 2.0, "(-0+2j)"),
            (nan, inf, "(nan+infj)"),
            (-inf, nan, "(-inf+nanj)"),
            (0.1, 1e300, "(0.1+1e+300j)"),
            (1e16, 1e15, "(1e+16+1000000000000000j)"),
            (1.5e-5, 0.0001, "(1.5e-05+0.0001j)"),
            (
                5e-324,
                -1.7976931348623157e308,
                "(5e-324-1.7976931348623157e+308j)",
            ),
            (
                123456.789,
                9007199254740993.0,
                "(123456.789+9007199254740992j)",
            ),
        ] {
            let value = Complex::new(re, im);
            assert_eq!(print(value), text);
            let again = parse(text).unwrap();
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(same(again.re, re) && same(again.im, im), "{text}");
        }
        assert_eq!(parse("1+2j"), Some(Complex::new(1.0, 2.0)));
        assert_eq!(parse("1.5"), Some(Complex::new(1.5, 0.0)));
        for text in [
            "", "x", "(1+2j", "1+2j)", "1+j", "1_0j", "1+2", "é+2j", "()",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
