//! The exact words of what is wrong with a dtype.

use super::*;

kinds!(DTypeErrorKind, dtype_name, DTYPE_NAMES:
    Syntax Object UnknownType Unit TooDeep TooLarge Names Layout
);

#[test]
fn every_kind_of_dtype_error_has_its_words() {
    let deep = "[('a', ".repeat(40);
    let deep_words = format!(
        "more than 32 brackets inside each other at column 112 of dtype text `{}… (280 bytes)`",
        &deep[..120]
    );
    let of = |text: &str| text.parse::<DType>().unwrap_err();
    let twice = ["a", "a"].map(|name| (name.to_owned(), of_text("'|u1'"), vec![]));
    let table: Vec<(DTypeError, &str)> = vec![
        (
            of("<f4"),
            "expected a quoted text, a number or a bracket at column 0 of dtype text `<f4`",
        ),
        (
            of("[('a', '|O')]"),
            "object dtype `|O` is refused at column 8 of dtype text `[('a', '|O')]`",
        ),
        (
            of("'<i3'"),
            "unknown dtype `<i3` at column 1 of dtype text `'<i3'`",
        ),
        (
            of("'\u{1b}[31m'"),
            "unknown dtype `\\u{1b}[31m` at column 1 of dtype text `'\\u{1b}[31m'`",
        ),
        (
            of("'<M8[xx]'"),
            "unknown unit of time in `<M8[xx]` at column 1 of dtype text `'<M8[xx]'`",
        ),
        (of(&deep), &deep_words),
        (
            of("'|S99999999999'"),
            "a size or offset passes 2147483647 bytes at column 1 of dtype text `'|S99999999999'`",
        ),
        (
            of("[('a', '<i4'), ('a', '<i4')]"),
            "field name `a` occurs twice at column 16 of dtype text `[('a', '<i4'), ('a', '<i4')]`",
        ),
        (
            of("[('', '<i4')]"),
            "field name `` is empty, and the field is no padding at column 2 of dtype text `[('', \
             '<i4')]`",
        ),
        (
            of("{'names': ['a'], 'formats': ['<i4'], 'offsets': [5], 'itemsize': 8}"),
            "field `a` passes the end of the item at column 11 of dtype text `{'names': ['a'], \
             'formats': ['<i4'], 'offsets': [5], 'itemsize': 8}`",
        ),
        (
            of("{'names': ['a'], 'formats': [], 'offsets': [0], 'itemsize': 8}"),
            "the record has lists of unequal lengths at column 0 of dtype text `{'names': ['a'], \
             'formats': [], 'offsets': [0], 'itemsize': 8}`",
        ),
        (
            Record::packed(twice.into()).unwrap_err(),
            "field name `a` occurs twice",
        ),
    ];
    for (error, text) in &table {
        assert_eq!(error.to_string(), *text);
    }
    complete(
        DTYPE_NAMES,
        table.iter().map(|(error, _)| dtype_name(error.kind())),
    );
}

fn of_text(text: &str) -> DType {
    text.parse().unwrap()
}
