//! Gathers every fault of one derive, so that one compile shows them all.

use proc_macro2::Span;

/// The faults found so far.
#[derive(Debug)]
pub(crate) struct Faults(Option<syn::Error>);

impl Faults {
    /// Runs `work` and gives its value, or every fault that it pushed.
    ///
    /// `work` may only give up (`None`) after it has pushed a fault.
    pub(crate) fn collect<T>(work: impl FnOnce(&mut Self) -> Option<T>) -> syn::Result<T> {
        let mut faults = Self(None);
        match (work(&mut faults), faults.0) {
            (_, Some(all)) => Err(all),
            (Some(value), None) => Ok(value),
            (None, None) => unreachable!("gave up without saying why"),
        }
    }

    /// Notes a fault.
    pub(crate) fn push(&mut self, fault: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(fault),
            None => self.0 = Some(fault),
        }
    }

    /// Notes a fault at `span`.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// The value of `result`; its fault is noted.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|fault| self.push(fault)).ok()
    }
}
