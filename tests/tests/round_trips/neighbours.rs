//! Trees in the formats of the neighbours: what is not refused comes back, and what is refused is all
//! that was in the way.

use npcodec::dtype::{DType, Order};
use npcodec::formats::{flax, msgpack_numpy};
use npcodec::{Error, ErrorKind, Key, NumpyEncoding, Path, Segment, StateDict, Value};
use proptest::prelude::*;

use super::values::{config, value};

/// Puts nil where a path leads.
fn without(value: Value<'static>, path: &[Segment]) -> Value<'static> {
    let Some((first, rest)) = path.split_first() else {
        return Value::Nil;
    };
    match value {
        Value::List(items) => {
            let items = items.into_iter().enumerate().map(|(at, item)| {
                let here = *first == Segment::Index(at as i128);
                if here { without(item, rest) } else { item }
            });
            Value::List(items.collect())
        }
        Value::Map(map) => {
            let entries = map.into_iter().map(|(key, item)| {
                let here = match (&key, first) {
                    (Key::String(key), Segment::Key(first)) => key == first,
                    (Key::Integer(key), Segment::Index(first)) => key == first,
                    _ => false,
                };
                (key, if here { without(item, rest) } else { item })
            });
            Value::Map(entries.collect::<StateDict<'_>>())
        }
        other => panic!("{path:?} goes through {other:?}"),
    }
}

/// Writes a value, without the leaves that the format refuses, and says what was written.
fn written(
    value: Value<'static>,
    write: impl Fn(&Value<'_>) -> Result<Vec<u8>, Error>,
) -> (Vec<u8>, Value<'static>) {
    let error = match write(&value) {
        Ok(bytes) => return (bytes, value),
        Err(error) => error,
    };
    let ErrorKind::Unsupported { leaves, .. } = error.kind() else {
        panic!("{error}");
    };
    let mut paths: Vec<&Path> = leaves.iter().map(|leaf| &leaf.path).collect();
    // The innermost first: a map can be in the way itself.
    paths.sort_by_key(|path| std::cmp::Reverse(path.segments().len()));
    let kept = paths
        .into_iter()
        .fold(value, |value, path| without(value, path.segments()));
    let bytes = write(&kept).unwrap_or_else(|error| panic!("still: {error}"));
    (bytes, kept)
}

/// Compares what does not depend on the memory order; a float by its bits.
fn same(one: &Value<'_>, other: &Value<'_>) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            let dtype = |array: &NumpyEncoding<'_>| array.dtype().clone();
            one.shape() == other.shape()
                && dtype(one) == dtype(other)
                && one.row_major() == other.row_major()
        }
        (Value::Float32(one), Value::Float32(other)) => one.to_bits() == other.to_bits(),
        (Value::Float64(one), Value::Float64(other)) => one.to_bits() == other.to_bits(),
        (Value::List(ones), Value::List(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| same(one, other))
        }
        (Value::Map(ones), Value::Map(others)) => {
            let pairs = ones.iter().zip(others);
            ones.len() == others.len()
                && pairs.into_iter().all(|(a, b)| a.0 == b.0 && same(a.1, b.1))
        }
        _ => one == other,
    }
}

/// What Flax's `to_state_dict` makes of a value.
fn state_dict(value: Value<'static>) -> Value<'static> {
    match value {
        Value::List(items) => {
            let entries = items.into_iter().enumerate();
            let entries = entries.map(|(at, item)| (at.to_string(), state_dict(item)));
            Value::Map(entries.collect())
        }
        Value::Map(map) => {
            let text = |key: Key<'static>| match key {
                Key::Integer(key) => Key::from(key.to_string()),
                key => key,
            };
            let entries = map
                .into_iter()
                .map(|(key, item)| (text(key), state_dict(item)));
            Value::Map(entries.collect())
        }
        other => other,
    }
}

fn sorted(value: Value<'static>) -> Value<'static> {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        Value::Map(map) => {
            let mut entries: Vec<_> = map
                .into_iter()
                .map(|(key, item)| (key, sorted(item)))
                .collect();
            entries.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Map(entries.into_iter().collect())
        }
        other => other,
    }
}

