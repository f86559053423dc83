//! Fields that a file lacks.

use std::marker::PhantomData;

/// What a field is when the file lacks it, found by its type: an `Option` is `None`.
///
/// An inherent method beats a trait's, so that `Absent::<T>::new().absent()` picks the one for
/// `Option` wherever the type is known to be one, through aliases and macros.
#[derive(Debug)]
pub struct Absent<T>(PhantomData<T>);

impl<T> Absent<T> {
    /// Asks for a type.
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Absent<Option<T>> {
    /// Returns `None` as the value of the field.
    #[must_use]
    pub fn absent(self) -> Option<Option<T>> {
        Some(None)
    }
}

/// Every other type has no value of its own.
pub trait AbsentFallback<T> {
    /// Returns nothing.
    #[must_use]
    fn absent(self) -> Option<T>;
}

impl<T> AbsentFallback<T> for Absent<T> {
    fn absent(self) -> Option<T> {
        None
    }
}
