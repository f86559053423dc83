//! The pickles of all versions, and files that pass from one to another.

use npcodec::ndarray::{Array1, Array2};
use npcodec::replay::{
    CarriedElement, Generator, PrioritizedState, ReplayBuffer, ReplayConfig, ReplayElement,
    ReplayError, ReplayState, SamplerState, TransitionElement, Tree, TreeDefs, UniformSampling,
};
use npcodec::{Error, ErrorKind, Value};

use crate::json::{file, read};

const TREES: [(&str, Tree); 3] = [
    ("element", Tree::Element),
    ("transition", Tree::Transition),
    ("none", Tree::None),
];

fn unhex(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

#[test]
fn the_pickles_of_every_version_are_made_and_recognised() {
    let versions = read("treedefs.json");
    let versions = versions.as_object().unwrap();
    assert_eq!(versions.len(), 12);
    for (jax, row) in versions {
        let trees = TreeDefs::for_jax(jax).unwrap();
        let trees = trees.for_flax(row["flax"].as_str().unwrap()).unwrap();
        for (name, tree) in TREES {
            let mut pickle = unhex(row[name].as_str().unwrap());
            assert_eq!(trees.pickle(tree), pickle, "{name} of jax {jax}");
            let (found, whose) = TreeDefs::recognise(&pickle).unwrap();
            assert_eq!(found, tree);
            assert_eq!(whose.pickle(tree), pickle);
            // Protocol 5, which newer Pythons write.
            pickle[1] = 5;
            assert_eq!(TreeDefs::recognise(&pickle).unwrap().0, tree);
            pickle[1] = 3;
            assert_eq!(TreeDefs::recognise(&pickle), None);
        }
    }
}

#[test]
fn versions_that_leave_something_open_are_refused() {
    for jax in [
        "", "0", "0.4", "0.6", "0.4.12", "0.4.15", "0.10.2.1", "0.x", "0.5.", "-1.0",
    ] {
        assert!(TreeDefs::for_jax(jax).is_err(), "{jax}");
    }
    for jax in ["0.5", "0.10", "0.7.2", "0.6.1"] {
        let trees = TreeDefs::for_jax(jax).unwrap();
        assert!(trees.for_flax("0.8").is_err());
        assert!(trees.for_flax("0.7").is_ok() && trees.for_flax("0.12").is_ok());
    }
}

type State = ReplayState<ReplayElement<Array2<u8>>, TransitionElement<Array2<u8>>, SamplerState>;

fn buffer() -> ReplayBuffer<ReplayElement<Array2<u8>>, UniformSampling> {
    let config = ReplayConfig::new(7, 4).stack_size(2);
    ReplayBuffer::new(config, UniformSampling::new(Generator::seeded(0))).unwrap()
}

fn state() -> State {
    npcodec::from_slice(&file("uniform_u8.1.msgpack")).unwrap()
}

fn pickles(bytes: &[u8]) -> [Vec<u8>; 2] {
    let state: State = npcodec::from_slice(bytes).unwrap();
    [state.memory.treedef, state.transition_accumulator.treedef]
}

fn step(is_terminal: bool) -> TransitionElement<Array2<u8>> {
    TransitionElement {
        observation: Array2::zeros((3, 2)),
        action: 1,
        reward: 0.5,
        is_terminal,
        episode_end: is_terminal,
    }
}

#[test]
fn a_buffer_moves_to_another_jax() {
    let mut buffer = buffer();
    let mut old = state();
    assert!(!old.transition_accumulator.trajectory.is_empty());
    let trees = TreeDefs::for_jax("0.4.20")
        .unwrap()
        .for_flax("0.7.5")
        .unwrap();
    let expected = [Tree::Element, Tree::Transition].map(|tree| trees.pickle(tree));
    buffer.resume(state()).unwrap();
    buffer.set_treedefs(trees).unwrap();
    let moved = npcodec::to_vec(&buffer).unwrap();
    assert_eq!(pickles(&moved), expected);
    // Nothing else is touched.
    [old.memory.treedef, old.transition_accumulator.treedef] = expected.clone();
    assert_eq!(npcodec::to_vec(&old).unwrap(), moved);
    // What was loaded from there is written for there, also what that file did not have.
    buffer.resume(npcodec::from_slice(&moved).unwrap()).unwrap();
    buffer.clear();
    let empty = npcodec::to_vec(&buffer).unwrap();
    assert_eq!(
        pickles(&empty),
        [Tree::None; 2].map(|tree| trees.pickle(tree))
    );
}

#[test]
fn elements_that_are_carried_move_as_far_as_their_pickles_are_known() {
    let trees = TreeDefs::for_jax("0.4.20").unwrap();
    let expected = [Tree::Element, Tree::Transition].map(|tree| trees.pickle(tree));
    let config = ReplayConfig::new(7, 4).stack_size(2);
    let sampler = UniformSampling::new(Generator::seeded(0));
    let mut buffer = ReplayBuffer::<CarriedElement, _>::new(config, sampler).unwrap();
    let bytes = file("uniform_u8.1.msgpack");
    buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    buffer.set_treedefs(trees).unwrap();
    assert_eq!(pickles(&npcodec::to_vec(&buffer).unwrap()), expected);

    let mut unknown = state();
    unknown.memory.treedef = b"no tree that anybody knows.".to_vec();
    let bytes = npcodec::to_vec(&unknown).unwrap();
    buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    assert_eq!(refused(buffer.set_treedefs(trees)), ReplayError::Carried);
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes);
}

