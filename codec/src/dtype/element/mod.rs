//! What Rust types the items of an array can be, and how their bytes become values.
//!
//! A dtype is resolved once an array, by [`Element::reader`]; every item is then read through what
//! that returned. Whole slices go through [`Items`], whose sizes have been checked.

mod array;
mod boolean;
mod cast;
mod convert;
mod datetime;
mod error;
mod fixed;
mod float8;
mod items;
mod long_double;
mod number;
#[doc(hidden)]
pub mod row;
mod source;
mod text;

pub use cast::Cast;
pub use datetime::{
    Attoseconds, Datetime64, Days, Femtoseconds, Generic, Hours, Microseconds, Milliseconds,
    Minutes, Months, Nanoseconds, Picoseconds, Seconds, Timedelta64, TimedeltaUnit, Weeks, Years,
};
pub use error::{ColumnMismatch, InvalidItem, MismatchKind, ReaderError};
pub use fixed::{Bytes, Void};
pub use float8::{
    E3M4, E4M3, E4M3B11Fnuz, E4M3Fn, E4M3Fnuz, E5M2, E5M2Fnuz, E8M0Fnu, Float8, Float8E3M4,
    Float8E4M3, Float8E4M3B11Fnuz, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Float8E8M0Fnu, Float8Format,
};
pub use items::Items;
pub use long_double::LongDouble;
pub use text::Text;

use super::DType;

