//! Buffers that are smaller than what one step adds.

use npcodec::ErrorKind;
use npcodec::ndarray::{Array1, array};
use npcodec::replay::{
    Faults, Generator, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement, ReplayError,
    SamplingDistribution, TransitionElement, UniformSampling,
};
use serde_json::Value as Json;

use crate::drive::sha256;
use crate::json::{float, integer, list, read};

/// Does what a recording did, and compares the file after each call with that of the real buffer.
fn follow<S: SamplingDistribution>(
    recording: &Json,
    faults: Faults,
    sampler: impl Fn(usize) -> S,
    priority: impl Fn(f64) -> S::Priority,
) -> usize {
    let size = |key: &str| integer(&recording[key]);
    let config = ReplayConfig::new(size("max_capacity"), 2)
        .stack_size(size("stack_size"))
        .update_horizon(size("update_horizon"))
        .gamma(0.9)
        .compress(recording["compress"].as_bool().unwrap())
        .faults(faults);
    let fresh = || {
        let sampler = sampler(config.max_capacity + 1);
        ReplayBuffer::<ReplayElement<Array1<f32>>, S>::new(config.clone(), sampler).unwrap()
    };
    let (mut buffer, calls) = (fresh(), list(&recording["ops"]));
    for (at, call) in calls.iter().enumerate() {
        match call[0].as_str().unwrap() {
            "add" => {
                let transition = TransitionElement {
                    observation: Array1::from_elem(2, float(&call[1]) as f32),
                    action: at as i64,
                    reward: at as f64 / 4.0,
                    is_terminal: call[2].as_bool().unwrap(),
                    episode_end: call[3].as_bool().unwrap(),
                };
                let priority = priority(call[4].as_f64().unwrap());
                buffer.add_with_priority(transition, priority).unwrap();
            }
            "sample" => assert_eq!(call[1], buffer.sample(None).is_ok()),
            "reload" => {
                let bytes = npcodec::to_vec(&buffer).unwrap();
                buffer = fresh();
                buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
            }
            "clear" => buffer.clear(),
            other => panic!("{other}"),
        }
        let hash = sha256(&npcodec::to_vec(&buffer).unwrap());
        let expected = list(call).last().unwrap().as_str().unwrap();
        assert_eq!(&hash[..16], expected, "{at} of {config:?}");
    }
    calls.len()
}

/// Capacities of 1 to 5, horizons and stacks of 1 to 4, observations of 0 and -0.
#[test]
fn small_buffers_write_the_files_of_the_real_ones() {
    let mut compared = 0;
    for recording in list(&read("small.json")) {
        for faults in [Faults::Refuse, Faults::Reproduce] {
            let generator = || Generator::seeded(3);
            let prioritized = |capacity| PrioritizedSampling::new(generator(), capacity).unwrap();
            let uniform = |_| UniformSampling::new(generator());
            compared += match recording["kind"].as_str().unwrap() {
                "prioritized" => follow(recording, faults, prioritized, Some),
                _ => follow(recording, faults, uniform, drop),
            };
        }
    }
    assert_eq!(compared, 2 * 24 * 24);
}

/// An episode ends with two elements, in a buffer of one: the first of them goes again at once.
#[test]
fn an_end_gives_more_elements_than_there_is_room_for() {
    let made = |leaves| {
        let sampler = PrioritizedSampling::new(Generator::seeded(1), leaves).unwrap();
        let config = ReplayConfig::new(1, 1).update_horizon(2).compress(false);
        ReplayBuffer::<ReplayElement<Array1<u8>>, _>::new(config, sampler).unwrap()
    };
    let at = |step: u8| TransitionElement {
        observation: array![step],
        action: i64::from(step),
        reward: 1.0,
        is_terminal: step == 3,
        episode_end: step == 3,
    };
    let mut buffer = made(2);
    (0..4).for_each(|step| buffer.add_with_priority(at(step), 1.0).unwrap());
    assert_eq!((buffer.add_count(), buffer.len()), (3, 1));
    assert_eq!(buffer.sampler().state().keys(), [2]);
    let element = buffer.get(2).unwrap();
    assert_eq!(element.action, 2);
    assert_eq!(*element.state.unpack().unwrap(), array![[2]]);
    assert_eq!(*element.next_state.unpack().unwrap(), array![[3]]);
    assert_eq!(buffer.sampler().sum_tree().root(), 1.0);

    // With one leaf there is no place for the second before the first goes.
    let mut buffer = made(1);
    (1..3).for_each(|step| buffer.add_with_priority(at(step), 1.0).unwrap());
    let before = npcodec::to_vec(&buffer).unwrap();
    let error = buffer.add_with_priority(at(3), 1.0).unwrap_err();
    let full = ErrorKind::Replay(ReplayError::TreeFull { leaves: 1 });
    assert_eq!(*error.kind(), full);
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), before);
}
