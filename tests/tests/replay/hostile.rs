//! Files with changed bytes: an error or a buffer, whatever is done with it then.

use npcodec::ndarray::Array1;
use npcodec::replay::{
    Faults, Generator, Pcg64, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    SequentialSampling, TransitionElement, UniformSampling,
};

use crate::drive::Driven;
use crate::json::{file, integer, read};

type Buffer<S> = ReplayBuffer<ReplayElement<Array1<u8>>, S>;

/// Goes on with a file, if it can be, and does a little of everything.
fn use_it<S: Driven>(fresh: S, config: &ReplayConfig, bytes: &[u8]) -> bool {
    let Ok(state) = npcodec::from_slice(bytes) else {
        return false;
    };
    let mut buffer = Buffer::<S>::new(config.clone(), fresh).unwrap();
    if buffer.resume(state).is_err() {
        return false;
    }
    let call = serde_json::json!({"priority": "3ff8000000000000"});
    for step in 0..24 {
        let _ = buffer.verify();
        let _ = buffer.add_with_priority(
            TransitionElement {
                observation: Array1::from_elem(5, step as u8),
                action: step,
                reward: 0.5,
                is_terminal: step % 8 == 7,
                episode_end: step % 8 == 7,
            },
            S::priority(&call),
        );
        if let Ok((_, sampled)) = buffer.sample(Some(3)) {
            let _ = buffer.update(&sampled.keys, &vec![0.25, 0.0, 4.0]);
        }
        assert!(buffer.reaches() >= buffer.len());
    }
    npcodec::to_vec(&buffer).unwrap();
    true
}

fn changed<S: Driven>(name: &str, fresh: impl Fn() -> S) {
    let recording = read(&format!("{name}.json"));
    let size = |key: &str| integer(&recording["config"][key]);
    let config = ReplayConfig::new(size("max_capacity"), 3)
        .stack_size(size("stack_size"))
        .update_horizon(size("update_horizon"))
        .compress(recording["config"]["compress"].as_bool().unwrap());
    let bytes = file(&format!("{name}.1.msgpack"));
    let mut random = Pcg64::seeded(name.len() as u128);
    let mut used = [0; 2];
    for _ in 0..200 {
        let mut bytes = bytes.clone();
        for _ in 0..=random.integers(2).unwrap() {
            let at = random.integers(bytes.len() as u64).unwrap() as usize;
            // Numbers beside the one that was there lie best.
            bytes[at] = match random.integers(3).unwrap() {
                0 => bytes[at].wrapping_add(1),
                1 => bytes[at].wrapping_sub(1),
                _ => random.next_u32() as u8,
            };
        }
        for (count, faults) in used.iter_mut().zip([Faults::Refuse, Faults::Reproduce]) {
            let config = config.clone().faults(faults);
            *count += usize::from(use_it(fresh(), &config, &bytes));
        }
    }
    assert!(
        used.iter().all(|count| (20..200).contains(count)),
        "{used:?}"
    );
}

#[test]
fn changed_bytes_are_errors_or_other_buffers() {
    let rng = || Generator::seeded(1);
    let prioritized = |capacity| move || PrioritizedSampling::new(rng(), capacity).unwrap();
    changed("prio_clear", prioritized(12));
    changed("prio_drift", prioritized(20));
    changed("seq_unsorted", || SequentialSampling::new(rng(), true));
    changed("uniform_long_return", || UniformSampling::new(rng()));
}
