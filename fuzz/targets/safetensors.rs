//! Files of safetensors: what is read is written again, and read again as the same but for the order of names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::formats::{ReadOptions, safetensors};

fuzz_target!(|bytes: &[u8]| {
    let nested = ReadOptions::new().nested(".");
    let _ = safetensors::from_slice_with(bytes, &nested);
    if let Ok(value) = safetensors::from_slice(bytes) {
        let written = safetensors::to_vec(&value).expect("arrays that were read");
        let again = safetensors::from_slice(&written).expect("arrays that were written");
        let (Some(one), Some(other)) = (value.as_map(), again.as_map()) else {
            panic!("no map");
        };
        assert_eq!(one.len(), other.len());
        for (name, array) in one {
            assert_eq!(other.get(name), Some(array));
        }
        assert_eq!(safetensors::to_vec(&again).expect("arrays that were read"), written);
    }
});
