//! Rows of structured arrays: what is written, and what is read by name.

use npcodec::dtype::DType;
use npcodec::dtype::{Bytes, Cast, Element, Items, MismatchKind, Text};
use npcodec::{Checkpoint, Structured, Value};

fn written<T: Element>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    T::write_all([value].into_iter(), &mut out);
    out
}

fn back<T: Element>(dtype: &str, bytes: &[u8]) -> Result<Vec<T>, String> {
    let dtype: DType = dtype.parse().unwrap();
    let reader = T::reader(&dtype, Cast::Exact).map_err(|error| error.to_string())?;
    let items = Items::new(bytes, dtype.itemsize(), bytes.len() / dtype.itemsize()).unwrap();
    let checked = T::check(&reader, items);
    let read = T::read_all(&reader, items);
    assert_eq!(checked.as_ref().err(), read.as_ref().err());
    read.map_err(|error| error.to_string())
}

/// The layout of the derive and that of the dtype have to be the same.
fn layouts_agree<T: Element>() {
    assert_eq!(T::SIZE, T::dtype().itemsize());
    assert_eq!(T::ALIGN, T::dtype().alignment());
}

#[derive(Debug, Clone, PartialEq, Structured)]
struct Step {
    a: i32,
    b: f64,
    m: [[u8; 3]; 2],
    s: Bytes<4>,
}

/// `np.array([(1, 2.5, [[1, 2, 3], [4, 5, 6]], b'ab')], dtype).tobytes()`
const STEP: [u8; 22] = [
    1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0x40, 1, 2, 3, 4, 5, 6, b'a', b'b', 0, 0,
];

#[test]
fn rows_are_packed_in_the_order_of_their_fields() {
    let step = Step {
        a: 1,
        b: 2.5,
        m: [[1, 2, 3], [4, 5, 6]],
        s: Bytes::from_slice(b"ab").unwrap(),
    };
    let text = "[('a', '<i4'), ('b', '<f8'), ('m', '|u1', (2, 3)), ('s', '|S4')]";
    assert_eq!(Step::dtype().text(), text);
    assert_eq!(written(&step), STEP);
    assert_eq!(back::<Step>(text, &STEP), Ok(vec![step]));
    layouts_agree::<Step>();
}

#[derive(Debug, Clone, PartialEq, Structured)]
#[structured(align)]
struct Aligned {
    a: u8,
    b: f64,
    ok: bool,
}

const ROW: Aligned = Aligned {
    a: 7,
    b: 2.5,
    ok: true,
};

#[test]
fn aligned_rows_have_the_padding_of_numpy_all_of_it_zero() {
    let text = "{'names': ['a', 'b', 'ok'], 'formats': ['|u1', '<f8', '|b1'], \
                'offsets': [0, 8, 16], 'itemsize': 24}";
    assert!(Aligned::dtype().text().starts_with(&text[..text.len() - 1]));
    let mut bytes = [0; 24];
    (bytes[0], bytes[14], bytes[15], bytes[16]) = (7, 4, 0x40, 1);
    assert_eq!(written(&ROW), bytes);
    assert_eq!(back::<Aligned>(text, &bytes), Ok(vec![ROW]));
    layouts_agree::<Aligned>();
}

#[test]
fn columns_are_found_by_name_whatever_their_place_and_byte_order() {
    // Made by NumPy: the bytes of a zeroed array of this dtype with one row filled in.
    let text = "{'names': ['b', 'ok', 'a'], 'formats': ['>f8', '|b1', '|u1'], \
                'offsets': [4, 2, 16], 'itemsize': 20}";
    let mut bytes = [0; 20];
    (bytes[2], bytes[4], bytes[5], bytes[16]) = (1, 0x40, 4, 7);
    assert_eq!(back::<Aligned>(text, &bytes), Ok(vec![ROW]));

    let padded = "[('ok', '|b1'), ('', '|V3'), ('a', '|u1'), ('b', '<f8')]";
    let bytes = [1, 9, 9, 9, 7, 0, 0, 0, 0, 0, 0, 4, 0x40];
    assert_eq!(back::<Aligned>(padded, &bytes), Ok(vec![ROW]));
}

