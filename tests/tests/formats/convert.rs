//! What a format cannot hold is one error, or converted by name and listed.

use npcodec::dtype::Order;
use npcodec::formats::{Conversion, Format, WriteOptions, read, write, write_file, write_value};
use npcodec::ndarray::{Ix0, Ix1};
use npcodec::{Error, ErrorKind, Key, StateDict, Value};
use npcodec_tests::python::Scratch;

use crate::samples::{array, map};

/// What a training run keeps besides its weights.
fn state() -> StateDict<'static> {
    let layers = vec![
        map([("w", array(&[2], "'bfloat16'", None)), ("b", Value::Nil)]),
        map([
            ("w", array(&[2], "'<f4'", None)),
            ("b", array(&[2], "'>f4'", None)),
        ]),
    ];
    let ages = StateDict::from_iter([
        (Key::from(-1i64), Value::from(3)),
        (Key::from(7i64), 4.into()),
    ]);
    [
        ("layers", Value::List(layers)),
        ("ages", Value::Map(ages)),
        ("step", 7.into()),
        ("rng", (1u128 << 100).into()),
        ("name", "run é".into()),
        ("blob", vec![0u8, 255].into()),
        ("spectrum", array(&[2, 3], "'<c16'", Some(Order::F))),
        ("times", array(&[1], "'>M8[s]'", None)),
        ("fine", array(&[1], "'|u1'", None)),
    ]
    .into_iter()
    .collect()
}

#[test]
fn one_error_names_every_leaf_and_what_would_help() {
    let error = write(Format::Safetensors, &state(), &WriteOptions::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "safetensors cannot hold\n  \
         `layers`: a list: only arrays are held (`Conversion::ListsAsMaps` would help)\n  \
         `ages[-1]`: an integer: its key is an integer, and names are texts (`Conversion::IntegerKeysAsText` would help)\n  \
         `ages[7]`: an integer: its key is an integer, and names are texts (`Conversion::IntegerKeysAsText` would help)\n  \
         `step`: an integer: only arrays are held (`Conversion::ScalarsAsArrays` would help)\n  \
         `rng`: an integer: only arrays are held\n  \
         `name`: a string: only arrays are held\n  \
         `blob`: bytes: only arrays are held (`Conversion::BytesAsArrays` would help)\n  \
         `spectrum`: array of dtype '<c16': complex64 is its only complex type (`Conversion::ComplexAsPairs` would help)\n  \
         `times`: array of dtype '>M8[s]': it has no such type (`Conversion::LittleEndian` and `Conversion::DatetimesAsIntegers` would help)"
    );
}

#[test]
fn what_is_asked_for_is_converted_and_listed() {
    let dict = state();
    let options = WriteOptions::new().allow(Conversion::ALL);
    let (bytes, converted) = write(Format::Npz, &dict, &options).unwrap();
    let mut listed: Vec<_> = converted
        .iter()
        .map(|done| format!("{} {:?}", done.path, done.conversion))
        .collect();
    listed.sort();
    assert_eq!(
        listed,
        [
            "ages IntegerKeysAsText",
            "ages[-1] ScalarsAsArrays",
            "ages[7] ScalarsAsArrays",
            "blob BytesAsArrays",
            "layers ListsAsMaps",
            "layers[0].b LeaveOutNil",
            "layers[0].w FloatsAsFloat32",
            "name TextAsArrays",
            "rng LongIntegersAsText",
            "rng TextAsArrays",
            "step ScalarsAsArrays",
        ]
    );
    let (_, read) = read(&bytes).unwrap();
    let at = |name: &str| read.get(name).and_then(Value::as_array).unwrap();
    let keys: Vec<_> = read.keys().map(|key| key.as_str().unwrap()).collect();
    assert_eq!(
        keys[..4],
        ["layers.0.w", "layers.1.w", "layers.1.b", "ages.-1"]
    );
    assert_eq!(at("step").to_array::<i64, Ix0>().unwrap().into_scalar(), 7);
    assert_eq!(
        at("ages.7").to_array::<i64, Ix0>().unwrap().into_scalar(),
        4
    );
    assert_eq!(at("blob").to_array::<u8, Ix1>().unwrap().to_vec(), [0, 255]);
    let text = |name| at(name).to_array::<String, Ix0>().unwrap().into_scalar();
    assert_eq!(
        (text("name"), text("rng")),
        ("run é".into(), (1u128 << 100).to_string())
    );
    // What NumPy's files hold as it is stays as it was.
    for name in ["spectrum", "times", "fine"] {
        assert_eq!(read.get(name), dict.get(name), "{name}");
    }
    assert_eq!(at("layers.1.b").dtype_text(), "'>f4'");
}

