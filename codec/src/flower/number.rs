//! What the numbers of both kinds of values have in common.

/// Returns the integers with signs, if all are below 2^63.
pub(super) fn signed(items: &[u64]) -> Option<Vec<i64>> {
    let items = items.iter().map(|&item| i64::try_from(item).ok());
    items.collect()
}

/// Makes values of Rust's numbers, in the form that they are read in.
macro_rules! from {
    ($value:ident) => {
        $crate::flower::number::from!($value:
            i8 => |value| Self::Int(value.into());
            i16 => |value| Self::Int(value.into());
            i32 => |value| Self::Int(value.into());
            i64 => |value| Self::Int(value);
            u8 => |value| Self::Int(value.into());
            u16 => |value| Self::Int(value.into());
            u32 => |value| Self::Int(value.into());
            u64 => |value| i64::try_from(value).map_or(Self::Uint(value), Self::Int);
            f32 => |value| Self::Float($crate::flower::number::widen(value));
            f64 => |value| Self::Float(value);
            Vec<i32> => |items| Self::IntList(items.into_iter().map(i64::from).collect()).canonical();
            Vec<u32> => |items| Self::IntList(items.into_iter().map(i64::from).collect()).canonical();
            Vec<i64> => |items| Self::IntList(items).canonical();
            Vec<u64> => |items| match $crate::flower::number::signed(&items) {
                Some(items) => Self::IntList(items).canonical(),
                None => Self::UintList(items),
            };
            Vec<f32> => |items| Self::FloatList(
                items.into_iter().map($crate::flower::number::widen).collect()
            ).canonical();
            Vec<f64> => |items| Self::FloatList(items).canonical();
        );
    };
    ($value:ident: $($from:ty => |$given:ident| $made:expr;)*) => {
        $(impl From<$from> for $value {
            fn from($given: $from) -> Self {
                $made
            }
        })*
    };
}

pub(super) use from;

/// Returns the same number in 64 bits, of a NaN the same bits: the conversion of the language need not
/// keep those.
pub(super) fn widen(value: f32) -> f64 {
    if !value.is_nan() {
        return value.into();
    }
    let bits = u64::from(value.to_bits());
    let (sign, mantissa) = (bits >> 31 << 63, (bits & 0x007f_ffff) << 29);
    f64::from_bits(sign | 0x7ff << 52 | mantissa)
}
