//! MessagePack by hand: what files have to hold, made without any code of the library.

/// Returns a map of string keys, in the order that is given.
///
/// # Panics
/// With more entries than tests have.
#[must_use]
pub fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    assert!(entries.len() < 16);
    let mut bytes = vec![0x80 | entries.len() as u8];
    for (key, value) in entries {
        bytes.extend(text(key));
        bytes.extend(value);
    }
    bytes
}

/// Returns a list.
///
/// # Panics
/// With more items than tests have.
#[must_use]
pub fn list(items: &[Vec<u8>]) -> Vec<u8> {
    assert!(items.len() < 16);
    let mut bytes = vec![0x90 | items.len() as u8];
    bytes.extend(items.concat());
    bytes
}

/// Returns a string.
///
/// # Panics
/// If it is longer than those of tests.
#[must_use]
pub fn text(text: &str) -> Vec<u8> {
    let mut bytes = match text.len() {
        length @ 0..32 => vec![0xa0 | length as u8],
        length @ 32..0x100 => vec![0xd9, length as u8],
        length @ 0x100..0x1_0000 => vec![0xda, (length >> 8) as u8, length as u8],
        length => panic!("a text of {length} bytes"),
    };
    bytes.extend(text.bytes());
    bytes
}

/// Returns a byte string.
///
/// # Panics
/// If it is longer than those of tests.
#[must_use]
pub fn bin(content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).expect("at most 65535 bytes");
    let [high, low] = length.to_be_bytes();
    let mut bytes = if high == 0 {
        vec![0xc4, low]
    } else {
        vec![0xc5, high, low]
    };
    bytes.extend(content);
    bytes
}

/// Returns an integer in the smallest form that MessagePack has for it.
///
/// # Panics
/// If it has more than 64 bits.
#[must_use]
pub fn integer(value: i128) -> Vec<u8> {
    let tail = |code: u8, bytes: usize| {
        let mut form = vec![code];
        form.extend(&value.to_be_bytes()[16 - bytes..]);
        form
    };
    match value {
        -0x20..0x80 => vec![value as u8],
        0x80..0x100 => tail(0xcc, 1),
        0x100..0x1_0000 => tail(0xcd, 2),
        0x1_0000..0x1_0000_0000 => tail(0xce, 4),
        0x1_0000_0000..0x1_0000_0000_0000_0000 => tail(0xcf, 8),
        -0x80..-0x20 => tail(0xd0, 1),
        -0x8000..-0x80 => tail(0xd1, 2),
        -0x8000_0000..-0x8000 => tail(0xd2, 4),
        -0x8000_0000_0000_0000..-0x8000_0000 => tail(0xd3, 8),
        _ => panic!("{value} has more than 64 bits"),
    }
}

/// Returns an integer that MessagePack has no form for: its decimal digits, in a map.
#[must_use]
pub fn long_integer(digits: &str) -> Vec<u8> {
    map(&[("integer", text(digits))])
}

/// Returns a float of 64 bits.
#[must_use]
pub fn float(value: f64) -> Vec<u8> {
    let mut bytes = vec![0xcb];
    bytes.extend(value.to_be_bytes());
    bytes
}

/// Returns a bool.
#[must_use]
pub fn boolean(value: bool) -> Vec<u8> {
    vec![0xc2 + u8::from(value)]
}

/// Returns an array as Dopamine's encoder writes it; `order` only where it has one.
#[must_use]
pub fn array(shape: &[usize], data: &[u8], dtype: &str, order: Option<&str>) -> Vec<u8> {
    let shape: Vec<_> = shape
        .iter()
        .map(|&length| integer(length as i128))
        .collect();
    let mut entries = vec![
        ("shape", list(&shape)),
        ("data", bin(data)),
        ("dtype", text(dtype)),
    ];
    entries.extend(order.map(|order| ("order", text(order))));
    map(&entries)
}