#[test]
fn an_empty_file_says_for_which_jax_the_first_element_is_written() {
    let trees = TreeDefs::for_jax("0.5.3").unwrap();
    let mut buffer = buffer();
    buffer.set_treedefs(trees).unwrap();
    let empty = npcodec::to_vec(&buffer).unwrap();
    let mut other = self::buffer();
    other.resume(npcodec::from_slice(&empty).unwrap()).unwrap();
    (0..3).for_each(|_| other.add(step(false)).unwrap());
    let bytes = npcodec::to_vec(&other).unwrap();
    let expected = [Tree::Element, Tree::Transition].map(|tree| trees.pickle(tree));
    assert_eq!(pickles(&bytes), expected);
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> ReplayError {
    match result.unwrap_err().kind() {
        ErrorKind::Replay(error) => error.clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_pickle_that_nobody_knows_is_carried_and_nothing_is_added() {
    let mut unknown = state();
    unknown.memory.treedef = b"\x80\x04no tree that anybody knows.".to_vec();
    let bytes = npcodec::to_vec(&unknown).unwrap();
    let mut buffer = buffer();
    buffer.resume(unknown).unwrap();
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes);
    assert_eq!(refused(buffer.add(step(false))), ReplayError::Carried);
    assert_eq!(
        refused(buffer.set_treedefs(TreeDefs::default())),
        ReplayError::Carried
    );
    assert!(buffer.sample(None).is_ok());
    assert_eq!(buffer.len(), buffer.iter().count());
}

#[test]
fn leaves_under_the_pickle_of_nothing_are_refused() {
    let mut lying = state();
    lying.memory.treedef = TreeDefs::default().pickle(Tree::None);
    let error = refused(buffer().resume(lying));
    assert!(
        matches!(error, ReplayError::Configuration { .. }),
        "{error}"
    );
}

/// Every file goes through as leaves of which nothing is known, a tuple as action among them.
#[test]
fn elements_of_any_structure_are_carried() {
    type Carried<S> = ReplayState<CarriedElement, npcodec::replay::CarriedTransition, S>;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/replay");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".msgpack") {
            continue;
        }
        let bytes = file(&name);
        let written = if name.starts_with("prio") {
            let state: Carried<PrioritizedState> = npcodec::from_slice(&bytes).unwrap();
            npcodec::to_vec(&state)
        } else {
            let state: Carried<SamplerState> = npcodec::from_slice(&bytes).unwrap();
            npcodec::to_vec(&state)
        };
        assert!(written.unwrap() == bytes, "{name}");
        count += 1;
    }
    assert_eq!(count, 36);

    let mut dict = npcodec::Checkpoint::to_state_dict(&state())
        .unwrap()
        .into_owned();
    let Some(Value::Map(memory)) = dict.get_mut("memory") else {
        panic!();
    };
    let Some(Value::List(values)) = memory.get_mut("values") else {
        panic!();
    };
    for value in values {
        let Value::List(leaves) = value else {
            panic!();
        };
        leaves.insert(
            1,
            Value::Array(
                npcodec::NumpyEncoding::from_array(Array1::<f32>::zeros(3).view())
                    .unwrap()
                    .into_owned(),
            ),
        );
    }
    memory.insert(
        "treedef",
        Value::Bytes(b"\x80\x04another tree.".as_slice().into()),
    );
    let bytes = npcodec::encode(&Value::Map(dict)).unwrap();
    let config = ReplayConfig::new(7, 4).stack_size(2);
    let sampler = UniformSampling::new(Generator::seeded(0));
    let mut buffer = ReplayBuffer::<CarriedElement, _>::new(config, sampler).unwrap();
    buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes);
    let (batch, metadata) = buffer.sample(Some(2)).unwrap();
    assert_eq!(batch[0].leaves().len(), 7);
    assert_eq!(buffer.get(metadata.keys[0]), Some(&batch[0]));
}
