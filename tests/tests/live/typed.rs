//! Arrays of Python's as arrays of Rust's types, and as fields of derived structs.

use npcodec::dtype::{
    Bytes, DType, Datetime64, Days, E3M4, E4M3, E4M3B11Fnuz, E4M3Fn, E4M3Fnuz, E5M2, E5M2Fnuz,
    E8M0Fnu, Float8, Generic, LongDouble, Microseconds, Milliseconds, Nanoseconds, Order,
    PlainElement, Seconds, Timedelta64, Void,
};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{ArrayD, IxDyn};
use npcodec::num_complex::Complex;
use npcodec::{
    ArrayElement, Checkpoint, Fortran, NumpyEncoding, ReadOptions, Value, compress, uncompress,
};
use npcodec_tests::facts::{Fact, nested};
use serde_json::{Map, Value as Json, json};

use super::python_writes::Vector;
use super::records;

#[derive(Checkpoint)]
struct Field<T: ArrayElement> {
    x: ArrayD<T>,
}

#[derive(Checkpoint)]
struct FieldOfRows<T: ArrayElement> {
    #[checkpoint(fortran = "row_major")]
    x: ArrayD<T>,
}

#[derive(Checkpoint)]
struct CompressedField<T: PlainElement> {
    #[checkpoint(compress)]
    x: ArrayD<T>,
}

/// Calls a function with the type of a number's dtype, in either byte order.
macro_rules! numbers {
    ($text:expr, $call:ident($($argument:expr),*), $($pattern:pat => $other:expr,)*) => {
        match $text.replace('>', "<").as_str() {
            "'|b1'" => $call::<bool>($($argument),*),
            "'|i1'" => $call::<i8>($($argument),*),
            "'<i2'" => $call::<i16>($($argument),*),
            "'<i4'" => $call::<i32>($($argument),*),
            "'<i8'" => $call::<i64>($($argument),*),
            "'|u1'" => $call::<u8>($($argument),*),
            "'<u2'" => $call::<u16>($($argument),*),
            "'<u4'" => $call::<u32>($($argument),*),
            "'<u8'" => $call::<u64>($($argument),*),
            "'<f2'" => $call::<f16>($($argument),*),
            "'<f4'" => $call::<f32>($($argument),*),
            "'<f8'" => $call::<f64>($($argument),*),
            "'<c8'" => $call::<Complex<f32>>($($argument),*),
            "'<c16'" => $call::<Complex<f64>>($($argument),*),
            $($pattern => $other,)*
        }
    };
}

