//! Trains for a few steps, saves, goes on from the file in place, and looks into it in part and mapped.

use std::path::PathBuf;

use npcodec::ndarray::{Array1, Array2, Ix2, array};
use npcodec::{
    Checkpoint, ErrorKind, MappedCheckpoint, ReadOptions, SaveOptions, WriteOptions, load_into,
    load_into_with, load_with, save_with,
};

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Linear {
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Momentum {
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Run {
    model: Linear,
    optimizer: Momentum,
    losses: Vec<f32>,
    step: u64,
}

impl Run {
    fn new() -> Self {
        let (kernel, bias) = (Array2::zeros((2, 1)), Array1::zeros(1));
        Self {
            model: Linear {
                kernel: kernel.clone(),
                bias: bias.clone(),
            },
            optimizer: Momentum { kernel, bias },
            losses: Vec::new(),
            step: 0,
        }
    }

    /// Takes a step of gradient descent with momentum towards `y = 2 a - b + 1`.
    fn train(&mut self) {
        let inputs = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0f32]];
        let wanted = array![[1.0], [0.0], [3.0], [2.0f32]];
        let missed = inputs.dot(&self.model.kernel) + &self.model.bias - wanted;
        let (model, momentum) = (&mut self.model, &mut self.optimizer);
        momentum.kernel = &momentum.kernel * 0.9 + inputs.t().dot(&missed) * 0.1;
        momentum.bias = &momentum.bias * 0.9 + missed.sum() * 0.1;
        model.kernel -= &momentum.kernel;
        model.bias -= &momentum.bias;
        self.losses.push(missed.mapv(|miss| miss * miss).sum());
        self.step += 1;
    }
}

/// A file that is removed in the end, whatever happens.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = format!("npcodec-files-{}.msgpack", std::process::id());
    let file = Temporary(std::env::temp_dir().join(name));
    let path = &file.0;

    let mut run = Run::new();
    (0..20).for_each(|_| run.train());
    // Aligned, so that a map can lend the arrays.
    let options = SaveOptions::new().write(WriteOptions::new().align(64));
    save_with(path, &run, &options)?;
    let saved = run.clone();
    assert!(saved.losses[19] < saved.losses[0]);
    println!("saved step {}, loss {:.5}", saved.step, saved.losses[19]);

    // What went on from there goes back to the file, in the memory that it has, and on again.
    (0..20).for_each(|_| run.train());
    let (onward, memory) = (run.clone(), run.model.kernel.as_ptr());
    load_into(path, &mut run)?;
    assert_eq!((run.model.kernel.as_ptr(), &run), (memory, &saved));
    (0..20).for_each(|_| run.train());
    assert_eq!(run, onward);
    println!("loaded it in place: the next 20 steps are the same");

    // A state of another shape stays as it was.
    let mut larger = Run::new();
    larger.model.bias = Array1::zeros(2);
    let before = larger.clone();
    let error = load_into(path, &mut larger).map(drop).expect_err("a shape");
    assert!(matches!(error.kind(), ErrorKind::Report(_)) && error.file() == Some(path));
    assert_eq!(larger, before);
    println!("\nrefused: {error}\n");

    // Only the model, as a state of its own or within a run.
    let at_model = ReadOptions::new().at("model".parse()?);
    let (model, _) = load_with::<Linear>(path, &at_model)?;
    assert_eq!(model, saved.model);
    let mut tuned = Run::new();
    let only_model = ReadOptions::new().only(["model".parse()?]);
    load_into_with(path, &mut tuned, &only_model)?;
    assert_eq!((&tuned.model, tuned.step), (&saved.model, 0));
    assert_eq!(tuned.optimizer, Run::new().optimizer);
    println!("loaded the model without its optimizer");

    #[expect(
        unsafe_code,
        reason = "a map borrows from a file that others could change"
    )]
    // SAFETY: nobody else knows of the file.
    let checkpoint = unsafe { MappedCheckpoint::open(path)? };
    for array in checkpoint.arrays() {
        let array = array?;
        println!(
            "mapped {} {} {:?}",
            array.path(),
            array.dtype(),
            array.shape()
        );
    }
    let kernel = checkpoint.view::<f32, Ix2>(&"model.kernel".parse()?)?;
    assert!(kernel.is_view() && kernel == saved.model.kernel);
    assert_eq!(checkpoint.len(), 4);

    println!("\nfiles: what was saved was loaded in place, in part and from a map");
    Ok(())
}
