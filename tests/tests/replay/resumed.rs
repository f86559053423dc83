//! A run that was interrupted goes on as one that was not.

use npcodec::ErrorKind;
use npcodec::NumpyEncoding;
use npcodec::ndarray::{Array1, array};
use npcodec::replay::{
    Frames, Generator, MaxRecorded, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement,
    SamplingDistribution, TransitionElement,
};

type Buffer = ReplayBuffer<ReplayElement<Array1<u8>>, PrioritizedSampling>;

fn fresh(recorded: MaxRecorded) -> Buffer {
    let sampler = PrioritizedSampling::new(Generator::seeded(5), 20).unwrap();
    let config = ReplayConfig::new(16, 5).stack_size(2).update_horizon(2);
    Buffer::new(config, sampler.max_recorded(recorded)).unwrap()
}

/// Adds a step as Dopamine's agents do, with the largest priority there was, and learns.
fn train(buffer: &mut Buffer, steps: std::ops::Range<u8>) -> Vec<Vec<i64>> {
    let step = |step: u8| {
        let transition = TransitionElement {
            observation: array![step, step],
            action: 0,
            reward: f64::from(100 - step) / 3.0,
            is_terminal: step % 11 == 10,
            episode_end: step % 11 == 10,
        };
        let largest = buffer.sampler().sum_tree().max_recorded_priority();
        buffer.add_with_priority(transition, largest).unwrap();
        if buffer.is_empty() {
            return vec![];
        }
        let (batch, sampled) = buffer.sample(None).unwrap();
        let priorities = batch.reward.map(|reward| reward + 0.01).to_vec();
        buffer.update(&sampled.keys, &priorities).unwrap();
        sampled.keys
    };
    steps.map(step).collect()
}

#[test]
fn an_interrupted_run_is_the_uninterrupted_one_where_the_largest_priority_was_kept() {
    let mut whole = fresh(MaxRecorded::Forgotten);
    train(&mut whole, 0..40);
    let bytes = npcodec::to_vec(&whole).unwrap();
    let largest = whole.sampler().sum_tree().max_recorded_priority();
    assert!(largest > 10.0);
    let drawn = train(&mut whole, 40..80);
    let end = npcodec::to_vec(&whole).unwrap();

    let resumed = |recorded| {
        let mut buffer = fresh(recorded);
        buffer.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
        let drawn = train(&mut buffer, 40..80);
        (drawn, npcodec::to_vec(&buffer).unwrap())
    };
    assert!(resumed(MaxRecorded::Kept(largest)) == (drawn, end.clone()));
    // As in Dopamine itself, what forgot it gives new elements another priority.
    assert!(resumed(MaxRecorded::Forgotten).1 != end);
}

#[test]
fn a_framed_snappy_stream_is_no_record() {
    let framed = b"\xff\x06\x00\x00sNaPpY";
    let mut data = framed.to_vec();
    data.extend([2, 0, 0, 0, 2, 0, 0, 0]);
    data.extend(b"|u1");
    let dtype = "[('data', '|u1', (10,)), ('shape', '<i4', (2,)), ('dtype', '|S3')]";
    let record = NumpyEncoding::new(vec![], data, dtype, None).unwrap();
    let bytes = npcodec::to_vec(&record).unwrap();
    let frames: Frames<Array1<u8>> = npcodec::from_slice(&bytes).unwrap();
    let error = frames.unpack().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Snappy { .. }));
    assert!(
        error.to_string().contains("framed Snappy stream found"),
        "{error}"
    );
}

#[test]
fn a_generator_of_another_kind_stops_samples_and_is_carried() {
    let mut buffer = fresh(MaxRecorded::Forgotten);
    train(&mut buffer, 0..20);
    let mut other = npcodec::StateDict::new();
    other.insert("bit_generator", "PCG64DXSM".to_owned());
    *buffer.sampler_mut().generator_mut() = Generator::Carried(other);
    let bytes = npcodec::to_vec(&buffer).unwrap();
    let mut read = fresh(MaxRecorded::Forgotten);
    read.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
    let error = read.sample(None).unwrap_err().to_string();
    assert!(error.contains("PCG64DXSM"), "{error}");
    assert_eq!(npcodec::to_vec(&read).unwrap(), bytes);
    *read.sampler_mut().generator_mut() = Generator::seeded(1);
    assert!(read.sample(None).is_ok());
}
