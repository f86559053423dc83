//! Bool, integers of up to 64 bits, floats and complex numbers.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use half::{bf16, f16};
use num_complex::Complex;
use serde::de::{Deserializer, SeqAccess};

use super::rows::{item, restore_rows, save_rows, save_scalar, save_split_rows, stage_rows};
use crate::checkpoint::block::{NEEDS_ARRAY, refuse_encoded, restore_elements, stage_list};
use crate::checkpoint::context::Context;
use crate::checkpoint::mode::{Deep, Ordinary, form};
use crate::checkpoint::plan::Plan;
use crate::checkpoint::save::save_split_list;
use crate::checkpoint::sink::Sink;
use crate::checkpoint::visit::{Expect, visit};
use crate::checkpoint::{Restore, Save};
use crate::dtype::{ByteOrder, Cast, DType, Element, Number};
use crate::encoding::{Encoded, Integer};
use crate::state::Value;

/// A number that a field can be.
trait Scalar: Element {
    /// What Rust calls it.
    const NAME: &'static str;

    /// Writes the number as MessagePack holds it, or as a 0-d array where it cannot.
    fn save_native<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error>;

    /// Takes a bool, which only a bool is.
    fn from_bool(_: bool) -> Option<Self> {
        None
    }

    /// Writes a run of items that is no array: a list for everything but bytes.
    fn save_run<'a, M, S: Sink<'a>>(
        halves: [&'a [Self]; 2],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error>
    where
        Self: Save<M>,
    {
        save_split_list::<Self, M, S>(halves, extents, sink)
    }

    /// Reads a run of items that is no array.
    fn restore_run<'de, M, D: Deserializer<'de>>(
        deserializer: D,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, D::Error>
    where
        Self: Restore<'de, M>,
    {
        restore_elements::<Self, M, D>(deserializer, extents, cx)
    }
}

/// Reads a number out of the bytes of another one, where that keeps its value or may round it.
fn convert<T: Element>(number: Number, bytes: &[u8], cast: Cast) -> Option<T> {
    let reader = T::reader(&DType::Number(number, ByteOrder::Little), cast).ok()?;
    T::read(&reader, bytes).ok()
}

/// Fields take every form of a number that keeps its value; only rounding must be asked for.
fn at_least_safe(cast: Cast) -> Cast {
    match cast {
        Cast::Exact => Cast::Safe,
        cast => cast,
    }
}

struct Expected<T>(PhantomData<T>);

impl<T: Scalar> Expected<T> {
    fn accept<V: fmt::Display>(
        self,
        value: V,
        convert: impl Fn(Cast) -> Option<T>,
        cx: &Context<'_>,
    ) -> Option<T> {
        let converted = convert(at_least_safe(cx.cast()));
        if converted.is_none() {
            let advice = if convert(Cast::Lossy).is_some() {
                " (`cast = \"lossy\"` rounds it)"
            } else {
                ""
            };
            cx.mismatch(
                format!("a number that fits {}", T::NAME),
                format!("{value}{advice}"),
            );
        }
        converted
    }
}

impl<'de, T: Scalar> Expect<'de> for Expected<T> {
    type Output = T;

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", T::NAME)
    }

    fn bool(self, value: bool, cx: &Context<'_>) -> Option<T> {
        T::from_bool(value).or_else(|| self.refuse(value, cx))
    }

    fn integer(self, value: Integer<'de>, cx: &Context<'_>) -> Option<T> {
        // A decimal text may hold what would fit a native integer.
        let native = value.to_i128().map(Integer::from);
        let convert = |cast| match native.as_ref().unwrap_or(&value) {
            Integer::Signed(value) => convert(Number::Int64, &value.to_le_bytes(), cast),
            Integer::Unsigned(value) => convert(Number::UInt64, &value.to_le_bytes(), cast),
            Integer::Long(text) => {
                let float: f64 = text.as_str().parse().ok()?;
                let is_exact = format!("{float:.0}") == text.to_bigint().to_string();
                let float = Some(float).filter(|float| {
                    float.is_finite() && (is_exact || matches!(cast, Cast::Lossy))
                })?;
                convert(Number::Float64, &float.to_le_bytes(), cast)
            }
        };
        self.accept(&value, convert, cx)
    }

    fn float(self, value: f64, cx: &Context<'_>) -> Option<T> {
        let bytes = value.to_le_bytes();
        self.accept(value, |cast| convert(Number::Float64, &bytes, cast), cx)
    }

    /// By its own bytes: a NaN would be another one after the way through 64 bits.
    fn float32(self, value: f32, cx: &Context<'_>) -> Option<T> {
        let bytes = value.to_le_bytes();
        let convert = |cast| convert(Number::Float32, &bytes, cast);
        self.accept(f64::from(value), convert, cx)
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<T> {
        match encoded {
            Encoded::Integer(text) => self.integer(Integer::Long(text), cx),
            Encoded::Array(array) if array.shape().is_empty() => {
                match item(&array, at_least_safe(cx.cast())) {
                    Ok(item) => Some(item),
                    Err(error) => {
                        cx.refuse(error);
                        None
                    }
                }
            }
            other => self.refuse(other, cx),
        }
    }
}

macro_rules! scalars {
    ($($type:ty),* $(,)?) => {$(
        impl<F: Ordinary> Save<Deep<F>> for $type {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                self.save_native(sink)
            }

            fn save_block<'a, S: Sink<'a>>(
                items: &'a [Self],
                extents: &[usize],
                sink: S,
            ) -> Result<S::Ok, S::Error> {
                if F::ARRAYS {
                    save_rows(items, extents, None, sink)
                } else {
                    <Self as Scalar>::save_run::<Deep<F>, S>([items, &[]], extents, sink)
                }
            }

            fn save_split<'a, S: Sink<'a>>(
                halves: [&'a [Self]; 2],
                extents: &[usize],
                sink: S,
            ) -> Result<S::Ok, S::Error> {
                if F::ARRAYS {
                    save_split_rows(halves, extents, None, sink)
                } else {
                    <Self as Scalar>::save_run::<Deep<F>, S>(halves, extents, sink)
                }
            }
        }

        impl Save<Deep<form::Scalar>> for $type {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                save_scalar(self, sink)
            }
        }

        impl<'de, F: Ordinary> Restore<'de, Deep<F>> for $type {
            const REPLACED: bool = !F::ARRAYS;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                visit(deserializer, Expected(PhantomData), cx)
            }

            fn restore_block<D: Deserializer<'de>>(
                deserializer: D,
                extents: &[Option<usize>],
                cx: &Context<'_>,
            ) -> Result<Option<Vec<Self>>, D::Error> {
                if F::ARRAYS {
                    restore_rows(deserializer, extents, cx)
                } else {
                    <Self as Scalar>::restore_run::<Deep<F>, D>(deserializer, extents, cx)
                }
            }

            fn stage_block<'s>(
                items: &'s mut [Self],
                extents: &[usize],
                value: &Value<'de>,
                cx: &Context<'_>,
                plan: &mut Plan<'s>,
            ) where
                'de: 's,
            {
                if F::ARRAYS {
                    stage_rows(items, extents, value, cx, plan);
                } else {
                    stage_list::<Self, Deep<F>>(items, extents, value, cx, plan);
                }
            }
        }

        impl<'de> Restore<'de, Deep<form::Scalar>> for $type {
            const REPLACED: bool = true;

            fn restore<D: Deserializer<'de>>(
                deserializer: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                visit(deserializer, Expected(PhantomData), cx)
            }
        }
    )*};
}

