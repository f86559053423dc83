//! Between Flower's arrays and those that one computes with.

use npcodec::dtype::{DType, Order};
use npcodec::flower::{Array, ArrayRecord, Inflatable, Object};
use npcodec::half::bf16;
use npcodec::ndarray::{self, Array1, Array2, ArrayD, IxDyn, ShapeBuilder, arr0, array, s};
use npcodec::num_complex::Complex;
use npcodec::{Error, ErrorKind, FlowerError, NumpyEncoding, StateDict, Structured, Value};

use super::cases::{Case, text, unhex};

#[derive(Debug, Clone, PartialEq, Structured)]
struct Row {
    a: i32,
    b: f64,
}

/// Checks that an array is the one of a case, and gives back the one that it was made of.
fn check<T, D>(name: &str, made: ndarray::Array<T, D>) -> Result<(), Error>
where
    T: npcodec::dtype::Element + PartialEq + std::fmt::Debug,
    D: ndarray::Dimension,
{
    let case = Case::named(name);
    let view = Array::from_view(made.view())?;
    assert_eq!(view.object_id_with(&case.options), case.id, "{name}");
    let taken = Array::from_ndarray(made.clone())?;
    assert_eq!(taken, view, "{name}");
    assert_eq!(taken.to_ndarray::<T, D>()?, made, "{name}");
    assert_eq!(taken.into_ndarray::<T, D>()?, made, "{name}");
    let read = Array::inflate_all(case.id, |id| case.contents.get(&id).cloned())?;
    assert_eq!(read.to_ndarray::<T, D>()?, made, "{name}");
    Ok(())
}

#[test]
fn arrays_of_every_layout_are_flwrs() -> Result<(), Error> {
    let rows = array![[1f32, 2.0, 3.0], [4.0, 5.5, -6.0]];
    let mut columns = Array2::zeros((2, 3).f());
    columns.assign(&rows);
    check("array_f32_2d", rows)?;
    check("array_f32_2d_fortran", columns)?;
    let mut row = Array2::zeros((1, 3).f());
    row.assign(&array![[1f32, 2.0, 3.0]]);
    check("array_f32_row_both_contiguous", row)?;
    let wide = Array1::from_iter((0..12).map(|n| n as f32))
        .into_shape_with_order((3, 4))
        .unwrap();
    check("array_f32_strided", wide.slice_move(s![.., ..;2]))?;
    let cube = Array1::from_iter((0..24).map(|n| n as f32))
        .into_shape_with_order((2, 3, 4))
        .unwrap();
    let mut columns = ndarray::Array3::zeros((2, 3, 4).f());
    columns.assign(&cube);
    check("array_f32_3d_fortran", columns)?;
    check("array_0d_i64", arr0(7i64))?;
    check("array_empty_1d", Array1::<f32>::zeros(0))?;
    check("array_empty_0x3", Array2::<f32>::zeros((0, 3)))?;
    check("array_bool", array![[true, false], [false, true]])?;
    check(
        "array_c64",
        array![Complex::new(1f32, 2.0), Complex::new(-0.0, -0.5)],
    )?;
    check(
        "array_bf16_ml_dtypes",
        array![1.0, 2.5, -3.0].mapv(bf16::from_f32),
    )?;
    check("array_struct", array![Row { a: 1, b: 2.0 }])?;
    check(
        "array_u8_multichunk",
        Array1::from_iter((0..300).map(|n| (n % 251) as u8)),
    )?;
    check("array_u8_repeated_chunks", Array1::<u8>::zeros(256))?;
    check("array_long_header", ArrayD::<u8>::zeros(IxDyn(&[1; 20])))?;

    let case = Case::named("array_str_U3");
    let texts = array!["abc".to_owned(), "\u{e9}".to_owned()];
    let array = Array::from_view(texts.view())?;
    assert_eq!(array.object_id(), case.id);
    assert_eq!(array.to_ndarray::<String, ndarray::Ix1>()?, texts);
    Ok(())
}

