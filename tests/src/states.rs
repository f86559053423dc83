//! States that the tests of writing share.

use std::collections::{BTreeMap, VecDeque};

use npcodec::half::bf16;
use npcodec::ndarray::{
    Array0, Array1, Array2, Array3, ArrayD, ArrayView2, Axis, IxDyn, ShapeBuilder, Slice, array,
};
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, Structured};

/// A row of a structured array.
#[derive(Structured, Clone, Debug, PartialEq)]
pub struct Transition {
    /// An integer.
    pub action: i32,
    /// A sub-array.
    pub position: [f32; 3],
}

/// A matrix of a type that only serde knows.
#[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
pub struct Plain {
    #[serde(with = "npcodec::with::array")]
    /// Any array.
    pub matrix: Array2<f64>,
}

/// A state with arrays of every kind and in every place.
#[derive(Checkpoint, Debug, PartialEq)]
pub struct Everything {
    rows: Array2<f32>,
    columns: Array2<f32>,
    pairs: Array2<[f32; 2]>,
    cube: Array3<i16>,
    zero_d: Array0<f64>,
    empty: Array2<u8>,
    dynamic: ArrayD<bool>,
    list: Vec<Array1<u8>>,
    map: BTreeMap<String, Array1<Complex<f64>>>,
    texts: Array1<String>,
    bytes: Array1<Vec<u8>>,
    brain: Array1<bf16>,
    transitions: Array1<Transition>,
    #[checkpoint(compress)]
    frames: Vec<Array3<u8>>,
    #[checkpoint(array)]
    block: Vec<[f32; 3]>,
    #[checkpoint(array)]
    ring: VecDeque<u64>,
    #[checkpoint(scalar)]
    scalar: f32,
    #[checkpoint(serde)]
    plain: Plain,
    raw: Vec<u8>,
    step: u64,
}

impl Everything {
    /// Makes one.
    #[must_use]
    pub fn new() -> Self {
        let mut columns = Array2::zeros((3, 5).f());
        columns.assign(&Array2::from_shape_fn((3, 5), |(i, j)| (i * 5 + j) as f32));
        let mut ring: VecDeque<u64> = (3..9).collect();
        ring.rotate_left(2);
        ring.push_front(1);
        Self {
            rows: Array2::from_shape_fn((4, 3), |(i, j)| (i * 3 + j) as f32),
            columns,
            pairs: Array2::from_shape_fn((3, 2).f(), |(i, j)| [i as f32, j as f32]),
            cube: Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i * 12 + j * 4 + k) as i16),
            zero_d: Array0::from_elem((), 0.5),
            empty: Array2::zeros((0, 3)),
            dynamic: ArrayD::from_shape_fn(IxDyn(&[2, 2]), |at| at[0] == at[1]),
            list: (0..300)
                .map(|n| Array1::from_elem(n % 7, n as u8))
                .collect(),
            map: [("a".to_owned(), array![Complex::new(1.0, -1.0)])].into(),
            texts: array!["é".to_owned(), "lång".to_owned()],
            bytes: array![b"a".to_vec(), b"bcd".to_vec()],
            brain: array![bf16::from_f32(1.5)],
            transitions: (0..5)
                .map(|action| Transition {
                    action,
                    position: [action as f32; 3],
                })
                .collect(),
            frames: (0..3).map(|n| Array3::from_elem((8, 8, 2), n)).collect(),
            block: vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
            ring,
            scalar: 2.5,
            plain: Plain {
                matrix: array![[1.0], [2.0]],
            },
            raw: vec![7; 9],
            step: 1 << 40,
        }
    }
}

impl Default for Everything {
    fn default() -> Self {
        Self::new()
    }
}

/// A part of an array that is contiguous in no order.
#[must_use]
pub fn strided(base: &Array2<f32>) -> ArrayView2<'_, f32> {
    base.slice_axis(Axis(1), Slice::new(0, None, 2))
}

/// Copies a file into memory that is aligned for numbers.
pub fn bytes_of<'m>(memory: &'m mut [f64], file: &[u8]) -> &'m [u8] {
    for (number, bytes) in memory.iter_mut().zip(file.chunks(8)) {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        *number = f64::from_le_bytes(eight);
    }
    let bytes = npcodec::dtype::Element::as_bytes(memory).unwrap_or(&[]);
    &bytes[..file.len()]
}
