//! Integers, floats and complex numbers: whole slices at the speed of memory.

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex;

use super::convert::Convert;
use super::error::label;
use super::source::{Range, Source};
use super::{Cast, Element, InvalidItem, Items, ReaderError};
use crate::dtype::{ByteOrder, DType, MlType, Number};

/// How the numbers of one dtype are read.
#[derive(Debug, Clone, Copy)]
pub struct NumberReader(Way);

#[derive(Debug, Clone, Copy)]
enum Way {
    /// The bytes are this machine's.
    Native,
    /// The bytes are those of a machine of the other kind.
    Swapped,
    Cast {
        source: Source,
        lossy: bool,
        total: bool,
    },
}

const LITTLE: bool = cfg!(target_endian = "little");

/// A number with a memory form that is also its wire form, but for the order of bytes.
trait Plain: Pod + Element<Reader = NumberReader> + Convert {
    /// Returns the byte order if the dtype is that of the type.
    fn order(dtype: &DType) -> Option<ByteOrder>;

    fn swapped(self) -> Self;
}

fn reader<T: Plain>(dtype: &DType, cast: Cast) -> Result<NumberReader, ReaderError> {
    if let Some(order) = T::order(dtype) {
        let native = size_of::<T>() == 1 || (order != ByteOrder::Big) == LITTLE;
        let way = if native { Way::Native } else { Way::Swapped };
        return Ok(NumberReader(way));
    }
    let own = T::dtype();
    match cast_of(&own, dtype, cast) {
        Some(way) => Ok(NumberReader(way)),
        None => Err(ReaderError::dtype(&own, dtype, cast_hint(&own, dtype))),
    }
}

fn cast_of(own: &DType, dtype: &DType, cast: Cast) -> Option<Way> {
    let (from, to) = (Range::of(dtype)?, Range::of(own)?);
    let source = Source::of(dtype)?;
    let possible = to.is_complex() || !from.is_complex();
    let total = from.fits(to) && source.accepts_all();
    (possible && cast != Cast::Exact).then_some(Way::Cast {
        source,
        lossy: cast == Cast::Lossy,
        total,
    })
}

/// Returns which cast would help, for a dtype that was refused.
pub(super) fn cast_hint(own: &DType, dtype: &DType) -> Option<&'static str> {
    Range::of(dtype)?.hint(Range::of(own)?)
}

/// Loads and converts one number of another kind.
pub(super) fn cast_item<T: Element + Convert>(
    source: Source,
    lossy: bool,
    item: &[u8],
) -> Result<T, InvalidItem> {
    let wide = source.load(item)?;
    T::convert(wide, lossy).ok_or_else(|| {
        let dtype = label(&T::dtype());
        let rounds = "; `cast = \"lossy\"` rounds";
        let helps = !lossy && T::convert(wide, true).is_some();
        let advice = if helps { rounds } else { "" };
        InvalidItem::new(
            wide.to_string(),
            format!("a value that `{dtype}` holds{advice}"),
        )
    })
}

fn read<T: Plain>(reader: NumberReader, item: &[u8]) -> Result<T, InvalidItem> {
    let swap = match reader.0 {
        Way::Native => false,
        Way::Swapped => true,
        Way::Cast { source, lossy, .. } => return cast_item(source, lossy, item),
    };
    let value: T = bytemuck::try_pod_read_unaligned(item)
        .map_err(|_| InvalidItem::of_size(item.len(), size_of::<T>()))?;
    Ok(if swap { value.swapped() } else { value })
}

fn read_into<T: Plain>(
    reader: NumberReader,
    items: Items<'_>,
    out: &mut [T],
) -> Result<(), InvalidItem> {
    items.expect_count(out.len())?;
    if let Way::Cast { source, lossy, .. } = reader.0 {
        for (index, (item, value)) in items.iter().zip(out).enumerate() {
            *value = cast_item(source, lossy, item).map_err(|invalid| invalid.at(index))?;
        }
        return Ok(());
    }
    if items.count() > 0 {
        items.expect_size(size_of::<T>())?;
    }
    bytemuck::cast_slice_mut::<T, u8>(out).copy_from_slice(items.bytes());
    if matches!(reader.0, Way::Swapped) {
        for value in out {
            *value = value.swapped();
        }
    }
    Ok(())
}

