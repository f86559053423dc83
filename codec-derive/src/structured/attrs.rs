//! What stands in `#[structured(…)]`.

use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::{Attribute, Expr, LitStr, Path, Token};

use crate::faults::Faults;
use crate::krate;

/// The attributes of the struct.
#[derive(Default)]
pub(super) struct Container {
    pub(super) align: bool,
    pub(super) library: Option<Path>,
}

impl Container {
    pub(super) fn parse(faults: &mut Faults, attrs: &[Attribute]) -> Self {
        let mut container = Self::default();
        each(faults, attrs, "`align` or `crate`", |faults, meta| {
            if meta.path.is_ident("align") {
                once(faults, meta, container.align);
                container.align = true;
            } else if meta.path.is_ident("crate") {
                once(faults, meta, container.library.is_some());
                let text: LitStr = meta.value()?.parse()?;
                container.library = Some(krate::absolute(text.parse()?));
            } else {
                return Ok(false);
            }
            Ok(true)
        });
        container
    }
}

/// The attributes of a field.
#[derive(Default)]
pub(super) struct Field {
    pub(super) rename: Option<LitStr>,
}

impl Field {
    pub(super) fn parse(faults: &mut Faults, attrs: &[Attribute]) -> Self {
        let mut field = Self::default();
        each(faults, attrs, "`rename`", |faults, meta| {
            if !meta.path.is_ident("rename") {
                return Ok(false);
            }
            once(faults, meta, field.rename.is_some());
            field.rename = Some(meta.value()?.parse()?);
            Ok(true)
        });
        field
    }
}

/// Calls `known` for each thing in the attributes; it returns false for what it does not know.
fn each(
    faults: &mut Faults,
    attrs: &[Attribute],
    expected: &str,
    mut known: impl FnMut(&mut Faults, &ParseNestedMeta<'_>) -> syn::Result<bool>,
) {
    for attr in attrs {
        if !attr.path().is_ident("structured") {
            continue;
        }
        let parsed = attr.parse_nested_meta(|meta| {
            if !known(faults, &meta)? {
                faults.push(meta.error(format!("unknown attribute, expected {expected}")));
                skip(&meta)?;
            }
            Ok(())
        });
        if let Err(fault) = parsed {
            faults.push(fault);
        }
    }
}

fn once(faults: &mut Faults, meta: &ParseNestedMeta<'_>, again: bool) {
    if again {
        faults.push(meta.error("duplicate attribute"));
    }
}

/// Passes over the value of something unknown, so that what follows it is checked as well.
fn skip(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value().and_then(Expr::parse)?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
