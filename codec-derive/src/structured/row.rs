//! The struct as columns, with everything checked.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, FieldsNamed, GenericParam, Generics, LitStr, Type};

use super::attrs;
use crate::faults::Faults;

/// A struct whose fields are columns.
pub(super) struct Row<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) columns: Vec<Column<'a>>,
    pub(super) align: bool,
}

/// A field, and the name of its column.
pub(super) struct Column<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    pub(super) name: LitStr,
}

impl<'a> Row<'a> {
    pub(super) fn parse(
        faults: &mut Faults,
        input: &'a DeriveInput,
        attrs: &attrs::Container,
    ) -> Option<Self> {
        for param in &input.generics.params {
            if let GenericParam::Lifetime(param) = param {
                let message = "rows own their columns: there is nothing to borrow";
                faults.push(syn::Error::new_spanned(param, message));
            }
        }
        let fields = named(faults, input)?;
        let mut columns: Vec<Column<'a>> = Vec::new();
        for field in &fields.named {
            let attrs = attrs::Field::parse(faults, &field.attrs);
            let Some(ident) = &field.ident else { continue };
            let name = attrs
                .rename
                .unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
            if name.value().is_empty() {
                faults.push(syn::Error::new_spanned(&name, "a column needs a name"));
            }
            if columns
                .iter()
                .any(|column| column.name.value() == name.value())
            {
                let message = format!("duplicate column `{}`", name.value());
                faults.push(syn::Error::new_spanned(&name, message));
            }
            columns.push(Column {
                ident,
                ty: &field.ty,
                name,
            });
        }
        Some(Self {
            ident: &input.ident,
            generics: &input.generics,
            columns,
            align: attrs.align,
        })
    }
}

fn named<'a>(faults: &mut Faults, input: &'a DeriveInput) -> Option<&'a FieldsNamed> {
    let fault = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if !fields.named.is_empty() => return Some(fields),
            Fields::Unnamed(fields) => syn::Error::new_spanned(
                fields,
                "columns have names: `Structured` needs a struct with named fields",
            ),
            _ => syn::Error::new_spanned(&input.ident, "a row needs at least one column"),
        },
        Data::Enum(data) => not_a_struct(&data.enum_token),
        Data::Union(data) => not_a_struct(&data.union_token),
    };
    // What the variants say of columns is not worth a fault of its own.
    faults.push(fault);
    None
}

fn not_a_struct(keyword: &impl quote::ToTokens) -> syn::Error {
    syn::Error::new_spanned(keyword, "only a struct with named fields can be a row")
}
