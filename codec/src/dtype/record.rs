//! Structured dtypes: fields, offsets, padding.

use super::DType;

/// A structured dtype: named fields at offsets of an item.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Record {
    fields: Vec<Field>,
    itemsize: usize,
}

/// One field of a structured dtype.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    name: String,
    title: Option<String>,
    dtype: DType,
    shape: Vec<usize>,
    offset: usize,
}
