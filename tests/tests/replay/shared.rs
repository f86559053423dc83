//! Elements share the memory of the states that they have in common, and only of those.

use std::sync::Arc;

use npcodec::ndarray::{Array1, Array2, ShapeBuilder, array};
use npcodec::replay::{
    Frames, Generator, ReplayBuffer, ReplayConfig, ReplayElement, TransitionElement,
    UniformSampling,
};

type Element = ReplayElement<Array1<u8>>;
type Buffer = ReplayBuffer<Element, UniformSampling>;

const HORIZON: usize = 2;

fn fresh() -> Buffer {
    let config = ReplayConfig::new(100, 4).stack_size(3).compress(false);
    let config = config.update_horizon(HORIZON);
    ReplayBuffer::new(config, UniformSampling::new(Generator::seeded(0))).unwrap()
}

fn add(buffer: &mut Buffer, step: u8, items: usize) {
    let added = buffer.add(TransitionElement {
        observation: Array1::from_elem(items, step),
        action: 0,
        reward: 1.0,
        is_terminal: step == 9,
        episode_end: step == 9,
    });
    added.unwrap();
}

/// The keys of the elements whose state is in the memory of the next state of an earlier one.
fn sharing(buffer: &Buffer) -> Vec<i64> {
    let elements: Vec<_> = buffer.iter().collect();
    let pairs = elements.iter().zip(&elements[HORIZON..]);
    let shared =
        pairs.filter(
            |((_, earlier), (_, later))| match (&earlier.next_state, &later.state) {
                (Frames::Plain(next), Frames::Plain(state)) => Arc::ptr_eq(next, state),
                other => panic!("{other:?}"),
            },
        );
    shared.map(|(_, (key, _))| *key).collect()
}

fn plain(frames: &Frames<Array1<u8>>) -> Vec<u8> {
    frames.unpack().unwrap().iter().copied().collect()
}

#[test]
fn a_state_is_the_next_state_of_an_earlier_element_while_an_episode_goes_on() {
    let mut buffer = fresh();
    (0..16).for_each(|step| add(&mut buffer, step, 2));
    // Steps 2 to 8 make the elements 0 to 6, of which two have nobody before them. Step 9 makes 7, and
    // 8 to 10 with zeros in place of the oldest observations. Steps 12 to 15 make 11 to 14.
    let shared = [2, 3, 4, 5, 6, 7, 13, 14];
    assert_eq!(sharing(&buffer), shared);
    let (_, element) = buffer.iter().nth(5).unwrap();
    assert_eq!(plain(&element.state), [3, 4, 5, 3, 4, 5]);
    assert_eq!(plain(&element.next_state), [5, 6, 7, 5, 6, 7]);

    // In a file nothing is shared; whoever loads it finds the pairs by what they hold.
    let mut other = fresh();
    other
        .resume(npcodec::from_slice(&npcodec::to_vec(&buffer).unwrap()).unwrap())
        .unwrap();
    assert_eq!(sharing(&other), shared);
    // The trajectory goes on here, but of elements that somebody else made.
    add(&mut buffer, 16, 2);
    add(&mut other, 16, 2);
    assert_eq!(sharing(&buffer).last(), Some(&15));
    assert_eq!(sharing(&other).last(), Some(&14));
    assert_eq!(
        npcodec::to_vec(&buffer).unwrap(),
        npcodec::to_vec(&other).unwrap()
    );
}

#[test]
fn observations_of_another_shape_are_stacked_anew() {
    let mut buffer = fresh();
    (0..5).for_each(|step| add(&mut buffer, step, 1));
    // Observations of one item are broadcast to the two of the newest.
    add(&mut buffer, 5, 2);
    assert_eq!(sharing(&buffer), [2]);
    let (_, element) = buffer.iter().nth(3).unwrap();
    assert_eq!(plain(&element.state), [1, 2, 3, 1, 2, 3]);
    assert_eq!(plain(&element.next_state), [3, 4, 5, 3, 4, 5]);
}

/// -0 equals 0, and columns equal rows; what is written of them does not.
#[test]
fn what_is_equal_and_has_other_bytes_is_not_shared() {
    let config = ReplayConfig::new(9, 1).compress(false);
    let fresh = || {
        let sampler = UniformSampling::new(Generator::seeded(0));
        ReplayBuffer::<ReplayElement<Array1<f64>>, _>::new(config.clone(), sampler).unwrap()
    };
    let mut buffer = fresh();
    // An episode ends with 0, and the next one begins with -0.
    for (observation, episode_end) in [(1.0, false), (0.0, true), (-0.0, false), (2.0, false)] {
        let added = buffer.add(TransitionElement {
            observation: array![observation],
            action: 0,
            reward: 1.0,
            is_terminal: false,
            episode_end,
        });
        added.unwrap();
    }
    let bytes = npcodec::to_vec(&buffer).unwrap();
    let mut other = fresh();
    other.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    let state = other.get(1).unwrap().state.unpack().unwrap();
    assert_eq!(state[[0, 0]].to_bits(), (-0.0_f64).to_bits());
    assert!(npcodec::to_vec(&other).unwrap() == bytes);

    let rows = array![[1_u8, 2], [3, 4]];
    let columns = Array2::from_shape_vec((2, 2).f(), vec![1, 3, 2, 4]).unwrap();
    assert_eq!(rows, columns);
    let [rows, columns] = [rows, columns].map(|state| Frames::<Array1<u8>>::Plain(Arc::new(state)));
    let mut own = columns.clone();
    own.share(&rows);
    assert_eq!(
        npcodec::to_vec(&own).unwrap(),
        npcodec::to_vec(&columns).unwrap()
    );
}

#[test]
fn an_episode_that_was_closed_shares_nothing_with_the_next() {
    let mut buffer = fresh();
    (0..5).for_each(|step| add(&mut buffer, step, 2));
    buffer.close_episode();
    (20..24).for_each(|step| add(&mut buffer, step, 2));
    // Steps 2 to 4 make the elements 0 to 2, of which the last one shares; 22 and 23 make 3 and 4.
    assert_eq!((buffer.len(), sharing(&buffer)), (5, vec![2]));
    let (_, element) = buffer.iter().nth(3).unwrap();
    assert_eq!(plain(&element.state), [0, 0, 20, 0, 0, 20]);
}
