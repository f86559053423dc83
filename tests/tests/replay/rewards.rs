//! Sums of rewards in the arithmetic that NumPy has for each type: what the real accumulator gave for
//! five rewards, a horizon of 4 and a gamma of 0.97.

use std::fmt::Debug;

use npcodec::half::f16;
use npcodec::ndarray::{Array0, Array1, Array2, arr0, array};
use npcodec::replay::{
    PythonNumber, ReplayElement, ReplayError, Reward, TransitionAccumulator, TransitionElement,
};
use npcodec::{Error, ErrorKind};

const REWARDS: [f64; 5] = [1.25, -3.5, 7.125, 2.0, 9.0];

fn elements<R: Reward>(rewards: Vec<R>) -> Result<Vec<ReplayElement<Array1<u8>, i64, R>>, Error> {
    let mut accumulator = TransitionAccumulator::new(1, 4, 0.97)?;
    let mut elements = Vec::new();
    for reward in rewards {
        elements.extend(accumulator.accumulate(TransitionElement {
            observation: array![0_u8],
            action: 0,
            reward,
            is_terminal: false,
            episode_end: false,
        })?);
    }
    Ok(elements)
}

fn sum<R: Reward>(rewards: impl IntoIterator<Item = R>) -> R::Return {
    let mut elements = elements(rewards.into_iter().collect()).unwrap();
    assert_eq!(elements.len(), 1);
    elements.remove(0).reward
}

fn same<T: PartialEq + Debug>(found: T, expected: T) {
    assert_eq!(found, expected);
}

#[test]
fn small_floats_are_summed_up_as_what_they_are() {
    let half = sum(REWARDS.map(|reward| arr0(f16::from_f64(reward * 1.1))));
    same::<Array0<f16>>(half, arr0(f16::from_bits(0x4705)));
    let single = sum(REWARDS.map(|reward| arr0((reward * 1.1) as f32)));
    same::<Array0<f32>>(single, arr0(f32::from_bits(0x40e0_b9d6)));
    let rows = sum(REWARDS.map(|reward| array![[(reward * 1.1) as f32, -reward as f32]]));
    let expected = [0x40e0_b9d6, 0xc0cc_4bd9].map(f32::from_bits);
    same::<Array2<f32>>(rows, array![expected]);
}

#[test]
fn everything_else_is_summed_up_as_a_double() {
    const INTEGERS: u64 = 0x401a_01af_7d30_ad46;
    const FLOATS: u64 = 0x401c_173a_90f5_8629;
    const BOOLS: u64 = 0x4006_d41e_14bd_fd26;
    let small = sum(REWARDS.map(|reward| arr0(reward as i8)));
    same(small, f64::from_bits(INTEGERS));
    let unsigned = sum([5, 0, 11, 6, 13].map(|reward| arr0((1_u64 << 63) + 5 + reward)));
    same(unsigned, f64::from_bits(0x43fe_96ad_70e6_f2e8));
    let pairs = sum(REWARDS.map(|reward| array![reward as i32, -reward as i32]));
    let expected = f64::from_bits(INTEGERS);
    same(pairs, array![expected, -expected]);
    same(
        sum(REWARDS.map(|reward| arr0(reward * 1.1))),
        f64::from_bits(FLOATS),
    );
    same(
        sum(REWARDS.map(|reward| reward * 1.1)),
        f64::from_bits(FLOATS),
    );
    let one = sum(REWARDS.map(|reward| array![reward * 1.1]));
    same(one, array![f64::from_bits(FLOATS)]);
    let bools = sum([true, false, true, true, false].map(arr0));
    same(bools, f64::from_bits(BOOLS));
    let large = sum([(1_i64 << 62) + 1, 3, (1 << 53) + 1, 7, 1]);
    same(large, f64::from_bits(0x43d0_0786_f694_4674));
    let mixed = [
        PythonNumber::Integer(1),
        PythonNumber::Float(-0.0),
        PythonNumber::Integer(3),
        PythonNumber::Float(2.5),
        PythonNumber::Integer(1),
    ];
    same(sum(mixed), f64::from_bits(0x4018_6ae3_3eff_1950));
    same(sum([-0.0; 5]).to_bits(), 0);
}

#[test]
fn rewards_of_several_shapes_have_no_sum() {
    let rewards = vec![
        array![1.0_f32],
        array![1.0, 2.0],
        array![1.0],
        array![1.0],
        array![1.0],
    ];
    let error = elements(rewards).unwrap_err();
    let (expected, found) = (vec![1], vec![2]);
    let kind = ErrorKind::Replay(ReplayError::Shapes { expected, found });
    assert_eq!(*error.kind(), kind);
}
