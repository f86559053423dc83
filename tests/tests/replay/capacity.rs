//! Buffers that are smaller than what one step adds.

use npcodec::ErrorKind;
use npcodec::ndarray::{Array1, array};
use npcodec::replay::{
    Generator, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement, ReplayError,
    TransitionElement,
};

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
