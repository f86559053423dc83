//! Any bytes as a file of Flax: what is read is written to a file of the same value, or refused as a whole.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use npcodec::formats::flax::{self, Form, WriteOptions};
use npcodec::ndarray::{Array1, ArrayD};
use npcodec::{Checkpoint, ErrorKind, Strictness};

#[derive(Checkpoint, Debug, Default)]
#[checkpoint(default, allow_unknown_fields)]
struct State {
    w: ArrayD<f32>,
    a: Vec<State>,
    b: (u8, Option<Vec<Array1<i16>>>),
    x: [[f64; 2]; 2],
    #[checkpoint(serde)]
    plain: (Vec<String>, Option<BTreeMap<String, Vec<u8>>>),
    #[checkpoint(flatten)]
    rest: BTreeMap<i64, Vec<bool>>,
}

fuzz_target!(|bytes: &[u8]| {
    let _ = flax::from_bytes::<Vec<Vec<u64>>>(bytes);
    if let Ok(mut state) = flax::from_bytes::<State>(bytes) {
        if let Ok(written) = flax::to_bytes(&state) {
            flax::from_bytes::<State>(&written).expect("what was written can be read");
            flax::load_into(&written, &mut state, Strictness::Strict).expect("and loaded in place");
        }
    }
    let Ok(value) = flax::from_slice(bytes) else { return };
    for form in [Form::SerializeInPlace, Form::Serialize, Form::ToBytes] {
        for chunk in [1 << 30, 3] {
            let options = WriteOptions::new().form(form).chunk_bytes(chunk);
            let written = match flax::to_vec_with(&value, &options) {
                Ok(written) => written,
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }), "{error}");
                    continue;
                }
            };
            let again = flax::from_slice(&written).expect("what was written can be read");
            assert_eq!(flax::to_vec_with(&again, &options).expect("and written again"), written);
        }
    }
});
