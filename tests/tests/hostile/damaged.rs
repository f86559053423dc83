//! Every file that Python wrote, cut and changed byte by byte.

use npcodec::{Value, decode};
use npcodec_tests::vector::Vector;
use serde::de::IgnoredAny;

use super::memory::Cap;
use super::readers::{Reader, STATES, open, value};

/// The values of a file take four times its size, the frames inside of Snappy blocks more.
const CAP: Cap = Cap {
    times: 16,
    besides: 1 << 14,
};

const MASKS: [u8; 3] = [0x01, 0x80, 0xff];

/// How much of it is done.
#[derive(Clone, Copy, PartialEq)]
enum Share {
    /// Large files at both ends and here and there between, with one mask a byte.
    Some,
    All,
}

/// How many bytes at either end of a large file are not passed over.
const ENDS: usize = 200;

impl Share {
    fn is_whole(self, file: &[u8]) -> bool {
        self == Self::All || file.len() < 2 * ENDS
    }

    /// Where a file is damaged.
    fn places(self, file: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let (length, whole) = (file.len(), self.is_whole(file));
        let wanted = move |place| place < ENDS || length - place <= ENDS || place % 211 == 0;
        (0..length).filter(move |&place| whole || wanted(place))
    }

    /// Which bits of a byte are changed.
    fn masks(self, file: &[u8], place: usize) -> &'static [u8] {
        if self.is_whole(file) {
            &MASKS
        } else {
            std::slice::from_ref(&MASKS[place % MASKS.len()])
        }
    }
}

/// The vectors, each with the types that take it whole.
fn vectors() -> Vec<(Vector, Vec<Reader>)> {
    let readers = |vector: &Vector| {
        let states = STATES.iter().copied();
        let readers: Vec<_> = states
            .filter(|state| (state.every_way)(&vector.bytes))
            .collect();
        assert!(!readers.is_empty(), "no type reads {}", vector.name);
        readers
    };
    let vectors = Vector::all().into_iter();
    vectors
        .map(|vector| {
            let readers = readers(&vector);
            (vector, readers)
        })
        .collect()
}

fn cut(share: Share) {
    for (Vector { name, bytes, .. }, readers) in vectors() {
        for end in share.places(&bytes) {
            let cut = &bytes[..end];
            let what = || format!("{name} cut after {end} bytes");
            let whole = CAP.hold(cut, what, || {
                let untyped = [
                    decode(cut).is_ok(),
                    rmp_serde::from_slice::<Value<'_>>(cut).is_ok(),
                    rmp_serde::from_slice::<IgnoredAny>(cut).is_ok(),
                ];
                untyped.contains(&true) || readers.iter().any(|state| (state.every_way)(cut))
            });
            assert!(!whole, "{} is whole", what());
        }
    }
}

fn change(share: Share) {
    let (mut read, mut refused) = (0, 0);
    for (
        Vector {
            name, mut bytes, ..
        },
        readers,
    ) in vectors()
    {
        let whole = share.is_whole(&bytes);
        for place in share.places(&bytes) {
            for &mask in share.masks(&bytes, place) {
                bytes[place] ^= mask;
                let what = || format!("{name} with byte {place} changed by {mask:#04x}");
                let good = CAP.hold(&bytes, what, || value(&bytes));
                for state in &readers {
                    let state = if whole { state.every_way } else { state.once };
                    CAP.hold(&bytes, what, || state(&bytes));
                }
                if good && whole {
                    CAP.hold(&bytes, what, || open(&decode(&bytes).unwrap()));
                }
                *if good { &mut read } else { &mut refused } += 1;
                bytes[place] ^= mask;
            }
        }
    }
    println!("{read} changed files are read, {refused} are refused");
    assert!(
        read > 1000 && refused > 1000,
        "{read} read, {refused} refused"
    );
}

#[test]
fn a_file_is_refused_wherever_it_is_cut() {
    cut(Share::Some);
}

#[test]
fn a_changed_byte_is_read_or_refused() {
    change(Share::Some);
}

#[test]
#[ignore = "takes minutes: scripts/test --all runs it"]
fn a_file_is_refused_wherever_it_is_cut_at_all() {
    cut(Share::All);
}

#[test]
#[ignore = "takes minutes: scripts/test --all runs it"]
fn every_changed_byte_is_read_or_refused() {
    change(Share::All);
}
