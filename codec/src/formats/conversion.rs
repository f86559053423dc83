//! What a value may be turned into where a format cannot hold it, each way by its name.

use std::borrow::Cow;

use ndarray::IxDyn;

use crate::array::ArrayElement;
use crate::dtype::{
    ByteOrder, DType, Field, Float8E3M4, Float8E4M3, Float8E4M3B11Fnuz, Float8E4M3Fn,
    Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Float8E8M0Fnu, MlType, Number, Order, Record,
};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::Error;
use crate::path::Path;
use crate::state::Value;

/// A way to turn a value into one that a format can hold.
///
/// A conversion is made only where it was asked for, and only of values that the format cannot hold as
/// they are. Numbers keep their values; what is lost is what kind of thing a value was, which for scalars
/// and opaque bytes a typed read says again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conversion {
    /// Arrays of big-endian numbers, datetimes and texts become little-endian.
    LittleEndian,
    /// Bools and numbers become 0-d arrays of `bool`, `int64`, `uint64`, `float32`, `float64` and
    /// `complex128`.
    ScalarsAsArrays,
    /// Texts become 0-d arrays of a `U` dtype; not those that end with NUL.
    TextAsArrays,
    /// Byte strings become arrays of `uint8`.
    BytesAsArrays,
    /// Lists become maps with the keys `0`, `1` and so on; not empty ones.
    ListsAsMaps,
    /// Integer keys become texts; not where a text of that kind is a key already.
    IntegerKeysAsText,
    /// Integers of more than 64 bits become decimal texts.
    LongIntegersAsText,
    /// Arrays of bfloat16 and of floats of 8 bits become `float32`, which holds each of their values.
    FloatsAsFloat32,
    /// Arrays of the types of ml_dtypes become opaque bytes, `V1` and `V2`, as `numpy.save` has them;
    /// in records, the fields of those types do.
    OpaqueBytes,
    /// Arrays of complex128 become `float64` with one more axis, of the length 2.
    ComplexAsPairs,
    /// Arrays of datetimes and timedeltas become `int64`, without their unit.
    DatetimesAsIntegers,
    /// What is nil is left out of its map.
    LeaveOutNil,
}

/// A value that was converted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted {
    /// Where it was in the state.
    pub path: Path,
    /// What was done.
    pub conversion: Conversion,
}

impl Conversion {
    /// Every conversion.
    pub const ALL: [Self; 12] = [
        Self::LittleEndian,
        Self::ScalarsAsArrays,
        Self::TextAsArrays,
        Self::BytesAsArrays,
        Self::ListsAsMaps,
        Self::IntegerKeysAsText,
        Self::LongIntegersAsText,
        Self::FloatsAsFloat32,
        Self::OpaqueBytes,
        Self::ComplexAsPairs,
        Self::DatetimesAsIntegers,
        Self::LeaveOutNil,
    ];

    /// Converts a value by itself; none if this is no conversion of such a value.
    ///
    /// Keys and nil are matters of the map around them.
    pub(super) fn apply<'v>(self, value: &Value<'v>) -> Option<Value<'v>> {
        match (self, value) {
            (Self::ListsAsMaps, Value::List(items)) if !items.is_empty() => {
                let items = items.iter().enumerate();
                let items = items.map(|(index, item)| (index.to_string(), item.clone()));
                Some(Value::Map(items.collect()))
            }
            (Self::LongIntegersAsText, Value::Integer(Integer::Long(text))) => {
                Some(Value::String(Cow::Owned(text.as_str().to_owned())))
            }
            (Self::ScalarsAsArrays, value) => scalar(value).and_then(Result::ok).map(Value::Array),
            (Self::TextAsArrays, Value::String(text)) => {
                let array = ndarray::arr0(text.as_ref().to_owned());
                let array = NumpyEncoding::from_array(array.view()).ok()?;
                Some(Value::Array(array.into_owned()))
            }
            (Self::BytesAsArrays, Value::Bytes(bytes)) => {
                let dtype = DType::Number(Number::UInt8, ByteOrder::NotApplicable);
                let array =
                    NumpyEncoding::from_dtype(vec![bytes.len()], bytes.to_vec(), dtype, None);
                array.ok().map(Value::Array)
            }
            (_, Value::Array(array)) => self.array(array).and_then(Result::ok).map(Value::Array),
            _ => None,
        }
    }

    fn array(self, array: &NumpyEncoding<'_>) -> Option<Result<NumpyEncoding<'static>, Error>> {
        match (self, array.dtype()) {
            (Self::LittleEndian, dtype) => {
                let (dtype, size) = little(dtype)?;
                let mut data = array.data().to_vec();
                data.chunks_exact_mut(size).for_each(<[u8]>::reverse);
                Some(same_shape(array, data, dtype))
            }
            (Self::FloatsAsFloat32, DType::Ml(ml)) => {
                let data = float32(*ml, array.data())?;
                let dtype = DType::Number(Number::Float32, ByteOrder::Little);
                Some(same_shape(array, data, dtype))
            }
            (Self::OpaqueBytes, dtype) => {
                let dtype = opaque(dtype)?;
                Some(same_shape(array, array.data().to_vec(), dtype))
            }
            (Self::DatetimesAsIntegers, DType::Datetime(_, order) | DType::Timedelta(_, order)) => {
                let dtype = DType::Number(Number::Int64, *order);
                Some(same_shape(array, array.data().to_vec(), dtype))
            }
            (Self::ComplexAsPairs, DType::Number(Number::Complex128, order)) => {
                let mut shape = array.shape().to_vec();
                shape.push(2);
                // The parts of a number stay together: that is row-major order.
                let (rows, label) = (array.row_major().into_owned(), Order::C);
                let label = crate::array::flat_order(&shape, label);
                let dtype = DType::Number(Number::Float64, *order);
                Some(NumpyEncoding::from_dtype(shape, rows, dtype, label))
            }
            _ => None,
        }
    }
}

