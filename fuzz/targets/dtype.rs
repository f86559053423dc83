//! Any text as a dtype: what is understood prints to a text that is understood alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::dtype::DType;

fuzz_target!(|text: &str| {
    let Ok(dtype) = text.parse::<DType>() else {
        return;
    };
    let again: DType = dtype.text().parse().expect("what is printed is understood");
    assert_eq!(again, dtype);
    assert_eq!(again.itemsize(), dtype.itemsize());
    if let Some(descr) = dtype.descr() {
        let _ = descr.parse::<DType>();
    }
});
