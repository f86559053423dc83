//! Python trains with Dopamine's replay buffer, Rust goes on with it, and Python goes on again: they
//! draw the samples that one of them alone would have drawn.
//!
//! `cargo run --release --features replay --example replay_resume`. `NPCODEC_PYTHON` names a Python
//! with dopamine-rl, such as the `.venv/bin/python` of `scripts/test`; it runs `replay_resume.py`.
//! Without it, Rust goes on alone with a file that is in the repository.
//!
//! The buffer is prioritized, of stacked and compressed frames, in the middle of an episode.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use npcodec::ndarray::Array1;
use npcodec::replay::{
    Generator, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement, TransitionElement,
    TreeDefs,
};

/// Observations of three bytes; an action is an `int` and a reward a `float`, as in most of them.
type Buffer = ReplayBuffer<ReplayElement<Array1<u8>>, PrioritizedSampling>;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::var("NPCODEC_PYTHON") {
        Ok(python) => with_python(&python),
        Err(_) => alone(),
    }
}

fn with_python(python: &str) -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("replay_resume.{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (theirs, ours) = (folder.join("python.msgpack"), folder.join("rust.msgpack"));

    // A hundred steps of Python; what the next hundred sample there is what must come out here.
    let unbroken = run(python, "train", &theirs)?;

    // What the Python program gave its buffer: no file says it.
    let mut buffer = fresh(50, 4, 3)?;
    buffer.resume(npcodec::load(&theirs)?)?;
    buffer.verify()?;
    println!("{} elements of {} added", buffer.len(), buffer.add_count());
    let mut sampled = Vec::new();
    for step in 100..150_u8 {
        let ends = step % 11 == 10;
        let transition = TransitionElement {
            observation: Array1::from_elem(3, step),
            action: i64::from(step % 4),
            reward: 0.5 * f64::from(step),
            is_terminal: ends,
            episode_end: ends,
        };
        buffer.add_with_priority(transition, 1.0 + f64::from(step % 5))?;
        let (batch, metadata) = buffer.sample(None)?;
        let priorities = batch.reward.mapv(|reward| reward.abs() + 0.01);
        buffer.update(&metadata.keys, &priorities.to_vec())?;
        sampled.push(format!("{:?}", metadata.keys));
    }
    npcodec::save(&ours, &buffer)?;

    // Fifty steps of Rust, and fifty more of Python.
    sampled.extend(run(python, "go_on", &ours)?);
    std::fs::remove_dir_all(&folder)?;
    assert_eq!(sampled, unbroken);
    println!(
        "the samples of fifty steps in Rust and fifty in Python are those of a hundred in Python"
    );
    Ok(())
}

/// Runs the script beside this file, and returns the lines that it prints: the keys of each sample.
fn run(python: &str, command: &str, file: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/replay_resume.py");
    let output = Command::new(python)
        .arg("-B")
        .arg(script)
        .arg(command)
        .arg(file)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let said = String::from_utf8(output.stdout)?;
    Ok(said.lines().map(str::to_owned).collect())
}

fn fresh(capacity: usize, batch: usize, horizon: usize) -> Result<Buffer, npcodec::Error> {
    let config = ReplayConfig::new(capacity, batch)
        .stack_size(2)
        .update_horizon(horizon)
        .gamma(0.9);
    // An element comes before the oldest goes: the tree has room for one more.
    let sampler = PrioritizedSampling::new(Generator::seeded(0), capacity + 1)?;
    Buffer::new(config, sampler.priority_exponent(0.6))
}

/// Goes on with a file of the repository, and hands it to an older jax than the one that wrote it.
fn alone() -> Result<(), Box<dyn Error>> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/replay/prio_u8.1.msgpack"
    );
    let made = || -> Result<Buffer, npcodec::Error> {
        let config = ReplayConfig::new(10, 4).stack_size(2);
        Buffer::new(config, PrioritizedSampling::new(Generator::seeded(0), 10)?)
    };
    let mut buffer = made()?;
    buffer.resume(npcodec::load(file)?)?;
    buffer.verify()?;
    for step in 0..20_u8 {
        let transition = TransitionElement {
            observation: Array1::from_elem(3, step),
            action: i64::from(step % 4),
            reward: 0.5,
            is_terminal: step == 11,
            episode_end: step == 11,
        };
        buffer.add_with_priority(transition, 1.0)?;
        let (batch, sampled) = buffer.sample(None)?;
        assert_eq!(batch.state.shape(), [4, 3, 2]);
        let priorities: Vec<f64> = batch.reward.iter().map(|reward| reward.abs()).collect();
        buffer.update(&sampled.keys, &priorities)?;
    }
    buffer.set_treedefs(TreeDefs::for_jax("0.4.30")?)?;
    let mut twin = made()?;
    twin.resume(npcodec::from_slice(&npcodec::to_vec(&buffer)?)?)?;
    for _ in 0..100 {
        assert_eq!(buffer.sample(None)?.1, twin.sample(None)?.1);
    }
    println!("without NPCODEC_PYTHON: what was written draws the samples that its buffer draws");
    Ok(())
}
