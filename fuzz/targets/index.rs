//! Bytes as a mapped checkpoint: what is in its index is what the decoder finds, and nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::{ErrorKind, MappedCheckpoint, Path, Segment, Value, decode};

fn arrays(at: &Path, value: &Value<'_>, all: &mut Vec<Path>) {
    match value {
        Value::Array(_) => all.push(at.clone()),
        Value::List(items) => {
            for (index, item) in (0..).zip(items) {
                arrays(&at.clone().join(Segment::Index(index)), item, all);
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let segment = match key.as_str() {
                    Some(text) => Segment::Key(text.to_owned()),
                    None => Segment::Index(key.to_string().parse().unwrap_or(0)),
                };
                arrays(&at.clone().join(segment), value, all);
            }
        }
        _ => {}
    }
}

fuzz_target!(|bytes: &[u8]| {
    let checkpoint = match (MappedCheckpoint::from_bytes(bytes.to_vec()), decode(bytes)) {
        (Ok(checkpoint), Ok(value)) => {
            let mut expected = Vec::new();
            arrays(&Path::root(), &value, &mut expected);
            let found = checkpoint.arrays().map(|array| array.map(|array| array.path().clone()));
            assert_eq!(found.collect::<Result<Vec<_>, _>>().ok(), Some(expected));
            checkpoint
        }
        (Ok(checkpoint), Err(_)) => checkpoint,
        (Err(error), read) => {
            // The index is no larger than its file allows; in nothing else is it stricter.
            let is_large = matches!(error.kind(), ErrorKind::Limit { .. });
            assert!(read.is_err() || is_large, "{error}");
            return;
        }
    };
    for array in checkpoint.arrays().flatten() {
        assert!(checkpoint.get(array.path()).is_ok_and(|value| value.is_some()));
    }
});
