//! What borrows.

use super::*;

#[derive(Checkpoint, Debug, PartialEq)]
struct View<'a> {
    point: &'a Point,
    text: &'a str,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Texts<'a, 'b> {
    a: &'a str,
    b: &'b str,
    c: Option<&'a str>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Named {
    name: &'static str,
    other: std::borrow::Cow<'static, str>,
}

#[test]
fn a_static_text_is_restored_from_static_bytes() {
    static BYTES: &[u8] = b"\x82\xa4name\xa1n\xa5other\xa1o";
    let named = Named {
        name: "n",
        other: "o".into(),
    };
    assert_eq!(to_vec(&named).unwrap(), BYTES);
    assert_eq!(from_slice::<Named>(BYTES).unwrap(), named);
}

#[test]
fn a_struct_of_references_can_be_saved() {
    let view = View {
        point: &Point { x: 1, y: 2 },
        text: "t",
    };
    assert_eq!(
        to_vec(&view).unwrap(),
        b"\x82\xa5point\x82\xa1x\x01\xa1y\x02\xa4text\xa1t"
    );
}

#[test]
fn texts_are_borrowed_from_a_slice() {
    let bytes = b"\x82\xa1a\xa1s\xa1b\xa1t";
    let texts: Texts<'_, '_> = from_slice(bytes).unwrap();
    assert_eq!(
        texts,
        Texts {
            a: "s",
            b: "t",
            c: None
        }
    );
    assert!(bytes.as_ptr_range().contains(&texts.a.as_ptr()));
}
