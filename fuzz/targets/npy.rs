//! Files of NumPy, of one array and of many: what is read is written again, and read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::formats::{npy, npz};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = npy::from_slice(bytes) {
        // NumPy has types whose files it cannot read itself.
        if npy::unsupported(&value).is_empty() {
            let written = npy::to_vec(&value).expect("an array that was read");
            assert_eq!(npy::from_slice(&written).expect("an array that was written"), value);
        }
    }
    if let Ok(value) = npz::from_slice(bytes) {
        if npz::unsupported(&value).is_empty() {
            let options = npz::WriteOptions::new();
            for options in [options.clone(), options.deflate(true)] {
                let written = npz::to_vec_with(&value, &options).expect("arrays that were read");
                assert_eq!(npz::from_slice(&written).expect("arrays that were written"), value);
            }
        }
    }
    // Through the one door, whatever it is.
    let _ = npcodec::formats::read_value(bytes);
});
