//! Structured arrays: rows packed and aligned, nested, with sub-arrays and names of every kind.

use npcodec::Checkpoint;
use npcodec::dtype::{Bytes, Datetime64, LongDouble, Milliseconds, Seconds, Timedelta64, Void};
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{Array0, Array1, Array2, ArrayView2, ShapeBuilder, Slice, arr0, array};
use npcodec::num_complex::Complex;
use npcodec_tests::facts::Fact;
use npcodec_tests::manifest::Manifest;
use npcodec_tests::row;
use serde_json::json;

row! {
    struct Packed {
        flag: bool => "flag",
        small: i8 => "small",
        count: i32 => "count",
        weight: f64 => "weight",
        tag: Bytes<3> => "tag",
        raw: Void<2> => "raw",
        half: f16 => "half",
        wave: Complex<f32> => "wave",
        time: Datetime64<Seconds> => "time",
        wait: Timedelta64<Milliseconds, 25> => "wait",
        key: u64 => "key",
    }
}
const PACKED: &str = "[('flag', '|b1'), ('small', '|i1'), ('count', '<i4'), ('weight', '<f8'), \
    ('tag', '|S3'), ('raw', '|V2'), ('half', '<f2'), ('wave', '<c8'), ('time', '<M8[s]'), \
    ('wait', '<m8[25ms]'), ('key', '<u8')]";

row! {
    #[structured(align)]
    struct Aligned {
        a: i8 => "a",
        b: f64 => "b",
        c: i16 => "c",
    }
}
const ALIGNED: &str = "{'names': ['a', 'b', 'c'], 'formats': ['|i1', '<f8', '<i2'], 'offsets': [0, 8, 16], 'itemsize': 24}";

row! {
    struct Part {
        x: f32 => "x",
        y: i16 => "y",
    }
}

row! {
    struct Nested {
        part: Part => "part",
        parts: [Part; 2] => "parts",
        matrix: [[u8; 3]; 2] => "matrix",
        one: [i32; 1] => "one",
        times: [Datetime64<Seconds>; 2] => "times",
    }
}
const NESTED: &str = "[('part', [('x', '<f4'), ('y', '<i2')]), \
    ('parts', [('x', '<f4'), ('y', '<i2')], (2,)), ('matrix', '|u1', (2, 3)), \
    ('one', '<i4', (1,)), ('times', '<M8[s]', (2,))]";

row! {
    #[structured(align)]
    struct AlignedNested {
        key: u8 => "key",
        inner: Aligned => "inner",
        pair: [Aligned; 2] => "pair",
        last: bool => "last",
    }
}
const ALIGNED_NESTED: &str = "{'names': ['key', 'inner', 'pair', 'last'], 'formats': ['|u1', \
    {'names': ['a', 'b', 'c'], 'formats': ['|i1', '<f8', '<i2'], 'offsets': [0, 8, 16], 'itemsize': 24}, \
    ({'names': ['a', 'b', 'c'], 'formats': ['|i1', '<f8', '<i2'], 'offsets': [0, 8, 16], 'itemsize': 24}, (2,)), \
    '|b1'], 'offsets': [0, 8, 32, 80], 'itemsize': 88}";

row! {
    struct Quotes {
        single: i32 => "it's",
        double: i16 => "say \"x\" \\",
        both: u8 => "both ' and \"",
        control: i8 => "tab\tline\n\r\x01\x7f",
        wide: bool => "é漢\u{1f600}\u{2028}\u{a0}",
        keyword: f32 => "class",
        spaced: u16 => " shape ",
    }
}
const QUOTES: &str = r#"[("it's", '<i4'), ('say "x" \\', '<i2'), ('both \' and "', '|u1'),
    ('tab\tline\n\r\x01\x7f', '|i1'), ('é漢😀\u2028\xa0', '|b1'), ('class', '<f4'), (' shape ', '<u2')]"#;

row! {
    struct Odd {
        long: LongDouble => "long",
        brain: bf16 => "brain",
    }
}

fn packed(seed: i32) -> Packed {
    Packed {
        flag: seed % 2 == 0,
        small: -1,
        count: i32::MIN + seed,
        weight: 0.1 * f64::from(seed),
        tag: Bytes::from_slice(b"a\0b").unwrap(),
        raw: Void([0, 0xff]),
        half: f16::from_f32(-0.25),
        wave: Complex::new(f32::NAN, -0.0),
        time: Datetime64::new(-5),
        wait: Timedelta64::NAT,
        key: u64::MAX,
    }
}

