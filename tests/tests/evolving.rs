//! Yesterday's file in today's struct, and the reverse: four versions, every pair.

use npcodec::ndarray::{Array1, array};
use npcodec::{Checkpoint, ReadOptions, Strictness, from_slice, from_slice_with, to_vec};

#[derive(Checkpoint)]
struct V1 {
    w: Array1<f32>,
}

/// Adds a field.
#[derive(Checkpoint)]
struct V2 {
    w: Array1<f32>,
    #[checkpoint(default)]
    activation: String,
}

/// Renames one.
#[derive(Checkpoint)]
struct V3 {
    #[checkpoint(alias = "w")]
    weight: Array1<f32>,
    #[checkpoint(default)]
    activation: String,
}

/// Drops it.
#[derive(Checkpoint)]
struct V4 {
    #[checkpoint(default)]
    activation: String,
}

/// What a version says of a file: nothing, or what does not fit.
fn said<T: for<'de> npcodec::Restore<'de>>(bytes: &[u8]) -> String {
    let text = from_slice::<T>(bytes).err().map(|error| error.to_string());
    let text = text.unwrap_or_default();
    let head = "the state does not fit:\n  ";
    let hint = " (`allow_unknown_fields` passes over them)";
    text.replace(head, "")
        .replace(hint, "")
        .replace("\n  ", "; ")
}

#[test]
fn every_version_reads_every_other_or_says_why_not() {
    let w = array![1.0, 2.0];
    let activation = "relu".to_owned();
    let files = [
        to_vec(&V1 { w: w.clone() }).unwrap(),
        to_vec(&V2 {
            w: w.clone(),
            activation: activation.clone(),
        })
        .unwrap(),
        to_vec(&V3 {
            weight: w,
            activation: activation.clone(),
        })
        .unwrap(),
        to_vec(&V4 { activation }).unwrap(),
    ];
    let all = files.map(|file| {
        [
            said::<V1>(&file),
            said::<V2>(&file),
            said::<V3>(&file),
            said::<V4>(&file),
        ]
    });
    let expected = [
        // A file of   as V1, as V2, as V3, as V4
        /* V1 */
        ["", "", "", "unexpected: w"],
        /* V2 */ ["unexpected: activation", "", "", "unexpected: w"],
        /* V3 */
        [
            "missing: w; unexpected: weight, activation",
            "missing: w; unexpected: weight",
            "",
            "unexpected: weight",
        ],
        /* V4 */
        [
            "missing: w; unexpected: activation",
            "missing: w",
            "missing: weight",
            "",
        ],
    ];
    assert_eq!(all, expected);
}

#[test]
fn what_is_dropped_is_listed_where_that_is_asked_for() {
    let bytes = to_vec(&V2 {
        w: array![1.0],
        activation: "relu".to_owned(),
    });
    let lenient = ReadOptions::new().strictness(Strictness::Lenient);
    let (state, report) = from_slice_with::<V4>(&bytes.unwrap(), &lenient).unwrap();
    assert_eq!(state.activation, "relu");
    let listed: Vec<_> = report.unexpected.iter().map(ToString::to_string).collect();
    assert_eq!(listed, ["w"]);
}

#[test]
fn both_names_at_once_are_an_error() {
    let bytes = b"\x82\xa1w\x83\xa5shape\x91\x00\xa4data\xc4\x00\xa5dtype\xa5'<f4'\
                  \xa6weight\x83\xa5shape\x91\x00\xa4data\xc4\x00\xa5dtype\xa5'<f4'";
    let text = said::<V3>(bytes);
    assert!(
        text.contains("weight: expected one value, found another one for the same field"),
        "{text}"
    );
}