#[test]
fn converted_numbers_are_the_numbers_that_they_were() {
    use npcodec::half::bf16;
    use npcodec::num_complex::Complex;
    let encode = |array: npcodec::NumpyEncoding<'_>| Value::from(array.into_owned());
    let float = npcodec::ndarray::array![bf16::from_f32(1.0), bf16::from_f32(-2.5), bf16::NAN];
    let eighths = [0x38u8, 0xc1, 0x7f].map(npcodec::dtype::Float8E4M3Fn::from_bits);
    let eighths = npcodec::ndarray::arr1(&eighths);
    let pairs = npcodec::ndarray::array![
        [Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)],
        [Complex::new(5.0, 6.0), Complex::new(7.0, 8.0)]
    ];
    let big = npcodec::NumpyEncoding::new(
        vec![2],
        vec![0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0],
        "'>f4'",
        None,
    );
    let dict: StateDict<'_> = [
        (
            "bf16",
            encode(npcodec::NumpyEncoding::from_array(float.view()).unwrap()),
        ),
        (
            "f8",
            encode(npcodec::NumpyEncoding::from_array(eighths.view()).unwrap()),
        ),
        (
            "c16",
            encode(npcodec::NumpyEncoding::from_array(pairs.t()).unwrap()),
        ),
        ("big", encode(big.unwrap())),
        ("bool", true.into()),
        ("u64", u64::MAX.into()),
        ("f32", 0.1f32.into()),
    ]
    .into_iter()
    .collect();
    // safetensors has bfloat16; NumPy has complex128 and both byte orders.
    let options = WriteOptions::new().allow(Conversion::ALL);
    let (npz, _) = write(Format::Npz, &dict, &options).unwrap();
    let (safe, _) = write(Format::Safetensors, &dict, &options).unwrap();
    let (npz, safe) = (read(&npz).unwrap().1, read(&safe).unwrap().1);
    let floats = |dict: &StateDict<'_>, name: &str| {
        let array = dict.get(name).and_then(Value::as_array).unwrap();
        array.to_array::<f32, Ix1>().unwrap().to_vec()
    };
    assert_eq!(floats(&npz, "bf16")[..2], [1.0, -2.5]);
    assert!(floats(&npz, "bf16")[2].is_nan());
    // 0x38 is 1, 0xc1 is -2.25 and 0x7f is no number in float8_e4m3fn.
    assert_eq!(floats(&npz, "f8")[..2], [1.0, -2.25]);
    assert!(floats(&npz, "f8")[2].is_nan());
    assert_eq!(floats(&safe, "big"), [1.0, -2.5]);
    let pairs = safe.get("c16").and_then(Value::as_array).unwrap();
    assert_eq!(pairs.shape(), [2, 2, 2]);
    let pairs = pairs.to_array::<f64, npcodec::ndarray::Ix3>().unwrap();
    assert_eq!(
        pairs.into_iter().collect::<Vec<_>>(),
        [1., 2., 5., 6., 3., 4., 7., 8.]
    );
    let scalar = |name: &str| safe.get(name).and_then(Value::as_array).unwrap().clone();
    assert!(
        scalar("bool")
            .to_array::<bool, Ix0>()
            .unwrap()
            .into_scalar()
    );
    assert_eq!(
        scalar("u64").to_array::<u64, Ix0>().unwrap().into_scalar(),
        u64::MAX
    );
    assert_eq!(
        scalar("f32").to_array::<f32, Ix0>().unwrap().into_scalar(),
        0.1
    );
}