fn read_all<T: Plain>(reader: NumberReader, items: Items<'_>) -> Result<Vec<T>, InvalidItem> {
    // No number takes no bytes, so that the count is as honest as the length is.
    if items.itemsize() == 0 {
        items.expect_count(0)?;
    }
    if let Way::Native = reader.0 {
        items.expect_native(size_of::<T>())?;
        let mut values = items.room()?;
        match bytemuck::try_cast_slice(items.bytes()) {
            Ok(aligned) => values.extend_from_slice(aligned),
            // Copied by value: bytes that are made zero first are gone over twice.
            Err(_) => values.extend(
                items
                    .bytes()
                    .chunks_exact(size_of::<T>())
                    .map(bytemuck::pod_read_unaligned::<T>),
            ),
        }
        return Ok(values);
    }
    let mut values = bytemuck::try_zeroed_vec(items.count()).map_err(|()| items.no_memory())?;
    read_into(reader, items, &mut values)?;
    Ok(values)
}

fn check<T: Plain>(reader: NumberReader, items: Items<'_>) -> Result<(), InvalidItem> {
    match reader.0 {
        Way::Native | Way::Swapped => items.expect_size(size_of::<T>()),
        Way::Cast { total: true, .. } => Ok(()),
        Way::Cast { source, lossy, .. } => {
            for (index, item) in items.distinct().enumerate() {
                cast_item::<T>(source, lossy, item).map_err(|invalid| invalid.at(index))?;
            }
            Ok(())
        }
    }
}

macro_rules! numbers {
    ($($type:ty: $own:expr, $same:pat => $order:expr, align $align:expr, $swap:expr;)*) => {$(
        impl Plain for $type {
            fn order(dtype: &DType) -> Option<ByteOrder> {
                match dtype {
                    $same => Some($order),
                    _ => None,
                }
            }

            fn swapped(self) -> Self {
                $swap(self)
            }
        }

        impl Element for $type {
            type Reader = NumberReader;

            const SIZE: usize = size_of::<Self>();
            const ALIGN: usize = $align;

            #[inline]
            fn dtype() -> DType {
                $own
            }

            fn reader(dtype: &DType, cast: Cast) -> Result<NumberReader, ReaderError> {
                reader::<Self>(dtype, cast)
            }

            fn read(reader: &NumberReader, item: &[u8]) -> Result<Self, InvalidItem> {
                read(*reader, item)
            }

            fn write(&self, item: &mut [u8]) {
                let value = if LITTLE { *self } else { self.swapped() };
                let bytes = bytemuck::bytes_of(&value);
                if item.len() == bytes.len() {
                    item.copy_from_slice(bytes);
                }
            }

            #[inline]
            fn as_bytes(items: &[Self]) -> Option<&[u8]> {
                LITTLE.then(|| bytemuck::cast_slice(items))
            }

            fn adopt(reader: &NumberReader, bytes: Vec<u8>) -> Result<Vec<Self>, Vec<u8>> {
                match reader.0 {
                    Way::Native => {
                        bytemuck::allocation::try_cast_vec(bytes).map_err(|(_, bytes)| bytes)
                    }
                    _ => Err(bytes),
                }
            }

            fn blank(reader: &NumberReader, count: usize) -> Option<Vec<Self>> {
                matches!(reader.0, Way::Native).then_some(())?;
                bytemuck::try_zeroed_vec(count).ok()
            }

            fn bytes_mut<'m>(
                reader: &NumberReader,
                items: &'m mut [Self],
            ) -> Option<&'m mut [u8]> {
                matches!(reader.0, Way::Native).then(|| bytemuck::cast_slice_mut(items))
            }

            fn accepts_all(reader: &NumberReader) -> bool {
                !matches!(reader.0, Way::Cast { total: false, .. })
            }

            fn view<'a>(
                reader: &NumberReader,
                items: Items<'a>,
            ) -> Result<Option<&'a [Self]>, InvalidItem> {
                let native = matches!(reader.0, Way::Native);
                if !native || items.itemsize() != Self::SIZE {
                    return Ok(None);
                }
                Ok(bytemuck::try_cast_slice(items.bytes()).ok())
            }

            fn read_all(
                reader: &NumberReader,
                items: Items<'_>,
            ) -> Result<Vec<Self>, InvalidItem> {
                read_all(*reader, items)
            }

            fn read_array<const N: usize>(
                reader: &NumberReader,
                items: Items<'_>,
            ) -> Result<[Self; N], InvalidItem> {
                let mut values = [<Self as bytemuck::Zeroable>::zeroed(); N];
                read_into(*reader, items, &mut values)?;
                Ok(values)
            }

            fn read_into(
                reader: &NumberReader,
                items: Items<'_>,
                out: &mut [Self],
            ) -> Result<(), InvalidItem> {
                read_into(*reader, items, out)
            }

            fn check(reader: &NumberReader, items: Items<'_>) -> Result<(), InvalidItem> {
                check::<Self>(*reader, items)
            }

            fn write_all<'a>(items: impl Iterator<Item = &'a Self>, out: &mut Vec<u8>) {
                for item in items {
                    let value = if LITTLE { *item } else { item.swapped() };
                    out.extend_from_slice(bytemuck::bytes_of(&value));
                }
            }
        }
    )*};
}