/// The ids are those that flwr 1.42 gives for `np.dtype([...], align=True)`, with zeros as padding.
#[test]
fn aligned_rows_are_flwrs() -> Result<(), Error> {
    #[derive(Debug, Clone, PartialEq, Structured)]
    #[structured(align)]
    struct Pixel {
        r: u8,
        g: bool,
    }
    #[derive(Debug, Clone, PartialEq, Structured)]
    #[structured(align)]
    struct Padded {
        r: u8,
        g: f32,
    }

    let pixels = Array::from_ndarray(array![Pixel { r: 1, g: true }])?;
    let id = "a5b25a3cd6f7932bd6483db7d7d451ed2fbfa7a139ad04bd66cbfa6bb51414a6";
    assert_eq!(pixels.object_id().to_string(), id);
    let padded = Array::from_ndarray(array![Padded { r: 1, g: 2.0 }])?;
    let id = "170a1cc1e07a0795deefd2f03790e5c54db52a9967b5904f61e24576b2a51ce7";
    assert_eq!(padded.object_id().to_string(), id);
    Ok(())
}

/// An array that was cut out of a larger one keeps only its part.
#[test]
fn a_part_of_an_array_is_its_items() -> Result<(), Error> {
    let part = Array1::from_iter(0..10i32).slice_move(s![3..6]);
    let array = Array::from_ndarray(part)?;
    assert_eq!(array.data().len(), 128 + 12);
    assert_eq!(array.into_ndarray::<i32, ndarray::Ix1>()?, array![3, 4, 5]);
    Ok(())
}

/// The names of dtypes and what headers say: either spelling is understood, contradictions are not.
#[test]
fn fields_and_header_have_to_agree() -> Result<(), Error> {
    let make = |text: &str, shape: &[usize]| {
        let dtype: DType = text.parse().unwrap();
        let bytes = dtype.itemsize() * shape.iter().product::<usize>();
        let encoding = NumpyEncoding::from_dtype(shape.to_vec(), vec![0; bytes], dtype, None);
        Array::from_encoding(encoding.unwrap())
    };
    for (text, name) in [
        ("'<f4'", "float32"),
        ("'>f4'", ">f4"),
        ("'<U3'", "<U3"),
        ("'<M8[ns]'", "datetime64[ns]"),
        ("'bfloat16'", "bfloat16"),
        ("'float8_e4m3fn'", "float8_e4m3fn"),
        ("'float8_e5m2'", "float8_e5m2"),
        ("'int4'", "int4"),
        ("[('a', '<i4')]", "[('a', '<i4')]"),
        ("[('a', 'bfloat16')]", "[('a', bfloat16)]"),
        (
            "{'names': ['a', 'b'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 8, 'aligned': True}",
            "{'names': ['a', 'b'], 'formats': ['u1', '<i4'], 'offsets': [0, 4], 'itemsize': 8, 'aligned': True}",
        ),
    ] {
        let array = make(text, &[2])?;
        assert_eq!(array.dtype(), name);
        assert_eq!(
            array.to_encoding()?.dtype(),
            &text.parse::<DType>()?,
            "{name}"
        );
    }

    // Names of flwr's from which the header cannot be made again: an aligned record of a packed one, a
    // recarray of a recarray.
    for (text, name) in [
        (
            "[('k', [('a', '|u1'), ('b', '<i4')])]",
            "{'names': ['k'], 'formats': [[('a', 'u1'), ('b', '<i4')]], 'offsets': [0], 'itemsize': 5, 'aligned': True}",
        ),
        (
            "[('p', [('u', '<i8'), ('v', '<f8')]), ('q', '<i8')]",
            "(numpy.record, [('p', (numpy.record, [('u', '<i8'), ('v', '<f8')])), ('q', '<i8')])",
        ),
    ] {
        let mut array = make(text, &[2])?;
        array.set_dtype(name);
        assert_eq!(array.to_encoding()?.dtype_text(), text);
    }

    let mut array = make("'<f4'", &[2])?;
    array.set_dtype("<f4");
    assert_eq!(array.to_encoding()?.dtype_text(), "'<f4'");
    for (dtype, words) in [
        (
            "int32",
            "the dtype of the array is stated as int32, and the header of its data says float32",
        ),
        (
            ">f4",
            "the dtype of the array is stated as >f4, and the header of its data says float32",
        ),
        (
            "bfloat16",
            "the dtype of the array is stated as bfloat16, and the header of its data says float32",
        ),
        (
            "",
            "the dtype of the array is stated as , and the header of its data says float32",
        ),
    ] {
        array.set_dtype(dtype);
        assert_eq!(array.to_encoding().unwrap_err().to_string(), words);
    }
    array.set_dtype("float32");
    array.set_shape([1, 2]);
    assert!(matches!(
        array.to_encoding().unwrap_err().kind(),
        ErrorKind::Flower(FlowerError::Field { field: "shape", .. })
    ));
    // The arrays of Flower's older interface state neither.
    let legacy = Array::new("", [], "numpy.ndarray", array.data().clone());
    assert_eq!(legacy.to_ndarray::<f32, ndarray::Ix1>()?, array![0.0, 0.0]);
    Ok(())
}

