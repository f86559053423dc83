//! Generated files that say one thing and hold another: counts, shapes, dtypes, Snappy blocks.

use std::cell::Cell;

use npcodec::dtype::DType;
use npcodec::{ReadOptions, Strictness, decode, from_slice_with};
use npcodec_tests::wire::{integer, text};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::everything::Everything;
use super::memory::Cap;
use super::readers::{open, value};

/// A value of one byte is one of 32 in memory, in a list that grows by doubling: beyond what any
/// honest file of arrays takes, and still bounded by the file.
const CAP: Cap = Cap {
    times: 160,
    besides: 1 << 16,
};

/// What a header says of a length.
#[derive(Debug, Clone, Copy)]
enum Claim {
    Honest,
    More(u8),
    Less(u8),
    Of(u32),
}

impl Claim {
    fn of(self, length: usize) -> u32 {
        let length = length as u32;
        match self {
            Self::Honest => length,
            Self::More(more) => length + u32::from(more),
            Self::Less(less) => length.saturating_sub(less.into()),
            Self::Of(claim) => claim,
        }
    }
}

/// A header in the form of 8, 16 or 32 bits, or the short form that has the length in its byte.
fn header(short: Option<u8>, wide: [u8; 3], length: u32) -> Vec<u8> {
    let bytes = length.to_be_bytes();
    match (short, length) {
        (Some(short), 0..16) => vec![short | length as u8],
        (None, 0..0x100) => vec![wide[0], bytes[3]],
        (_, 0..0x1_0000) => vec![wide[1], bytes[2], bytes[3]],
        _ => [&[wide[2]], &bytes[..]].concat(),
    }
}

fn claimed_list(claim: Claim, items: &[Vec<u8>]) -> Vec<u8> {
    let head = header(Some(0x90), [0, 0xdc, 0xdd], claim.of(items.len()));
    [head, items.concat()].concat()
}

fn claimed_map(claim: Claim, entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = header(Some(0x80), [0, 0xde, 0xdf], claim.of(entries.len()));
    for (key, value) in entries {
        bytes.extend(key);
        bytes.extend(value);
    }
    bytes
}

fn claimed_bin(claim: Claim, content: &[u8]) -> Vec<u8> {
    let head = header(None, [0xc4, 0xc5, 0xc6], claim.of(content.len()));
    [head.as_slice(), content].concat()
}

fn claim() -> impl Strategy<Value = Claim> {
    prop_oneof![
        120 => Just(Claim::Honest),
        1 => (1u8..4).prop_map(Claim::More),
        1 => (1u8..4).prop_map(Claim::Less),
        1 => prop_oneof![Just(u32::MAX), Just(1 << 31), Just(1 << 16), any::<u32>()]
            .prop_map(Claim::Of),
    ]
}

/// An integer that could be the length of an axis.
fn length() -> impl Strategy<Value = i128> {
    let rare = [
        -1,
        1 << 31,
        1 << 32,
        1 << 62,
        i128::from(u64::MAX),
        i128::from(i64::MIN),
    ];
    prop_oneof![40 => 0..5i128, 1 => proptest::sample::select(rare.to_vec())]
}

