//! Files of arrays that NumPy and safetensors wrote: read, written to the same bytes, and refused.

use npcodec::formats::{npy, npz, safetensors};
use npcodec::{Error, NumpyEncoding, StateDict, Value};
use npcodec_tests::arrays::ArrayFile;

fn read<'a>(file: &ArrayFile, bytes: &'a [u8]) -> Result<Value<'a>, Error> {
    match file.folder() {
        "npy" => npy::from_slice(bytes),
        "npz" => npz::from_slice(bytes),
        _ => safetensors::from_slice(bytes),
    }
}

fn write(file: &ArrayFile, value: &Value<'_>) -> Result<Vec<u8>, Error> {
    match file.folder() {
        "npy" => npy::to_vec(value),
        "npz" => npz::to_vec(value),
        _ => safetensors::to_vec(value),
    }
}

#[test]
fn files_hold_what_their_writers_say() {
    let files = ArrayFile::all();
    assert_eq!(files.len(), 16);
    for file in &files {
        let value =
            read(file, &file.bytes).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        file.check(&value);
    }
}

#[test]
fn what_was_read_is_written_to_the_same_bytes() {
    for file in &ArrayFile::all() {
        let value = read(file, &file.bytes).unwrap();
        let written = write(file, &value).unwrap_or_else(|error| panic!("{}: {error}", file.name));
        if file.name == "npz/compressed.npz" {
            // The streams of deflate are zlib's own.
            assert_eq!(read(file, &written).unwrap(), value);
            let options = npz::WriteOptions::new().deflate(true);
            let packed = npz::to_vec_with(&value, &options).unwrap();
            assert!(packed.len() < written.len() / 4);
            assert_eq!(read(file, &packed).unwrap(), value);
            continue;
        }
        let (written, expected) = (written.escape_ascii(), file.bytes.escape_ascii());
        assert_eq!(written.to_string(), expected.to_string(), "{}", file.name);
    }
}

#[test]
fn payloads_are_borrowed_from_what_is_not_compressed() {
    for file in &ArrayFile::all() {
        let value = read(file, &file.bytes).unwrap();
        let arrays: Vec<_> = match &value {
            Value::Map(map) => map.values().filter_map(Value::as_array).collect(),
            one => one.as_array().into_iter().collect(),
        };
        let borrowed = file.name != "npz/compressed.npz";
        assert!(
            arrays.iter().all(|array| array.is_borrowed() == borrowed),
            "{}",
            file.name
        );
    }
}

fn array<'a>(shape: &[usize], data: &'a [u8], dtype: &'a str) -> NumpyEncoding<'a> {
    NumpyEncoding::new(shape.to_vec(), data, dtype, None).unwrap()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn everything_that_safetensors_cannot_hold_is_in_one_error() {
    let nested: StateDict<'_> = [
        ("big", Value::from(array(&[1], &[0; 2], "'>i2'"))),
        ("c.16", Value::from(array(&[1], &[0; 16], "'<c16'"))),
    ]
    .into_iter()
    .collect();
    let dict: StateDict<'_> = [
        (
            "half_bytes",
            Value::from(array(&[2], &[0; 2], "'float4_e2m1fn'")),
        ),
        ("int4", Value::from(array(&[1], &[0], "'int4'"))),
        ("text", Value::from(array(&[1], &[0; 4], "'<U1'"))),
        ("fine", Value::from(array(&[1], &[0], "'|u1'"))),
        ("step", Value::from(7)),
        ("list", Value::List(vec![])),
        ("none", Value::Nil),
        ("nested", Value::from(nested)),
        ("empty", Value::from(StateDict::new())),
        ("__metadata__", Value::from(array(&[1], &[0], "'|u1'"))),
    ]
    .into_iter()
    .collect();
    let mut dict = dict;
    dict.insert(3i64, Value::Nil);
    assert_eq!(
        refusal(safetensors::to_vec(&Value::from(dict))),
        "safetensors cannot hold\n  \
         `half_bytes`: array of dtype 'float4_e2m1fn': it packs items of less than a byte, and NumPy does not\n  \
         `int4`: array of dtype 'int4': it has no such type\n  \
         `text`: array of dtype '<U1': it has no such type\n  \
         `step`: an integer: only arrays are held\n  \
         `list`: a list: only arrays are held\n  \
         `none`: nil: only arrays are held\n  \
         `nested.big`: array of dtype '>i2': its numbers are little-endian\n  \
         `nested[\"c.16\"]`: array of dtype '<c16': its key holds the separator \".\": take another separator\n  \
         `empty`: a map: a map without arrays has no name in the file\n  \
         `[3]`: nil: its key is an integer, and names are texts\n  \
         `__metadata__`: array of dtype '|u1': its key is that of a map of texts"
    );
    let top = Value::from(array(&[], &[0], "'|u1'"));
    let words = "cannot hold\n  ``: array of dtype '|u1': the file is a map of names to arrays";
    assert_eq!(refusal(npz::to_vec(&top)), format!("npz {words}"));
    assert_eq!(
        refusal(safetensors::to_vec(&top)),
        format!("safetensors {words}")
    );
}

