//! Takes state dicts of a model, and loads one into a model that has changed since.

use npcodec::ndarray::{Array1, Array2, array};
use npcodec::{Checkpoint, ErrorKind, StateDict, Strictness, Value};

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Dense {
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Model {
    layers: Vec<Dense>,
    step: u64,
    // A file of an older version lacks this one.
    #[checkpoint(default)]
    epoch: u64,
}

fn model(scale: f32) -> Model {
    let dense = |scale| Dense {
        kernel: array![[1.0, 2.0], [3.0, 4.0]] * scale,
        bias: array![0.5, 0.25] * scale,
    };
    Model {
        layers: vec![dense(scale), dense(-scale)],
        step: 100,
        epoch: 2,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trained = model(1.0);
    let dict = trained.to_state_dict()?;
    let keys: Vec<_> = dict.keys().filter_map(|key| key.as_str()).collect();
    println!("keys: {keys:?}");

    // Arrays are loaded into the memory that the model has.
    let mut fresh = model(0.0);
    let weights = fresh.layers[0].kernel.as_ptr();
    let report = fresh.load_state_dict(&dict, Strictness::Strict)?;
    assert!(report.is_clean() && fresh == trained);
    assert_eq!(weights, fresh.layers[0].kernel.as_ptr());

    // A file with three faults: a misspelt key, a wrong dtype and a missing field.
    let mut faulty = dict.borrowed();
    let step = faulty.remove("step").ok_or("there is a step")?;
    faulty.insert("stpe", step);
    let Some(Value::List(layers)) = faulty.get_mut("layers") else {
        return Err("layers are a list".into());
    };
    let wrong = Array1::<f64>::zeros(2);
    layers[0] = Value::Map(StateDict::from_iter([
        ("kernel", trained.layers[0].kernel.to_value()?),
        ("bias", wrong.to_value()?),
    ]));
    let Some(Value::Map(layer)) = layers.get_mut(1) else {
        return Err("a layer is a map".into());
    };
    layer.remove("bias");

    // One error names all three, and the model stays as it was.
    let mut untouched = model(0.0);
    let error = untouched.load_state_dict(&faulty, Strictness::Strict);
    let error = error.map(drop).expect_err("three faults");
    println!("\nstrict: {error}");
    let report = error.report().ok_or("a report")?;
    let paths = |paths: &[npcodec::Path]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(paths(&report.missing), ["layers[1].bias", "step"]);
    assert_eq!(paths(&report.unexpected), ["stpe"]);
    assert_eq!(report.mismatched[0].path.to_string(), "layers[0].bias");
    assert_eq!(untouched, model(0.0));

    // Leniency passes over keys, never over a value of another type, unless that is asked for too.
    let error = untouched
        .load_state_dict(&faulty, Strictness::Lenient)
        .map(drop);
    assert!(matches!(error, Err(error) if matches!(error.kind(), ErrorKind::Report(_))));
    assert_eq!(untouched, model(0.0));
    let report = untouched.load_state_dict(&faulty, Strictness::SkipMismatched)?;
    println!("\nskipped: {report}");
    assert_eq!(untouched.layers[0].kernel, trained.layers[0].kernel);
    assert_eq!(untouched.layers[0].bias, model(0.0).layers[0].bias);

    // A fresh state takes its defaults for what is not there.
    let mut older = dict.borrowed();
    older.remove("epoch");
    assert_eq!(
        Model::from_state_dict(older)?,
        Model {
            epoch: 0,
            ..trained.clone()
        }
    );

    println!("\nstate_dicts: every load did what it said");
    Ok(())
}
