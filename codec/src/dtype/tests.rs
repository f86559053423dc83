//! Texts, sizes, offsets and alignments as NumPy 2.4.6 with ml_dtypes 0.6.0 gives them.

use super::*;

/// `repr(dtype.str)` or `repr(dtype.descr)`, itemsize, offsets of the fields.
#[rustfmt::skip]
const PRINTED: &[(&str, usize, &[usize])] = &[
    ("'|b1'", 1, &[]),
    ("'|i1'", 1, &[]),
    ("'<i2'", 2, &[]),
    ("'>i4'", 4, &[]),
    ("'<u8'", 8, &[]),
    ("'<f2'", 2, &[]),
    ("'<f4'", 4, &[]),
    ("'>f8'", 8, &[]),
    ("'<f16'", 16, &[]),
    ("'<c8'", 8, &[]),
    ("'>c16'", 16, &[]),
    ("'<c32'", 32, &[]),
    ("'<U2'", 8, &[]),
    ("'>U3'", 12, &[]),
    ("'<U0'", 0, &[]),
    ("'|S2'", 2, &[]),
    ("'|S0'", 0, &[]),
    ("'<M8'", 8, &[]),
    ("'<M8[ns]'", 8, &[]),
    ("'>M8[D]'", 8, &[]),
    ("'<m8[25s]'", 8, &[]),
    ("'<m8[2147483647as]'", 8, &[]),
    ("[('', '|V4')]", 4, &[]),
    ("[('', '|V0')]", 0, &[]),
    ("[('', '<V2')]", 2, &[]),
    ("[('', '<V1')]", 1, &[]),
    ("'<f1'", 1, &[]),
    ("[]", 0, &[]),
    ("[('a', '<i4'), ('m', '|u1', (2, 3)), ('p', [('x', '<f4'), ('y', '<f4')]), (('title', 'name'), '<i4')]", 22, &[0, 4, 10, 18]),
    ("[('foo', [('a', '<f8'), ('b', '<i8')]), ('bar', '<f4', (2, 3)), (('title', 'nm'), '|S3')]", 43, &[0, 16, 40]),
    ("[('data', '|u1', (14,)), ('shape', '<i4', (1,)), ('dtype', '|S3')]", 21, &[0, 14, 18]),
    ("[('data', '|u1', (14,)), ('shape', '<i4', (0,)), ('dtype', '|S3')]", 17, &[0, 14, 14]),
    ("[('a', '|i1'), ('b', '<V2'), ('c', '|V3'), ('d', [])]", 6, &[0, 1, 3, 6]),
    (r#"[("it's", '<f4'), ('q"\'', '<f4'), ('\n\x00\x7f\xad\u200b\\', '<f4'), ('é 😀\U000e0001', '|i1')]"#, 13, &[0, 4, 8, 12]),
    ("[('a', '|i1'), ('', '|V7'), ('b', '<f8')]", 16, &[0, 8]),
    ("[('a', '|i1'), ('', '|V7'), ('b', '<c16'), ('c', '<U1'), ('d', '|S3'), ('', '|V1')]", 32, &[0, 8, 24, 28]),
    ("[('a', '|i1'), ('', '|V7'), ('b', [('x', '<f8'), ('y', '|i1'), ('', '|V7')])]", 24, &[0, 8]),
    ("[('a', '|i1'), ('b', [('x', '<f8'), ('y', '|i1'), ('', '|V7')])]", 17, &[0, 1]),
    ("[('', '|V2'), (('T', 'a'), '<i4'), ('', '|V2'), ('b', '<i4', (2,)), ('', '|V4')]", 20, &[2, 8]),
    ("[('a', [('', '|V3')])]", 3, &[0]),
];

fn parse(text: &str) -> DType {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn offsets(dtype: &DType) -> Vec<usize> {
    match dtype {
        DType::Record(record) => record.fields().iter().map(Field::offset).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn what_numpy_prints_is_read_and_printed_again() {
    for &(text, itemsize, places) in PRINTED {
        let dtype = parse(text);
        assert_eq!(dtype.itemsize(), itemsize, "{text}");
        assert_eq!(offsets(&dtype), places, "{text}");
        assert_eq!(dtype.descr().as_deref(), Some(text));
        assert_eq!(parse(&dtype.text()), dtype, "{text}");
    }
}

#[test]
fn dicts_keep_offsets_and_alignment() {
    // `str(dtype)`, itemsize, alignment, offsets.
    #[rustfmt::skip]
    let printed: [(&str, usize, usize, &[usize]); 3] = [
        ("{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}", 16, 8, &[0, 8]),
        ("{'names': ['a', 'b', 'c'], 'formats': ['i1', [('x', '<f8'), ('y', 'i1')], '?'], 'offsets': [0, 8, 24], 'itemsize': 32, 'aligned': True}", 32, 8, &[0, 8, 24]),
        ("{'itemsize': 8, 'offsets': [4, 0], 'formats': ['<i4', '<i4'], 'names': ['a', 'b']}", 8, 1, &[4, 0]),
    ];
    for (text, itemsize, alignment, places) in printed {
        let dtype = parse(text);
        assert_eq!(
            (dtype.itemsize(), dtype.alignment()),
            (itemsize, alignment),
            "{text}"
        );
        assert_eq!(offsets(&dtype), places, "{text}");
        assert_eq!(parse(&dtype.text()), dtype, "{text}");
    }
    assert_eq!(parse(printed[2].0).descr(), None);
}

#[test]
fn the_written_text_keeps_what_the_printed_one_loses() {
    for (text, written) in [
        (
            "[('a', '|i1'), ('b', 'bfloat16')]",
            "[('a', '|i1'), ('b', 'bfloat16')]",
        ),
        ("\"float8_e4m3fn\"", "'float8_e4m3fn'"),
        ("'<f1'", "'float8_e5m2'"),
        ("'<V2'", "[('', '<V2')]"),
        ("'V3'", "[('', '|V3')]"),
        ("'=u4'", "'<u4'"),
        ("'<S3'", "'|S3'"),
        ("'>b1'", "'|b1'"),
        ("[(np.str_('a'), '<f4', 3), ]", "[('a', '<f4', (3,))]"),
        (
            r"[('\x61\u00e9\U0001f600', ('<f4', (2,)), (3,))]",
            "[('aé😀', '<f4', (3, 2))]",
        ),
        (
            "[('p', [('a', '|i1'), ('', '|V1'), (('T', 'b'), '<i2', (2,))])]",
            "[('p', {'names': ['a', 'b'], 'formats': ['|i1', ('<i2', (2,))], 'offsets': [0, 2], \
             'titles': [None, 'T'], 'itemsize': 6})]",
        ),
    ] {
        assert_eq!(parse(text).text(), written);
        assert_eq!(parse(written), parse(text));
    }
}

#[test]
fn layouts_are_those_of_numpy() -> Result<(), DTypeError> {
    let inner = [("x", "'|u1'"), ("y", "'<f8'")];
    let outer = [
        ("a", "'|i1'"),
        ("l", "'<f16'"),
        ("u", "'<U1'"),
        ("s", "'|S3'"),
        ("m", "'<M8[s]'"),
        ("c", "'<c8'"),
        ("h", "'bfloat16'"),
    ];
    let plain = |(name, text): (&str, &str)| (name.to_owned(), parse(text), Vec::new());
    let columns = |inner: Record| {
        let mut fields: Vec<_> = outer.into_iter().map(plain).collect();
        fields.push(("n".into(), DType::Record(inner), vec![]));
        fields.push(("k".into(), parse("'<i2'"), vec![3]));
        fields.push(("e".into(), parse("'|b1'"), vec![]));
        fields
    };
    let nested = Record::aligned(inner.into_iter().map(plain).collect())?;
    let aligned = Record::aligned(columns(nested))?;
    assert_eq!((aligned.itemsize(), aligned.alignment()), (96, 16));
    let aligned = DType::Record(aligned);
    assert_eq!(offsets(&aligned), [0, 16, 32, 36, 40, 48, 56, 64, 80, 86]);
    assert_eq!(parse(&aligned.text()), aligned);

    let nested = Record::packed(inner.into_iter().map(plain).collect())?;
    let packed = Record::packed(columns(nested))?;
    assert_eq!(
        (packed.itemsize(), packed.alignment(), packed.is_packed()),
        (58, 1, true)
    );
    assert_eq!(
        offsets(&DType::Record(packed)),
        [0, 1, 17, 21, 24, 32, 40, 42, 51, 57]
    );
    Ok(())
}

fn refusal(text: &str) -> DTypeError {
    match text.parse::<DType>() {
        Ok(dtype) => panic!("`{text}` was read as {dtype:?}"),
        Err(error) => error,
    }
}

fn short(kind: &DTypeErrorKind) -> &'static str {
    match kind {
        DTypeErrorKind::Syntax { .. } => "syntax",
        DTypeErrorKind::Object { .. } => "object",
        DTypeErrorKind::UnknownType { .. } => "unknown",
        DTypeErrorKind::Unit { .. } => "unit",
        DTypeErrorKind::TooDeep => "deep",
        DTypeErrorKind::TooLarge => "large",
        DTypeErrorKind::Names { .. } => "names",
        DTypeErrorKind::Layout { .. } => "layout",
    }
}

#[test]
fn refusals_say_what_and_where() {
    for (text, column, kind) in [
        ("'|O'", 1, "object"),
        ("'|O8'", 1, "object"),
        ("'object'", 1, "object"),
        ("'|T16'", 1, "object"),
        ("'StringDType()'", 1, "object"),
        ("[('a', '<i4'), ('p', [('b', '|O')])]", 29, "object"),
        (
            "{'names': ['a'], 'formats': [('O', (2,))], 'offsets': [0], 'itemsize': 16}",
            31,
            "object",
        ),
        ("None", 0, "syntax"),
        ("", 0, "syntax"),
        ("<f4", 0, "syntax"),
        ("float32", 0, "syntax"),
        ("u'<f4'", 0, "syntax"),
        ("b'<f4'", 0, "syntax"),
        ("'<f4' # single", 6, "syntax"),
        ("'<f4' ''", 6, "syntax"),
        ("'<f4", 4, "syntax"),
        ("('<f4', (2,))", 0, "syntax"),
        ("[('a', ('<f4', {'k': 1}))]", 15, "syntax"),
        ("[('a', '<f4', -1)]", 14, "syntax"),
        ("[('a', '<f4', 2L)]", 14, "syntax"),
        (r"[('\ud83d\ude00', '<f4')]", 3, "syntax"),
        (
            "{'names': ['a'], 'formats': ['<i4'], 'offsets': [0]}",
            0,
            "syntax",
        ),
        ("'i4,f4'", 1, "unknown"),
        ("'<i3'", 1, "unknown"),
        ("'<<i4'", 1, "unknown"),
        ("''", 1, "unknown"),
        ("'<M8[0s]'", 1, "unit"),
        ("'<M8[xx]'", 1, "unit"),
        ("'<m8[2147483648s]'", 1, "unit"),
        ("'|S99999999999'", 1, "large"),
        ("'<U536870912'", 1, "large"),
        ("[('a', '|u1', (2147483648,))]", 15, "large"),
        ("[('a', '<i4', (65536, 32768))]", 2, "large"),
        ("[('a', '|S2147483647'), ('b', '|S1')]", 25, "large"),
        ("[('a', '<i4'), ('a', '<i4')]", 16, "names"),
        ("[('a', '<i4'), (('a', 'b'), '<i4')]", 22, "names"),
        ("[('', '<i4')]", 2, "names"),
        (
            "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [0, 2], 'itemsize': 8}",
            16,
            "layout",
        ),
        (
            "{'names': ['a'], 'formats': ['<i4'], 'offsets': [5], 'itemsize': 8}",
            11,
            "layout",
        ),
        (
            "{'names': ['a'], 'formats': [], 'offsets': [0], 'itemsize': 8}",
            0,
            "layout",
        ),
    ] {
        let error = refusal(text);
        assert_eq!(error.column(), Some(column), "{error}");
        assert_eq!(short(error.kind()), kind, "{error}");
    }
    assert_eq!(
        refusal("[('a', '|O')]").to_string(),
        "object dtype `|O` is refused at column 8 of dtype text `[('a', '|O')]`"
    );
}

#[test]
fn brackets_in_brackets_end_before_the_stack_does() -> Result<(), Box<dyn std::error::Error>> {
    let levels = |n: usize| format!("{}'<i4'{}", "[('a', ".repeat(n), ")]".repeat(n));
    assert_eq!(parse(&levels(16)).itemsize(), 4);
    assert_eq!(refusal(&levels(17)).kind(), &DTypeErrorKind::TooDeep);
    let hostile = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let dict = "{'aligned': True, 'formats': [".repeat(20_000);
            [
                levels(20_000),
                "[('a', (".repeat(20_000),
                dict,
                "(".repeat(5_000),
                "[(".repeat(20_000),
            ]
            .map(|text| *refusal(&text).kind() == DTypeErrorKind::TooDeep)
        })?;
    assert_eq!(
        hostile.join().map_err(|_| "a panic")?,
        [true, true, true, false, false]
    );
    Ok(())
}

#[test]
fn no_record_can_be_made_whose_text_is_not_read() {
    let mut dtype = parse("'<i4'");
    let made = (0..100).find_map(|_| {
        // An item with padding, whose text is a dict with a sub-array: three brackets a level.
        let size = dtype.itemsize() + 1;
        match Record::new(vec![Field::new("a", dtype.clone(), vec![1], 0)], size) {
            Ok(record) => {
                dtype = DType::Record(record);
                None
            }
            Err(error) => Some(error),
        }
    });
    assert_eq!(
        made.map(|error| error.kind().clone()),
        Some(DTypeErrorKind::TooDeep)
    );
    assert_eq!(parse(&dtype.text()), dtype);
}

/// `str(dtype)` and the text that is written, as NumPy 2.4.6 with ml_dtypes 0.6.0 gives them.
#[rustfmt::skip]
const NAMED: &[(&str, &str)] = &[
    ("bool", "'|b1'"),
    ("uint8", "'|u1'"),
    ("float32", "'<f4'"),
    (">f4", "'>f4'"),
    ("|S3", "'|S3'"),
    ("|V4", "[('', '|V4')]"),
    ("<U3", "'<U3'"),
    (">U3", "'>U3'"),
    ("datetime64[25s]", "'<M8[25s]'"),
    (">M8[ns]", "'>M8[ns]'"),
    ("timedelta64", "'<m8'"),
    ("float128", "'<f16'"),
    ("complex256", "'<c32'"),
    ("|S0", "'|S0'"),
    ("bfloat16", "'bfloat16'"),
    ("int4", "'int4'"),
    ("[('a', '?'), ('b', 'u1'), ('c', 'S3'), ('d', 'V4'), ('e', '<U2'), ('f', '<f4', (2,)), ('g', '<f4', (2, 3))]",
     "[('a', '|b1'), ('b', '|u1'), ('c', '|S3'), ('d', '|V4'), ('e', '<U2'), ('f', '<f4', (2,)), ('g', '<f4', (2, 3))]"),
    ("[('a', bfloat16)]", "[('a', 'bfloat16')]"),
    ("[(('t', 'n'), '<i4')]", "[(('t', 'n'), '<i4')]"),
    ("[('a', [('x', 'u1'), ('y', '>i2')]), ('b', '<M8[ns]')]", "[('a', [('x', '|u1'), ('y', '>i2')]), ('b', '<M8[ns]')]"),
    ("{'names': ['a', 'b'], 'formats': ['u1', ('<i2', (3,))], 'offsets': [0, 2], 'titles': ['x', None], 'itemsize': 8}",
     "{'names': ['a', 'b'], 'formats': ['|u1', ('<i2', (3,))], 'offsets': [0, 2], 'titles': ['x', None], 'itemsize': 8}"),
    ("[('a', 'S'), ('b', '<U')]", "[('a', '|S0'), ('b', '<U0')]"),
    ("{'names': ['a', 'b'], 'formats': ['u1', '<i4'], 'offsets': [0, 4], 'itemsize': 8, 'aligned': True}",
     "{'names': ['a', 'b'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 8}"),
    ("{'names': ['r', 'g'], 'formats': ['u1', '?'], 'offsets': [0, 1], 'itemsize': 2, 'aligned': True}",
     "[('r', '|u1'), ('g', '|b1')]"),
];

#[test]
fn names_are_what_python_prints() {
    for &(name, text) in NAMED {
        let dtype = DType::from_name(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((dtype.name().as_str(), dtype.text().as_str()), (name, text));
    }
    // What is aligned inside of a record, str does not say.
    let inner = Record::aligned(vec![
        ("a".into(), "'|u1'".parse().unwrap(), vec![]),
        ("b".into(), "'<i4'".parse().unwrap(), vec![]),
    ]);
    let outer = Record::packed(vec![("n".into(), DType::Record(inner.unwrap()), vec![])]).unwrap();
    let outer = DType::Record(outer);
    let name = "[('n', [('a', 'u1'), ('b', '<i4')])]";
    assert_eq!(outer.name(), name);
    #[cfg(feature = "flower")]
    assert_eq!(outer.named(&DType::from_name(name).unwrap()), Some(outer));
    for name in [
        "object",
        "|O",
        "float31",
        "",
        "bfloat16 ",
        "[('a', float31)]",
        "numpy.float32",
        "(numpy.record)",
        "(numpy.record, [('a', 'u1')]) ()",
        "('<i4', (2,))",
        // A field that alone is not aligned.
        "{'names': ['a', 'b'], 'formats': ['u1', '<i4'], 'offsets': [0, 1], 'itemsize': 5, 'aligned': True}",
    ] {
        assert_eq!(DType::from_name(name), None, "{name}");
    }
}

/// Names that `str` gives to dtypes of which it does not say all: packed records in aligned ones, and
/// the classes of recarrays.
#[rustfmt::skip]
const LESS_NAMED: &[(&str, &str)] = &[
    ("{'names': ['k'], 'formats': [[('a', 'u1'), ('b', '<i4')]], 'offsets': [0], 'itemsize': 5, 'aligned': True}",
     "[('k', [('a', '|u1'), ('b', '<i4')])]"),
    ("{'names': ['j', 'k'], 'formats': ['<f4', {'names': ['a', 'b'], 'formats': ['u1', '<i2'], 'offsets': [0, 1], 'itemsize': 5}], 'offsets': [0, 4], 'itemsize': 12, 'aligned': True}",
     "{'names': ['j', 'k'], 'formats': ['<f4', {'names': ['a', 'b'], 'formats': ['|u1', '<i2'], 'offsets': [0, 1], 'itemsize': 5}], 'offsets': [0, 4], 'itemsize': 12}"),
    ("(numpy.record, [('a', '<i4')])", "[('a', '<i4')]"),
    ("(numpy.record, [('p', (numpy.record, [('u', '<i8'), ('v', '<f8')])), ('q', '<i8')])",
     "[('p', [('u', '<i8'), ('v', '<f8')]), ('q', '<i8')]"),
    ("{'names': ['n', 'm'], 'formats': [((numpy.record, [('u', '<i8')]), (2,)), '<u4'], 'offsets': [0, 16], 'itemsize': 20, 'aligned': True}",
     "[('n', [('u', '<i8')], (2,)), ('m', '<u4')]"),
];

#[test]
fn names_that_say_less_are_read() {
    for &(name, text) in LESS_NAMED {
        let dtype = DType::from_name(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(dtype.text(), text);
    }
}