#[test]
fn every_column_that_differs_is_reported() {
    let text = "[('a', '<i2'), ('c', '<f8'), ('m', '|u1', (3, 2)), ('s', '|S4')]";
    let dtype: DType = text.parse().unwrap();
    let Err(error) = Step::reader(&dtype, Cast::Exact) else {
        panic!("accepted {text}");
    };
    assert_eq!(
        error.to_string(),
        "column `a`: expected dtype `<i4`, found `<i2`; `cast` allows it; missing column `b`; \
         column `m`: expected a sub-array of shape (2, 3), found (3, 2); unexpected column `c`"
    );
    let kinds: Vec<_> = error.mismatches().iter().map(|m| m.kind()).collect();
    assert!(matches!(kinds[1], MismatchKind::Missing));
    assert!(matches!(kinds[3], MismatchKind::Unexpected));
    let error = back::<Step>("'<i4'", &[0; 4]).unwrap_err();
    assert!(error.contains("found `<i4`"), "{error}");
}

#[derive(Debug, Clone, PartialEq, Structured)]
struct Pair<T> {
    left: T,
    right: T,
}

#[derive(Debug, Clone, PartialEq, Structured)]
struct Outer<T, const N: usize>
where
    T: Copy,
{
    #[structured(rename = "it's")]
    pairs: [Pair<T>; N],
    r#type: bool,
}

#[test]
fn rows_nest_and_are_generic() {
    type Row = Outer<i16, 2>;
    let text = "[(\"it's\", [('left', '<i2'), ('right', '<i2')], (2,)), ('type', '|b1')]";
    assert_eq!(Row::dtype().text(), text);
    let row = Row {
        pairs: [Pair { left: 1, right: 2 }, Pair { left: 3, right: -1 }],
        r#type: true,
    };
    let bytes = [1, 0, 2, 0, 3, 0, 0xff, 0xff, 1];
    assert_eq!(written(&row), bytes);
    assert_eq!(back::<Row>(text, &bytes), Ok(vec![row]));
    layouts_agree::<Row>();

    let text = "[(\"it's\", [('left', '<i2'), ('right', '<f2')], (2,)), ('type', '|b1')]";
    let error = back::<Row>(text, &bytes).unwrap_err();
    assert!(error.starts_with("column `[\"it's\"].right`: expected dtype `<i2`, found `<f2`"));
}

#[derive(Debug, Clone, PartialEq, Structured)]
#[structured(align)]
struct Deep {
    a: u8,
    packed: Pair<f64>,
    aligned: Aligned,
    m: [[i16; 3]; 2],
    s: Bytes<3>,
}

#[test]
fn rows_inside_of_aligned_rows_are_aligned_as_they_are_themselves() {
    layouts_agree::<Deep>();
    let DType::Record(record) = Deep::dtype() else {
        panic!("a row is no record");
    };
    let offsets: Vec<_> = record.fields().iter().map(|f| f.offset()).collect();
    // As NumPy lays it out: a packed record has an alignment of 1.
    assert_eq!(offsets, [0, 1, 24, 48, 60]);
    let row = Deep {
        a: 1,
        packed: Pair {
            left: 1.0,
            right: -2.0,
        },
        aligned: ROW,
        m: [[1, 2, 3], [4, 5, 6]],
        s: Bytes::from(*b"xyz"),
    };
    let bytes = written(&row);
    assert_eq!(&bytes[60..], b"xyz\0");
    let text = Deep::dtype().text();
    assert_eq!(back::<Deep>(&text, &bytes), Ok(vec![row]));
}

#[derive(Debug, Clone, PartialEq, Structured)]
#[structured(align)]
struct Named {
    id: u8,
    name: Text<2>,
}

