//! What samplers refuse, and what they leave as it was.

use npcodec::replay::{
    Faults, Generator, MaxRecorded, PrioritizedSampling, ReplayError, SamplingDistribution,
    SequentialSampling, UniformSampling,
};
use npcodec::{Error, ErrorKind};

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> ReplayError {
    match result.unwrap_err().kind() {
        ErrorKind::Replay(error) => error.clone(),
        other => panic!("{other}"),
    }
}

fn restored<S: SamplingDistribution>(mut fresh: S, bytes: &[u8]) -> S {
    fresh.resume(npcodec::from_slice(bytes).unwrap()).unwrap();
    fresh
}

#[test]
fn nothing_is_drawn_from_no_keys_and_no_sample_is_empty() {
    fn check<S: SamplingDistribution>(mut sampler: S, priority: S::Priority) {
        assert_eq!(refused(sampler.sample(2)), ReplayError::NoKeys);
        sampler.add(5, priority).unwrap();
        let empty = ReplayError::SampleSize { size: 0, count: 1 };
        assert_eq!(refused(sampler.sample(0)), empty);
        let unknown = ReplayError::UnknownKey { key: 6 };
        assert_eq!(refused(sampler.remove(6)), unknown);
        assert_eq!(*sampler.generator(), Generator::seeded(1));
        assert_eq!(sampler.sample(1).unwrap().keys, [5]);
        sampler.clear();
        assert!(sampler.is_empty());
    }
    let rng = || Generator::seeded(1);
    check(UniformSampling::new(rng()), ());
    check(SequentialSampling::new(rng(), true), ());
    check(PrioritizedSampling::new(rng(), 4).unwrap(), None);
    check(PrioritizedSampling::new(rng(), 4).unwrap(), Some(1.0));
}

#[test]
fn sorted_samples_leave_an_index_that_removes_no_other_key() {
    let mut sampler = SequentialSampling::new(Generator::seeded(1), true);
    (0..4).for_each(|key| sampler.add(key, ()).unwrap());
    sampler.remove(0).unwrap();
    // 3, 1, 2 until it is sorted.
    assert_eq!(sampler.sample(3).unwrap().keys, [1, 2, 3]);
    let before = sampler.clone();
    assert_eq!(
        refused(sampler.remove(3)),
        ReplayError::StaleIndex { key: 3 }
    );
    assert_eq!(sampler, before);
    // A file keeps it, and so does who goes on with the file.
    let bytes = npcodec::to_vec(&sampler).unwrap();
    let fresh = SequentialSampling::new(Generator::seeded(9), true);
    let mut read = restored(fresh, &bytes);
    assert_eq!(refused(read.remove(3)), ReplayError::StaleIndex { key: 3 });
    read.set_faults(Faults::Reproduce);
    let mut mended = read.clone();
    read.remove(3).unwrap();
    assert_eq!(read.state().keys(), [3, 2]);
    mended.set_faults(Faults::Refuse);
    mended.reindex();
    mended.remove(3).unwrap();
    assert_eq!(mended.state().keys(), [1, 2]);
}

#[test]
fn a_full_tree_takes_no_key() {
    let mut sampler = PrioritizedSampling::new(Generator::seeded(1), 3).unwrap();
    (0..4).for_each(|key| sampler.add(key, Some(1.0)).unwrap());
    let before = sampler.clone();
    assert_eq!(
        refused(sampler.add(4, Some(1.0))),
        ReplayError::TreeFull { leaves: 4 }
    );
    assert_eq!(
        refused(sampler.check(2, &None, 1, &[0])),
        ReplayError::TreeFull { leaves: 4 }
    );
    assert_eq!(sampler, before);
    sampler.set_faults(Faults::Reproduce);
    assert!(sampler.add(4, Some(2.0)).is_err());
    assert_eq!(sampler.len(), 5);
    assert_eq!(sampler.sum_tree().max_recorded_priority(), 2.0);
}