fn aligned(seed: i8) -> Aligned {
    let b = f64::from(seed) / 4.0;
    Aligned { a: seed, b, c: -7 }
}

fn nested(seed: i16) -> Nested {
    let part = |y| Part { x: 0.5, y };
    Nested {
        part: part(seed),
        parts: [part(1), part(-1)],
        matrix: [[1, 2, 3], [4, 5, 255]],
        one: [i32::MAX],
        times: [Datetime64::new(1), Datetime64::NAT],
    }
}

#[derive(Checkpoint)]
struct Rows<'a> {
    line: Array1<Packed>,
    empty: Array1<Packed>,
    one: Array0<Packed>,
    table: Array2<Packed>,
    columns: Array2<Aligned>,
    strided: ArrayView2<'a, Aligned>,
    nested: Array2<Nested>,
    aligned_nested: Array1<AlignedNested>,
    quotes: Array1<Quotes>,
    #[checkpoint(scalar)]
    scalar: Packed,
    #[checkpoint(scalar)]
    scalars: Vec<Aligned>,
    #[checkpoint(scalar)]
    maybe: Option<Nested>,
    #[checkpoint(array)]
    listed: Vec<Nested>,
    #[checkpoint(array)]
    block: [[Aligned; 2]; 2],
}

pub(super) fn write(manifest: &mut Manifest<'_>) {
    let base = Array2::from_shape_fn((4, 4), |(i, j)| aligned((i * 4 + j) as i8));
    let quotes = |spaced| Quotes {
        single: 1,
        double: -2,
        both: 3,
        control: -4,
        wide: true,
        keyword: 1.5,
        spaced,
    };
    let state = Rows {
        line: (0..5).map(packed).collect(),
        empty: array![],
        one: arr0(packed(7)),
        table: Array2::from_shape_fn((2, 3), |(i, j)| packed((i * 3 + j) as i32)),
        columns: Array2::from_shape_fn((2, 3).f(), |(i, j)| aligned((i * 3 + j) as i8)),
        strided: base.slice_each_axis(|axis| Slice::new(0, None, 2 - 3 * axis.axis.0 as isize)),
        nested: Array2::from_shape_fn((2, 2), |(i, j)| nested((i * 2 + j) as i16)),
        aligned_nested: (0..3)
            .map(|key| AlignedNested {
                key,
                inner: aligned(-1),
                pair: [aligned(2), aligned(3)],
                last: key == 2,
            })
            .collect(),
        quotes: array![quotes(5), quotes(u16::MAX)],
        scalar: packed(3),
        scalars: vec![aligned(1), aligned(2)],
        maybe: Some(nested(9)),
        listed: vec![nested(1), nested(2), nested(3)],
        block: [[aligned(1), aligned(2)], [aligned(3), aligned(4)]],
    };
    let mut file = manifest.save("rows", &state);
    file.array(json!(["line"]), PACKED, None, state.line.view());
    file.array(json!(["empty"]), PACKED, None, state.empty.view());
    file.array(json!(["one"]), PACKED, None, state.one.view());
    file.array(json!(["table"]), PACKED, Some("C"), state.table.view());
    file.array(json!(["columns"]), ALIGNED, Some("F"), state.columns.view());
    file.array(json!(["strided"]), ALIGNED, None, state.strided);
    file.array(json!(["nested"]), NESTED, Some("C"), state.nested.view());
    let aligned_nested = state.aligned_nested.view();
    file.array(
        json!(["aligned_nested"]),
        ALIGNED_NESTED,
        None,
        aligned_nested,
    );
    file.array(json!(["quotes"]), QUOTES, None, state.quotes.view());
    file.zero_d(json!(["scalar"]), PACKED, &state.scalar);
    for (index, row) in state.scalars.iter().enumerate() {
        file.zero_d(json!(["scalars", index]), ALIGNED, row);
    }
    file.zero_d(json!(["maybe"]), NESTED, &nested(9));
    file.values(
        json!(["listed"]),
        NESTED,
        &[3],
        None,
        json_of(&state.listed),
    );
    let block = state.block.json();
    file.values(json!(["block"]), ALIGNED, &[2, 2], Some("C"), block);

    let odd = Odd {
        long: LongDouble::from_f64(-1.25),
        brain: bf16::from_f32(3.0),
    };
    let odd = array![odd.clone(), odd];
    let dtype = "[('long', '<f16'), ('brain', 'bfloat16')]";
    manifest
        .save_top("odd_rows", &odd)
        .array(json!([]), dtype, None, odd.view());
}

fn json_of<T: Fact>(rows: &[T]) -> serde_json::Value {
    rows.iter().map(T::json).collect()
}
