//! A state with fields of every form, all of which a file may lack.

use std::collections::BTreeMap;

use npcodec::dtype::{Bytes, Datetime64, Seconds, Text};
use npcodec::ndarray::{Array1, Array2, ArrayD};
use npcodec::num_bigint::BigInt;
use npcodec::{Checkpoint, Structured};

#[derive(Structured, Clone, Debug, Default)]
pub(crate) struct Row {
    a: i32,
    b: [f32; 2],
    c: Bytes<3>,
    d: Text<2>,
    e: bool,
}

#[derive(Checkpoint, Debug, Default)]
pub(crate) enum Kind {
    #[default]
    None,
    One(Array1<f64>),
    Two(u8, String),
    Named {
        x: Option<i64>,
        a: Vec<Kind>,
    },
}

#[derive(Checkpoint, Debug, Default)]
#[checkpoint(default, allow_unknown_fields)]
pub(crate) struct Everything {
    #[checkpoint(alias = "integer")]
    x: Option<ArrayD<f32>>,
    #[checkpoint(cast = "lossy")]
    data: Array1<i8>,
    rows: Array1<Row>,
    #[checkpoint(array)]
    shape: [[u16; 2]; 2],
    #[checkpoint(compress)]
    frames: Vec<Array2<u8>>,
    texts: Array1<String>,
    times: Array1<Datetime64<Seconds>>,
    kind: Kind,
    inner: Option<Box<Everything>>,
    big: BigInt,
    #[checkpoint(scalar)]
    scalar: f64,
    a: Vec<Everything>,
    #[checkpoint(flatten)]
    rest: BTreeMap<i64, Vec<Array1<bool>>>,
}
