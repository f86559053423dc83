//! What a dtype says about its items.

use super::{ByteOrder, DType};

impl DType {
    /// Returns the size of an item in bytes.
    #[must_use]
    pub fn itemsize(&self) -> usize {
        match self {
            Self::Number(number, _) => number.itemsize(),
            Self::Ml(ml) => ml.itemsize(),
            Self::Unicode(length, _) => length.saturating_mul(4),
            Self::Bytes(length) | Self::Void(length, _) => *length,
            Self::Datetime(..) | Self::Timedelta(..) => 8,
            Self::Record(record) => record.itemsize(),
        }
    }

    /// Returns what NumPy aligns an item to in a record that is laid out with alignment.
    #[must_use]
    pub fn alignment(&self) -> usize {
        match self {
            Self::Number(number, _) => number.alignment(),
            Self::Ml(ml) => ml.itemsize(),
            Self::Unicode(..) => 4,
            Self::Bytes(_) | Self::Void(..) => 1,
            Self::Datetime(..) | Self::Timedelta(..) => 8,
            Self::Record(record) => record.alignment(),
        }
    }

    /// Returns the order of an item's bytes; for a record, whose fields have their own, none.
    #[must_use]
    pub fn byte_order(&self) -> ByteOrder {
        match self {
            Self::Number(number, _) if number.itemsize() == 1 => ByteOrder::NotApplicable,
            Self::Ml(ml) if ml.itemsize() == 1 => ByteOrder::NotApplicable,
            Self::Ml(_) => ByteOrder::Little,
            Self::Number(_, order)
            | Self::Unicode(_, order)
            | Self::Datetime(_, order)
            | Self::Timedelta(_, order) => order.multibyte(),
            Self::Void(_, order) => *order,
            Self::Bytes(_) | Self::Record(_) => ByteOrder::NotApplicable,
        }
    }

    /// Returns true for bool, integers, floats and complex numbers, long doubles left out.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Number(number, _) if !number.is_opaque())
    }

    /// Returns how many brackets stand inside each other in the text of a field of this dtype.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Record(record) => record.depth(),
            _ => 0,
        }
    }
}
