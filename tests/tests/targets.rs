//! Loading in place into arrays of every layout, from files of every layout.

use std::io::Cursor;

use npcodec::ndarray::{
    Array, Array0, Array1, Array2, Array3, ArrayD, Axis, IxDyn, ShapeBuilder, s,
};
use npcodec::{
    Checkpoint, Fortran, NumpyEncoding, ReadOptions, Structured, Value, load_from, load_into_from,
    to_vec,
};

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Cast {
    #[checkpoint(cast)]
    x: Array3<f64>,
}

/// Arrays of one shape whose items lie in memory in many ways.
fn layouts<T: Clone + Default>((a, b, c): (usize, usize, usize)) -> Vec<Array3<T>> {
    let new = |shape| Array3::<T>::default(shape);
    let mut inverted = new((a, b, c));
    inverted.invert_axis(Axis(1));
    let mut all_inverted = new((a, b, c));
    (0..3).for_each(|axis| all_inverted.invert_axis(Axis(axis)));
    vec![
        new((a, b, c)),
        Array3::default((a, b, c).f()),
        new((c, b, a)).reversed_axes(),
        new((b, a, c)).permuted_axes([1, 0, 2]),
        new((2 * a, b + 1, 3 * c)).slice_move(s![..;2, 1.., ..;3]),
        new((a + 3, b, c)).slice_move(s![3.., .., ..]),
        new((a, b, 2 * c)).slice_move(s![.., .., ..;-2]),
        inverted,
        all_inverted,
    ]
}

fn check<T>(shape: (usize, usize, usize), item: impl Fn(usize) -> T)
where
    T: npcodec::dtype::Element + Default + PartialEq + std::fmt::Debug,
{
    let (_, b, c) = shape;
    let expected = Array3::from_shape_fn(shape, |(i, j, k)| item((i * b + j) * c + k));
    for source in layouts::<T>(shape) {
        let mut source = source;
        source.assign(&expected);
        let file = to_vec(&source).unwrap();
        for target in layouts::<T>(shape) {
            let mut target = target;
            let (strides, place) = (target.strides().to_vec(), target.as_ptr());
            let options = ReadOptions::new();
            load_into_from(Cursor::new(&file), &mut target, &options).unwrap();
            assert_eq!(target, expected);
            assert_eq!((target.strides(), target.as_ptr()), (&strides[..], place));

            let mut shared = target.clone().into_shared();
            shared.fill(T::default());
            let other = shared.clone();
            load_into_from(Cursor::new(&file), &mut shared, &options).unwrap();
            assert_eq!(shared, expected);
            assert!(
                expected.is_empty() || other != expected,
                "the other one has changed too"
            );
        }
    }
}

#[derive(Structured, Debug, Clone, Default, PartialEq)]
struct Row {
    a: u16,
    b: bool,
}

#[test]
fn every_layout_is_loaded_into_every_other() {
    for shape in [
        (5, 30, 40),
        (2, 3, 4),
        (1, 1, 1),
        (3, 0, 2),
        (1, 50, 1),
        (40, 1, 60),
    ] {
        check(shape, |i| (i % 251 + 1) as u8);
        check(shape, |i| i as f32 + 1.0);
        check(shape, |i| i % 3 != 1);
        check(shape, |i| Row {
            a: i as u16 + 1,
            b: i % 2 == 0,
        });
    }
}

#[test]
fn big_endian_items_are_turned_and_cast_on_the_way() {
    let expected = Array3::from_shape_fn((5, 30, 40), |(i, j, k)| (i * 1_200 + j * 40 + k) as f64);
    let data: Vec<u8> = expected
        .iter()
        .flat_map(|&x| (x as f32).to_be_bytes())
        .collect();
    let array = NumpyEncoding::new(vec![5, 30, 40], data, "'>f4'", None).unwrap();
    let file = to_vec(&Value::Map(
        [("x", Value::Array(array))].into_iter().collect(),
    ))
    .unwrap();
    for x in layouts((5, 30, 40)) {
        let mut state = Cast { x };
        let place = state.x.as_ptr();
        load_into_from(Cursor::new(&file), &mut state, &ReadOptions::new()).unwrap();
        assert_eq!((&state.x, state.x.as_ptr()), (&expected, place));
        let (fresh, _) = load_from::<Cast>(Cursor::new(&file), &ReadOptions::new()).unwrap();
        assert_eq!(fresh, state);
    }
}

#[test]
fn rows_under_the_label_f_are_rows_in_place_too() {
    let rows = Array2::from_shape_fn((60, 50), |(i, j)| (i * 50 + j) as u16);
    let data: Vec<u8> = rows.iter().flat_map(|x| x.to_le_bytes()).collect();
    let order = Some(npcodec::dtype::Order::F);
    let file = to_vec(&NumpyEncoding::new(vec![60, 50], data, "'<u2'", order).unwrap()).unwrap();
    let options = ReadOptions::new().fortran(Fortran::RowMajor);
    for mut target in [Array2::<u16>::zeros((60, 50)), Array2::zeros((60, 50).f())] {
        load_into_from(Cursor::new(&file), &mut target, &options).unwrap();
        assert_eq!(target, rows);
    }
    let (fresh, _) = load_from::<Array2<u16>>(Cursor::new(&file), &options).unwrap();
    assert_eq!(fresh, rows);
}

#[test]
fn items_of_other_kinds_are_loaded_in_place() {
    fn check<T>(new: Array<T, IxDyn>, mut old: Array<T, IxDyn>)
    where
        T: npcodec::Checkpoint + Clone + PartialEq + std::fmt::Debug + 'static,
        ArrayD<T>: npcodec::Checkpoint + npcodec::Restore<'static>,
    {
        let (file, place) = (to_vec(&new).unwrap(), old.as_ptr());
        load_into_from(Cursor::new(&file), &mut old, &ReadOptions::new()).unwrap();
        assert_eq!((old.as_ptr(), old), (place, new));
    }
    let texts = |text: &str| Array1::from_elem(2_000, text.to_owned()).into_dyn();
    check(texts("new"), texts(""));
    let strings = |text: &[u8]| Array1::from_elem(5_000, text.to_vec()).into_dyn();
    check(strings(b"new"), strings(b""));
    check(
        Array0::from_elem((), 1.5f64).into_dyn(),
        Array0::zeros(()).into_dyn(),
    );
    check(
        Array1::from_elem(3_000, [1.5f32; 2]).into_dyn(),
        Array1::from_elem(3_000, [0.0; 2]).into_dyn(),
    );
    check(
        Array1::from_elem(9, [0u8; 0]).into_dyn(),
        Array1::from_elem(9, [0u8; 0]).into_dyn(),
    );
}
