//! Headers as NumPy 2.4.6 with ml_dtypes 0.6.0 writes and refuses them.

use super::*;

/// Dtype text, shape, Fortran order; version, bytes before the payload, text without its padding.
type Written = (
    &'static str,
    &'static [usize],
    bool,
    u8,
    usize,
    &'static str,
);

#[rustfmt::skip]
const WRITTEN: &[Written] = &[
    ("'<f4'", &[2], false, 1, 128, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"),
    ("'|b1'", &[], false, 1, 128, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }"),
    ("'>i8'", &[2, 3], true, 1, 128, "{'descr': '>i8', 'fortran_order': True, 'shape': (2, 3), }"),
    ("'|u1'", &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100], false, 1, 192, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100), }"),
    ("'bfloat16'", &[0, 3], false, 1, 128, "{'descr': '<V2', 'fortran_order': False, 'shape': (0, 3), }"),
    ("'float8_e5m2'", &[1], false, 1, 128, "{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }"),
    ("'int4'", &[1], false, 1, 128, "{'descr': '<V1', 'fortran_order': False, 'shape': (1,), }"),
    ("[('', '|V4')]", &[2], false, 1, 128, "{'descr': '|V4', 'fortran_order': False, 'shape': (2,), }"),
    ("'<U3'", &[1], false, 1, 128, "{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }"),
    ("'<M8[25s]'", &[1], false, 1, 128, "{'descr': '<M8[25s]', 'fortran_order': False, 'shape': (1,), }"),
    ("'<c32'", &[1], false, 1, 128, "{'descr': '<c32', 'fortran_order': False, 'shape': (1,), }"),
    ("[('a', '<i4'), ('b', 'bfloat16', (2,))]", &[3], false, 1, 128, "{'descr': [('a', '<i4'), ('b', '<V2', (2,))], 'fortran_order': False, 'shape': (3,), }"),
    ("{'names': ['a', 'b'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 12}", &[1], false, 1, 192, "{'descr': [('a', '|u1'), ('', '|V3'), ('b', '<i4'), ('', '|V4')], 'fortran_order': False, 'shape': (1,), }"),
    ("[('é', '<i4')]", &[1], false, 1, 128, "{'descr': [('é', '<i4')], 'fortran_order': False, 'shape': (1,), }"),
    ("[('α', '<i4')]", &[1], false, 3, 128, "{'descr': [('α', '<i4')], 'fortran_order': False, 'shape': (1,), }"),
    ("'<f2'", &[0, 12345678901], false, 1, 128, "{'descr': '<f2', 'fortran_order': False, 'shape': (0, 12345678901), }"),
    ("'<f2'", &[12345678901, 0], false, 1, 128, "{'descr': '<f2', 'fortran_order': False, 'shape': (12345678901, 0), }"),
];

fn file(dtype: &str, shape: &[usize], fortran_order: bool) -> Result<Vec<u8>, Error> {
    Header::bytes(&dtype.parse()?, shape, fortran_order)
}

#[test]
fn headers_are_numpys_byte_for_byte() -> Result<(), Error> {
    for &(dtype, shape, fortran_order, version, payload, text) in WRITTEN {
        let bytes = file(dtype, shape, fortran_order)?;
        let start = if version == 1 { 10 } else { 12 };
        let padded = format!("{text:width$}\n", width = text.chars().count());
        let body = match version {
            3 => padded.trim_end().as_bytes().to_vec(),
            _ => padded.trim_end().chars().map(|c| c as u8).collect(),
        };
        let mut expected = body;
        expected.resize(payload - start - 1, b' ');
        expected.push(b'\n');
        assert_eq!((bytes[6], bytes.len()), (version, payload), "{text}");
        assert_eq!(&bytes[start..], expected, "{text}");

        let read = Header::read(&bytes)?;
        assert_eq!(
            (&read.shape[..], read.fortran_order),
            (shape, fortran_order)
        );
        assert_eq!(read.payload, payload);
        assert_eq!(Header::bytes(&read.dtype, shape, fortran_order)?, bytes);
    }
    Ok(())
}

#[test]
fn a_long_header_has_version_2_and_is_not_read() -> Result<(), Error> {
    let float = "'<f4'".parse::<DType>()?;
    let fields = (0..4000).map(|i| (format!("f{i:05}"), float.clone(), vec![]));
    let record = crate::dtype::Record::packed(fields.collect())?;
    let bytes = Header::bytes(&DType::Record(record), &[1], false)?;
    assert_eq!(bytes[..12], *b"\x93NUMPY\x02\x00\x34\x29\x01\x00");
    assert_eq!(bytes.len(), 76096);
    let error = Header::read(&bytes).unwrap_err().to_string();
    let words = "npy: expected a header of at most 10000 characters, found 76084 bytes, byte 8";
    assert_eq!(error, words);
    Ok(())
}