/// The header of 4 bytes that claims a tebibyte costs an error.
#[test]
fn what_a_header_claims_is_compared_with_what_is_there() -> Result<(), Error> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (274877906944,), }\n";
    let mut data = b"\x93NUMPY\x01\x00".to_vec();
    data.extend((header.len() as u16).to_le_bytes());
    data.extend(header.bytes());
    data.extend([0; 4]);
    let array = Array::new("float32", [1 << 38], "numpy.ndarray", data);
    let words = "array of shape (274877906944,) and dtype '<f4' needs 1099511627776 bytes, found 4";
    assert_eq!(array.to_encoding().unwrap_err().to_string(), words);
    assert_eq!(
        array
            .to_ndarray::<f32, ndarray::Ix1>()
            .unwrap_err()
            .to_string(),
        words
    );
    assert!(array.into_ndarray::<f32, ndarray::Ix1>().is_err());
    Ok(())
}

/// A record that NumPy would write and not read is refused when it is made.
#[test]
fn what_nobody_could_read_is_not_made() {
    let float: DType = "'<f4'".parse().unwrap();
    let fields = (0..600).map(|n| (format!("f{n:05}"), float.clone(), vec![]));
    let record = npcodec::dtype::Record::packed(fields.collect()).unwrap();
    let encoding = NumpyEncoding::from_dtype(vec![0], vec![], DType::Record(record), None).unwrap();
    let words = "npy: expected a header of at most 10000 characters, found ";
    assert!(
        Array::from_encoding(encoding)
            .unwrap_err()
            .to_string()
            .starts_with(words)
    );
    let swapped =
        "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [4, 0], 'itemsize': 8}";
    let encoding = NumpyEncoding::new(vec![0], vec![], swapped, None).unwrap();
    let words = "npy: expected fields in the order of their offsets, found ";
    assert!(
        Array::from_encoding(encoding)
            .unwrap_err()
            .to_string()
            .starts_with(words)
    );
}

