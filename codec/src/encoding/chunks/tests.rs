use super::*;

fn array(shape: &[usize], data: &[u8], order: Option<Order>) -> NumpyEncoding<'static> {
    NumpyEncoding::new(shape.to_vec(), data.to_vec(), "'|u1'", order).unwrap()
}

#[test]
fn chunks_are_joined_along_any_axis_in_any_order() {
    let (c, f) = (Some(Order::C), Some(Order::F));
    // [[0, 1, 2], [3, 4, 5]] in parts.
    let rows = [0, 1, 2, 3, 4, 5].as_slice();
    let columns = [0, 3, 1, 4, 2, 5].as_slice();
    for (chunks, axis, order, data) in [
        (
            vec![
                array(&[1, 3], &[0, 1, 2], None),
                array(&[1, 3], &[3, 4, 5], None),
            ],
            0,
            c,
            rows,
        ),
        (
            vec![
                array(&[2, 2], &[0, 1, 3, 4], c),
                array(&[2, 1], &[2, 5], None),
            ],
            1,
            c,
            rows,
        ),
        (
            vec![
                array(&[2, 2], &[0, 3, 1, 4], f),
                array(&[2, 1], &[2, 5], None),
            ],
            1,
            f,
            columns,
        ),
        (
            vec![array(&[2, 2], &[0, 3, 1, 4], f), array(&[0, 2], &[], None)],
            0,
            c,
            &[0, 1, 3, 4],
        ),
        (vec![array(&[2, 3], columns, f)], 0, f, columns),
        (
            vec![array(&[0, 3], &[], None), array(&[0, 3], &[], None)],
            0,
            None,
            &[],
        ),
    ] {
        let whole = join(chunks, axis, None).unwrap();
        assert_eq!((whole.order(), whole.data()), (order, data));
    }
}

#[test]
fn chunks_that_are_no_array_are_refused() {
    let fault = |chunks: Vec<NumpyEncoding<'static>>, axis| join(chunks, axis, None).unwrap_err();
    let start = "of an encoded value, found";
    for (chunks, axis, text) in [
        (
            vec![],
            0,
            format!("expected at least one array under `chunks` {start} none"),
        ),
        (
            vec![array(&[1], &[0], None)],
            1,
            format!(
                "expected arrays that have the axis under `chunks` {start} axis 1 of shape (1,)"
            ),
        ),
        (
            vec![array(&[1, 2], &[0, 1], None), array(&[1, 1], &[0], None)],
            0,
            format!(
                "expected arrays that differ along the axis only under `chunks` {start} (1, 2) and (1, 1)"
            ),
        ),
        (
            vec![array(&[1], &[0], None), array(&[], &[0], None)],
            0,
            format!(
                "expected arrays that differ along the axis only under `chunks` {start} (1,) and ()"
            ),
        ),
        (
            vec![
                array(&[1], &[0], None),
                NumpyEncoding::new(vec![1], vec![0], "'|i1'", None).unwrap(),
            ],
            0,
            format!("expected arrays of one dtype under `chunks` {start} '|u1' and '|i1'"),
        ),
    ] {
        assert_eq!(fault(chunks, axis).to_string(), text);
    }
    let nothing = || NumpyEncoding::new(vec![1 << 63], vec![], "'|V0'", None).unwrap();
    let error = fault(vec![nothing(), nothing()], 0);
    assert!(
        matches!(error.kind(), ErrorKind::SizeOverflow { .. }),
        "{error}"
    );
}