fn v1(text: &str) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.bytes());
    bytes
}

#[test]
fn any_layout_that_numpy_reads_is_read() -> Result<(), Error> {
    for text in [
        r#"{"shape":(2,3,),"fortran_order":False,"descr":"f4"}"#,
        "  { 'descr' : '=f4' ,\n'shape': (2L, 3L), 'fortran_order': False }",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': 'float32', 'fortran_order': False, 'shape': (2, 3), }\n\n",
    ] {
        let header = Header::read(&v1(text))?;
        assert_eq!(header.dtype, "'<f4'".parse()?, "{text}");
        assert_eq!(header.shape, [2, 3], "{text}");
        assert_eq!(header.payload, 10 + text.len());
    }
    let long = format!(
        "{{'descr': '?', 'fortran_order': True, 'shape': (), {}}}",
        " ".repeat(9948)
    );
    assert_eq!(long.len(), 10_000);
    assert_eq!(Header::read(&v1(&long))?.dtype, "'|b1'".parse()?);
    assert!(Header::read(&v1(&format!("{long} "))).is_err());
    let claim = "{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807, 2), }";
    let header = Header::read(&v1(claim))?;
    assert!(matches!(
        header.byte_len().unwrap_err().kind(),
        ErrorKind::SizeOverflow { .. }
    ));
    Ok(())
}

#[test]
fn what_numpy_refuses_is_refused_at_its_byte() {
    let said = |bytes: &[u8]| Header::read(bytes).unwrap_err().to_string();
    let rest = "'fortran_order': False, 'shape'";
    for (text, words) in [
        (
            format!("{{'descr': '<f4', {rest}: [1]}}"),
            "npy: expected a tuple of lengths, found `[1]}`, byte 60",
        ),
        (
            format!("{{'descr': '<f4', {rest}: 1}}"),
            "npy: expected a tuple of lengths, found `1}`, byte 60",
        ),
        (
            format!("{{'descr': '<f4', {rest}: (1)}}"),
            "npy: expected a comma, which makes one length a tuple, found `)}`, byte 62",
        ),
        (
            format!("{{'descr': '<f4', {rest}: (True,)}}"),
            "npy: expected a length, 0 or more, found `True,)}`, byte 61",
        ),
        (
            format!("{{'descr': '<f4', {rest}: (-1,)}}"),
            "npy: expected a quoted text, a number or a bracket, found `-1,)}`, byte 61",
        ),
        (
            "{'descr': '<f4', 'shape': (), 'fortran_order': 0}".into(),
            "npy: expected `True` or `False`, found `0}`, byte 57",
        ),
        (
            "{'descr': '<f4', 'shape': ()}".into(),
            "npy: expected a dict with descr, fortran_order and shape, found `{'descr': '<f4', 'shape': ()}`, byte 10",
        ),
        (
            "{'descr': '<f4', 'descr': '<f4'}".into(),
            "npy: expected each key once, found `'descr': '<f4'}`, byte 27",
        ),
        (
            "{'descr': '<f4', 'x': 1}".into(),
            "npy: expected descr, fortran_order or shape, found `'x': 1}`, byte 27",
        ),
        (
            "{'descr': '|O', ".into(),
            "object dtype `|O` is refused at column 11 of dtype text `{'descr': '|O', `, byte 21",
        ),
        (
            "{'descr': ".into(),
            "npy: expected a quoted type or a list of fields, found the end of the header, byte 20",
        ),
    ] {
        assert_eq!(said(&v1(&text)), words, "{text}");
    }
    let axes = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({})}}",
        "1, ".repeat(65)
    );
    assert!(said(&v1(&axes)).starts_with("npy: expected at most 64 dimensions, found `1, )}`"));
    assert_eq!(said(b"\x93NUMPY"), "input ends after 6 of 10 bytes, byte 0");
    assert_eq!(
        said(b"\x93NUMPY\x01\x00\x05\x00{}"),
        "input ends after 12 of 15 bytes, byte 0"
    );
    assert_eq!(
        said(b"\x93NUMPY\x04\x00\x05\x00"),
        "npy: expected version 1.0, 2.0 or 3.0, found version 4.0, byte 6"
    );
    assert_eq!(
        said(b"PK\x03\x04 and more"),
        "npy: expected the bytes 93 4e 55 4d 50 59, found a zip archive, byte 0"
    );
    assert_eq!(
        said(b"\x93NUMPY\x03\x00\x01\x00\x00\x00\xff"),
        "npy: expected UTF-8, found the byte ff, byte 12"
    );
    assert_eq!(
        said(b"\x80\x04\x95"),
        "npy: expected the bytes 93 4e 55 4d 50 59, found the bytes 80 04 95, byte 0"
    );
}
