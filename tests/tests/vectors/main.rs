//! Every file that Python wrote: passed through untyped, read into its Rust type, written again.
//!
//! What they hold is taken from their index, never from what this library made of them.

use std::collections::BTreeSet;

use npcodec::dtype::Order;
use npcodec::{Value, decode, encode};
use npcodec_tests::fact::Fact;
use npcodec_tests::vector::Vector;

mod arrays;
mod check;
mod compressed;
mod others;
mod replay;
mod rows;

/// How many files there are.
const COUNT: usize = 91;

/// Calls `check` with every vector, and returns the names of those that it took.
fn covered(mut check: impl FnMut(&Vector) -> bool) -> BTreeSet<String> {
    let vectors = Vector::all();
    let taken: BTreeSet<_> = vectors
        .iter()
        .filter(|vector| check(vector))
        .map(|vector| vector.name.clone())
        .collect();
    println!("{} of {} vectors", taken.len(), vectors.len());
    assert_eq!(vectors.len(), COUNT);
    taken
}

#[test]
fn untyped_every_vector_keeps_its_bytes() {
    let mut arrays = 0;
    let taken = covered(|vector| {
        let Vector { name, bytes, entry } = vector;
        let value = decode(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let through_serde: Value<'_> =
            rmp_serde::from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(format!("{through_serde:?}"), format!("{value:?}"), "{name}");
        assert_eq!(&encode(&value).unwrap(), bytes, "{name}");
        assert_eq!(&rmp_serde::to_vec(&through_serde).unwrap(), bytes, "{name}");
        let owned = value.clone().into_owned();
        assert_eq!(&encode(&owned).unwrap(), bytes, "{name}");

        let Some(text) = entry["wire_dtype"].as_str() else {
            return true;
        };
        arrays += 1;
        let key = entry["key"].as_str().unwrap();
        let array = value.as_map().and_then(|map| map.get(key)).unwrap();
        let array = array
            .as_array()
            .unwrap_or_else(|| panic!("{name} is {array:?}"));
        assert_eq!(array.dtype_text(), text, "{name}");
        assert_eq!(array.shape(), <Vec<usize>>::fact(&entry["shape"]), "{name}");
        let order = array.order().map(Order::as_str);
        assert_eq!(order, entry["wire_order"].as_str(), "{name}");
        true
    });
    assert_eq!(taken.len(), COUNT);
    println!("{arrays} of them are one array");
    assert_eq!(arrays, 72);
}

/// Checks a vector if it is of a group, and returns whether it is.
type Check = fn(&Vector) -> bool;

/// Checks a vector; it has to be of exactly one group.
fn typed(vector: &Vector) {
    let groups: [(&str, Check); 5] = [
        ("arrays", arrays::check),
        ("rows", rows::check),
        ("compressed", compressed::check),
        ("others", others::check),
        ("replay", replay::check),
    ];
    let by: Vec<_> = groups
        .iter()
        .filter(|(_, check)| check(vector))
        .map(|(group, _)| group)
        .collect();
    assert_eq!(by.len(), 1, "{} is checked by {by:?}", vector.name);
}

#[test]
fn typed_every_vector_has_the_values_of_the_index() {
    let taken = covered(|vector| {
        typed(vector);
        true
    });
    assert_eq!(taken.len(), COUNT);
}

#[test]
fn typed_every_other_value_is_noticed() {
    let (mut altered, mut unnoticed, mut without) = (0, Vec::new(), Vec::new());
    silent_here();
    for vector in Vector::all() {
        let others = vector.altered();
        if others.is_empty() {
            without.push(vector.name.clone());
        }
        altered += others.len();
        for (place, other) in others {
            if std::panic::catch_unwind(|| typed(&other)).is_ok() {
                unnoticed.push(format!("{}{place}", other.name));
            }
        }
    }
    drop(std::panic::take_hook());
    println!("{altered} altered values, none in {without:?}");
    assert_eq!(unnoticed, [""; 0]);
    assert_eq!(without, ["empty_0", "empty_0x3", "empty_3x0_F"]);
}

/// Lets the panics of this thread pass without a word.
fn silent_here() {
    let (here, hook) = (std::thread::current().id(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() != here {
            hook(info);
        }
    }));
}
