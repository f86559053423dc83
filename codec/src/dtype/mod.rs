//! NumPy's type grammar: what the `dtype` text of a file says, and how NumPy prints it.

mod datetime;
pub mod element;
mod number;
mod record;

pub use datetime::{DatetimeUnit, TimeUnit};
pub use number::{ByteOrder, MlType, Number};
pub use record::{Field, Record};

/// A NumPy data type, as the text of a file describes it.
///
/// Sizes are in bytes, offsets count from the start of one item.
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
