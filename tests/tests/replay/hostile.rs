//! Files with changed bytes: an error or a buffer, whatever is done with it then.

use npcodec::ndarray::{Array1, ArrayView1, array};
use npcodec::replay::{
    Faults, Generator, Pcg64, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    ReplayError, SamplingDistribution, SequentialSampling, TransitionElement, UniformSampling,
};
use npcodec::{Checkpoint, Error, ErrorKind, NumpyEncoding, StateDict, Value};

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

const BOTH: [Faults; 2] = [Faults::Refuse, Faults::Reproduce];

fn plain<S: SamplingDistribution>(faults: Faults, sampler: S) -> Buffer<S> {
    let config = ReplayConfig::new(3, 3).compress(false).faults(faults);
    Buffer::new(config, sampler).unwrap()
}

fn add<S: SamplingDistribution>(
    buffer: &mut Buffer<S>,
    priority: S::Priority,
) -> Result<(), Error> {
    let transition = TransitionElement {
        observation: array![1],
        action: 0,
        reward: 0.5,
        is_terminal: false,
        episode_end: false,
    };
    buffer.add_with_priority(transition, priority)
}

/// Goes on with the file of a buffer in which something was changed.
fn resumed<S: SamplingDistribution>(
    whole: &Buffer<S>,
    fresh: S,
    change: impl FnOnce(&mut StateDict<'_>),
) -> Result<Buffer<S>, ReplayError> {
    let mut dict = whole.to_state_dict().unwrap();
    change(&mut dict);
    let bytes = npcodec::encode(&Value::Map(dict)).unwrap();
    let mut buffer = plain(whole.config().faults, fresh);
    match buffer.resume(npcodec::from_slice(&bytes).unwrap()) {
        Ok(()) => Ok(buffer),
        Err(error) => Err(refused(&error)),
    }
}

fn refused(error: &Error) -> ReplayError {
    match error.kind() {
        ErrorKind::Replay(error) => error.clone(),
        other => panic!("{other}"),
    }
}

/// Whatever is written is read again, and so nothing is added that would not be.
#[test]
fn no_more_is_added_than_a_file_may_say() {
    const MOST: i64 = 1 << 62;
    for faults in BOTH {
        let uniform = || UniformSampling::new(Generator::seeded(1));
        let whole = plain(faults, uniform());
        let change = |dict: &mut StateDict<'_>| drop(dict.insert("add_count", MOST - 1));
        let mut buffer = resumed(&whole, uniform(), change).unwrap();
        (0..2).for_each(|_| add(&mut buffer, ()).unwrap());
        assert_eq!(buffer.add_count(), MOST);
        let mut buffer = resumed(&buffer, uniform(), |_| {}).unwrap();
        let before = npcodec::to_vec(&buffer).unwrap();
        let error = ReplayError::CountOfAdded {
            add_count: MOST + 1,
        };
        assert_eq!(refused(&add(&mut buffer, ()).unwrap_err()), error);
        if faults == Faults::Refuse {
            assert_eq!(npcodec::to_vec(&buffer).unwrap(), before);
        }
        assert!(resumed(&buffer, uniform(), |_| {}).is_ok());
        let change = |dict: &mut StateDict<'_>| drop(dict.insert("add_count", MOST + 1));
        assert_eq!(resumed(&whole, uniform(), change).unwrap_err(), error);
    }
}

/// Dopamine keeps what is added behind keys that are larger; an add that failed half-way leaves the
/// next key itself.
#[test]
fn keys_that_are_still_to_come_are_refused() {
    let uniform = || UniformSampling::new(Generator::seeded(1));
    for (add_count, halfway) in [(2, true), (1, false)] {
        for faults in BOTH {
            let mut whole = plain(faults, uniform());
            (0..4).for_each(|_| add(&mut whole, ()).unwrap());
            let change = |dict: &mut StateDict<'_>| drop(dict.insert("add_count", add_count));
            let done = resumed(&whole, uniform(), change).err();
            let key = 2;
            let error = ReplayError::AddCount { add_count, key };
            let accepted = halfway && faults == Faults::Reproduce;
            assert_eq!(done, (!accepted).then_some(error));
        }
    }
}

fn nodes(nodes: &[f64]) -> Value<'static> {
    let nodes = NumpyEncoding::from_array(ArrayView1::from(nodes)).unwrap();
    Value::Array(nodes.into_owned())
}

/// The root would not show that a sum below it becomes infinite when a priority is moved.
#[test]
fn sums_that_lie_are_refused_before_they_break_an_eviction() {
    let fresh = || PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    let mut whole = plain(Faults::Refuse, fresh());
    (0..4).for_each(|_| add(&mut whole, Some(1.0)).unwrap());
    let lie = [1.0, 1.0, 1.7e308, 0.5, 0.5, 1.7e308, 0.0];
    let change = |dict: &mut StateDict<'_>| {
        let Some(Value::Map(sampler)) = dict.get_mut("sampling_distribution") else {
            panic!();
        };
        let Some(Value::Map(tree)) = sampler.get_mut("sum_tree") else {
            panic!();
        };
        tree.insert("nodes", nodes(&lie));
    };
    let error = resumed(&whole, fresh(), change).unwrap_err();
    let (node, value) = (0, 1.0);
    assert_eq!(error, ReplayError::TreeNode { node, value });
}

/// `IndexError` in Dopamine, after three draws.
#[test]
fn a_tree_without_keys_is_drawn_from_where_faults_are_reproduced() {
    let fresh = || PrioritizedSampling::new(Generator::seeded(1), 2).unwrap();
    for (faults, state) in [
        (
            Faults::Refuse,
            207_833_532_711_051_698_738_587_646_355_624_148_094,
        ),
        (
            Faults::Reproduce,
            236_658_695_069_053_534_921_881_806_884_699_931_691,
        ),
    ] {
        let mut sampler = fresh();
        sampler.set_faults(faults);
        let mut dict = sampler.to_state_dict().unwrap();
        let Some(Value::Map(tree)) = dict.get_mut("sum_tree") else {
            panic!();
        };
        tree.insert("nodes", nodes(&[0.5, 0.5, 0.0]));
        let bytes = npcodec::encode(&Value::Map(dict)).unwrap();
        sampler
            .resume(npcodec::from_slice(&bytes).unwrap())
            .unwrap();
        assert!(sampler.sample(3).is_err());
        assert_eq!(sampler.generator_mut().pcg64().unwrap().state, state);
    }
}