#[test]
fn texts_are_columns_of_four_bytes_a_character() {
    // np.dtype([('id', 'u1'), ('name', 'U2')], align=True)
    let text = "{'names': ['id', 'name'], 'formats': ['|u1', '<U2'], \
                'offsets': [0, 4], 'itemsize': 12}";
    assert_eq!(Named::dtype().text(), text);
    layouts_agree::<Named>();
    let name = Text::from_text("é").unwrap();
    let bytes = [7, 0, 0, 0, 0xe9, 0, 0, 0, 0, 0, 0, 0];
    let row = Named { id: 7, name };
    assert_eq!(written(&row), bytes);
    assert_eq!(back::<Named>(text, &bytes), Ok(vec![row]));
    let error = back::<Named>(text, &[7, 0, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(
        error,
        "item 0, column `name`: expected a Unicode character, found 0x110000"
    );
}

#[test]
fn an_invalid_value_says_row_and_column() {
    let text = "[(\"it's\", [('left', '|b1'), ('right', '|b1')], (2,)), ('type', '|b1')]";
    // The first row with a fault is reported, not the first column with one.
    let bytes = [0, 0, 0, 0, 0, 1, 1, 1, 5, 1, 7, 0, 0, 0, 0];
    let error = back::<Outer<bool, 2>>(text, &bytes).unwrap_err();
    assert_eq!(
        error,
        "item 1, column `[\"it's\"][1].right`: expected 0 or 1, found bool of byte 5"
    );
}

#[test]
fn casts_reach_into_columns() {
    let dtype: DType = "[('left', '|u1'), ('right', '<f8')]".parse().unwrap();
    assert!(<Pair<f32>>::reader(&dtype, Cast::Exact).is_err());
    let reader = <Pair<f32>>::reader(&dtype, Cast::Safe).unwrap();
    let mut bytes = vec![200];
    bytes.extend(0.5_f64.to_le_bytes());
    let (left, right) = (200.0, 0.5);
    assert_eq!(<Pair<f32>>::read(&reader, &bytes), Ok(Pair { left, right }));
    bytes.splice(1.., 0.1_f64.to_le_bytes());
    let error = <Pair<f32>>::read(&reader, &bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "item 0, column `right`: expected a value that `<f4` holds; `cast = \"lossy\"` rounds, \
         found 0.1"
    );
}

pub mod public {
    //! A public row with columns of a private type is no leak, and no lint speaks up.
    #![deny(warnings, missing_docs, unreachable_pub, private_bounds)]

    use npcodec::Structured;

    #[derive(Debug, Clone, Structured)]
    struct Private {
        a: f32,
    }

    /// A row.
    #[derive(Debug, Clone, Structured)]
    pub struct Public<T> {
        one: Private,
        /// More of them.
        pub many: [T; 2],
    }
}

mod hostile {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types, non_snake_case)]

    struct Result;
    struct Option;
    struct Vec;
    struct String;
    struct Element;
    struct u8;
    struct usize;
    struct bool;
    fn Ok() {}
    fn Err() {}
    fn Some() {}
    mod core {}
    mod std {}
    mod npcodec {}

    #[derive(::std::clone::Clone, ::npcodec::Structured)]
    #[structured(crate = "npcodec", align)]
    pub(super) struct Row<T> {
        pub(super) item: T,
        pub(super) __item: ::core::primitive::u16,
        pub(super) layout: [::core::primitive::u64; 1],
    }
}

#[test]
fn names_around_the_derive_do_not_matter() {
    layouts_agree::<hostile::Row<i8>>();
    let row = hostile::Row {
        item: 1_i8,
        __item: 2,
        layout: [3],
    };
    let bytes = [1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(written(&row), bytes);
}

#[derive(Debug, PartialEq, Checkpoint)]
struct Listed {
    #[checkpoint(scalar)]
    apart: Vec<Aligned>,
    #[checkpoint(array)]
    together: Vec<Aligned>,
}

#[test]
fn rows_of_a_list_are_arrays_of_their_own_unless_one_array_is_asked_for() {
    let listed = Listed {
        apart: vec![ROW, ROW],
        together: vec![ROW, ROW, ROW],
    };
    let dict = listed.to_state_dict().unwrap();
    let apart = dict.get("apart").and_then(Value::as_list).unwrap();
    let shapes: Vec<_> = apart
        .iter()
        .map(|row| row.as_array().map(|row| row.shape().len()))
        .collect();
    assert_eq!(shapes, [Some(0), Some(0)]);
    let together = dict.get("together").and_then(Value::as_array).unwrap();
    assert_eq!(together.shape(), [3]);
    let bytes = rmp_serde::to_vec(&listed).unwrap();
    assert_eq!(rmp_serde::from_slice::<Listed>(&bytes).unwrap(), listed);
}
