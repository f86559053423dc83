//! Integers that are not NumPy's: 128 bits, big ones, pointer-sized and non-zero ones.

use std::fmt;
use std::marker::PhantomData;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

use num_bigint::{BigInt, BigUint};
use serde::de::Deserializer;

use super::rows::item;
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, Ordinary, form};
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::dtype::Cast;
use crate::encoding::{Encoded, Integer, LongIntegerEncoding, NumpyEncoding};
use crate::error::Error;

/// An integer that is written natively up to 64 bits and as decimal text beyond.
trait Wide: Sized {
    const NAME: &'static str;

    fn to_integer(&self) -> Result<Integer<'static>, Error>;

    fn from_integer(integer: &Integer<'_>) -> Option<Self>;
}

macro_rules! wide {
    ($($type:ty => |$value:ident| $to:expr, |$integer:ident| $from:expr;)*) => {$(
        impl Wide for $type {
            const NAME: &'static str = stringify!($type);

            fn to_integer(&self) -> Result<Integer<'static>, Error> {
                let $value = self;
                $to
            }

            fn from_integer($integer: &Integer<'_>) -> Option<Self> {
                $from
            }
        }

        wide_impls!(Ordinary, $type);
        wide_impls!(Integer, $type);
    )*};
}

macro_rules! wide_impls {
    (Ordinary, $type:ty) => {
        impl<F: Ordinary> Save<Deep<F>> for $type {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                save(self, sink)
            }
        }

        impl<'de, F: Ordinary> Restore<'de, Deep<F>> for $type {
            const REPLACED: bool = true;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                visit(deserializer, Expected(PhantomData), cx)
            }
        }
    };
    (Integer, $type:ty) => {
        impl Save<Deep<form::Integer>> for $type {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                save(self, sink)
            }
        }

        impl<'de> Restore<'de, Deep<form::Integer>> for $type {
            const REPLACED: bool = true;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                visit(deserializer, Expected(PhantomData), cx)
            }
        }
    };
}

fn save<'a, T: Wide, S: Sink<'a>>(value: &T, sink: S) -> Result<S::Ok, S::Error> {
    match value.to_integer() {
        Ok(integer) => sink.integer(integer),
        Err(error) => Err(sink.fault(error)),
    }
}

wide! {
    u128 => |value| Ok((*value).into()), |integer| integer.to_u128();
    i128 => |value| Ok((*value).into()), |integer| integer.to_i128();
    usize => |value| Ok((*value as u128).into()), |integer| integer.to_u128()?.try_into().ok();
    isize => |value| Ok((*value as i128).into()), |integer| integer.to_i128()?.try_into().ok();
    BigInt => |value| Integer::try_from(value), |integer| Some(integer.to_bigint());
    BigUint => |value| Integer::try_from(value), |integer| integer.to_bigint().to_biguint();
}

macro_rules! non_zero {
    ($($type:ident($inner:ty, $wide:ty, $read:ident);)*) => {
        wide! {$(
            $type => |value| Ok(<$wide>::from(value.get() as $wide).into()),
                |integer| <$inner>::try_from(integer.$read()?).ok().and_then($type::new);
        )*}
    };
}

non_zero! {
    NonZeroU8(u8, u128, to_u128);
    NonZeroU16(u16, u128, to_u128);
    NonZeroU32(u32, u128, to_u128);
    NonZeroU64(u64, u128, to_u128);
    NonZeroU128(u128, u128, to_u128);
    NonZeroUsize(usize, u128, to_u128);
    NonZeroI8(i8, i128, to_i128);
    NonZeroI16(i16, i128, to_i128);
    NonZeroI32(i32, i128, to_i128);
    NonZeroI64(i64, i128, to_i128);
    NonZeroI128(i128, i128, to_i128);
    NonZeroIsize(isize, i128, to_i128);
}

struct Expected<T>(PhantomData<T>);

impl<'de, T: Wide> Expect<'de> for Expected<T> {
    type Output = T;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer that fits {}", T::NAME)
    }

    fn integer(self, value: Integer<'de>, cx: &Context<'_>) -> Option<T> {
        T::from_integer(&value).or_else(|| self.refuse(value, cx))
    }

    fn float(self, value: f64, cx: &Context<'_>) -> Option<T> {
        whole(value)
            .and_then(|integer| T::from_integer(&integer))
            .or_else(|| self.refuse(format_args!("float {value}"), cx))
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<T> {
        match encoded {
            Encoded::Integer(text) => self.integer(Integer::Long(text), cx),
            Encoded::Array(array) => match integer_of(&array) {
                Some(integer) => self.integer(integer, cx),
                None => self.refuse(array, cx),
            },
            other => self.refuse(other, cx),
        }
    }
}

/// Returns the integer that a 0-d array holds.
fn integer_of(array: &NumpyEncoding<'_>) -> Option<Integer<'static>> {
    let signed = item::<i64>(array, Cast::Safe).map(Integer::from);
    signed
        .or_else(|_| item::<u64>(array, Cast::Safe).map(Integer::from))
        .ok()
        .or_else(|| whole(item::<f64>(array, Cast::Safe).ok()?))
}

/// Returns the integer that a float is, if it is one.
fn whole(value: f64) -> Option<Integer<'static>> {
    // Without a fraction, this prints each digit of the very value.
    let text = (value.is_finite() && value.fract() == 0.0).then(|| format!("{value:.0}"))?;
    LongIntegerEncoding::new(text).ok().map(Integer::Long)
}