const fn little(number: Number) -> DType {
    DType::Number(number, ByteOrder::Little)
}

const fn byte(number: Number) -> DType {
    DType::Number(number, ByteOrder::NotApplicable)
}

fn swap_parts<T>(value: Complex<T>, swap: impl Fn(T) -> T) -> Complex<T> {
    Complex::new(swap(value.re), swap(value.im))
}

fn swap_f32(value: f32) -> f32 {
    f32::from_bits(value.to_bits().swap_bytes())
}

fn swap_f64(value: f64) -> f64 {
    f64::from_bits(value.to_bits().swap_bytes())
}

numbers! {
    i8: byte(Number::Int8), DType::Number(Number::Int8, order) => *order, align 1, i8::swap_bytes;
    u8: byte(Number::UInt8), DType::Number(Number::UInt8, order) => *order, align 1, u8::swap_bytes;
    i16: little(Number::Int16), DType::Number(Number::Int16, order) => *order, align 2, i16::swap_bytes;
    u16: little(Number::UInt16), DType::Number(Number::UInt16, order) => *order, align 2, u16::swap_bytes;
    i32: little(Number::Int32), DType::Number(Number::Int32, order) => *order, align 4, i32::swap_bytes;
    u32: little(Number::UInt32), DType::Number(Number::UInt32, order) => *order, align 4, u32::swap_bytes;
    i64: little(Number::Int64), DType::Number(Number::Int64, order) => *order, align 8, i64::swap_bytes;
    u64: little(Number::UInt64), DType::Number(Number::UInt64, order) => *order, align 8, u64::swap_bytes;
    f16: little(Number::Float16), DType::Number(Number::Float16, order) => *order, align 2,
        |value: f16| f16::from_bits(value.to_bits().swap_bytes());
    // A void of two bytes is what NumPy calls a bfloat16 in its own dtype texts.
    bf16: DType::Ml(MlType::BFloat16),
        DType::Ml(MlType::BFloat16) | DType::Void(2, _) => ByteOrder::Little, align 2,
        |value: bf16| bf16::from_bits(value.to_bits().swap_bytes());
    f32: little(Number::Float32), DType::Number(Number::Float32, order) => *order, align 4, swap_f32;
    f64: little(Number::Float64), DType::Number(Number::Float64, order) => *order, align 8, swap_f64;
    Complex<f32>: little(Number::Complex64), DType::Number(Number::Complex64, order) => *order, align 4,
        |value| swap_parts(value, swap_f32);
    Complex<f64>: little(Number::Complex128), DType::Number(Number::Complex128, order) => *order, align 8,
        |value| swap_parts(value, swap_f64);
}

#[cfg(test)]
mod tests;
