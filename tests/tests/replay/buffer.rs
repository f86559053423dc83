//! What a buffer refuses, and how it is a part of a larger state.

use npcodec::ndarray::{Array1, Array2, array};
use npcodec::replay::{
    Faults, Frames, Generator, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    ReplayError, ReplayState, Resume, SamplerState, SamplingDistribution, SequentialSampling,
    TransitionElement, UniformSampling,
};
use npcodec::{Checkpoint, Error, ErrorKind, ReadOptions, Strictness};

use crate::json::file;

type Element = ReplayElement<Array2<u8>>;
type Step = TransitionElement<Array2<u8>>;
type Buffer = ReplayBuffer<Element, UniformSampling>;
type State = ReplayState<Element, Step, SamplerState>;

/// What `uniform_u8` was recorded with.
fn config() -> ReplayConfig {
    ReplayConfig::new(7, 4).stack_size(2)
}

fn uniform() -> UniformSampling {
    UniformSampling::new(Generator::seeded(0))
}

fn with(config: ReplayConfig) -> Buffer {
    ReplayBuffer::new(config, uniform()).unwrap()
}

fn bytes() -> Vec<u8> {
    file("uniform_u8.1.msgpack")
}

fn state() -> State {
    npcodec::from_slice(&bytes()).unwrap()
}

fn resumed() -> Buffer {
    let mut buffer = with(config());
    buffer.resume(state()).unwrap();
    buffer
}

fn step(rows: usize, is_terminal: bool) -> Step {
    TransitionElement {
        observation: Array2::from_elem((rows, 2), 7),
        action: 1,
        reward: 0.5,
        is_terminal,
        episode_end: is_terminal,
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> ReplayError {
    match result.unwrap_err().kind() {
        ErrorKind::Replay(error) => error.clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_configuration_that_does_not_fit_the_file_is_an_error_that_names_both() {
    let mut long = state();
    let steps = &mut long.transition_accumulator.trajectory;
    let more = (0..4).map(|_| step(3, false));
    steps.extend(more);
    for (config, state, text) in [
        (
            config().stack_size(3),
            state(),
            "compressed states of 3 observations was given, and the file holds compressed states of 2 \
             observations",
        ),
        (
            config().compress(false),
            state(),
            "plain states of 2 observations was given, and the file holds compressed states of 2 \
             observations",
        ),
        (
            ReplayConfig::new(4, 4).stack_size(2),
            state(),
            "a max_capacity of 4 was given, and the file holds 7 elements",
        ),
        (
            config(),
            long,
            "a stack_size and an update_horizon of 3 steps together was given, and the file holds a \
             trajectory of 7",
        ),
    ] {
        let mut buffer = with(config);
        let error = buffer.resume(state).unwrap_err();
        assert_eq!(error.to_string(), text);
        assert!(buffer.is_empty() && buffer.add_count() == 0);
    }
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let lie = |lie: fn(&mut State)| {
        let mut state = state();
        lie(&mut state);
        with(config()).resume(state).unwrap_err().to_string()
    };
    let keys = state().memory.keys;
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    for (error, text) in [
        (
            lie(|state| state.memory.keys.truncate(3)),
            "the memory has 3 keys and 7 elements".to_owned(),
        ),
        (
            lie(|state| state.memory.keys[1] = state.memory.keys[0]),
            format!("key {first} stands after key {first}"),
        ),
        (
            lie(|state| state.add_count = state.memory.keys[6]),
            format!("key {last} cannot be there where `add_count` is {last}"),
        ),
        (
            lie(|state| state.add_count = -1),
            "`add_count` is from 0 to 2^62, and not -1".to_owned(),
        ),
        (
            lie(|state| state.add_count = i64::MAX),
            format!("`add_count` is from 0 to 2^62, and not {}", i64::MAX),
        ),
        (
            lie(|state| {
                state.memory.keys.remove(0);
                state.memory.values.remove(0);
            }),
            format!("key {first} was sampled, and the memory has no element under it"),
        ),
    ] {
        assert_eq!(error, text);
    }
}

#[test]
fn sizes_of_nothing_and_of_everything_are_refused() {
    for (config, what) in [
        (ReplayConfig::new(0, 1), "max_capacity"),
        (ReplayConfig::new(1, 0), "batch_size"),
        (config().stack_size(0), "stack_size"),
        (config().update_horizon(0), "update_horizon"),
    ] {
        let error = refused(Buffer::new(config, uniform()));
        assert_eq!(error, ReplayError::NotPositive { what });
    }
    let mut buffer = with(config().stack_size(usize::MAX));
    assert!(buffer.add(step(3, false)).is_ok());
    let error = buffer
        .add(step(3, false))
        .and_then(|()| buffer.add(step(3, true)));
    let error = error.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::SizeOverflow { .. }),
        "{error}"
    );
}

#[test]
fn what_fails_leaves_the_buffer_as_it_was() {
    let mut buffer = resumed();
    let error = refused(buffer.add(step(2, true)));
    let (expected, found) = (vec![2, 2], vec![3, 2]);
    assert_eq!(error, ReplayError::Shapes { expected, found });
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes());
    let large = vec![
        ReplayError::NoKeys,
        ReplayError::SampleSize { size: 0, count: 7 },
    ];
    let empty = refused(with(config()).sample(None));
    assert_eq!(vec![empty, refused(buffer.sample(Some(0)))], large);
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes());

    // A tree without a leaf to spare, several elements at the end of an episode.
    let sampler = PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    let config = ReplayConfig::new(4, 2).update_horizon(3);
    let mut buffer = ReplayBuffer::<Element, _>::new(config, sampler).unwrap();
    (0..6).for_each(|_| buffer.add_with_priority(step(3, false), 1.0).unwrap());
    let before = npcodec::to_vec(&buffer).unwrap();
    let error = refused(buffer.add_with_priority(step(3, true), 1.0));
    assert_eq!(error, ReplayError::TreeFull { leaves: 4 });
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), before);

    // Sorted samples, and then the oldest has to go.
    let sampler = SequentialSampling::new(Generator::seeded(1), true);
    let config = ReplayConfig::new(3, 3);
    let mut buffer = ReplayBuffer::<Element, _>::new(config, sampler).unwrap();
    (0..6).for_each(|_| buffer.add(step(3, false)).unwrap());
    assert_eq!(buffer.sampler().state().keys(), [3, 4, 2]);
    buffer.sample(None).unwrap();
    let before = npcodec::to_vec(&buffer).unwrap();
    assert_eq!(
        refused(buffer.add(step(3, true))),
        ReplayError::StaleIndex { key: 2 }
    );
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), before);
}