/// Restores an array as the type that it is in Rust.
pub(super) fn check(vector: &Vector<'_>) -> &'static str {
    let array = vector.value.as_array().unwrap();
    let text = vector.text("wire_dtype").unwrap();
    let order = match array.order() {
        Some(Order::C) => Some("C"),
        Some(Order::F) => Some("F"),
        None => None,
    };
    assert_eq!(array.dtype_text(), text);
    assert_eq!(array.shape(), vector.shape());
    assert_eq!(order, vector.text("wire_order"));
    if let Some(ml) = vector.text("type") {
        return ml_dtype(vector, ml);
    }
    if text.starts_with("[('data', '|u1'") {
        return record_of_compress(vector);
    }
    if text.starts_with("[(") && text != "[('', '|V4')]" {
        return records::check(vector);
    }
    numbers!(text, whole(vector, "of numbers"),
        "'<U3'" | "'<U2'" => whole::<String>(vector, "of texts"),
        "'|S3'" => {
            whole::<Bytes<3>>(vector, "");
            whole::<Vec<u8>>(vector, "of byte strings")
        },
        "'|S4'" => whole::<Bytes<4>>(vector, "of byte strings"),
        "[('', '|V4')]" => whole::<Void<4>>(vector, "of opaque bytes"),
        "'<M8[D]'" => whole::<Datetime64<Days>>(vector, "of times"),
        "'<M8[ns]'" => whole::<Datetime64<Nanoseconds>>(vector, "of times"),
        "'<M8[25us]'" => whole::<Datetime64<Microseconds, 25>>(vector, "of times"),
        "'<m8[s]'" => whole::<Timedelta64<Seconds>>(vector, "of times"),
        "'<m8[25ms]'" => whole::<Timedelta64<Milliseconds, 25>>(vector, "of times"),
        "'<m8'" => whole::<Timedelta64<Generic>>(vector, "of times"),
        "'<f16'" => whole::<LongDouble>(vector, "of long doubles"),
        "'<c32'" => complex_long_doubles(vector),
        _ => panic!("{text} has no type here"),
    )
}

fn ml_dtype(vector: &Vector<'_>, ml: &str) -> &'static str {
    match ml {
        "bfloat16" => whole::<bf16>(vector, "of bfloat16"),
        "float8_e3m4" => whole::<Float8<E3M4>>(vector, "of float8"),
        "float8_e4m3" => whole::<Float8<E4M3>>(vector, "of float8"),
        "float8_e4m3b11fnuz" => whole::<Float8<E4M3B11Fnuz>>(vector, "of float8"),
        "float8_e4m3fn" => whole::<Float8<E4M3Fn>>(vector, "of float8"),
        "float8_e4m3fnuz" => whole::<Float8<E4M3Fnuz>>(vector, "of float8"),
        "float8_e5m2" => whole::<Float8<E5M2>>(vector, "of float8"),
        "float8_e5m2fnuz" => whole::<Float8<E5M2Fnuz>>(vector, "of float8"),
        "float8_e8m0fnu" => whole::<Float8<E8M0Fnu>>(vector, "of float8"),
        // Rust has no types for these: they are read as the bytes that they are.
        _ => {
            restored::<Void<1>>(vector, &|Void([bits])| few_bits(ml, *bits));
            "of a few bits"
        }
    }
}

pub(super) fn whole<T: ArrayElement + Fact>(
    vector: &Vector<'_>,
    kind: &'static str,
) -> &'static str {
    restored::<T>(vector, &T::json);
    kind
}

/// Reads the array in every way that there is.
fn restored<T: ArrayElement>(vector: &Vector<'_>, json: &dyn Fn(&T) -> Json) {
    let array = vector.value.as_array().unwrap();
    let name = &vector.facts["name"];
    let fault = |error: &dyn std::fmt::Display| -> ! { panic!("{name}: {error}") };
    let facts = |items: &ArrayD<T>| nested(items.map(|item| Is(json(item))).view());
    let expected = by_label(vector);

    let read = array.to_array::<T, IxDyn>();
    let read = read.unwrap_or_else(|error| fault(&error));
    vector.expect("columns", &facts(&read), &expected);
    let options = ReadOptions::new().fortran(Fortran::RowMajor);
    let rows = ArrayD::<T>::from_value_with(vector.value.clone(), &options);
    let (rows, _) = rows.unwrap_or_else(|error| fault(&error));
    vector.expect("rows", &facts(&rows), &vector.facts["values"]);

    if vector.is_field() {
        let field: Field<T> =
            rmp_serde::from_slice(vector.bytes).unwrap_or_else(|error| fault(&error));
        vector.expect("field", &facts(&field.x), &expected);
        let rows: FieldOfRows<T> =
            rmp_serde::from_slice(vector.bytes).unwrap_or_else(|error| fault(&error));
        vector.expect("field of rows", &facts(&rows.x), &vector.facts["values"]);
    }

    // What has been read is written as it was, where Python's form is the one that is written here.
    let written = NumpyEncoding::from_array(read.view()).unwrap_or_else(|error| fault(&error));
    if written.dtype_text() == array.dtype_text() {
        let mut data = array.data().to_vec();
        if array.dtype_text() == "'<f16'" {
            // Python leaves old memory in the padding of long doubles; here it is zero.
            data.chunks_exact_mut(16)
                .for_each(|item| item[10..].fill(0));
        }
        assert!(written.data() == data, "{name}: other bytes");
        if array.order().is_some() {
            assert_eq!(written.order(), array.order(), "{name}");
        }
    }
}

/// JSON as an item of an array.
#[derive(Clone)]
struct Is(Json);

impl Fact for Is {
    fn json(&self) -> Json {
        self.0.clone()
    }
}

/// The values as the label says: Dopamine writes rows under `F` and reads columns.
fn by_label(vector: &Vector<'_>) -> Json {
    let values = &vector.facts["values"];
    if vector.text("wire_order") != Some("F") {
        return values.clone();
    }
    let shape = vector.shape();
    let mut items = vec![values];
    for _ in &shape {
        items = items
            .iter()
            .flat_map(|list| list.as_array().unwrap())
            .collect();
    }
    let items = items.into_iter().cloned().map(Is).collect();
    let reversed: Vec<usize> = shape.iter().rev().copied().collect();
    let columns = ArrayD::from_shape_vec(reversed, items).unwrap();
    let columns = nested(columns.t());
    // Where Dopamine loses the type, it decodes something else.
    let lossy = vector.text("wire_dtype").unwrap().contains("''");
    if let Some(decoded) = vector.facts.get("dopamine_decodes_to").filter(|_| !lossy) {
        vector.expect("what Dopamine decodes", &columns, decoded);
    }
    columns
}

/// Rows with a text among their columns: each column is an array of its own.
pub(super) fn by_columns(vector: &Vector<'_>) -> &'static str {
    let array = vector.value.as_array().unwrap();
    let DType::Record(record) = array.dtype() else {
        panic!("{array} has no columns");
    };
    for field in record.fields() {
        let itemsize = record.itemsize();
        let items = array.data().chunks_exact(itemsize);
        let data: Vec<u8> = items
            .flat_map(|item| &item[field.offset()..][..field.size()])
            .copied()
            .collect();
        let mut shape = array.shape().to_vec();
        shape.extend(field.shape());
        let column = field.dtype().clone();
        let column = NumpyEncoding::from_dtype(shape.clone(), data, column, array.order());
        let column = Value::Array(column.unwrap());
        let text = field.dtype().text();
        let mut facts = Map::new();
        facts.insert("name".into(), vector.facts["name"].clone());
        facts.insert("path".into(), json!([field.name()]));
        facts.insert("wire_dtype".into(), json!(text));
        facts.insert("wire_order".into(), json!(vector.text("wire_order")));
        facts.insert("shape".into(), json!(shape));
        let values = pick(&vector.facts["values"], field.name());
        facts.insert("values".into(), values);
        check(&Vector {
            facts: &Json::Object(facts),
            bytes: &[],
            value: &column,
        });
    }
    "of rows, by columns"
}

fn pick(values: &Json, name: &str) -> Json {
    match values {
        Json::Array(items) => items.iter().map(|item| pick(item, name)).collect(),
        row => row[name].clone(),
    }
}

fn record_of_compress(vector: &Vector<'_>) -> &'static str {
    by_columns(vector);
    let array = vector.value.as_array().unwrap();
    let plain = uncompress(array).unwrap();
    let text = vector.text("uncompressed_dtype").unwrap();
    assert_eq!(plain.dtype_text(), format!("'{text}'"));
    let shape: Vec<usize> =
        serde_json::from_value(vector.facts["uncompressed_shape"].clone()).unwrap();
    assert_eq!(plain.shape(), shape);
    assert_eq!(
        &compress(&plain).unwrap(),
        array,
        "{}",
        vector.facts["name"]
    );
    numbers!(plain.dtype_text(), uncompressed(vector, &plain),
        text => panic!("{text} cannot be compressed"),
    )
}

fn uncompressed<T: PlainElement + Fact>(
    vector: &Vector<'_>,
    plain: &NumpyEncoding<'_>,
) -> &'static str {
    let expected = &vector.facts["uncompressed_values"];
    let items = plain.to_array::<T, IxDyn>().unwrap();
    vector.expect("uncompressed", &nested(items.view()), expected);
    if vector.is_field() {
        let field: CompressedField<T> = rmp_serde::from_slice(vector.bytes).unwrap();
        vector.expect("compressed field", &nested(field.x.view()), expected);
        if !plain.dtype_text().contains('>') {
            assert!(rmp_serde::to_vec(&field).unwrap() == vector.bytes);
        }
    }
    "compressed"
}

/// Rust has no complex numbers of this size: their parts are an axis of long doubles.
fn complex_long_doubles(vector: &Vector<'_>) -> &'static str {
    let array = vector.value.as_array().unwrap();
    let columns = array.order() == Some(Order::F);
    let mut shape = array.shape().to_vec();
    shape.insert(if columns { 0 } else { shape.len() }, 2);
    let parts = NumpyEncoding::new(shape, array.data().to_vec(), "'<f16'", array.order());
    let mut parts = parts.unwrap().to_array::<LongDouble, IxDyn>().unwrap();
    if columns {
        let mut axes: Vec<usize> = (1..parts.ndim()).collect();
        axes.push(0);
        parts = parts.permuted_axes(axes);
    }
    vector.expect("parts", &nested(parts.view()), &by_label(vector));
    "of complex long doubles"
}

/// The value of one of the types of ml_dtypes with fewer than eight bits.
fn few_bits(ml: &str, bits: u8) -> Json {
    let float = |exponent_bits: u32, fraction_bits: u32, bias: i32| {
        let fraction = f64::from(bits & ((1 << fraction_bits) - 1)) / f64::from(1 << fraction_bits);
        let exponent = i32::from(bits >> fraction_bits & ((1 << exponent_bits) - 1));
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(1 - bias),
            _ => (1.0 + fraction) * 2f64.powi(exponent - bias),
        };
        let negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
        json!(if negative { -magnitude } else { magnitude })
    };
    let signed = |width: u32| json!((bits as i8) << (8 - width) >> (8 - width));
    match ml {
        "float6_e2m3fn" => float(2, 3, 1),
        "float6_e3m2fn" => float(3, 2, 3),
        "float4_e2m1fn" => float(2, 1, 1),
        "int4" => signed(4),
        "int2" => signed(2),
        "uint4" => json!(bits & 0xf),
        "uint2" => json!(bits & 0x3),
        _ => panic!("{ml} has no type here"),
    }
}
