//! All faults of one derive, reported in one compile.

/// Collects errors until the work is done, so that none of them hides the others.
pub(crate) struct Faults(Option<syn::Error>);

impl Faults {
    /// Runs the work; fails with every fault that it pushed.
    ///
    /// The work returns none only after it has pushed a fault.
    pub(crate) fn collect<T>(work: impl FnOnce(&mut Self) -> Option<T>) -> syn::Result<T> {
        let mut faults = Self(None);
        match (work(&mut faults), faults.0) {
            (_, Some(all)) => Err(all),
            (Some(value), None) => Ok(value),
            (None, None) => unreachable!("gave up without saying why"),
        }
    }

    /// Adds a fault.
    pub(crate) fn push(&mut self, fault: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(fault),
            none => *none = Some(fault),
        }
    }
}
