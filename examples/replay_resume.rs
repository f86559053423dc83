//! Goes on with a replay buffer that Dopamine wrote, and hands it back.
//!
//! `cargo run --release --features replay --example replay_resume`, or with `-- FILE` to keep what
//! is written.
//!
//! The buffer is prioritized, of stacked and compressed frames, in the middle of an episode.

use std::error::Error;

use npcodec::ndarray::Array1;
use npcodec::replay::{
    Generator, MaxRecorded, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    TransitionElement, TreeDefs,
};

/// Observations of three bytes; an action is an `int` and a reward a `float`, as in most of them.
type Buffer = ReplayBuffer<ReplayElement<Array1<u8>>, PrioritizedSampling>;

fn main() -> Result<(), Box<dyn Error>> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/replay/prio_u8.1.msgpack"
    );
    // What the Python program gave its buffer: no file says it.
    let config = ReplayConfig::new(10, 4).stack_size(2);
    let sampler = PrioritizedSampling::new(Generator::seeded(0), 10)?;
    // Dopamine forgets the largest priority; a program that has kept it gives it here.
    let sampler = sampler.max_recorded(MaxRecorded::Leaves);
    let mut buffer = Buffer::new(config, sampler)?;
    npcodec::load_into(file, &mut buffer)?;
    buffer.verify()?;
    println!(
        "{} elements of {} added, {} steps of an open trajectory",
        buffer.len(),
        buffer.add_count(),
        buffer.accumulator().trajectory().len()
    );

    for step in 0..20_u8 {
        let largest = buffer.sampler().sum_tree().max_recorded_priority();
        let transition = TransitionElement {
            observation: Array1::from_elem(3, step),
            action: i64::from(step % 4),
            reward: 0.5,
            is_terminal: step == 11,
            episode_end: step == 11,
        };
        buffer.add_with_priority(transition, largest)?;
        let (batch, sampled) = buffer.sample(None)?;
        assert_eq!(batch.state.shape(), [4, 3, 2]);
        // A learner's errors become the next priorities.
        let priorities: Vec<f64> = batch.reward.iter().map(|reward| reward.abs()).collect();
        buffer.update(&sampled.keys, &priorities)?;
    }
    println!("{} elements of {} added", buffer.len(), buffer.add_count());

    // Back to Python, and to an older jax than the one that wrote the file.
    buffer.set_treedefs(TreeDefs::for_jax("0.4.30")?)?;
    let written = npcodec::to_vec(&buffer)?;
    if let Some(path) = std::env::args_os().nth(1) {
        std::fs::write(path, &written)?;
    }

    // Whoever reads it draws what this one draws.
    let sampler = PrioritizedSampling::new(Generator::seeded(1), 10)?;
    let mut twin = Buffer::new(buffer.config().clone(), sampler)?;
    twin.resume(npcodec::from_slice(&written)?)?;
    for _ in 0..100 {
        assert_eq!(buffer.sample(None)?.1, twin.sample(None)?.1);
    }
    println!("what was written draws the samples that its buffer draws");
    Ok(())
}
