//! Points and lengths of time, counted in a unit that is part of the type.

use std::fmt;
use std::marker::PhantomData;

use super::sealed::Sealed;
use super::{Cast, Element, InvalidItem, ReaderError};
use crate::dtype::{ByteOrder, DType, DatetimeUnit, TimeUnit};

/// A unit of NumPy's times; one marker each.
pub trait TimedeltaUnit:
    Sealed + Copy + Eq + Ord + std::hash::Hash + Send + Sync + 'static
{
    /// The unit; none for [`Generic`].
    const UNIT: Option<TimeUnit>;
}

macro_rules! units {
    ($($marker:ident, $unit:expr, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $marker;

        impl Sealed for $marker {}

        impl TimedeltaUnit for $marker {
            const UNIT: Option<TimeUnit> = $unit;
        }
    )*};
}

units! {
    Generic, None, "No unit: `<m8`.";
    Years, Some(TimeUnit::Year), "`Y`";
    Months, Some(TimeUnit::Month), "`M`";
    Weeks, Some(TimeUnit::Week), "`W`";
    Days, Some(TimeUnit::Day), "`D`";
    Hours, Some(TimeUnit::Hour), "`h`";
    Minutes, Some(TimeUnit::Minute), "`m`";
    Seconds, Some(TimeUnit::Second), "`s`";
    Milliseconds, Some(TimeUnit::Millisecond), "`ms`";
    Microseconds, Some(TimeUnit::Microsecond), "`us`";
    Nanoseconds, Some(TimeUnit::Nanosecond), "`ns`";
    Picoseconds, Some(TimeUnit::Picosecond), "`ps`";
    Femtoseconds, Some(TimeUnit::Femtosecond), "`fs`";
    Attoseconds, Some(TimeUnit::Attosecond), "`as`";
}

fn unit<U: TimedeltaUnit, const MULTIPLE: u32>() -> DatetimeUnit {
    const { assert!(MULTIPLE > 0, "one count stands for at least one unit") };
    const {
        assert!(
            MULTIPLE == 1 || U::UNIT.is_some(),
            "without a unit there is nothing to multiply"
        );
    };
    match U::UNIT {
        None => DatetimeUnit::Generic,
        Some(unit) => DatetimeUnit::Counted {
            multiple: MULTIPLE,
            unit,
        },
    }
}

/// In which order the bytes of a time lie.
#[derive(Debug, Clone, Copy)]
pub struct TimeReader {
    big: bool,
}

macro_rules! times {
    ($($(#[$doc:meta])* $type:ident, $variant:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $type<U, const MULTIPLE: u32 = 1> {
            /// How many counts it is.
            pub count: i64,
            unit: PhantomData<U>,
        }

        impl<U: TimedeltaUnit, const MULTIPLE: u32> $type<U, MULTIPLE> {
            /// "Not a time", the value that NumPy prints as `NaT`.
            pub const NAT: Self = Self::new(i64::MIN);

            /// Makes the value of so many counts.
            #[must_use]
            pub const fn new(count: i64) -> Self {
                Self { count, unit: PhantomData }
            }

            /// Returns true for [`Self::NAT`].
            #[must_use]
            pub const fn is_nat(self) -> bool {
                self.count == i64::MIN
            }
        }

        impl<U: TimedeltaUnit, const MULTIPLE: u32> fmt::Debug for $type<U, MULTIPLE> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, dtype) = (stringify!($type), Self::dtype());
                match self.is_nat() {
                    true => write!(f, "{name}(NaT, {dtype})"),
                    false => write!(f, "{name}({}, {dtype})", self.count),
                }
            }
        }

        impl<U: TimedeltaUnit, const MULTIPLE: u32> Element for $type<U, MULTIPLE> {
            type Reader = TimeReader;

            const SIZE: usize = 8;
            const ALIGN: usize = 8;

            fn dtype() -> DType {
                DType::$variant(unit::<U, MULTIPLE>(), ByteOrder::Little)
            }

            fn reader(dtype: &DType, _cast: Cast) -> Result<TimeReader, ReaderError> {
                match dtype {
                    DType::$variant(found, order) if *found == unit::<U, MULTIPLE>() => {
                        Ok(TimeReader { big: *order == ByteOrder::Big })
                    }
                    _ => Err(ReaderError::dtype(&Self::dtype(), dtype, None)),
                }
            }

            fn read(reader: &TimeReader, item: &[u8]) -> Result<Self, InvalidItem> {
                let bytes = <[u8; 8]>::try_from(item)
                    .map_err(|_| InvalidItem::of_size(item.len(), 8))?;
                Ok(Self::new(match reader.big {
                    true => i64::from_be_bytes(bytes),
                    false => i64::from_le_bytes(bytes),
                }))
            }

            fn write(&self, item: &mut [u8]) {
                let bytes = self.count.to_le_bytes();
                if item.len() == bytes.len() {
                    item.copy_from_slice(&bytes);
                }
            }

            fn accepts_all(_reader: &TimeReader) -> bool {
                true
            }
        }
    )*};
}

times! {
    /// A point in time, counted from the start of 1970: `datetime64` of NumPy.
    ///
    /// Files have to hold the very unit: `Datetime64<Seconds, 25>` is `<M8[25s]`.
    Datetime64, Datetime;
    /// A length of time: `timedelta64` of NumPy.
    ///
    /// Files have to hold the very unit: `Timedelta64<Seconds, 25>` is `<m8[25s]`.
    Timedelta64, Timedelta;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_has_to_be_the_same() {
        let found = <Timedelta64<Seconds, 25>>::dtype();
        assert!(<Timedelta64<Seconds, 25>>::reader(&found, Cast::Exact).is_ok());
        assert!(<Timedelta64<Seconds>>::reader(&found, Cast::Lossy).is_err());
        assert!(<Datetime64<Seconds, 25>>::reader(&found, Cast::Exact).is_err());
        assert_eq!(
            <Timedelta64<Generic>>::dtype(),
            DType::Timedelta(DatetimeUnit::Generic, ByteOrder::Little)
        );
    }

    #[test]
    fn times_are_printed_with_their_units() {
        let printed = format!("{:?}", <Datetime64<Seconds, 25>>::new(-7));
        assert_eq!(printed, "Datetime64(-7, '<M8[25s]')");
        let printed = format!("{:?}", <Timedelta64<Nanoseconds>>::NAT);
        assert_eq!(printed, "Timedelta64(NaT, '<m8[ns]')");
    }

    #[test]
    fn not_a_time_is_the_smallest_count() {
        let mut item = [0; 8];
        <Datetime64<Nanoseconds>>::NAT.write(&mut item);
        assert_eq!(item, [0, 0, 0, 0, 0, 0, 0, 0x80]);
    }
}
