//! Arrays of plain elements, of texts and of times, and scalars.

use npcodec::ArrayElement;
use npcodec::dtype::{
    Bytes, Datetime64, E4M3Fn, Float8, Generic, LongDouble, Nanoseconds, Order, Seconds,
    Timedelta64, Void,
};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{
    Array, Array0, Array1, Axis, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, IxDyn, Slice,
};
use npcodec::num_complex::Complex;
use npcodec_tests::fact::Fact;
use npcodec_tests::vector::{Vector, array};

use crate::check::{Form, Scalar, X, both, fortran, reads, same};

const FILE: Form = Form::File;

/// Checks the array under its own number of axes and under any.
fn of<T: Fact + ArrayElement + std::fmt::Debug, D: Dimension>(vector: &Vector, form: Form) {
    both::<X<Array<T, D>>>(vector, vector.array("values", "shape"), form);
    both::<X<Array<T, IxDyn>>>(vector, vector.array("values", "shape"), form);
}

fn swapped<T: Fact + ArrayElement + std::fmt::Debug>(vector: &Vector, dtype: &'static str) {
    of::<T, Ix2>(vector, Form::Own(dtype, Some(Order::C)));
}

fn in_order_f<T: Fact + ArrayElement + std::fmt::Debug, D: Dimension>(
    vector: &Vector,
    dtype: &'static str,
) {
    let as_labelled = vector.array::<T, D>("dopamine_decodes_to", "shape");
    fortran(
        vector,
        dtype,
        as_labelled,
        vector.array::<T, D>("values", "shape"),
    );
}

/// Checks a 0-d array as a scalar in its native form, as a scalar array, and as an array.
macro_rules! scalar {
    ($vector:ident: $type:ty, $native:expr) => {{
        let value = <$type>::fact(&$vector.entry["values"]);
        both::<X<$type>>($vector, value, $native);
        both::<Scalar<$type>>($vector, value, FILE);
        both::<X<Array0<$type>>>($vector, $vector.array("values", "shape"), FILE);
    }};
}