/// The text of a dtype: good, good of something large, or broken in one place.
fn dtype() -> impl Strategy<Value = String> {
    let plain = [
        "'|b1'",
        "'|u1'",
        "'<i2'",
        "'>i4'",
        "'<u8'",
        "'<f2'",
        "'>f8'",
        "'<f16'",
        "'<c8'",
        "'<U2'",
        "'>U1'",
        "'|S3'",
        "'|S0'",
        "'<U0'",
        "[('', '|V4')]",
        "'<M8[ns]'",
        "'<m8[25s]'",
        "'|O'",
        "'bfloat16'",
        "'float8_e4m3fn'",
        "'<U536870911'",
        "'|S2147483647'",
        "[]",
        "'<f3'",
        "",
    ];
    let common = ["'<f4'", "'|b1'", "'|u1'", "'<U2'", "'|S3'"];
    let leaf = prop_oneof![
        proptest::sample::select(common.to_vec()),
        proptest::sample::select(plain.to_vec()),
    ];
    let leaf = leaf.prop_map(str::to_owned);
    let record = leaf.prop_recursive(20, 8, 3, |inner| {
        let names = proptest::sample::select(vec!["a", "b", "", "é", "x"]);
        let sub = prop_oneof![
            4 => Just(String::new()),
            1 => vec(length(), 1..3).prop_map(|lengths| {
                let lengths: String = lengths.iter().map(|length| format!("{length}, ")).collect();
                format!(", ({lengths})")
            }),
        ];
        let dict = (inner.clone(), 0..9usize, 0..20usize).prop_map(|(inner, offset, size)| {
            format!(
                "{{'names': ['a'], 'formats': [{inner}], 'offsets': [{offset}], 'itemsize': {size}}}"
            )
        });
        let fields = vec((names, inner, sub), 1..3).prop_map(|fields| {
            let fields = fields.iter().map(|(name, inner, sub)| format!("('{name}', {inner}{sub})"));
            format!("[{}]", fields.collect::<Vec<_>>().join(", "))
        });
        prop_oneof![3 => fields, 1 => dict]
    });
    let broken = (
        record.clone(),
        any::<proptest::sample::Index>(),
        "[()\\[\\]{},:'\\\\0-9]{0,3}",
    );
    prop_oneof![
        9 => record,
        1 => broken.prop_map(|(mut text, place, piece)| {
            let mut at = place.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, &piece);
            text
        }),
    ]
}

/// An encoded array of which any part may be wrong, its payload often of the right length.
fn array() -> impl Strategy<Value = Vec<u8>> {
    let payload = prop_oneof![
        9 => Just(None),
        1 => (claim(), vec(0..3u8, 0..40)).prop_map(Some),
    ];
    let order = proptest::sample::select(
        [
            [None; 7].as_slice(),
            &[Some("C"); 3],
            &[Some("F"); 3],
            &[Some("A")],
        ]
        .concat(),
    );
    (
        vec(length(), 0..4),
        payload,
        dtype(),
        order,
        claim(),
        any::<u8>(),
    )
        .prop_map(|(shape, payload, dtype, order, claim, fill)| {
            let data = match payload {
                Some((claim, data)) => claimed_bin(claim, &data),
                None => {
                    let itemsize = dtype.parse().map_or(1, |dtype: DType| dtype.itemsize());
                    let items = shape
                        .iter()
                        .try_fold(itemsize as i128, |all, &length| all.checked_mul(length));
                    let bytes = items.filter(|bytes| (0..2000).contains(bytes)).unwrap_or(3);
                    claimed_bin(Claim::Honest, &vec![fill % 3; bytes as usize])
                }
            };
            let shape: Vec<_> = shape.into_iter().map(integer).collect();
            let mut entries = vec![
                (text("shape"), claimed_list(claim, &shape)),
                (text("data"), data),
                (text("dtype"), text(&dtype)),
            ];
            entries.extend(order.map(|order| (text("order"), text(order))));
            claimed_map(Claim::Honest, &entries)
        })
}

