//! Rewards and their discounted sums, in the arithmetic that NumPy 2 has for each type.

use std::fmt;

use half::f16;
use ndarray::{Array, Array0, Array1, Array2, Dimension};
use serde::de::Deserializer;

use super::stack::{Stack, shapes};
use super::wire;
use crate::checkpoint::{Context, Restore, RestoreOwned, Save, Sink};
use crate::encoding::Integer;
use crate::error::Error;
use crate::state::Value;

/// A reward of a transition.
///
/// | reward | in Python | sum |
/// |---|---|---|
/// | `f64` | `float`, `np.float64` | `f64` |
/// | `i64`, [`PythonNumber`] | `int`, either | `f64` |
/// | arrays of `f32` or `f16`, `Array0` as well | `np.float32`, `np.float16` | the same: it is summed up in that type |
/// | `Array0` of any other number | `np.int64` and so on | `f64` |
/// | `Array1` and `Array2` of any other number | arrays | arrays of `f64` |
pub trait Reward: Save + RestoreOwned + Clone + fmt::Debug {
    /// What the sum is.
    type Return: Stack;

    /// Sums rewards up, each times its discount, from the first to the last.
    ///
    /// # Errors
    /// [`Shapes`](crate::ReplayError::Shapes) if they are not all of one shape.
    fn discounted<'r>(
        rewards: impl Iterator<Item = (&'r Self, f64)>,
    ) -> Result<Self::Return, Error>
    where
        Self: 'r;
}

/// A number that Python has as an `int` or a `float`, where a trajectory has both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PythonNumber {
    /// An `int`.
    Integer(i64),
    /// A `float`.
    Float(f64),
}

impl PythonNumber {
    fn float(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl Save for PythonNumber {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Integer(value) => sink.integer(Integer::from(value)),
            Self::Float(value) => sink.float64(value),
        }
    }
}

impl<'de> Restore<'de> for PythonNumber {
    const REPLACED: bool = true;

    fn restore<D: Deserializer<'de>>(d: D, cx: &Context<'_>) -> Result<Option<Self>, D::Error> {
        let value: Option<Value<'de>> = wire::restore(d, cx)?;
        Ok(value.and_then(|value| match value {
            Value::Integer(_) => wire::restore_value(value, cx).map(Self::Integer),
            other => wire::restore_value(other, cx).map(Self::Float),
        }))
    }
}

macro_rules! scalars {
    ($($type:ty: $float:expr;)*) => {$(
        impl Reward for $type {
            type Return = f64;

            fn discounted<'r>(
                rewards: impl Iterator<Item = (&'r Self, f64)>,
            ) -> Result<f64, Error> {
                let float = $float;
                Ok(rewards.fold(0.0, |sum, (reward, discount)| sum + float(reward) * discount))
            }
        }
    )*};
}

scalars! {
    f64: |reward: &f64| *reward;
    i64: |reward: &i64| *reward as f64;
    PythonNumber: |reward: &PythonNumber| reward.float();
}

/// Sums arrays up, item by item.
fn sum<'r, T: 'r, D: Dimension + 'r, S: Clone + 'static>(
    rewards: impl Iterator<Item = (&'r Array<T, D>, f64)>,
    zero: S,
    add: impl Fn(&S, &T, f64) -> S,
) -> Result<Array<S, D>, Error> {
    let mut sum: Option<Array<S, D>> = None;
    for (reward, discount) in rewards {
        let sum = sum.get_or_insert_with(|| reward.map(|_| zero.clone()));
        if sum.shape() != reward.shape() {
            return Err(shapes(sum.shape(), reward.shape()));
        }
        sum.zip_mut_with(reward, |sum, reward| *sum = add(sum, reward, discount));
    }
    Ok(sum.unwrap_or_else(|| Array::from_elem(D::zeros(D::NDIM.unwrap_or(0)), zero)))
}

macro_rules! floats {
    ($($type:ty: $round:expr;)*) => {$(
        impl<D: Dimension> Reward for Array<$type, D> {
            type Return = Self;

            fn discounted<'r>(
                rewards: impl Iterator<Item = (&'r Self, f64)>,
            ) -> Result<Self, Error>
            where
                Self: 'r,
            {
                let round = $round;
                sum(rewards, round(0.0), |sum, reward, discount| *sum + *reward * round(discount))
            }
        }
    )*};
}

floats! {
    f32: |discount: f64| discount as f32;
    f16: f16::from_f64;
}

macro_rules! doubles {
    ($($type:ty: $float:expr;)*) => {$(
        impl Reward for Array0<$type> {
            type Return = f64;

            fn discounted<'r>(
                rewards: impl Iterator<Item = (&'r Self, f64)>,
            ) -> Result<f64, Error> {
                let float = $float;
                Ok(rewards.fold(0.0, |sum, (reward, discount)| sum + float(&reward[()]) * discount))
            }
        }

        doubles!(Array1<$type> => Array1<f64>, $float);
        doubles!(Array2<$type> => Array2<f64>, $float);
    )*};
    ($array:ty => $sum:ty, $float:expr) => {
        impl Reward for $array {
            type Return = $sum;

            fn discounted<'r>(
                rewards: impl Iterator<Item = (&'r Self, f64)>,
            ) -> Result<$sum, Error> {
                let float = $float;
                sum(rewards, 0.0, |sum, reward, discount| sum + float(reward) * discount)
            }
        }
    };
}

doubles! {
    f64: |reward: &f64| *reward;
    i8: |reward: &i8| f64::from(*reward);
    i16: |reward: &i16| f64::from(*reward);
    i32: |reward: &i32| f64::from(*reward);
    i64: |reward: &i64| *reward as f64;
    u8: |reward: &u8| f64::from(*reward);
    u16: |reward: &u16| f64::from(*reward);
    u32: |reward: &u32| f64::from(*reward);
    u64: |reward: &u64| *reward as f64;
    bool: |reward: &bool| f64::from(u8::from(*reward));
}
