//! Any bytes as a file of msgpack-numpy: what is read is written to a file of the same value, or refused as a whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::ErrorKind;
use npcodec::formats::msgpack_numpy::{ReadOptions, WriteOptions, from_slice_with, to_vec_with};

fuzz_target!(|bytes: &[u8]| {
    for raw in [false, true] {
        let (options, writing) = (ReadOptions::new().raw(raw), WriteOptions::new().raw(raw));
        let Ok(value) = from_slice_with(bytes, &options) else { continue };
        let written = match to_vec_with(&value, &writing) {
            Ok(written) => written,
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }), "{error}");
                continue;
            }
        };
        let again = from_slice_with(&written, &options).expect("what was written can be read");
        assert_eq!(to_vec_with(&again, &writing).expect("and written again"), written);
    }
});