#[test]
fn nothing_is_written_of_what_cannot_be() {
    let scratch = Scratch::new("write-file");
    let path = scratch.path().join("a.npz");
    std::fs::write(&path, b"old").unwrap();
    let some = WriteOptions::new().allow([Conversion::ListsAsMaps, Conversion::IntegerKeysAsText]);
    let error: Error = write_file(&path, Format::Npz, &state(), &some).unwrap_err();
    let said = error.to_string();
    // A list that was converted is still a list in the error.
    assert!(
        said.contains(
            "`layers[0].b`: nil: only arrays are held (`Conversion::LeaveOutNil` would help)"
        ),
        "{said}"
    );
    assert!(
        said.contains("`ages[-1]`: an integer: only arrays are held"),
        "{said}"
    );
    assert!(said.ends_with("a.npz\""), "{said}");
    assert_eq!(std::fs::read(&path).unwrap(), b"old");

    let all = WriteOptions::new().allow(Conversion::ALL);
    write_file(&path, Format::Npz, &state(), &all).unwrap();
    let (bytes, _) = write(Format::Npz, &state(), &all).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1);
}

#[test]
fn the_first_of_two_ways_is_taken_and_texts_that_are_there_are_kept() {
    let value = map([("x", array(&[2], "'bfloat16'", None))]);
    let opaque = WriteOptions::new().allow([Conversion::OpaqueBytes, Conversion::FloatsAsFloat32]);
    let (bytes, converted) = write_value(Format::Npz, &value, &opaque).unwrap();
    assert_eq!(converted[0].conversion, Conversion::OpaqueBytes);
    assert_eq!(npcodec::formats::npz::to_vec(&value).unwrap(), bytes);

    // Paths are those of the state: there `8` is a text.
    let mixed = StateDict::from_iter([(Key::from(7i64), 1), (Key::from("8"), 2)]);
    let mixed = StateDict::from_iter([("m", mixed)]);
    let ways = [Conversion::IntegerKeysAsText, Conversion::ScalarsAsArrays];
    let (_, converted) = write(Format::Npz, &mixed, &WriteOptions::new().allow(ways)).unwrap();
    let mut paths: Vec<_> = converted.iter().map(|one| one.path.to_string()).collect();
    paths.sort();
    assert_eq!(paths, ["m", "m.8", "m[7]"]);

    let both = StateDict::from_iter([
        (Key::from(3i64), array(&[1], "'|u1'", None)),
        (Key::from("3"), array(&[1], "'|u1'", None)),
    ]);
    let error = write(
        Format::Npz,
        &both,
        &WriteOptions::new().allow(Conversion::ALL),
    )
    .unwrap_err();
    let words = "npz cannot hold\n  `[3]`: array of dtype '|u1': its key is an integer, and names are texts";
    assert_eq!(error.to_string(), words);
}

#[test]
fn what_is_nil_is_in_the_way_of_no_key() {
    let dict = StateDict::from_iter([
        (Key::from(3i64), array(&[1], "'|u1'", None)),
        (Key::from("3"), Value::Nil),
        (Key::from("x"), Value::Nil),
    ]);
    let ways = [Conversion::IntegerKeysAsText, Conversion::LeaveOutNil];
    let options = WriteOptions::new().allow(ways);
    let (bytes, converted) = write(Format::Npz, &dict, &options).unwrap();
    let left = map([("3", array(&[1], "'|u1'", None))]);
    assert_eq!(npcodec::formats::npz::from_slice(&bytes).unwrap(), left);
    let said: Vec<_> = converted.iter().map(|one| one.conversion).collect();
    let [text, nil] = ways;
    assert_eq!(said, [nil, nil, text]);
}

#[test]
fn the_types_of_fields_are_not_lost_in_silence_either() {
    let value = map([(
        "x",
        array(&[2], "[('a', [('b', 'bfloat16')]), ('c', '<i4')]", None),
    )]);
    let write = |options: &WriteOptions| write_value(Format::Npz, &value, options);
    let said = write(&WriteOptions::new()).unwrap_err().to_string();
    let words = "NumPy's files do not say of which types its fields are (`Conversion::OpaqueBytes` would help)";
    assert!(said.ends_with(words), "{said}");
    // What NumPy 2.4 writes of that array, and reads again as it is here.
    let opaque = WriteOptions::new().allow([Conversion::OpaqueBytes]);
    let (bytes, converted) = write(&opaque).unwrap();
    assert_eq!(converted[0].conversion, Conversion::OpaqueBytes);
    let read = npcodec::formats::npz::from_slice(&bytes).unwrap();
    let dtype = "[('a', [('b', '<V2')]), ('c', '<i4')]";
    assert_eq!(read, map([("x", array(&[2], dtype, None))]));

    // `numpy.load` refuses `[('a', '<f1')]`, which `numpy.save` makes of it.
    let unreadable = map([("x", array(&[2], "[('a', 'float8_e5m2')]", None))]);
    let error = npcodec::formats::npz::to_vec(&unreadable).unwrap_err();
    let words = "NumPy writes float8_e5m2 as `<f1`, which it does not read";
    assert!(error.to_string().ends_with(words), "{error}");
    let (bytes, _) = write_value(Format::Npz, &unreadable, &opaque).unwrap();
    let read = npcodec::formats::npz::from_slice(&bytes).unwrap();
    assert_eq!(read, map([("x", array(&[2], "[('a', '<V1')]", None))]));
}