scalars!(
    bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64
);
scalars!(Complex<f32>, Complex<f64>);

macro_rules! native {
    ($($type:ty => |$value:ident, $sink:ident| $saved:expr;)*) => {$(
        impl Scalar for $type {
            const NAME: &'static str = stringify!($type);

            fn save_native<'a, S: Sink<'a>>(&'a self, $sink: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                $saved
            }
        }
    )*};
}

native! {
    i8 => |value, sink| sink.integer(i64::from(*value).into());
    i16 => |value, sink| sink.integer(i64::from(*value).into());
    i32 => |value, sink| sink.integer(i64::from(*value).into());
    i64 => |value, sink| sink.integer((*value).into());
    u16 => |value, sink| sink.integer(u64::from(*value).into());
    u32 => |value, sink| sink.integer(u64::from(*value).into());
    u64 => |value, sink| sink.integer((*value).into());
    f16 => |value, sink| save_scalar(value, sink);
    bf16 => |value, sink| save_scalar(value, sink);
    f32 => |value, sink| sink.float32(*value);
    f64 => |value, sink| sink.float64(*value);
    Complex<f32> => |value, sink| save_scalar(value, sink);
    Complex<f64> => |value, sink| save_scalar(value, sink);
}

impl Scalar for bool {
    const NAME: &'static str = "bool";

    fn save_native<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.bool(*self)
    }

    fn from_bool(value: bool) -> Option<Self> {
        Some(value)
    }
}

/// Runs of bytes are byte strings.
impl Scalar for u8 {
    const NAME: &'static str = "u8";

    fn save_native<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        sink.integer(u64::from(*self).into())
    }

    fn save_run<'a, M, S: Sink<'a>>(
        halves: [&'a [Self]; 2],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error>
    where
        Self: Save<M>,
    {
        match (extents, halves) {
            ([_], [bytes, []]) => sink.bytes(Cow::Borrowed(bytes)),
            ([_], _) => sink.bytes(Cow::Owned(halves.concat())),
            _ => save_split_list::<Self, M, S>(halves, extents, sink),
        }
    }

    fn restore_run<'de, M, D: Deserializer<'de>>(
        deserializer: D,
        extents: &[Option<usize>],
        cx: &Context<'_>,
    ) -> Result<Option<Vec<Self>>, D::Error>
    where
        Self: Restore<'de, M>,
    {
        match extents {
            [length] => visit(deserializer, Bytes(*length), cx),
            _ => restore_elements::<Self, M, D>(deserializer, extents, cx),
        }
    }
}

/// A byte string of a length, or the list of integers that other writers make of one.
struct Bytes(Option<usize>);

impl<'de> Expect<'de> for Bytes {
    type Output = Vec<u8>;

    fn takes_lists(&self) -> bool {
        true
    }

    fn expected(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(length) => write!(f, "{length} bytes"),
            None => f.write_str("bytes"),
        }
    }

    fn bytes(self, bytes: Cow<'de, [u8]>, cx: &Context<'_>) -> Option<Vec<u8>> {
        if self.0.is_some_and(|length| length != bytes.len()) {
            return self.refuse(format_args!("{} bytes", bytes.len()), cx);
        }
        Some(bytes.into_owned())
    }

    fn encoded(self, encoded: Encoded<'de>, cx: &Context<'_>) -> Option<Vec<u8>> {
        refuse_encoded(self, encoded, NEEDS_ARRAY, cx)
    }

    fn list<A: SeqAccess<'de>>(
        self,
        seq: A,
        cx: &Context<'_>,
    ) -> Result<Option<Vec<u8>>, A::Error> {
        let list = serde::de::value::SeqAccessDeserializer::new(seq);
        restore_elements::<u8, crate::checkpoint::mode::Native, _>(list, &[self.0], cx)
    }
}

/// Integers are native in any case where 64 bits hold them.
macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Save<Deep<form::Integer>> for $type {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                self.save_native(sink)
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
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);
