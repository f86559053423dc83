//! Every element type in every memory layout and under every owner.

use npcodec::ArrayElement;
use npcodec::Checkpoint;
use npcodec::dtype::{
    Attoseconds, Bytes, Datetime64, Days, E3M4, E4M3, E4M3B11Fnuz, E4M3Fn, E4M3Fnuz, E5M2,
    E5M2Fnuz, E8M0Fnu, Float8, Float8Format, Generic, Hours, LongDouble, Microseconds,
    Milliseconds, Nanoseconds, Seconds, Timedelta64, Void, Weeks, Years,
};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{
    ArcArray, Array, Array0, Array1, Array2, Array3, ArrayBase, ArrayD, ArrayView2, ArrayView3,
    Axis, CowArray, Dimension, Ix1, Ix2, IxDyn, RawData, ShapeBuilder, Slice, StrideShape,
};
use npcodec::num_complex::Complex;
use npcodec_tests::facts::Fact;
use npcodec_tests::manifest::Manifest;
use serde_json::json;

#[derive(Checkpoint)]
struct Layouts<'a, T: ArrayElement> {
    rows: Array2<T>,
    columns: Array2<T>,
    strided: ArrayView2<'a, T>,
    inner_columns: ArrayView2<'a, T>,
    negative: ArrayView2<'a, T>,
    broadcast: ArrayView2<'a, T>,
    cube: Array3<T>,
    cube_of_columns: ArrayView3<'a, T>,
    cube_of_neither: ArrayView3<'a, T>,
    one: Array1<T>,
    reversed: CowArray<'a, T, Ix1>,
    column: Array2<T>,
    row: Array2<T>,
    empty: Array2<T>,
    zero_d: Array0<T>,
    dynamic: ArrayD<T>,
    dynamic_zero_d: ArrayD<T>,
    shared: ArcArray<T, Ix2>,
    shared_part: ArcArray<T, Ix2>,
    borrowed: CowArray<'a, T, Ix2>,
    owned: CowArray<'a, T, Ix2>,
}

/// Fills a shape with the samples, over and over, so that no two neighbours are equal.
fn filled<T: Clone, D: Dimension>(samples: &[T], shape: impl Into<StrideShape<D>>) -> Array<T, D> {
    let shape = shape.into();
    let items = samples.iter().cycle().take(shape.size()).cloned();
    Array::from_shape_vec(shape, items.collect()).unwrap()
}

/// Leaves the first row out.
fn part<S: RawData>(mut array: ArrayBase<S, Ix2>) -> ArrayBase<S, Ix2> {
    array.slice_axis_inplace(Axis(0), Slice::from(1..));
    array
}

/// Writes a type in every layout.
fn layouts<T: ArrayElement + Fact>(
    manifest: &mut Manifest<'_>,
    name: &str,
    dtype: &str,
    samples: &[T],
) {
    let base = filled(samples, (4, 6));
    let line = filled(samples, 5);
    let three = filled(samples, 3);
    let cube = filled(samples, (2, 3, 2));
    let shared = filled(samples, (3, 2)).into_shared();
    let state = Layouts {
        rows: filled(samples, (2, 3)),
        columns: filled(samples, (2, 3).f()),
        strided: base.slice_each_axis(|axis| Slice::new(axis.axis.0 as isize, None, 2)),
        inner_columns: part(base.t()),
        negative: base.slice_each_axis(|_| Slice::new(0, None, -1)),
        broadcast: three.broadcast((2, 3)).unwrap(),
        cube_of_columns: cube.t(),
        cube_of_neither: cube.view().permuted_axes([1, 0, 2]),
        cube: cube.clone(),
        reversed: line.slice_axis(Axis(0), Slice::new(0, None, -1)).into(),
        one: line.clone(),
        column: filled(samples, (4, 1)),
        row: filled(samples, (1, 4).f()),
        empty: filled(samples, (0, 3)),
        zero_d: filled(samples, ()),
        dynamic: filled(samples, IxDyn(&[2, 1, 3, 2])),
        dynamic_zero_d: filled(samples, IxDyn(&[])),
        shared_part: part(shared.clone()),
        shared,
        borrowed: base.view().into(),
        owned: filled(samples, (3, 2).f()).into(),
    };
    let mut file = manifest.save(name, &state);
    macro_rules! expect {
        ($($field:ident: $order:expr;)*) => {
            $(file.array(json!([stringify!($field)]), dtype, $order, state.$field.view());)*
        };
    }
    expect! {
        rows: Some("C");
        columns: Some("F");
        strided: None;
        inner_columns: None;
        negative: None;
        broadcast: None;
        cube: Some("C");
        cube_of_columns: Some("F");
        cube_of_neither: None;
        one: None;
        reversed: None;
        column: None;
        row: None;
        zero_d: None;
        dynamic: Some("C");
        dynamic_zero_d: None;
        shared: Some("C");
        shared_part: Some("C");
        borrowed: Some("C");
        owned: Some("F");
    }
    // NumPy's own dtype of no texts at all is one character wide.
    let empty = match dtype {
        "'<U3'" => "'<U1'",
        "'|S3'" if size_of::<T>() > 3 => "'|S1'",
        dtype => dtype,
    };
    file.array(json!(["empty"]), empty, None, state.empty.view());
}

fn float8<F: Float8Format>(manifest: &mut Manifest<'_>, name: &str) {
    let samples: Vec<Float8<F>> = (0..=255).map(Float8::from_bits).collect();
    layouts(manifest, name, &format!("'{name}'"), &samples[0x30..0x50]);
    let all = filled(&samples, 256);
    manifest.save_top(&format!("{name}_all"), &all).array(
        json!([]),
        &format!("'{name}'"),
        None,
        all.view(),
    );
}