#[test]
fn what_numpy_could_not_read_is_refused() {
    let e5m2 = array(&[1], &[0], "'float8_e5m2'");
    let fields: Vec<_> = (0..500)
        .map(|n| format!("('field_{n:04}', '<f4')"))
        .collect();
    let wide = format!("[{}]", fields.join(", "));
    let wide = array(&[1], &[0; 2000], &wide);
    let backwards =
        "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [4, 0], 'itemsize': 8}";
    let backwards = array(&[1], &[0; 8], backwards);
    let one = array(&[1], &[0], "'|u1'");
    let long = "x".repeat(65_532);
    let dict: StateDict<'_> = [
        ("e5m2", e5m2),
        ("wide", wide),
        ("backwards", backwards),
        ("a", one.clone()),
        ("a.npy", one.clone()),
        ("n\0ul", one.clone()),
        (&long, one.clone()),
        ("b.npy", one),
    ]
    .into_iter()
    .collect();
    let leaves = npz::unsupported(&Value::from(dict));
    let listed = leaves.iter().map(|leaf| {
        let path = leaf.path.to_string();
        (path[..path.len().min(12)].to_owned(), leaf.reason.as_str())
    });
    let found: Vec<_> = listed.collect();
    let expected = [
        (
            "e5m2",
            "NumPy writes float8_e5m2 as `<f1`, which it does not read",
        ),
        (
            "wide",
            "NumPy reads no header of more than 10,000 characters",
        ),
        (
            "backwards",
            "its fields are not in the order of their offsets",
        ),
        (
            "[\"a.npy\"]",
            "NumPy takes its name for that of another array, which is the same without `.npy`",
        ),
        ("[\"n\\0ul\"]", "its name holds NUL, where zip names end"),
        ("xxxxxxxxxxxx", "its name has more than 65,531 bytes"),
    ];
    let expected = expected.map(|(path, reason)| (path.to_owned(), reason));
    assert_eq!(found, expected);
}

/// A map of arrays in maps, and the names that it has in a flat file.
fn nested() -> Value<'static> {
    let one = || Value::from(NumpyEncoding::new(vec![], vec![1], "'|u1'", None).unwrap());
    let inner: StateDict<'_> = [("w", one()), ("b", one())].into_iter().collect();
    let outer: StateDict<'_> = [("l0", Value::from(inner)), ("s", one())]
        .into_iter()
        .collect();
    Value::from(
        [("net", Value::from(outer)), ("step", one())]
            .into_iter()
            .collect::<StateDict<'_>>(),
    )
}