#[test]
fn a_tree_that_drifted_gives_out_nothing_of_priority_zero() {
    // All priorities are 0 in the end, and the root is what rounding left of 1e16 and the other.
    let drifted = |small: f64| {
        let mut sampler = PrioritizedSampling::new(Generator::seeded(1), 2).unwrap();
        sampler.add(0, None).unwrap();
        sampler.add(1, Some(1e16)).unwrap();
        for (key, priority) in [(0, small), (1, 0.0), (0, 0.0)] {
            sampler.update(&[key], (&vec![priority]).into()).unwrap();
        }
        sampler
    };
    let zero = ReplayError::ZeroProbability { key: 1 };
    let negative = ReplayError::UniformRange {
        low: 0.0,
        high: -0.5,
    };
    for (small, root, error) in [(1.5, 0.5, zero), (0.5, -0.5, negative)] {
        let mut sampler = drifted(small);
        assert_eq!(sampler.sum_tree().root(), root);
        let before = sampler.clone();
        assert_eq!(refused(sampler.sample(3)), error);
        assert_eq!(sampler, before);
        sampler.sum_tree_mut().resum();
        let probabilities = sampler.sample(3).unwrap().probabilities.unwrap();
        assert_eq!(probabilities, [0.5; 3]);
    }
    let mut sampler = drifted(1.5);
    sampler.set_faults(Faults::Reproduce);
    let drawn = sampler.sample(3).unwrap();
    assert_eq!(drawn.keys, [1; 3]);
    assert_eq!(drawn.probabilities, Some(vec![0.0; 3]));
}

#[test]
fn priorities_that_are_none_are_refused_before_the_key_goes_in() {
    let mut sampler = PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    for priority in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(sampler.add(0, Some(priority)));
        assert!(matches!(error, ReplayError::Priority { .. }));
        assert!(sampler.is_empty());
    }
    sampler.add(0, Some(1.0)).unwrap();
    let error = refused(sampler.update(&[0, 7], (&vec![1.0, 2.0]).into()));
    assert_eq!(error, ReplayError::UnknownKey { key: 7 });
    let mut squared = PrioritizedSampling::new(Generator::seeded(1), 4)
        .unwrap()
        .priority_exponent(2.0);
    squared.set_faults(Faults::Reproduce);
    // Python raises OverflowError.
    assert!(squared.add(0, Some(1e300)).is_err());
}

#[test]
fn a_file_is_gone_on_with_only_by_a_tree_of_its_size() {
    let make = |capacity| PrioritizedSampling::new(Generator::seeded(1), capacity).unwrap();
    let mut sampler = make(5);
    sampler.add(0, Some(3.0)).unwrap();
    sampler.add(1, Some(2.0)).unwrap();
    sampler.update(&[0], (&vec![1.5]).into()).unwrap();
    let bytes = npcodec::to_vec(&sampler).unwrap();
    let error = make(9)
        .resume(npcodec::from_slice(&bytes).unwrap())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "a sum tree of 16 leaves was given, and the file holds a sum tree of 8 leaves"
    );
    for (recorded, largest) in [
        (MaxRecorded::Forgotten, 1.0),
        (MaxRecorded::Leaves, 2.0),
        (MaxRecorded::Kept(3.0), 3.0),
    ] {
        let read = restored(make(8).max_recorded(recorded), &bytes);
        assert_eq!(read.sum_tree().max_recorded_priority(), largest);
    }
}

#[test]
fn trees_of_no_numbers_are_refused() {
    let mut sampler = PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    sampler.set_faults(Faults::Reproduce);
    sampler.add(0, Some(f64::INFINITY)).unwrap();
    assert!(sampler.sample(1).is_err());
    sampler.update(&[0], (&vec![1.0]).into()).unwrap();
    assert!(sampler.sum_tree().root().is_nan());
    let bytes = npcodec::to_vec(&sampler).unwrap();
    let mut fresh = PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    let error = refused(fresh.resume(npcodec::from_slice(&bytes).unwrap()));
    assert!(matches!(error, ReplayError::TreeNode { node: 0, .. }));
}

#[test]
fn indices_that_lie_are_errors() {
    let bytes = |indices: [(i64, u64); 2]| {
        let mut sampler = UniformSampling::new(Generator::seeded(1));
        sampler.add(3, ()).unwrap();
        sampler.add(4, ()).unwrap();
        let mut dict = npcodec::Checkpoint::to_state_dict(&sampler).unwrap();
        let lying: npcodec::indexmap::IndexMap<i64, u64> = indices.into();
        let lying = npcodec::Checkpoint::to_value(&lying).unwrap().into_owned();
        dict.insert("index_by_key", lying);
        npcodec::encode(&npcodec::Value::Map(dict)).unwrap()
    };
    for (indices, faults) in [
        ([(3, 0), (4, u64::MAX)], Faults::Refuse),
        ([(3, 0), (4, u64::MAX)], Faults::Reproduce),
        ([(3, 1), (4, 0)], Faults::Refuse),
    ] {
        let fresh = UniformSampling::new(Generator::seeded(9));
        let mut read = restored(fresh, &bytes(indices));
        read.set_faults(faults);
        assert_eq!(refused(read.remove(4)), ReplayError::StaleIndex { key: 4 });
    }
}

