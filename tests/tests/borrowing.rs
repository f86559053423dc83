//! What borrows from its source, and what copies.

use std::borrow::Cow;
use std::ops::Range;

use npcodec::Checkpoint;
use npcodec::ndarray::{Array1, ArrayView1, ArrayView2, CowArray, Ix1, array};
use rmp_serde::{from_slice, to_vec};

fn is_in<T>(source: &[u8], start: *const T) -> bool {
    let Range {
        start: from,
        end: to,
    } = source.as_ptr_range();
    (from.addr()..to.addr()).contains(&start.addr())
}

#[derive(Checkpoint)]
struct Borrowing<'a> {
    text: Cow<'a, str>,
    bytes: &'a [u8],
    maybe: Option<Cow<'a, [u8]>>,
    view: ArrayView1<'a, u8>,
    cow: CowArray<'a, u8, Ix1>,
}

#[derive(Checkpoint)]
struct Owning {
    text: String,
    bytes: Vec<u8>,
    maybe: Option<Vec<u8>>,
    view: Array1<u8>,
    cow: Array1<u8>,
}

#[test]
fn every_field_that_can_borrow_does() {
    let owning = Owning {
        text: "text".to_owned(),
        bytes: vec![1, 2],
        maybe: Some(vec![3]),
        view: array![4, 5],
        cow: array![6],
    };
    let source = to_vec(&owning).unwrap();
    let state: Borrowing<'_> = from_slice(&source).unwrap();
    assert!(matches!(&state.text, Cow::Borrowed(text) if is_in(&source, text.as_ptr())));
    assert!(is_in(&source, state.bytes.as_ptr()));
    assert!(matches!(&state.maybe, Some(Cow::Borrowed(bytes)) if is_in(&source, bytes.as_ptr())));
    assert!(is_in(&source, state.view.as_ptr()));
    assert!(is_in(&source, state.cow.as_ptr()));
    assert_eq!(to_vec(&state).unwrap(), source);

    let dict = owning.to_state_dict().unwrap();
    let state = Borrowing::from_state_dict(dict).unwrap();
    assert_eq!(state.view.as_ptr(), owning.view.as_ptr());
    assert_eq!(state.text.as_ptr(), owning.text.as_ptr());
}

#[test]
fn from_a_reader_copies_are_made_and_references_refused() {
    #[derive(Checkpoint)]
    struct Copies<'a> {
        text: Cow<'a, str>,
        cow: CowArray<'a, f32, Ix1>,
    }
    #[derive(Checkpoint, Debug)]
    struct References<'a> {
        text: &'a str,
        cow: ArrayView1<'a, f32>,
    }
    let state = Copies {
        text: "t".into(),
        cow: array![1.0f32].into(),
    };
    let source = to_vec(&state).unwrap();
    fn read<'a, T: serde::Deserialize<'a>>(bytes: &[u8]) -> Result<T, rmp_serde::decode::Error> {
        // A reader's data lives nowhere: this is what a file gives.
        let mut deserializer = rmp_serde::Deserializer::new(bytes);
        T::deserialize(&mut deserializer)
    }
    let copies: Copies<'static> = read(&source).unwrap();
    assert_eq!((&*copies.text, &copies.cow), ("t", &state.cow));
    let error = read::<References<'static>>(&source)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "the state does not fit:\n  mismatched:\n    \
         text: expected a string that can be borrowed, found one from a reader\n    \
         cow: expected an aligned array of this machine's byte order (`CowArray` takes any), \
         found an array of shape (1,) and dtype '<f4' from a reader"
    );
}

/// The same array under keys of one to eight letters: its payload has every address modulo 8.
#[test]
fn a_view_is_given_only_when_it_is_aligned() {
    let values = array![1.5f64, -2.0];
    let mut aligned = Vec::new();
    for length in 1..=8 {
        let key = "k".repeat(length);
        let source = to_vec(
            &std::collections::BTreeMap::from([(key.clone(), &values)])
                .to_value()
                .unwrap(),
        );
        let source = source.unwrap();
        type Views<'a> = std::collections::BTreeMap<String, ArrayView1<'a, f64>>;
        type Cows<'a> = std::collections::BTreeMap<String, CowArray<'a, f64, Ix1>>;
        let cows = Cows::from_value(from_slice(&source).unwrap()).unwrap();
        assert_eq!(cows[&key], values);
        let borrows = is_in(&source, cows[&key].as_ptr());
        match Views::from_value(from_slice(&source).unwrap()) {
            Ok(views) => {
                assert_eq!(views[&key], values);
                assert!(borrows && views[&key].as_ptr().addr() % 8 == 0);
                aligned.push(length);
            }
            Err(error) => {
                assert!(!borrows);
                let text = error.to_string();
                assert!(
                    text.contains(&format!("{key}: expected an aligned array")),
                    "{text}"
                );
                assert!(text.contains("modulo 8"), "{text}");
            }
        }
    }
    assert_eq!(
        aligned.len(),
        1,
        "one key length in eight aligns the payload: {aligned:?}"
    );
}

#[test]
fn other_types_and_byte_orders_are_no_views() {
    let big = npcodec::NumpyEncoding::new(vec![1], vec![1, 0], "'>i2'", None).unwrap();
    assert_eq!(big.view::<i16, Ix1>().unwrap(), None);
    assert_eq!(big.to_array::<i16, Ix1>().unwrap(), array![256]);
    let bools = npcodec::NumpyEncoding::new(vec![2], vec![1, 2], "'|b1'", None).unwrap();
    let error = bools.view::<bool, Ix1>().unwrap_err().to_string();
    assert_eq!(
        error,
        "item 1 of dtype '|b1': expected 0 or 1, found bool of byte 2"
    );
    let empty = npcodec::NumpyEncoding::new(vec![0, 3], vec![], "'<f8'", None).unwrap();
    let view: ArrayView2<'_, f64> = empty.view().unwrap().unwrap();
    assert_eq!(view.dim(), (0, 3));
}