#[test]
fn lists_in_lists_are_converted_at_any_depth() {
    // A list alone as well, whose items keep their paths.
    let alone = Value::List(vec![Value::from(7), Value::List(vec![])]);
    let options = WriteOptions::new().allow([Conversion::ListsAsMaps]);
    let said = write_value(Format::Npz, &alone, &options).unwrap_err();
    let said = said.to_string();
    assert!(
        said.contains("`[0]`: ") && said.contains("`[1]`: "),
        "{said}"
    );
    let deep = (0..50).fold(Value::from(7), |inner, _| Value::List(vec![inner]));
    let dict = StateDict::from_iter([("x", deep)]);
    let options = WriteOptions::new().allow([Conversion::ListsAsMaps, Conversion::ScalarsAsArrays]);
    let (bytes, converted) = write(Format::Npz, &dict, &options).unwrap();
    assert_eq!(converted.len(), 51);
    let innermost = format!("x{}", "[0]".repeat(50));
    assert_eq!(converted[50].path.to_string(), innermost);
    let (_, read) = read(&bytes).unwrap();
    assert!(read.contains_key(&*format!("x{}", ".0".repeat(50))));
}

#[test]
fn nothing_helps_against_too_many_levels() {
    let mut value = Value::List(vec![Value::Nil]);
    for _ in 0..200 {
        value = Value::List(vec![value]);
    }
    let all = WriteOptions::new().allow(Conversion::ALL);
    for (format, options) in [
        (Format::Flax, WriteOptions::new()),
        (Format::MsgpackNumpy, WriteOptions::new()),
        (Format::Flax, all),
    ] {
        let error = write_value(format, &value, &options).unwrap_err();
        let ErrorKind::Unsupported { leaves, .. } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(leaves[0].reason, "values nest in 200 levels at the most");
        assert_eq!(leaves[0].path.segments().len(), 200);
    }
}

/// What Python's decoder takes for an array or an integer is no map that a file can have.
#[test]
fn maps_that_are_taken_for_something_else_are_refused() {
    let map = |keys: &[&'static str]| -> Value<'static> {
        let entries = keys.iter().map(|key| (*key, Value::from(vec![Value::Nil])));
        Value::Map(entries.collect())
    };
    let dict: StateDict<'_> = [
        ("one", map(&["integer"])),
        ("more", map(&["integer", "name"])),
        ("array", map(&["dtype", "data", "shape", "name"])),
        ("fine", map(&["dtype", "data", "Integer"])),
    ]
    .into_iter()
    .collect();
    let options = WriteOptions::new().allow(Conversion::ALL);
    assert_eq!(
        write(Format::MessagePack, &dict, &options)
            .unwrap_err()
            .to_string(),
        "messagepack cannot hold\n  \
         `one`: a map: Python's decoder reads one with these keys as an integer\n  \
         `more`: a map: Python's decoder reads one with these keys as an integer\n  \
         `array`: a map: Python's decoder reads one with these keys as an array"
    );
    // The integer above it is no reason, and stays one.
    let numbered: StateDict<'_> = [(3i64, map(&["integer"]))].into_iter().collect();
    for options in [WriteOptions::new(), options.clone()] {
        let error = write(Format::MessagePack, &numbered, &options).unwrap_err();
        assert!(error.to_string().ends_with("as an integer"), "{error}");
    }
    for format in [Format::Flax, Format::MsgpackNumpy] {
        let (bytes, converted) = write(format, &dict, &options).unwrap();
        assert!(converted.is_empty());
        let read = match format {
            Format::Flax => npcodec::formats::flax::from_slice(&bytes),
            _ => npcodec::formats::msgpack_numpy::from_slice(&bytes),
        };
        assert_eq!(read.unwrap(), Value::Map(dict.clone()));
    }
}