fn names(value: &Value<'_>) -> Vec<String> {
    let keys = value.as_map().unwrap().keys();
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

#[test]
fn nested_maps_become_names_and_on_request_maps_again() {
    let value = nested();
    let options = npz::WriteOptions::new().separator("/");
    let bytes = npz::to_vec_with(&value, &options).unwrap();
    let flat = npz::from_slice(&bytes).unwrap();
    assert_eq!(names(&flat), ["net/l0/w", "net/l0/b", "net/s", "step"]);
    let reading = npz::ReadOptions::new();
    let again = npz::from_slice_with(&bytes, &reading.clone().nested("/")).unwrap();
    assert_eq!(again, value);
    // Flat names may hold any separator.
    assert_eq!(npz::to_vec_with(&flat, &options).unwrap(), bytes);

    let bytes = safetensors::to_vec(&value).unwrap();
    let flat = safetensors::from_slice(&bytes).unwrap();
    assert_eq!(names(&flat), ["net.l0.b", "net.l0.w", "net.s", "step"]);
    let nest = reading.nested(".");
    let again = safetensors::from_slice_with(&bytes, &nest).unwrap();
    assert_eq!(safetensors::to_vec(&again).unwrap(), bytes);

    let one = || NumpyEncoding::new(vec![], vec![1], "'|u1'", None).unwrap();
    for (first, second) in [("a", "a.b"), ("a.b", "a")] {
        let dict: StateDict<'_> = [(first, one()), (second, one())].into_iter().collect();
        let bytes = npz::to_vec(&Value::from(dict)).unwrap();
        let said = refusal(npz::from_slice_with(&bytes, &nest));
        assert!(
            said.starts_with("npz: expected names that nest by \".\", found a"),
            "{said}"
        );
    }
    // Both would be `a---b`.
    let inner =
        |key: &'static str| Value::from([(key, one())].into_iter().collect::<StateDict<'_>>());
    let both: StateDict<'_> = [("a-", inner("b")), ("a", inner("-b"))]
        .into_iter()
        .collect();
    let dashes = safetensors::WriteOptions::new().separator("--");
    let said = refusal(safetensors::to_vec_with(&Value::from(both), &dashes));
    let reason = "array of dtype '|u1': with the separator \"--\" its name has other keys";
    assert_eq!(said, format!("safetensors cannot hold\n  `a-.b`: {reason}"));

    let deep: StateDict<'_> = [("a.".repeat(200) + "a", one())].into_iter().collect();
    let bytes = npz::to_vec(&Value::from(deep)).unwrap();
    let said = refusal(npz::from_slice_with(&bytes, &nest));
    assert!(said.starts_with("nested deeper than 200 levels"), "{said}");
}

#[test]
fn fortran_order_is_kept_by_numpy_and_gathered_for_safetensors() {
    let columns = NumpyEncoding::new(
        vec![2, 3],
        vec![0, 3, 1, 4, 2, 5],
        "'|u1'",
        Some(npcodec::dtype::Order::F),
    );
    let dict: StateDict<'_> = [("x", columns.unwrap())].into_iter().collect();
    let value = Value::from(dict);
    let npz = npz::to_vec(&value).unwrap();
    assert_eq!(npz::from_slice(&npz).unwrap(), value);
    let bytes = safetensors::to_vec(&value).unwrap();
    assert_eq!(bytes[bytes.len() - 6..], [0, 1, 2, 3, 4, 5]);
}

#[test]
fn several_arrays_of_one_file_are_read_one_by_one() {
    let bytes = ["f4", "zero_d", "f"].map(|name| {
        let files = ArrayFile::all();
        let file = files
            .into_iter()
            .find(|file| file.name == format!("npy/{name}.npy"));
        file.unwrap().bytes
    });
    let joined = bytes.concat();
    let mut rest = &*joined;
    for one in &bytes {
        let (array, behind) = npy::split_first(rest).unwrap();
        assert_eq!(&npy::to_vec(&Value::from(array)).unwrap(), one);
        rest = behind;
    }
    assert!(rest.is_empty());
    let said = refusal(npy::from_slice(&joined));
    assert_eq!(
        said,
        format!(
            "{} bytes after the end of the value, byte 136",
            joined.len() - 136
        )
    );
}

#[test]
fn a_typed_read_says_what_opaque_bytes_are() {
    use npcodec::dtype::{ByteOrder, DType, Element, Float8E4M3Fn};
    use npcodec::half::{bf16, f16};
    use npcodec::ndarray::Ix1;

    let files = ArrayFile::all();
    let file = files
        .iter()
        .find(|file| file.name == "npy/bfloat16.npy")
        .unwrap();
    let value = npy::from_slice(&file.bytes).unwrap();
    let array = value.as_array().unwrap();
    assert_eq!(array.dtype(), &DType::Void(2, ByteOrder::Little));
    let read = array.to_array::<bf16, Ix1>().unwrap();
    let bits = read.iter().flat_map(|value| value.to_bits().to_le_bytes());
    assert_eq!(bits.collect::<Vec<_>>(), array.data());
    assert!(array.to_array::<f16, Ix1>().is_err());

    let archive = files
        .iter()
        .find(|file| file.name == "npz/everything.npz")
        .unwrap();
    let value = npz::from_slice(&archive.bytes).unwrap();
    let eighths = value.as_map().and_then(|map| map.get("type float8_e4m3fn"));
    let eighths = eighths.and_then(Value::as_array).unwrap();
    assert_eq!(eighths.dtype().itemsize(), Float8E4M3Fn::SIZE);
    assert!(eighths.to_array::<Float8E4M3Fn, Ix1>().is_ok());
    assert!(eighths.to_array::<u8, Ix1>().is_err());
}