pub(crate) fn check(vector: &Vector) -> bool {
    let v = vector;
    match &*v.name {
        "c_order_b1" => of::<bool, Ix2>(v, FILE),
        "c_order_i1" => of::<i8, Ix2>(v, FILE),
        "c_order_i2" => of::<i16, Ix2>(v, FILE),
        "c_order_i4" => of::<i32, Ix2>(v, FILE),
        "c_order_i8" => of::<i64, Ix2>(v, FILE),
        "c_order_u1" => of::<u8, Ix2>(v, FILE),
        "c_order_u2" => of::<u16, Ix2>(v, FILE),
        "c_order_u4" => of::<u32, Ix2>(v, FILE),
        "c_order_u8" => of::<u64, Ix2>(v, FILE),
        "c_order_f2" => of::<f16, Ix2>(v, FILE),
        "c_order_f4" => of::<f32, Ix2>(v, FILE),
        "c_order_f8" => of::<f64, Ix2>(v, FILE),
        "c_order_c8" => of::<Complex<f32>, Ix2>(v, FILE),
        "c_order_c16" => of::<Complex<f64>, Ix2>(v, FILE),

        "big_endian_i2" => swapped::<i16>(v, "'<i2'"),
        "big_endian_i8" => swapped::<i64>(v, "'<i8'"),
        "big_endian_u4" => swapped::<u32>(v, "'<u4'"),
        "big_endian_f2" => swapped::<f16>(v, "'<f2'"),
        "big_endian_f4" => swapped::<f32>(v, "'<f4'"),
        "big_endian_f8" => swapped::<f64>(v, "'<f8'"),
        "big_endian_c8" => swapped::<Complex<f32>>(v, "'<c8'"),
        "big_endian_c16" => swapped::<Complex<f64>>(v, "'<c16'"),

        "scalar_f4" => scalar!(v: f32, Form::Native),
        "scalar_f2" => scalar!(v: f16, FILE),
        "scalar_i8" => scalar!(v: i64, Form::Native),
        "scalar_u8" => scalar!(v: u64, Form::Native),
        "scalar_bool" => scalar!(v: bool, Form::Native),
        "scalar_c8" => scalar!(v: Complex<f32>, FILE),
        "zero_d_array" => {
            scalar!(v: i32, Form::Native);
            of::<i32, Ix0>(v, FILE);
        }

        "one_d" => of::<f32, Ix1>(v, FILE),
        "four_d" => of::<f32, Ix4>(v, FILE),
        "ones_in_shape" => of::<f64, Ix3>(v, FILE),
        "empty_0" => of::<f32, Ix1>(v, FILE),
        "empty_0x3" => of::<f64, Ix2>(v, FILE),
        "empty_3x0_F" => of::<i32, Ix2>(v, FILE),
        "extremes_f8" => of::<f64, Ix1>(v, FILE),
        "extremes_i8" => of::<i64, Ix1>(v, FILE),
        "extremes_u8" => of::<u64, Ix1>(v, FILE),
        "strided_view" => {
            of::<i64, Ix1>(v, FILE);
            let wide = Array1::from_iter(0..10_i64);
            written(
                v,
                &X {
                    x: wide.slice_axis(Axis(0), Slice::new(0, None, 2)),
                },
            );
        }
        "negative_stride" => {
            of::<i32, Ix1>(v, FILE);
            let forth = Array1::from_iter(0..6);
            written(
                v,
                &X {
                    x: forth.slice_axis(Axis(0), Slice::new(0, None, -1)),
                },
            );
        }
        // Strided in Python, so that the file names no order; the same array in rows has one.
        "transposed_3d" => {
            of::<f32, Ix3>(v, Form::Own("'<f4'", Some(Order::C)));
            let in_memory = Array1::from_iter((0..24_u8).map(f32::from));
            let in_memory = in_memory.into_shape_with_order((2, 3, 4)).unwrap();
            written(
                v,
                &X {
                    x: in_memory.permuted_axes([1, 0, 2]),
                },
            );
        }

        "fortran_2x3_i4" => {
            in_order_f::<i32, Ix2>(v, "'<i4'");
            in_order_f::<i32, IxDyn>(v, "'<i4'");
        }
        "fortran_3d_f8" => {
            in_order_f::<f64, Ix3>(v, "'<f8'");
            in_order_f::<f64, IxDyn>(v, "'<f8'");
        }

        "bfloat16" => {
            of::<bf16, Ix1>(v, Form::Own("'bfloat16'", None));
            // What Python's decoder makes of it are the bits.
            let bits: Array1<Void<2>> = array(&bits(v), &[4]);
            both::<X<Array1<Void<2>>>>(v, bits, Form::Own("[('', '|V2')]", None));
        }
        "float8_e4m3fn" => {
            let expected: Array1<Float8<E4M3Fn>> = v.array("dopamine_decodes_to", "shape");
            let values = expected.mapv(f32::from);
            same(v, &values, &v.array("values", "shape"));
            both::<X<Array1<Float8<E4M3Fn>>>>(v, expected, Form::Own("'float8_e4m3fn'", None));
            let bits: Array1<Void<1>> = array(&bits(v), &[2]);
            both::<X<Array1<Void<1>>>>(v, bits, Form::Own("[('', '|V1')]", None));
        }
        "longdouble" => {
            let expected: Array1<LongDouble> = v.array("values", "shape");
            let read = reads::<X<Array1<LongDouble>>>(v, &expected);
            same(
                v,
                &read.x.mapv(LongDouble::to_f64),
                &v.array("values", "shape"),
            );
            // In the file the six bytes after each value are whatever Python's memory held.
            let written = rmp_serde::to_vec(&X {
                x: expected.clone(),
            })
            .unwrap();
            let mut zeroed = v.bytes.clone();
            let data = zeroed
                .windows(5)
                .position(|head| head == b"data\xc4")
                .unwrap()
                + 6;
            for item in [data, data + 16] {
                zeroed[item + 10..item + 16].fill(0);
            }
            assert_eq!(written, zeroed);
            for state in [
                X {
                    x: expected.clone(),
                },
                read,
            ] {
                let written = rmp_serde::to_vec(&state).unwrap();
                let again: X<Array1<LongDouble>> = rmp_serde::from_slice(&written).unwrap();
                same(v, &again.x, &expected);
            }
        }

        "str_U" => of::<String, Ix1>(v, FILE),
        "str_big_endian" => of::<String, Ix1>(v, Form::Own("'<U2'", None)),
        "bytes_S" => {
            of::<Vec<u8>, Ix1>(v, FILE);
            of::<Bytes<2>, Ix1>(v, FILE);
        }
        "datetime_ns" => of::<Datetime64<Nanoseconds>, Ix1>(v, FILE),
        "datetime_25s" => of::<Timedelta64<Seconds, 25>, Ix1>(v, FILE),
        "timedelta_generic" => of::<Timedelta64<Generic>, Ix1>(v, FILE),
        "void_4" => of::<Void<4>, Ix1>(v, FILE),
        _ => return false,
    }
    true
}

/// Checks that an array with the memory layout that Python's had is written as the file.
fn written(vector: &Vector, state: &impl serde::Serialize) {
    assert_eq!(
        rmp_serde::to_vec(state).unwrap(),
        vector.bytes,
        "{}",
        vector.name
    );
}

/// Returns the bytes of the items, where the index has each as the one field of a record.
fn bits(vector: &Vector) -> serde_json::Value {
    let items = vector.entry["dopamine_decodes_to"].as_array().unwrap();
    items.iter().map(|item| item["f0"].clone()).collect()
}
