//! Elements that have more to them than Dopamine's own.

use npcodec::ndarray::{Array1, Array2, Array3, array};
use npcodec::replay::{
    Element, Frames, Generator, ReplayBuffer, ReplayConfig, ReplayError, Transition, Tree,
    TreeDefs, UniformSampling, Window, stack, stack_frames, stack_frames_into, stack_into,
};
use npcodec::{Checkpoint, Error, ErrorKind};

/// Observation, action, the actions that were allowed, and whether it was the last step.
#[derive(Checkpoint, Debug)]
struct Step(Array1<u8>, i64, Array1<bool>, bool);

/// State, action, the actions that were allowed.
#[derive(Checkpoint, Debug, PartialEq)]
struct Masked(Frames<Array1<u8>>, i64, Array1<bool>);

impl Transition for Step {
    fn is_terminal(&self) -> bool {
        self.3
    }

    fn episode_end(&self) -> bool {
        self.3
    }
}

impl Element for Masked {
    type Transition = Step;
    type Batch = (Array3<u8>, Array1<i64>, Array2<bool>);

    fn from_window(window: &Window<'_, Step>) -> Result<Self, Error> {
        let shape = window.newest().0.shape();
        let state = window.state().map(|step| step.map(|step| &step.0));
        let Step(_, action, mask, _) = window.first();
        Ok(Self(Frames::stack(state, shape)?, *action, mask.clone()))
    }

    fn pack(self) -> Result<Self, Error> {
        Ok(Self(self.0.pack()?, self.1, self.2))
    }

    fn batch(elements: &[&Self]) -> Result<Self::Batch, Error> {
        let elements = || elements.iter().copied();
        Ok((
            stack_frames(elements().map(|element| &element.0))?,
            stack(elements().map(|element| &element.1))?,
            stack(elements().map(|element| &element.2))?,
        ))
    }

    fn batch_into(elements: &[&Self], batch: &mut Self::Batch) -> Result<(), Error> {
        let elements = || elements.iter().copied();
        stack_frames_into(elements().map(|element| &element.0), &mut batch.0)?;
        stack_into(elements().map(|element| &element.1), &mut batch.1)?;
        stack_into(elements().map(|element| &element.2), &mut batch.2)
    }
}

fn step(at: u8) -> Step {
    Step(
        array![at, at],
        i64::from(at),
        array![true, at % 2 == 0],
        at == 9,
    )
}

fn buffer() -> ReplayBuffer<Masked, UniformSampling> {
    let config = ReplayConfig::new(20, 3).stack_size(2);
    let sampler = UniformSampling::new(Generator::seeded(4));
    ReplayBuffer::new(config, sampler).unwrap()
}

#[test]
fn a_buffer_holds_any_element_whose_treedef_its_file_has() {
    let mut buffer = buffer();
    (0..8).for_each(|at| buffer.add(step(at)).unwrap());
    let (batch, metadata) = buffer.sample(None).unwrap();
    for (row, &key) in metadata.keys.iter().enumerate() {
        let at = key as u8;
        let frames = array![[at.saturating_sub(1), at], [at.saturating_sub(1), at]];
        assert_eq!(batch.0.index_axis(npcodec::ndarray::Axis(0), row), frames);
        assert_eq!((batch.1[row], batch.2[[row, 1]]), (key, at % 2 == 0));
    }
    // No table has a treedef for it, and Dopamine needs one.
    let error = npcodec::to_vec(&buffer).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Replay(ReplayError::NoTreedef));
    assert_eq!(error.path().to_string(), "memory");

    let mut state = npcodec::replay::ReplayState {
        add_count: 0,
        memory: npcodec::replay::MemoryState {
            keys: vec![],
            values: vec![],
            treedef: TreeDefs::default().pickle(Tree::None),
        },
        sampling_distribution: buffer.sampler().state().clone(),
        transition_accumulator: npcodec::replay::TrajectoryState {
            trajectory: vec![step(0)],
            treedef: b"its own step".to_vec(),
        },
    };
    for (key, element) in buffer.iter() {
        let Masked(frames, action, mask) = element;
        state.memory.keys.push(key);
        let element = Masked(frames.clone(), *action, mask.clone());
        state.memory.values.push(element);
    }
    state.add_count = buffer.add_count();
    state.memory.treedef = b"its own element".to_vec();
    let bytes = npcodec::to_vec(&state).unwrap();
    let mut read = self::buffer();
    read.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    assert_eq!(npcodec::to_vec(&read).unwrap(), bytes);
    (1..4).for_each(|at| read.add(step(at)).unwrap());
    assert_eq!(read.len(), buffer.len() + 3);
    assert!(npcodec::to_vec(&read).is_ok());
}

/// The action of a step, under a pickle of its own.
#[derive(Checkpoint, Debug)]
struct Action(i64);

impl Element for Action {
    type Transition = Step;
    type Batch = Array1<i64>;

    fn from_window(window: &Window<'_, Step>) -> Result<Self, Error> {
        Ok(Self(window.first().1))
    }

    fn pack(self) -> Result<Self, Error> {
        Ok(self)
    }

    fn batch(elements: &[&Self]) -> Result<Self::Batch, Error> {
        stack(elements.iter().map(|element| &element.0))
    }

    fn batch_into(elements: &[&Self], batch: &mut Self::Batch) -> Result<(), Error> {
        stack_into(elements.iter().map(|element| &element.0), batch)
    }

    fn treedef(trees: &TreeDefs, tree: Tree) -> Option<Vec<u8>> {
        let mut pickle = trees.pickle(tree);
        pickle.extend(b"own");
        Some(pickle)
    }
}

#[test]
fn elements_with_a_treedef_of_their_own_go_on() {
    let fresh = || {
        let sampler = UniformSampling::new(Generator::seeded(4));
        ReplayBuffer::<Action, _>::new(ReplayConfig::new(20, 3), sampler).unwrap()
    };
    let trees = TreeDefs::for_jax("0.5.3").unwrap();
    let mut buffer = fresh();
    buffer.set_treedefs(trees).unwrap();
    (0..3).for_each(|at| buffer.add(step(at)).unwrap());
    let bytes = npcodec::to_vec(&buffer).unwrap();
    let mut read = fresh();
    read.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    for buffer in [&mut buffer, &mut read] {
        (3..6).for_each(|at| buffer.add(step(at)).unwrap());
    }
    let went_on = npcodec::to_vec(&read).unwrap();
    assert_eq!(went_on, npcodec::to_vec(&buffer).unwrap());

    // Under another pickle they are other elements.
    let mut state: npcodec::replay::ReplayState<Action, Step, npcodec::replay::SamplerState> =
        npcodec::from_slice(&bytes).unwrap();
    state.memory.treedef = trees.pickle(Tree::Element);
    read.resume(state).unwrap();
    let error = read.add(step(3)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Replay(ReplayError::Carried));
}
