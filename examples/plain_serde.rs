//! Uses NumPy's encodings in plain serde structs, without `derive(Checkpoint)`.

mod tree;

use std::collections::BTreeMap;

use npcodec::ndarray::{Array1, Array3, ArrayD, IxDyn, array};
use npcodec::with::{As, Compressed, Native};
use npcodec::{Value, decode};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Snapshot {
    #[serde(with = "npcodec::with::array")]
    weights: Array1<f32>,
    // A plain vector of numbers becomes one array as well.
    #[serde(with = "npcodec::with::array")]
    losses: Vec<f64>,
    #[serde(with = "npcodec::with::scalar")]
    best: f32,
    #[serde(with = "npcodec::with::integer")]
    seed: u128,
    #[serde(with = "npcodec::with::compressed")]
    last: Array3<u8>,
    // The forms are types as well, and nest as the type of the field does.
    #[serde(with = "As::<(Native, Vec<Compressed>)>")]
    episode: (u64, Vec<Array3<u8>>),
    // A bare form reaches through containers to the arrays in them.
    #[serde(with = "npcodec::with::array")]
    moments: BTreeMap<String, ArrayD<f32>>,
    comment: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let frame = Array3::from_shape_fn((4, 4, 2), |(row, _, _)| row as u8);
    let snapshot = Snapshot {
        weights: array![0.5, -1.5],
        losses: vec![0.7, 0.1],
        best: 0.1,
        seed: 1 << 100,
        last: frame.clone(),
        episode: (3, vec![frame.clone(), frame]),
        moments: BTreeMap::from([("mean".to_owned(), ArrayD::zeros(IxDyn(&[2, 1])))]),
        comment: None,
    };

    // rmp_serde writes plain structs by position unless it is told to write names.
    let bytes = rmp_serde::to_vec_named(&snapshot)?;
    let value = decode(&bytes)?;
    print!("{}", tree::columns(&tree::lines(&value)));
    let map = value.as_map().ok_or("a struct is a map")?;
    let dtype = |key: &str| {
        map.get(key)
            .and_then(Value::as_array)
            .map(|array| array.dtype_text())
    };
    assert_eq!(dtype("weights"), Some("'<f4'"));
    assert_eq!(dtype("losses"), Some("'<f8'"));
    assert_eq!(dtype("best"), Some("'<f4'"));
    assert_eq!(map.get("seed"), Some(&Value::from(1_u128 << 100)));
    assert_eq!(rmp_serde::from_slice::<Snapshot>(&bytes)?, snapshot);

    println!("plain_serde: the snapshot that was read back equals the one that was written");
    Ok(())
}
