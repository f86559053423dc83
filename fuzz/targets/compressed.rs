//! Any block under any claim: the output is exactly what the record says, or there is none.
#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::{NumpyEncoding, compress, uncompress};

fuzz_target!(|input: (Vec<u8>, Vec<i32>, u8)| {
    let (block, shape, name) = input;
    let names = ["|u1", "|b1", "<f4", ">i2", "<c16", "<U1", "|O", "bfloat16"];
    let name = names[usize::from(name) % names.len()];
    let mut data = block.clone();
    data.extend(shape.iter().flat_map(|length| length.to_le_bytes()));
    data.extend(name.bytes());
    let text = format!(
        "[('data', '|u1', ({},)), ('shape', '<i4', ({},)), ('dtype', '|S{}')]",
        block.len(),
        shape.len(),
        name.len()
    );
    let Ok(record) = NumpyEncoding::new(vec![], data, text, None) else {
        return;
    };
    let Ok(array) = uncompress(&record) else { return };
    assert!(array.data().len() <= 22 * (block.len() + 1));
    let again = compress(&array).expect("a plain array");
    assert_eq!(uncompress(&again).expect("its record").data(), array.data());
});
