//! What is shared against what is made anew: `Faults::Reproduce` makes every state of its window.

use npcodec::ndarray::Array1;
use npcodec::replay::{
    Faults, Generator, Pcg64, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    Resume, TransitionElement,
};

type Buffer = ReplayBuffer<ReplayElement<Array1<f32>>, PrioritizedSampling>;

fn fresh(config: &ReplayConfig) -> Buffer {
    let sampler = PrioritizedSampling::new(Generator::seeded(0), config.max_capacity + 1).unwrap();
    Buffer::new(config.clone(), sampler).unwrap()
}

/// Adds, saves and resumes, and clears at random: both write the same file after every step.
fn same_files(random: &mut Pcg64) {
    let mut below = |high: u64| random.integers(high).unwrap() as usize;
    let config = ReplayConfig::new(1 + below(6), 1)
        .stack_size(1 + below(4))
        .update_horizon(1 + below(4))
        .compress(below(2) == 0)
        .resume([Resume::Continue, Resume::CloseEpisode][below(2)]);
    let twin = config.clone().faults(Faults::Reproduce);
    let mut buffers = [fresh(&config), fresh(&twin)];
    for _ in 0..40 {
        let call = below(30);
        let observed = [0.0, -0.0, f32::NAN, 1.0, 2.0][below(5)];
        let items = 1 + usize::from(below(12) == 0);
        let ends = below(6);
        let mut files = Vec::new();
        for (buffer, config) in buffers.iter_mut().zip([&config, &twin]) {
            let transition = TransitionElement {
                observation: Array1::from_elem(items, observed),
                action: 1,
                reward: 1.0,
                is_terminal: ends == 0,
                episode_end: ends < 2,
            };
            match call {
                0 => buffer.clear(),
                1 | 2 => {
                    let state = npcodec::from_slice(&npcodec::to_vec(buffer).unwrap()).unwrap();
                    *buffer = fresh(config);
                    buffer.resume(state).unwrap();
                }
                _ => {
                    let added = buffer.add_with_priority(transition, 1.0);
                    if added.is_err() {
                        // A wide observation was followed by a narrow one.
                        buffer.clear();
                    }
                }
            }
            files.push(npcodec::to_vec(buffer).unwrap());
        }
        assert!(files[0] == files[1], "{config:?}");
    }
}

#[test]
fn shared_states_are_those_of_their_windows() {
    let mut random = Pcg64::seeded(11);
    (0..150).for_each(|_| same_files(&mut random));
}
