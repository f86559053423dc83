//! NumPy's type grammar: what the `dtype` text of a file says, and how NumPy prints it.

mod common;
mod datetime;
mod element;
mod error;
mod field;
mod layout;
mod lexer;
mod ml;
mod name;
#[cfg(any(feature = "npy", feature = "flower"))]
mod npy;
mod number;
mod order;
mod parse_record;
mod parser;
#[cfg(any(feature = "flax", feature = "msgpack-numpy"))]
mod plain_name;
mod print;
mod printable;
mod properties;
mod record;
mod repr;
mod scalar;
#[cfg(test)]
mod tests;

pub use datetime::{DatetimeUnit, TimeUnit};
pub use element::*;
pub use error::{DTypeError, DTypeErrorKind};
pub use field::Field;
pub use ml::MlType;
#[cfg(any(feature = "npy", feature = "flower"))]
pub(crate) use npy::NpyHeader;
pub use number::{ByteOrder, Number};
pub use order::Order;
pub use record::Record;
#[cfg(feature = "msgpack-numpy")]
pub(crate) use repr::Repr;
pub(crate) use repr::Shape;

/// A NumPy data type, as the text of a file describes it.
///
/// Sizes are in bytes, offsets count from the start of one item.
///
/// ```
/// use npcodec::dtype::DType;
///
/// let dtype: DType = "[('a', '|i1'), ('', '|V7'), ('b', '<f8')]".parse()?;
/// assert_eq!(dtype.itemsize(), 16);
/// assert_eq!(
///     dtype.text(),
///     "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}"
/// );
/// # Ok::<(), npcodec::dtype::DTypeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DType {
    /// A number or bool: `'<f4'`, `'>i8'`, `'|b1'`.
    Number(Number, ByteOrder),
    /// A type of ml_dtypes, by its name: `'bfloat16'`, `'float8_e4m3fn'`.
    Ml(MlType),
    /// UTF-32 text of a fixed number of characters, NUL-padded: `'<U2'`.
    Unicode(usize, ByteOrder),
    /// A byte string of a fixed length, NUL-padded: `'|S2'`.
    Bytes(usize),
    /// Opaque bytes: `'|V4'`, at the top level `[('', '|V4')]`; some writers say `<V2`.
    Void(usize, ByteOrder),
    /// A point in time, counted in a unit from 1970: `'<M8[ns]'`.
    Datetime(DatetimeUnit, ByteOrder),
    /// A length of time, counted in a unit: `'<m8[25s]'`.
    Timedelta(DatetimeUnit, ByteOrder),
    /// A structured dtype.
    Record(Record),
}