#[test]
fn an_open_trajectory_goes_on_or_is_closed() {
    let open = state().transition_accumulator.trajectory.len();
    let mut buffer = resumed();
    assert_eq!(buffer.accumulator().trajectory().len(), open);
    let count = buffer.add_count();
    buffer.add(step(3, false)).unwrap();
    assert_eq!(buffer.add_count(), count + 1);

    let mut buffer = with(config().resume(Resume::CloseEpisode));
    buffer.resume(state()).unwrap();
    buffer.add(step(3, false)).unwrap();
    assert_eq!(buffer.add_count(), count);
    assert_eq!(buffer.accumulator().trajectory().len(), 1);
}

#[test]
fn a_buffer_says_how_large_it_will_get() {
    let mut buffer = with(ReplayConfig::new(40, 4).stack_size(2));
    buffer.resume(state()).unwrap();
    let (reaches, count) = (buffer.reaches(), buffer.add_count());
    assert_eq!(reaches as i64, 7 + (40 - count));
    (0..100).for_each(|_| buffer.add(step(3, false)).unwrap());
    assert_eq!(buffer.len(), reaches);
}

#[test]
fn samples_go_into_arrays_that_exist() {
    let mut buffer = resumed();
    let (batch, metadata) = buffer.sample(None).unwrap();
    let mut twin = resumed();
    let mut reused = twin.sample(None).unwrap().0;
    let mut twin = resumed();
    reused.state.fill(0);
    reused.action.fill(0);
    assert_eq!(twin.sample_into(&mut reused, None).unwrap(), metadata);
    assert_eq!(reused.state, batch.state);
    assert_eq!(reused.action, batch.action);
    assert_eq!(reused.next_state, batch.next_state);
    let generator = twin.sampler().generator().clone();
    let error = refused(twin.sample_into(&mut reused, Some(5)));
    let (expected, found) = (vec![5, 3, 2, 2], vec![4, 3, 2, 2]);
    assert_eq!(error, ReplayError::Shapes { expected, found });
    assert_eq!(*twin.sampler().generator(), generator);
}

#[derive(Checkpoint, Debug)]
struct Agent {
    replay: Buffer,
    kernel: Array1<f32>,
    steps: u64,
}

#[derive(Checkpoint, Debug)]
struct Loaded {
    replay: State,
    kernel: Array1<f32>,
    steps: u64,
}