#[test]
fn state_dicts_of_arrays_are_records_in_their_order() -> Result<(), Error> {
    let (b, a) = (array![[1f32, 2.0], [3.0, 4.0]], array![5i64]);
    let mut dict = StateDict::new();
    dict.insert("b", NumpyEncoding::from_array(b.t())?);
    dict.insert("a", NumpyEncoding::from_array(a.view())?);
    let record = ArrayRecord::from_state_dict(dict.clone())?;
    assert_eq!(record.keys().collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(record.to_state_dict()?, dict);
    let back = record.to_state_dict()?;
    let transposed = back.get("b").and_then(Value::as_array).unwrap();
    assert_eq!(
        (transposed.order(), transposed.is_borrowed()),
        (Some(Order::F), true)
    );

    dict.insert("step", 7);
    dict.insert(3i64, NumpyEncoding::from_array(a.view())?);
    let error = ArrayRecord::from_state_dict(dict).unwrap_err();
    let words = "flower cannot hold\n  `step`: an integer: an ArrayRecord holds arrays\n  \
                 `[3]`: an array: the keys of an ArrayRecord are texts";
    assert_eq!(error.to_string(), words);
    Ok(())
}

/// A chunk boundary may go through the header of an array.
#[test]
fn arrays_in_many_pieces_are_read() -> Result<(), Error> {
    let case = Case::named("record_multichunk");
    let contents = |id| case.contents.get(&id).cloned();
    let Object::ArrayRecord(record) = Object::inflate_all(case.id, contents)? else {
        panic!()
    };
    for (key, array) in record.iter() {
        assert!(array.data().pieces().count() > 1);
        let payload = unhex(&case.entry["arrays"][key]["npy_payload_hex"]);
        assert_eq!(array.to_encoding()?.data(), payload);
        let values = array.to_ndarray::<f32, ndarray::Ix1>()?;
        assert_eq!(array.dtype(), text(&case.entry["arrays"][key]["dtype"]));
        assert_eq!(Array::from_ndarray(values)?, *array);
    }
    Ok(())
}

#[test]
fn lists_of_arrays_are_flwrs() -> Result<(), Error> {
    let case = Case::named("record_list_of_ndarrays");
    let list: Vec<_> = (0..12).map(|n| array![n as f32]).collect();
    let record = ArrayRecord::from_ndarrays(list.clone())?;
    assert_eq!(record.object_id(), case.id);
    assert_eq!(record.to_ndarrays::<f32, ndarray::Ix1>()?, list);
    let mut other = record.clone();
    other.insert("4", Array::from_ndarray(array![4i64])?);
    let refusal = other.into_ndarrays::<f32, ndarray::Ix1>().unwrap_err();
    assert_eq!(refusal.path().to_string(), "4");
    assert_eq!(record.into_ndarrays::<f32, ndarray::Ix1>()?, list);
    Ok(())
}

/// A file of safetensors becomes a record that borrows it, and the record becomes the same file.
#[test]
fn safetensors_are_records_without_a_copy() -> Result<(), Error> {
    use npcodec::formats::safetensors;

    let (weight, bias) = (
        array![[1f32, 2.0], [3.0, 4.0]],
        array![1.0, -2.5].mapv(bf16::from_f32),
    );
    let mut dict = StateDict::new();
    dict.insert("weight", NumpyEncoding::from_array(weight.view())?);
    dict.insert("bias", NumpyEncoding::from_array(bias.view())?);
    let file = safetensors::to_vec(&dict.into())?;
    let Value::Map(tensors) = safetensors::from_slice(&file)? else {
        panic!()
    };
    let record = ArrayRecord::from_state_dict(tensors)?;
    let payload = |name| {
        record
            .get(name)
            .and_then(|array: &Array<'_>| array.data().pieces().last())
    };
    let within = |piece: &[u8]| file.as_ptr_range().contains(&piece.as_ptr());
    assert!(payload("weight").is_some_and(within) && payload("bias").is_some_and(within));
    let bias_again = record.get("bias").unwrap();
    assert_eq!(
        (bias_again.dtype(), bias_again.shape()),
        ("bfloat16", &[2][..])
    );
    assert_eq!(bias_again.to_ndarray::<bf16, ndarray::Ix1>()?, bias);
    assert_eq!(safetensors::to_vec(&record.to_state_dict()?.into())?, file);
    Ok(())
}