fn same_shape(
    array: &NumpyEncoding<'_>,
    data: Vec<u8>,
    dtype: DType,
) -> Result<NumpyEncoding<'static>, Error> {
    NumpyEncoding::from_dtype(array.shape().to_vec(), data, dtype, array.order())
}

fn scalar(value: &Value<'_>) -> Option<Result<NumpyEncoding<'static>, Error>> {
    let array = match value {
        Value::Bool(value) => zero_d(*value),
        Value::Integer(Integer::Signed(value)) => zero_d(*value),
        Value::Integer(Integer::Unsigned(value)) => zero_d(*value),
        Value::Float32(value) => zero_d(*value),
        Value::Float64(value) => zero_d(*value),
        Value::Complex(value) => zero_d(*value),
        _ => return None,
    };
    Some(array)
}

fn zero_d<T: ArrayElement>(value: T) -> Result<NumpyEncoding<'static>, Error> {
    let array = ndarray::ArrayD::from_elem(IxDyn(&[]), value);
    Ok(NumpyEncoding::from_array(array.view())?.into_owned())
}

/// Returns a big-endian dtype as a little-endian one, and the size of what has to be turned round.
fn little(dtype: &DType) -> Option<(DType, usize)> {
    const BIG: ByteOrder = ByteOrder::Big;
    const LITTLE: ByteOrder = ByteOrder::Little;
    Some(match dtype {
        DType::Number(number, BIG) => {
            let size = match number {
                // A long double is no number that could be turned round on every machine.
                Number::LongDouble(_) | Number::ComplexLongDouble(_) => return None,
                Number::Complex64 | Number::Complex128 => number.itemsize() / 2,
                _ => number.itemsize(),
            };
            (DType::Number(*number, LITTLE), size)
        }
        DType::Unicode(length, BIG) => (DType::Unicode(*length, LITTLE), 4),
        DType::Datetime(unit, BIG) => (DType::Datetime(*unit, LITTLE), 8),
        DType::Timedelta(unit, BIG) => (DType::Timedelta(*unit, LITTLE), 8),
        _ => return None,
    })
}

/// Returns a dtype with opaque bytes for the types of ml_dtypes; none if it has none of them.
fn opaque(dtype: &DType) -> Option<DType> {
    let record = match dtype {
        DType::Ml(ml) => return Some(DType::Void(ml.itemsize(), ByteOrder::Little)),
        DType::Record(record) => record,
        _ => return None,
    };
    let new: Vec<_> = record.fields().iter().map(|f| opaque(f.dtype())).collect();
    if new.iter().all(Option::is_none) {
        return None;
    }
    let fields = record.fields().iter().zip(new).map(|(field, new)| {
        let dtype = new.unwrap_or_else(|| field.dtype().clone());
        let same = Field::new(field.name(), dtype, field.shape().to_vec(), field.offset());
        match field.title() {
            Some(title) => same.titled(title),
            None => same,
        }
    });
    let record = Record::new(fields.collect(), record.itemsize());
    record.ok().map(DType::Record)
}

/// Returns the same numbers as `float32`; none for what is no float of 8 or 16 bits.
fn float32(ml: MlType, data: &[u8]) -> Option<Vec<u8>> {
    let of_byte: fn(u8) -> f32 = match ml {
        MlType::BFloat16 => {
            // A bfloat16 is the upper half of a float32.
            let halves = data.chunks_exact(2);
            return Some(halves.flat_map(|half| [0, 0, half[0], half[1]]).collect());
        }
        MlType::Float8E3M4 => |bits| Float8E3M4::from_bits(bits).to_f32(),
        MlType::Float8E4M3 => |bits| Float8E4M3::from_bits(bits).to_f32(),
        MlType::Float8E4M3B11Fnuz => |bits| Float8E4M3B11Fnuz::from_bits(bits).to_f32(),
        MlType::Float8E4M3Fn => |bits| Float8E4M3Fn::from_bits(bits).to_f32(),
        MlType::Float8E4M3Fnuz => |bits| Float8E4M3Fnuz::from_bits(bits).to_f32(),
        MlType::Float8E5M2 => |bits| Float8E5M2::from_bits(bits).to_f32(),
        MlType::Float8E5M2Fnuz => |bits| Float8E5M2Fnuz::from_bits(bits).to_f32(),
        MlType::Float8E8M0Fnu => |bits| Float8E8M0Fnu::from_bits(bits).to_f32(),
        _ => return None,
    };
    let values = data.iter().flat_map(|&bits| of_byte(bits).to_le_bytes());
    Some(values.collect())
}
