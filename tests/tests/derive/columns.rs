//! Columns that a file has and a row has not.

use npcodec::ndarray::{Array1, array};
use npcodec::{Checkpoint, ReadOptions, Strictness, Structured};

#[derive(Structured, Debug, Clone, PartialEq)]
struct Wide {
    a: i32,
    inner: WideInner,
    b: u8,
}

#[derive(Structured, Debug, Clone, PartialEq)]
struct WideInner {
    x: f32,
    y: f32,
}

#[derive(Structured, Debug, Clone, PartialEq)]
struct Narrow {
    a: i32,
    inner: NarrowInner,
}

#[derive(Structured, Debug, Clone, PartialEq)]
struct NarrowInner {
    y: f32,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct State<R: npcodec::dtype::Element> {
    rows: Array1<R>,
}

#[test]
fn columns_without_a_place_are_unexpected_keys() {
    let inner = WideInner { x: 1.0, y: 2.0 };
    let wide = State {
        rows: array![Wide { a: 7, inner, b: 3 }],
    };
    let narrow = array![Narrow {
        a: 7,
        inner: NarrowInner { y: 2.0 },
    }];
    let bytes = rmp_serde::to_vec(&wide).unwrap();
    let expected = "the state does not fit:\n  unexpected (`allow_unknown_fields` passes over them): \
                    rows.inner.x, rows.b";
    let error = rmp_serde::from_slice::<State<Narrow>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), expected);

    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (read, report) = npcodec::from_slice_with::<State<Narrow>>(&bytes, &lenient).unwrap();
    assert_eq!(read.rows, narrow);
    assert_eq!(report.unexpected.len(), 2);

    let dict = wide.to_state_dict().unwrap();
    let mut state = State {
        rows: array![Narrow {
            a: 0,
            inner: NarrowInner { y: 0.0 },
        }],
    };
    let error = state
        .load_state_dict(&dict, Strictness::Strict)
        .unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(state.rows[0].a, 0);
    state.load_state_dict(&dict, Strictness::Lenient).unwrap();
    assert_eq!(state.rows, narrow);
}