fn complex<T: Copy>(parts: &[T]) -> Vec<Complex<T>> {
    let pairs = parts.iter().zip(parts.iter().rev());
    pairs.map(|(re, im)| Complex::new(*re, *im)).collect()
}

pub(super) fn write(manifest: &mut Manifest<'_>) {
    let m = manifest;
    layouts(m, "bool", "'|b1'", &[true, false, false]);
    layouts(m, "i8", "'|i1'", &[i8::MIN, -1, 0, 1, i8::MAX]);
    layouts(m, "i16", "'<i2'", &[i16::MIN, -1, 0, 258, i16::MAX]);
    layouts(m, "i32", "'<i4'", &[i32::MIN, -1, 0, 70_000, i32::MAX]);
    layouts(m, "i64", "'<i8'", &[i64::MIN, -1, 0, 1 << 53, i64::MAX]);
    layouts(m, "u8", "'|u1'", &[0, 1, 127, 128, u8::MAX]);
    layouts(m, "u16", "'<u2'", &[0, 1, 258, 32_768, u16::MAX]);
    layouts(m, "u32", "'<u4'", &[0, 1, 70_000, 1 << 31, u32::MAX]);
    layouts(m, "u64", "'<u8'", &[0, 1, 1 << 53, 1 << 63, u64::MAX]);

    let halves = [0.5, -0.0, 65504.0, 6e-8, f32::NAN, f32::INFINITY, -1.25];
    layouts(m, "f16", "'<f2'", &halves.map(f16::from_f32));
    layouts(m, "bf16", "'bfloat16'", &halves.map(bf16::from_f32));
    let singles = [0.1, -0.0, f32::MAX, 1e-45, f32::NAN, f32::NEG_INFINITY];
    layouts(m, "f32", "'<f4'", &singles);
    let doubles = [0.1, -0.0, f64::MIN, 5e-324, f64::NAN, f64::INFINITY];
    layouts(m, "f64", "'<f8'", &doubles);
    layouts(m, "c64", "'<c8'", &complex(&singles));
    layouts(m, "c128", "'<c16'", &complex(&doubles));
    layouts(
        m,
        "long_double",
        "'<f16'",
        &doubles.map(LongDouble::from_f64),
    );
    float8::<E3M4>(m, "float8_e3m4");
    float8::<E4M3>(m, "float8_e4m3");
    float8::<E4M3B11Fnuz>(m, "float8_e4m3b11fnuz");
    float8::<E4M3Fn>(m, "float8_e4m3fn");
    float8::<E4M3Fnuz>(m, "float8_e4m3fnuz");
    float8::<E5M2>(m, "float8_e5m2");
    float8::<E5M2Fnuz>(m, "float8_e5m2fnuz");
    float8::<E8M0Fnu>(m, "float8_e8m0fnu");

    times(m);
    let strings = ["ab", "a\0b", ""].map(|text| Bytes::<3>::from_slice(text.as_bytes()).unwrap());
    layouts(m, "bytes", "'|S3'", &strings);
    let voids = [Void(*b"\0\x01\xfe\xff"), Void([0; 4]), Void(*b"abcd")];
    layouts(m, "void", "[('', '|V4')]", &voids);
    let texts = ["abc", "é漢\u{1f600}", "'\"\\", "a\0b"].map(str::to_owned);
    layouts(m, "text", "'<U3'", &texts);
    let strings = ["abc", "\u{e9}x", "'\"\\", "a\0b"].map(|text| text.as_bytes().to_vec());
    layouts(m, "byte_strings", "'|S3'", &strings);
    sub_arrays(m);
}

fn times(m: &mut Manifest<'_>) {
    const COUNTS: [i64; 5] = [i64::MIN, -1, 0, 1_700_000_000, i64::MAX];
    macro_rules! times {
        ($($time:ident<$unit:ident, $multiple:literal> $name:literal, $dtype:literal;)*) => {
            $(layouts(m, $name, $dtype, &COUNTS.map($time::<$unit, $multiple>::new));)*
        };
    }
    times! {
        Datetime64<Years, 1> "datetime_y", "'<M8[Y]'";
        Datetime64<Days, 1> "datetime_d", "'<M8[D]'";
        Datetime64<Seconds, 1> "datetime_s", "'<M8[s]'";
        Datetime64<Nanoseconds, 1> "datetime_ns", "'<M8[ns]'";
        Datetime64<Microseconds, 25> "datetime_25us", "'<M8[25us]'";
        Timedelta64<Generic, 1> "timedelta", "'<m8'";
        Timedelta64<Weeks, 2> "timedelta_2w", "'<m8[2W]'";
        Timedelta64<Hours, 6> "timedelta_6h", "'<m8[6h]'";
        Timedelta64<Milliseconds, 1> "timedelta_ms", "'<m8[ms]'";
        Timedelta64<Attoseconds, 7> "timedelta_7as", "'<m8[7as]'";
    }
}

/// Items that are arrays themselves add axes to the array.
fn sub_arrays(manifest: &mut Manifest<'_>) {
    let samples = [
        [[1.5f32, -2.0, 0.25], [4.0, 5.0, 6.0]],
        [[0.5; 3], [7.0; 3]],
    ];
    let rows: Array2<[[f32; 3]; 2]> = filled(&samples, (2, 3));
    let columns: Array2<[[f32; 3]; 2]> = filled(&samples, (2, 3).f());
    let shape = [2, 3, 2, 3];
    let mut file = manifest.save_top("sub_arrays", &(rows.clone(), columns.clone()));
    let facts = |array: &Array2<_>| npcodec_tests::facts::nested(array.view());
    file.values(json!([0]), "'<f4'", &shape, Some("C"), facts(&rows));
    file.values(json!([1]), "'<f4'", &shape, None, facts(&columns));
}
