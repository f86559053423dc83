//! Files with changed bytes: an error or a buffer, whatever is done with it then.

use npcodec::ndarray::Array1;
use npcodec::replay::{
    Faults, Generator, Pcg64, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    ReplayError, SequentialSampling, TransitionElement, UniformSampling,
};
use npcodec::{Checkpoint, ErrorKind, Value};

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

/// What a sampler holds twice is drawn after its element has gone, and what it lacks never goes.
#[test]
fn samplers_that_do_not_hold_what_the_memory_holds_are_refused() {
    let lie = |lie: fn(&mut Vec<i64>)| {
        let bytes = file("uniform_long_return.1.msgpack");
        let whole = npcodec::decode(&bytes).unwrap();
        let Value::Map(mut whole) = whole else {
            panic!("{whole:?}");
        };
        let Some(Value::Map(sampler)) = whole.get_mut("sampling_distribution") else {
            panic!();
        };
        let keys = sampler.get("key_by_index").unwrap();
        let mut keys = Vec::<i64>::from_value(keys.clone()).unwrap();
        lie(&mut keys);
        let keys = keys.into_iter().map(Value::from).collect();
        sampler.insert("key_by_index", Value::List(keys));
        let bytes = npcodec::encode(&Value::Map(whole)).unwrap();
        let recording = read("uniform_long_return.json");
        let size = |key: &str| integer(&recording["config"][key]);
        let config = ReplayConfig::new(size("max_capacity"), 3)
            .stack_size(size("stack_size"))
            .update_horizon(size("update_horizon"))
            .compress(recording["config"]["compress"].as_bool().unwrap());
        [Faults::Refuse, Faults::Reproduce].map(|faults| {
            let sampler = UniformSampling::new(Generator::seeded(1));
            let config = config.clone().faults(faults);
            let mut buffer = Buffer::<UniformSampling>::new(config, sampler).unwrap();
            let resumed = buffer.resume(npcodec::from_slice(&bytes).unwrap());
            resumed.err().map(|error| error.kind().clone())
        })
    };
    let [refused, reproduced] = lie(|keys| {
        keys.sort_unstable();
        keys.push(keys[0]);
    });
    let twice = |kind| matches!(kind, Some(ErrorKind::Replay(ReplayError::KeyOrder { key, after })) if key == after);
    assert!(twice(refused) && reproduced.is_none());
    let [refused, reproduced] = lie(|keys| keys.truncate(keys.len() - 1));
    let unknown = |kind| {
        matches!(
            kind,
            Some(ErrorKind::Replay(ReplayError::UnknownKey { .. }))
        )
    };
    assert!(unknown(refused) && reproduced.is_none());
}
