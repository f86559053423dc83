//! `#[derive(Checkpoint)]`: parse and check, which may fail; then expand, which cannot.

mod ast;
mod attr;
mod bound;
mod case;
mod check;
mod expand;
mod fallback;
mod leftover;
mod meta;
mod receiver;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::{faults::Faults, krate};

/// The expansion of the derive for `input`.
pub(crate) fn derive(input: DeriveInput) -> TokenStream {
    let input = receiver::replace(input);
    let mut attrs = None;
    let item = Faults::collect(|faults| {
        let attrs = attrs.insert(attr::ContainerAttrs::parse(faults, &input.attrs));
        let item = ast::Container::parse(faults, attrs, &input)?;
        check::check(faults, &item);
        Some(item)
    });
    match item {
        Ok(item) => expand::expand(&item),
        Err(error) => {
            let (krate, no_serde) = match attrs {
                Some(attrs) => (attrs.krate, attrs.no_serde),
                None => (krate::default(), false),
            };
            fallback::fallback(&input, &krate, no_serde, &error)
        }
    }
}