/// A Snappy record whose block, shape and dtype need not agree.
fn record() -> impl Strategy<Value = Vec<u8>> {
    let names = [
        "|u1",
        "|b1",
        "<f4",
        ">i2",
        "<c16",
        "<U1",
        "|O",
        "bfloat16",
        "|S2147483647",
    ];
    let lengths =
        prop_oneof![40 => 0..6i32, 1 => Just(-1), 1 => Just(1 << 28), 1 => Just(i32::MAX)];
    let claims = prop_oneof![
        9 => Just(None),
        1 => proptest::sample::select(vec![0, 1, 7, 1 << 28, (1 << 32) - 1, 1 << 40]).prop_map(Some),
    ];
    let names = proptest::sample::select(names.to_vec());
    let off = prop_oneof![9 => Just(0), 1 => 1..3usize];
    let contents = prop_oneof![9 => Just(None), 1 => vec(any::<u8>(), 0..30).prop_map(Some)];
    (vec(lengths, 0..4), claims, names, contents, off).prop_map(
        |(shape, claim, name, content, off)| {
            let size = match name {
                "<f4" => 4,
                ">i2" => 2,
                "<c16" => 16,
                _ => 1,
            };
            let items: i128 = shape.iter().map(|&length| i128::from(length)).product();
            let held = usize::try_from(items * size)
                .ok()
                .filter(|&bytes| bytes < 4000);
            let claim = claim.unwrap_or_else(|| u64::try_from(items * size).unwrap_or(9));
            let mut block = Vec::new();
            let mut rest = claim;
            while rest >= 0x80 {
                block.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            block.push(rest as u8);
            match content {
                Some(content) => block.extend(content),
                // One literal after the other, of 60 zeros at most.
                None => vec![0u8; held.unwrap_or(9)].chunks(60).for_each(|literal| {
                    block.push((literal.len() as u8 - 1) << 2);
                    block.extend(literal);
                }),
            }
            let dtype = format!(
                "[('data', '|u1', ({},)), ('shape', '<i4', ({},)), ('dtype', '|S{}')]",
                block.len() - off % block.len(),
                shape.len(),
                name.len() + off % block.len()
            );
            let mut data = block;
            data.extend(shape.iter().flat_map(|length| length.to_le_bytes()));
            data.extend(name.bytes());
            claimed_map(
                Claim::Honest,
                &[
                    (text("shape"), vec![0x90]),
                    (text("data"), claimed_bin(Claim::Honest, &data)),
                    (text("dtype"), text(&dtype)),
                ],
            )
        },
    )
}

/// A whole file: lists and maps of all of these, with headers that lie here and there.
fn file() -> impl Strategy<Value = Vec<u8>> {
    let keys = [
        "x", "rows", "texts", "times", "frames", "kind", "inner", "shape", "data", "dtype",
        "integer", "a",
    ];
    let key = prop_oneof![
        80 => proptest::sample::select(keys.to_vec()).prop_map(text),
        80 => (-40..300i128).prop_map(integer),
        1 => Just(vec![0x90]),
    ];
    let leaf = prop_oneof![
        20 => array(),
        20 => record(),
        5 => any::<i64>().prop_map(|value| integer(value.into())),
        5 => (claim(), vec(any::<u8>(), 0..20)).prop_map(|(claim, data)| claimed_bin(claim, &data)),
        1 => vec(any::<u8>(), 1..9),
        5 => "-?[0-9]{1,50}x{0,1}".prop_map(|digits| {
            claimed_map(Claim::Honest, &[(text("integer"), text(&digits))])
        }),
        5 => Just(vec![0xc0]),
    ];
    leaf.prop_recursive(6, 30, 6, move |inner| {
        prop_oneof![
            9 => (claim(), vec(inner.clone(), 0..5))
                .prop_map(|(claim, items)| claimed_list(claim, &items)),
            9 => (claim(), vec((key.clone(), inner.clone()), 0..5))
                .prop_map(|(claim, entries)| claimed_map(claim, &entries)),
            // One thing in very many brackets.
            1 => (1..300usize, inner).prop_map(|(levels, inner)| [vec![0x91; levels], inner].concat()),
        ]
    })
}

#[test]
fn lies_cost_an_error_and_no_memory() {
    // The same files in every run; PROPTEST_CASES makes more of them.
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 500,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let [read, refused, opened] = [const { Cell::new(0) }; 3];
    let add = |count: &Cell<usize>, more| count.set(count.get() + more);
    let outcome = TestRunner::new_with_rng(config, random).run(&vec(file(), 8), |files| {
        for bytes in files {
            let what = || format!("{bytes:02x?}");
            if CAP.hold(&bytes, what, || value(&bytes)) {
                add(&read, 1);
                add(
                    &opened,
                    CAP.hold(&bytes, what, || open(&decode(&bytes).unwrap())),
                );
            } else {
                add(&refused, 1);
            }
            CAP.hold(&bytes, what, || {
                let lenient = ReadOptions::new().strictness(Strictness::SkipMismatched);
                let _ = rmp_serde::from_slice::<Everything>(&bytes);
                from_slice_with::<Everything>(&bytes, &lenient).is_ok()
            });
        }
        Ok(())
    });
    outcome.unwrap();
    let [read, refused, opened] = [read, refused, opened].map(Cell::into_inner);
    println!("{read} files are read, {refused} are refused; {opened} arrays are made");
    assert!(read > 300 && refused > 300 && opened > 300);
}
