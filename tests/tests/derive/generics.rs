//! Parameters.

use super::*;

#[derive(Checkpoint, Debug, PartialEq)]
struct Holder<T, U = u8> {
    items: Vec<T>,
    #[checkpoint(flatten)]
    inner: U,
    #[checkpoint(skip)]
    skipped: Option<T>,
}

#[test]
fn a_parameter_can_be_flattened() {
    let holder = Holder {
        items: vec![Some(1_u16)],
        inner: Point { x: 1, y: 2 },
        skipped: None,
    };
    both(&holder, b"\x83\xa5items\x91\x01\xa1x\x01\xa1y\x02");
}
