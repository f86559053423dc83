//! Bytes read through a window, fresh and in place: the values and the errors of a slice.

#![no_main]

use std::collections::BTreeMap;
use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use npcodec::ndarray::{Array1, Array2};
use npcodec::{Checkpoint, ReadOptions, Value, decode, from_slice, load_from, load_into_from};

#[derive(Checkpoint, Clone, Debug)]
#[checkpoint(allow_unknown_fields)]
struct State {
    #[checkpoint(default)]
    weights: Option<Array2<f32>>,
    #[checkpoint(default)]
    flags: Array1<bool>,
    #[checkpoint(default)]
    layers: Vec<BTreeMap<String, Array1<i64>>>,
    #[checkpoint(default, compress)]
    frames: Vec<Array1<u8>>,
    #[checkpoint(default)]
    step: u64,
}

/// Compared as texts: NaNs differ from themselves.
fn said<T: std::fmt::Debug>(read: Result<T, npcodec::Error>) -> Result<String, String> {
    read.map(|value| format!("{value:?}")).map_err(|error| error.to_string())
}

fuzz_target!(|bytes: &[u8]| {
    let options = ReadOptions::new();
    let loaded = load_from::<Value<'static>>(Cursor::new(bytes), &options);
    assert_eq!(said(loaded.map(|(value, _)| value)), said(decode(bytes)));
    let fresh = load_from::<State>(Cursor::new(bytes), &options);
    let sliced = from_slice::<State>(bytes);
    assert_eq!(said(fresh.map(|(state, _)| state)), said(from_slice::<State>(bytes)));
    if let Ok(state) = sliced {
        let mut target = state.clone();
        target.flags.fill(true);
        if load_into_from(Cursor::new(bytes), &mut target, &options).is_ok() {
            assert_eq!(format!("{target:?}"), format!("{state:?}"));
        }
    }
});