#[test]
fn an_index_keeps_the_order_of_its_file() {
    let mut sampler = UniformSampling::new(Generator::seeded(1));
    sampler.add(3, ()).unwrap();
    sampler.add(4, ()).unwrap();
    let mut dict = npcodec::Checkpoint::to_state_dict(&sampler).unwrap();
    let index: npcodec::indexmap::IndexMap<i64, u64> = [(4, 1), (3, 0)].into();
    let index = npcodec::Checkpoint::to_value(&index).unwrap().into_owned();
    dict.insert("index_by_key", index);
    let bytes = npcodec::encode(&npcodec::Value::Map(dict)).unwrap();
    let mut read = restored(UniformSampling::new(Generator::seeded(9)), &bytes);
    assert_eq!(npcodec::to_vec(&read).unwrap(), bytes);
    read.add(1, ()).unwrap();
    read.remove(4).unwrap();
    let dict = npcodec::Checkpoint::to_state_dict(&read).unwrap();
    let keys = dict.get("index_by_key").unwrap().as_map().unwrap().keys();
    assert_eq!(
        keys.cloned().collect::<Vec<_>>(),
        [3_i64.into(), 1_i64.into()]
    );
}

/// Python's `**` is `pow`; NumPy's is a root, a product or a quotient, which round otherwise here.
#[test]
fn one_priority_is_raised_by_python_and_many_by_numpy() {
    for (exponent, priority, added, updated) in [
        (
            0.5,
            0x401a_8276_ed42_4e4b,
            0x4004_9851_ef89_681a,
            0x4004_9851_ef89_6819_u64,
        ),
        (
            2.0,
            0x4012_9b0c_69d2_390c,
            0x4035_a2ba_6ea4_eae3,
            0x4035_a2ba_6ea4_eae4,
        ),
        (
            -1.0,
            0x400f_94d8_90c1_7795,
            0x3fd0_3649_804a_8adb,
            0x3fd0_3649_804a_8adc,
        ),
        (
            0.0,
            0x400f_94d8_90c1_7795,
            0x3ff0_0000_0000_0000,
            0x3ff0_0000_0000_0000,
        ),
    ] {
        let fresh = PrioritizedSampling::new(Generator::seeded(1), 1).unwrap();
        let mut sampler = fresh.priority_exponent(exponent);
        let priority = f64::from_bits(priority);
        sampler.add(0, Some(priority)).unwrap();
        assert_eq!(sampler.sum_tree().root().to_bits(), added, "{exponent}");
        // From 0, so that nothing is left of the one before.
        sampler.update(&[0], (&vec![0.0]).into()).unwrap();
        assert_eq!(sampler.sum_tree().root(), 0.0);
        sampler.update(&[0], (&vec![priority]).into()).unwrap();
        assert_eq!(sampler.sum_tree().root().to_bits(), updated, "{exponent}");
    }
}

#[test]
fn priorities_whose_sum_is_infinite_are_refused_before_the_key_goes_in() {
    let mut sampler = PrioritizedSampling::new(Generator::seeded(1), 4).unwrap();
    sampler.add(0, Some(6e307)).unwrap();
    sampler.add(1, Some(1.0)).unwrap();
    let before = sampler.clone();
    let error = ReplayError::TreeNode {
        node: 0,
        value: 1.2e308,
    };
    assert_eq!(refused(sampler.check(1, &Some(6e307), 0, &[])), error);
    assert_eq!(refused(sampler.add(2, Some(6e307))), error);
    assert_eq!(refused(sampler.update(&[1], (&vec![6e307]).into())), error);
    assert_eq!(sampler, before);
    sampler.set_faults(Faults::Reproduce);
    sampler.update(&[1], (&vec![1.5e308]).into()).unwrap();
    assert_eq!(sampler.sum_tree().root(), f64::INFINITY);
}

#[test]
fn samplers_of_the_same_file_are_equal() {
    let mut sampler = UniformSampling::new(Generator::seeded(1));
    (0..3).for_each(|key| sampler.add(key, ()).unwrap());
    sampler.remove(0).unwrap();
    let bytes = npcodec::to_vec(&sampler).unwrap();
    let read = restored(UniformSampling::new(Generator::seeded(9)), &bytes);
    assert_eq!(read, sampler);
    // The order is a part of it.
    let mut other = UniformSampling::new(Generator::seeded(1));
    [2, 1]
        .into_iter()
        .for_each(|key| other.add(key, ()).unwrap());
    assert_eq!(other.state().keys(), sampler.state().keys());
    assert_ne!(other, sampler);
}
