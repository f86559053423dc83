//! The states of a sample, stacked or left where they are.

use std::sync::Arc;

use npcodec::ErrorKind;
use npcodec::ndarray::{Array1, Array2, ShapeBuilder, array};
use npcodec::replay::{
    Frames, Generator, ReplayBuffer, ReplayConfig, ReplayElement, ReplayError,
    SamplingDistribution, TransitionElement, UniformSampling, stack_frames,
};

type State = Frames<Array1<u8>>;

fn plain(state: Array2<u8>) -> State {
    Frames::Plain(Arc::new(state))
}

#[test]
fn states_are_stacked_whatever_their_memory() {
    let rows = || plain(array![[1, 2, 3], [4, 5, 6]]);
    let columns = Array2::from_shape_vec((2, 3).f(), vec![7, 10, 8, 11, 9, 12]).unwrap();
    let both = [rows(), plain(columns.clone())];
    let expected = array![[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]];
    assert_eq!(stack_frames(both.iter()).unwrap(), expected);
    let packed = [rows(), plain(columns).pack().unwrap()];
    assert_eq!(stack_frames(packed.iter()).unwrap(), expected);
    let alike = [rows(), rows()];
    let twice = array![[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]];
    assert_eq!(stack_frames(alike.iter()).unwrap(), twice);

    let none = stack_frames([].iter() as std::slice::Iter<'_, State>).unwrap();
    assert_eq!(none.shape(), [0, 0, 0]);
    let other = [rows(), plain(array![[1, 2], [3, 4]])];
    let error = stack_frames(other.iter()).unwrap_err();
    let (expected, found) = (vec![2, 3], vec![2, 2]);
    assert_eq!(
        *error.kind(),
        ErrorKind::Replay(ReplayError::Shapes { expected, found })
    );
}

#[test]
fn elements_are_sampled_where_they_are() {
    let config = ReplayConfig::new(50, 6).stack_size(2).compress(false);
    let sampler = UniformSampling::new(Generator::seeded(3));
    let mut buffer = ReplayBuffer::<ReplayElement<Array1<u8>>, _>::new(config, sampler).unwrap();
    assert!(buffer.sample_elements(None).is_err());
    for step in 0..20 {
        let added = buffer.add(TransitionElement {
            observation: array![step, step + 100],
            action: i64::from(step),
            reward: 1.0,
            is_terminal: false,
            episode_end: false,
        });
        added.unwrap();
    }
    let before = buffer.sampler().generator().clone();
    let (batch, sampled) = buffer.sample(None).unwrap();
    *buffer.sampler_mut().generator_mut() = before;
    let (elements, metadata) = buffer.sample_elements(None).unwrap();
    assert_eq!(metadata, sampled);
    for ((element, state), action) in elements
        .iter()
        .zip(batch.state.outer_iter())
        .zip(&batch.action)
    {
        let Frames::Plain(own) = &element.state else {
            panic!("a plain buffer holds plain states");
        };
        assert_eq!((own.view(), element.action), (state, *action));
    }
    assert_eq!(elements.len(), 6);
}