/// A type of which arrays are made: numbers, fixed byte strings, times, rows.
///
/// Derive it for rows with `#[derive(Structured)]`. Nothing here panics or allocates more than the
/// bytes at hand justify, whatever the bytes are.
///
/// ```
/// use npcodec::dtype::DType;
/// use npcodec::dtype::{Cast, Element, Items};
///
/// let dtype: DType = "'>f4'".parse()?;
/// let reader = f64::reader(&dtype, Cast::Safe)?;
/// let items = Items::new(&[0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], 4, 2).ok_or("8 bytes")?;
/// assert_eq!(f64::read_all(&reader, items)?, [1.0, -2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the element of a NumPy array",
    label = "not an element",
    note = "elements are numbers, bool, `Bytes<N>`, `Text<N>`, `Void<N>`, times, `[T; N]` of them, and structs that derive `Structured`"
)]
pub trait Element: Clone + Send + Sync + 'static {
    /// How an item of a file's dtype becomes a value: resolved once an array, used for every item.
    type Reader: Send + Sync;

    /// How many bytes an item takes as we write it, the sub-array included.
    const SIZE: usize;

    /// What NumPy aligns the item to in an aligned record.
    const ALIGN: usize = 1;

    /// Returns the dtype as we write it: little-endian and canonical.
    ///
    /// That of `[T; N]` is the dtype of `T`: its lengths are in [`Element::sub_shape`].
    fn dtype() -> DType;

    /// Returns the lengths of a sub-array, outer to inner; empty for everything but `[T; N]`.
    #[must_use]
    fn sub_shape() -> Vec<usize> {
        Vec::new()
    }

    /// Resolves how items of a file's dtype are read.
    ///
    /// # Errors
    ///
    /// [`ReaderError`] if items of this dtype do not become `Self`, not even by the cast.
    fn reader(dtype: &DType, cast: Cast) -> Result<Self::Reader, ReaderError>;

    /// Reads one item, which has the length that the file's dtype says.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] if the bytes are no value of the type, or its length is another one.
    fn read(reader: &Self::Reader, item: &[u8]) -> Result<Self, InvalidItem>;

    /// Writes the value into an item of [`Element::SIZE`] bytes, all of them zero.
    ///
    /// An item of another length is left as it is.
    fn write(&self, item: &mut [u8]);

    /// Returns the memory of the values, where it is what we write for them.
    #[must_use]
    fn as_bytes(_items: &[Self]) -> Option<&[u8]> {
        None
    }

    /// Makes values of memory that is in their form, without a copy; gives it back where it is not.
    ///
    /// # Errors
    ///
    /// The bytes, untouched, if they have another alignment or have to be converted.
    fn adopt(_reader: &Self::Reader, bytes: Vec<u8>) -> Result<Vec<Self>, Vec<u8>> {
        Err(bytes)
    }

    /// Makes values of zero bytes, to be filled through [`bytes_mut`](Element::bytes_mut); none where
    /// memory has no room, or where there are no bytes to fill.
    #[must_use]
    fn blank(_reader: &Self::Reader, _count: usize) -> Option<Vec<Self>> {
        None
    }

    /// Returns the memory of the values, where items of the reader's dtype can be copied into it as
    /// they are.
    #[must_use]
    fn bytes_mut<'m>(_reader: &Self::Reader, _items: &'m mut [Self]) -> Option<&'m mut [u8]> {
        None
    }

    /// Returns true if every item, whatever its bytes, is a value.
    #[must_use]
    fn accepts_all(_reader: &Self::Reader) -> bool {
        false
    }

    /// Borrows the items as values, where they lie aligned and in this machine's form.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] for the first item that is no value of the type.
    fn view<'a>(
        _reader: &Self::Reader,
        _items: Items<'a>,
    ) -> Result<Option<&'a [Self]>, InvalidItem> {
        Ok(None)
    }

    /// Reads all items.
    ///
    /// Items of no bytes cost nothing in a file: the caller has to bound how many there are.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] for the first item that is no value of the type.
    fn read_all(reader: &Self::Reader, items: Items<'_>) -> Result<Vec<Self>, InvalidItem> {
        let mut values = items.room()?;
        for (index, item) in items.iter().enumerate() {
            values.push(Self::read(reader, item).map_err(|invalid| invalid.at(index))?);
        }
        Ok(values)
    }

    /// Reads exactly `N` items, as sub-arrays need them.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] for the first item that is no value of the type, or if there are not `N`.
    fn read_array<const N: usize>(
        reader: &Self::Reader,
        items: Items<'_>,
    ) -> Result<[Self; N], InvalidItem> {
        items.expect_count(N)?;
        let values = Self::read_all(reader, items)?;
        let found = values.len();
        values
            .try_into()
            .map_err(|_| InvalidItem::of_count(found, N))
    }

    /// Reads all items into values that are there already; some may be overwritten on failure.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] for the first item that is no value of the type, or if `out` has another
    /// length.
    fn read_into(
        reader: &Self::Reader,
        items: Items<'_>,
        out: &mut [Self],
    ) -> Result<(), InvalidItem> {
        items.expect_count(out.len())?;
        for (index, (item, value)) in items.iter().zip(out).enumerate() {
            *value = Self::read(reader, item).map_err(|invalid| invalid.at(index))?;
        }
        Ok(())
    }

    /// Checks that every item is a value of the type.
    ///
    /// # Errors
    ///
    /// [`InvalidItem`] for the first item that is no value of the type.
    fn check(reader: &Self::Reader, items: Items<'_>) -> Result<(), InvalidItem> {
        if Self::accepts_all(reader) {
            return Ok(());
        }
        for (index, item) in items.distinct().enumerate() {
            Self::read(reader, item).map_err(|invalid| invalid.at(index))?;
        }
        Ok(())
    }

    /// Appends the values as we write them.
    fn write_all<'a>(items: impl Iterator<Item = &'a Self>, out: &mut Vec<u8>)
    where
        Self: 'a,
    {
        for item in items {
            let start = out.len();
            out.resize(start.saturating_add(Self::SIZE), 0);
            if let Some(place) = out.get_mut(start..) {
                item.write(place);
            }
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// An element that Dopamine's compressed records can hold: bool, integers, floats, complex.
///
/// Those records store a plain type code, so rows and the types of ml_dtypes are not among them.
pub trait PlainElement: Element + Send + Sync + sealed::Sealed {}

macro_rules! plain {
    ($($type:ty),*) => {$(
        impl sealed::Sealed for $type {}
        impl PlainElement for $type {}
    )*};
}

plain!(
    bool,
    i8,
    i16,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    half::f16,
    f32,
    f64
);
plain!(num_complex::Complex<f32>, num_complex::Complex<f64>);