/// What old MessagePack has in the place of texts.
fn raw(value: Value<'static>) -> Value<'static> {
    match value {
        Value::String(text) => Value::Bytes(text.into_owned().into_bytes().into()),
        Value::List(items) => Value::List(items.into_iter().map(raw).collect()),
        Value::Map(map) => Value::Map(
            map.into_iter()
                .map(|(key, item)| (key, raw(item)))
                .collect(),
        ),
        other => other,
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn flax_in_each_form(value in value(), chunk in 0..200usize) {
        let write = |form| move |value: &Value<'_>| {
            let options = flax::WriteOptions::new().form(form).chunk_bytes(chunk);
            flax::to_vec_with(value, &options)
        };
        type Expected = fn(Value<'static>) -> Value<'static>;
        for (form, expected) in [
            (flax::Form::SerializeInPlace, (|value| value) as Expected),
            (flax::Form::Serialize, sorted),
            (flax::Form::ToBytes, state_dict),
        ] {
            let options = flax::WriteOptions::new().form(form).chunk_bytes(chunk);
            let kinds = |result: Result<_, Error>| result.map_err(|error| error.kind().clone());
            let state = kinds(flax::to_bytes_with(&value, &options));
            prop_assert_eq!(state, kinds(write(form)(&value)));
            let (bytes, kept) = written(value.clone(), write(form));
            let read = flax::from_slice(&bytes).unwrap();
            let expected = expected(kept);
            prop_assert!(same(&read, &expected), "{:?}: {:?} is not {:?}", form, read, expected);
            prop_assert_eq!(write(form)(&read).unwrap(), bytes);
        }
    }

    #[test]
    fn msgpack_numpy_in_both_forms(value in value()) {
        for is_raw in [false, true] {
            let options = msgpack_numpy::WriteOptions::new().raw(is_raw);
            let reading = msgpack_numpy::ReadOptions::new().raw(is_raw);
            let (bytes, kept) = written(value.clone(), |value| {
                msgpack_numpy::to_vec_with(value, &options)
            });
            let read = msgpack_numpy::from_slice_with(&bytes, &reading).unwrap();
            let expected = if is_raw { raw(kept) } else { kept };
            prop_assert!(same(&read, &expected), "{:?} is not {:?}", read, expected);
            prop_assert_eq!(msgpack_numpy::to_vec_with(&read, &options).unwrap(), bytes);
        }
    }

    #[test]
    fn complex_numbers_and_scalars(re: u64, im: u64) {
        // A NaN is a NaN, whatever else its bits are: the formats have texts and floats.
        let float = |bits| f64::from_bits(bits);
        let number = npcodec::num_complex::Complex::new(float(re), float(im));
        let bits = |value: f64| if value.is_nan() { 1 } else { value.to_bits() };
        let dtype: DType = "'<c16'".parse().unwrap();
        let data = [float(re).to_le_bytes(), float(im).to_le_bytes()].concat();
        let scalar = NumpyEncoding::from_dtype(vec![], data, dtype, None).unwrap().into_scalar();
        let value = Value::List(vec![Value::Complex(number), Value::Array(scalar)]);
        for bytes in [msgpack_numpy::to_vec(&value).unwrap(), flax::to_vec(&value).unwrap()] {
            let msgpack = msgpack_numpy::from_slice(&bytes);
            let read = match &msgpack {
                Ok(Value::List(items)) if !matches!(items[0], Value::Extension(..)) => items.clone(),
                _ => match flax::from_slice(&bytes).unwrap() {
                    Value::Map(map) => map.values().cloned().collect(),
                    other => panic!("{other:?}"),
                },
            };
            let [Value::Complex(again), Value::Array(array)] = &read[..] else {
                panic!("{read:?}");
            };
            prop_assert_eq!((bits(again.re), bits(again.im)), (bits(number.re), bits(number.im)));
            prop_assert!(array.is_scalar());
        }
    }
}

#[test]
fn column_major_arrays_are_among_them() {
    // What the strategy above makes, by hand: the orders differ and the items do not.
    let of = |data: Vec<u8>, order| {
        Value::Array(NumpyEncoding::new(vec![2, 2], data, "'|u1'", order).unwrap())
    };
    let (columns, rows) = (
        of(vec![0, 2, 1, 3], Some(Order::F)),
        of(vec![0, 1, 2, 3], None),
    );
    assert!(same(&columns, &rows));
    assert!(!same(&columns, &of(vec![0, 2, 1, 3], None)));
}