#[test]
fn a_buffer_is_loaded_in_place_with_the_state_around_it() {
    let agent = Agent {
        replay: resumed(),
        kernel: array![1.0, 2.0],
        steps: 9,
    };
    let written = npcodec::to_vec(&agent).unwrap();
    let fresh = |config| Agent {
        replay: with(config),
        kernel: array![0.0, 0.0],
        steps: 0,
    };
    let mut other = fresh(config());
    let (file, options) = (std::io::Cursor::new(&written), ReadOptions::new());
    npcodec::load_into_from(file, &mut other, &options).unwrap();
    assert_eq!(npcodec::to_vec(&other).unwrap(), written);
    let draws = |agent: &mut Agent| agent.replay.sample(Some(6)).unwrap().1;
    let mut agent = agent;
    assert_eq!(draws(&mut other), draws(&mut agent));

    // What does not fit is in the report, and nothing is changed.
    let mut other = fresh(ReplayConfig::new(5, 4).stack_size(2));
    let dict = npcodec::decode(&written).unwrap();
    let dict = dict.as_map().unwrap();
    let error = other.load_state_dict(dict, Strictness::Strict).unwrap_err();
    let mismatch = &error.report().unwrap().mismatched[0];
    assert_eq!(mismatch.path.to_string(), "replay");
    assert!(
        mismatch.found.contains("a max_capacity of 5 was given"),
        "{mismatch:?}"
    );
    assert_eq!((other.steps, other.replay.len()), (0, 0));

    // Without a buffer there is nothing to load into.
    let error = npcodec::from_slice::<Agent>(&written).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`ReplayState` is read without one"),
        "{error}"
    );
    let loaded: Loaded = npcodec::from_slice(&written).unwrap();
    assert_eq!(npcodec::to_vec(&loaded).unwrap(), written);
    let mut buffer = with(config());
    buffer.resume(loaded.replay).unwrap();
    assert_eq!((loaded.steps, loaded.kernel), (9, array![1.0, 2.0]));
}

#[test]
fn every_leaf_that_is_wrong_is_in_one_report() {
    type Wrong =
        ReplayState<ReplayElement<Array1<u8>>, TransitionElement<Array1<u8>>, SamplerState>;
    let error = npcodec::from_slice::<Wrong>(&bytes()).unwrap_err();
    let report = error.report().unwrap();
    let paths = report
        .mismatched
        .iter()
        .map(|mismatch| mismatch.path.to_string());
    let paths: Vec<_> = paths.collect();
    // The trajectory has plain observations, whose dimensions are seen at once.
    assert!(
        paths.contains(&"transition_accumulator.trajectory[0][0]".to_owned()),
        "{paths:?}"
    );
}

#[test]
fn a_record_that_is_damaged_is_found() {
    let mut bytes = bytes();
    let block = b"\x0c\x2c";
    let at = bytes.windows(2).position(|window| window == block).unwrap();
    bytes[at] = 0x0d;
    let mut buffer = with(config());
    buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    let error = buffer.verify().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Snappy { .. }), "{error}");
    let before = buffer.sampler().generator().clone();
    assert!(buffer.sample(Some(200)).is_err());
    assert_eq!(*buffer.sampler().generator(), before);
    assert_eq!(npcodec::to_vec(&buffer).unwrap(), bytes);
}

#[test]
fn faults_are_those_of_the_configuration() {
    let buffer = with(config().faults(Faults::Reproduce));
    assert_eq!(buffer.sampler().faults(), Faults::Reproduce);
    assert_eq!(buffer.config().faults, Faults::Reproduce);
}

#[test]
fn records_of_another_byte_order_are_packed_anew() {
    let frames = array![[1_u8, 2], [3, 4], [5, 6]];
    let plain = npcodec::NumpyEncoding::from_array(frames.view()).unwrap();
    let record = npcodec::compress(&plain).unwrap();
    let own = npcodec::to_vec(&record).unwrap();
    let mut data = record.data().to_vec();
    let block = data.len() - 2 * 4 - 3;
    data[block..][..8].copy_from_slice(&[0, 0, 0, 3, 0, 0, 0, 2]);
    let dtype = record.dtype_text().replace("<i4", ">i4");
    let other = npcodec::NumpyEncoding::new(vec![], data, dtype, None).unwrap();
    for bytes in [npcodec::to_vec(&other).unwrap(), own.clone()] {
        let read: Frames<Array1<u8>> = npcodec::from_slice(&bytes).unwrap();
        assert_eq!(read.shape(), [3, 2]);
        assert_eq!(*read.unpack().unwrap(), frames);
        assert_eq!(npcodec::to_vec(&read).unwrap(), own);
    }
}
