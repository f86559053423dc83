//! Checkpoints from one format to another: a PyTorch state dict to a training state, that to an archive for
//! NumPy, and back.
//!
//! Run with `cargo run --example convert --features npy,safetensors`.

use npcodec::formats::{self, Conversion, Format, ReadOptions, WriteOptions, npz, safetensors};
use npcodec::half::bf16;
use npcodec::ndarray::{Array1, Array2, array};
use npcodec::{Checkpoint, ErrorKind, NumpyEncoding, StateDict, Value};

#[derive(Checkpoint, Debug, PartialEq)]
struct Layer {
    weight: Array2<bf16>,
    bias: Array1<f32>,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Policy {
    body: Layer,
    head: Layer,
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Training {
    policy: Policy,
    moments: Vec<Array1<f64>>,
    step: u64,
    seed: u128,
    name: String,
}

/// What `safetensors.torch.save(policy.state_dict(), metadata={"format": "pt"})` gives.
fn of_pytorch() -> Result<Vec<u8>, npcodec::Error> {
    let layer = |scale: f32| {
        let weight = array![[1.0, 2.0], [3.0, 4.0]].mapv(|x: f32| bf16::from_f32(x * scale));
        (weight, array![scale, -scale])
    };
    let ((body, body_bias), (head, head_bias)) = (layer(1.0), layer(0.5));
    let texts: StateDict<'_> = [("format", "pt")].into_iter().collect();
    let mut dict = StateDict::new();
    dict.insert("body.weight", NumpyEncoding::from_array(body.view())?);
    dict.insert("body.bias", NumpyEncoding::from_array(body_bias.view())?);
    dict.insert("head.weight", NumpyEncoding::from_array(head.view())?);
    dict.insert("head.bias", NumpyEncoding::from_array(head_bias.view())?);
    dict.insert(safetensors::METADATA, texts);
    safetensors::to_vec(&Value::Map(dict))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Its names are flat; nested they are the fields of structs. The arrays are borrowed from the file.
    let file = of_pytorch()?;
    let nested = ReadOptions::new().nested(".");
    let (format, mut dict) = formats::read_with(&file, &nested)?;
    assert_eq!(format, Format::Safetensors);
    let texts = dict.remove(safetensors::METADATA);
    assert!(
        texts.is_some_and(|texts| texts.as_map().is_some_and(|map| map.contains_key("format")))
    );
    let policy: Policy = formats::restore(dict)?;
    assert_eq!(policy.head.weight[[1, 1]], bf16::from_f32(2.0));

    let training = Training {
        policy,
        moments: vec![array![0.5], array![0.25, 0.125]],
        step: 7,
        seed: 1 << 100,
        name: "run".to_owned(),
    };

    // An archive holds arrays under names, and NumPy knows no bfloat16: one error says all of it.
    let dict = training.to_state_dict()?;
    let refused = formats::write(Format::Npz, &dict, &WriteOptions::new());
    match refused.as_ref().map_err(npcodec::Error::kind) {
        Err(ErrorKind::Unsupported { leaves, .. }) => assert_eq!(leaves.len(), 6),
        other => panic!("{other:?}"),
    }
    let options = WriteOptions::new().allow([
        Conversion::FloatsAsFloat32,
        Conversion::ListsAsMaps,
        Conversion::LongIntegersAsText,
        Conversion::ScalarsAsArrays,
        Conversion::TextAsArrays,
    ]);
    let path = std::env::temp_dir().join(format!("npcodec-convert-{}.npz", std::process::id()));
    let listed = formats::write_file(&path, Format::Npz, &dict, &options)?;
    for one in &listed {
        println!("{}: {:?}", one.path, one.conversion);
    }
    assert_eq!(listed.len(), 7);

    // Its names are flat again, and nested on request.
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    let archive = npz::from_slice(&bytes)?;
    let names = archive.as_map().into_iter().flat_map(StateDict::keys);
    let names: Vec<_> = names.filter_map(|name| name.as_str()).collect();
    assert_eq!(
        names[..3],
        [
            "policy.body.weight",
            "policy.body.bias",
            "policy.head.weight"
        ]
    );
    let (_, archive) = formats::read_with(&bytes, &nested)?;
    assert_eq!(archive.len(), dict.len());

    // Dopamine's MessagePack holds every state, so that nothing has to be converted.
    let (bytes, converted) = formats::write(Format::MessagePack, &dict, &WriteOptions::new())?;
    assert!(converted.is_empty());
    assert_eq!(bytes, npcodec::to_vec(&training)?);
    let (format, read) = formats::read(&bytes)?;
    assert_eq!(format, Format::MessagePack);
    assert_eq!(Training::from_state_dict(read)?, training);

    println!(
        "convert: {} conversions, and all of them said",
        listed.len()
    );
    Ok(())
}
