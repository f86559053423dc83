//! `#[derive(Structured)]`: parse and check, which can fail, then expand, which cannot.

mod attrs;
mod expand;
mod fallback;
mod row;
mod state;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::faults::Faults;
use crate::krate;

pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut library = krate::default();
    let row = Faults::collect(|faults| {
        let attrs = attrs::Container::parse(faults, &input.attrs);
        if let Some(path) = &attrs.library {
            library.clone_from(path);
        }
        row::Row::parse(faults, input, &attrs)
    });
    match row {
        Ok(row) => expand::expand(&row, &library),
        Err(faults) => fallback::fallback(input, &library, &faults),
    }
}
