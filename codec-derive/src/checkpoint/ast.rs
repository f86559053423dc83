//! The container as the expansion needs it: shapes, keys and forms instead of tokens.

use std::cell::Cell;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, Generics, Ident, Index, LitStr, Member, Type};

use super::attr::{ContainerAttrs, FieldAttrs, Form, VariantAttrs};
use super::case::Case;
use super::receiver;
use crate::faults::Faults;

/// A struct or enum.
#[derive(Debug)]
pub(crate) struct Container<'a> {
    pub(crate) attrs: &'a ContainerAttrs,
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) data: Data<'a>,
}

#[derive(Debug)]
pub(crate) enum Data<'a> {
    Struct(Fields<'a>),
    Enum(Vec<Variant<'a>>),
}

/// A variant of an enum.
#[derive(Debug)]
pub(crate) struct Variant<'a> {
    pub(crate) attrs: VariantAttrs,
    pub(crate) ident: &'a Ident,
    pub(crate) name: Key,
    pub(crate) fields: Fields<'a>,
}

/// The fields of a struct or variant.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) style: Style,
    pub(crate) all: Vec<Field<'a>>,
}

/// How fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As a map.
    Named,
    /// As a list.
    Tuple,
    /// As the only field that is not skipped.
    Newtype,
    /// As nil, or as the name of the variant.
    Unit,
}

#[derive(Debug)]
pub(crate) struct Field<'a> {
    /// Its number among all fields of the container.
    pub(crate) id: usize,
    pub(crate) attrs: FieldAttrs,
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) key: Key,
    /// Whether another field has the same type with other lifetimes.
    pub(crate) apart: bool,
}

/// A name on the wire and the token that gives it.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Key {
    fn new(rename: Option<&LitStr>, ident: &Ident, spell: impl FnOnce(&str) -> String) -> Self {
        match rename {
            Some(rename) => Self {
                text: rename.value(),
                span: rename.span(),
            },
            None => Self {
                text: spell(&ident.unraw().to_string()),
                span: ident.span(),
            },
        }
    }
}

impl<'a> Container<'a> {
    /// Parses `input`, whose own attributes are `attrs`; `None` after a fault that leaves nothing to check.
    pub(crate) fn parse(
        faults: &mut Faults,
        attrs: &'a ContainerAttrs,
        input: &'a DeriveInput,
    ) -> Option<Self> {
        let this = Owner {
            attrs,
            ident: &input.ident,
            generics: &input.generics,
            fields: Cell::new(0),
        };
        let data = match &input.data {
            syn::Data::Struct(data) => {
                Data::Struct(this.fields(faults, &data.fields, attrs.rename_all))
            }
            syn::Data::Enum(data) => Data::Enum(
                data.variants
                    .iter()
                    .map(|variant| this.variant(faults, variant))
                    .collect(),
            ),
            syn::Data::Union(data) => {
                let message = "a union cannot be a checkpoint: nothing says which of its fields holds the value";
                faults.at(data.union_token.span, message);
                return None;
            }
        };
        let mut item = Self {
            attrs,
            ident: &input.ident,
            generics: &input.generics,
            data,
        };
        item.set_apart();
        Some(item)
    }

    /// Finds the fields whose predicates would differ in lifetimes only.
    fn set_apart(&mut self) {
        let types: Vec<_> = self
            .fields()
            .map(|field| lifetimes(field.ty.to_token_stream()))
            .collect();
        let shapes = match &mut self.data {
            Data::Struct(fields) => vec![fields],
            Data::Enum(variants) => variants
                .iter_mut()
                .map(|variant| &mut variant.fields)
                .collect(),
        };
        for field in shapes.into_iter().flat_map(|fields| &mut fields.all) {
            let (rest, own) = &types[field.id];
            field.apart = types
                .iter()
                .any(|(other, lifetimes)| other == rest && lifetimes != own);
        }
    }

    /// Every set of fields.
    pub(crate) fn shapes(&self) -> Vec<&Fields<'a>> {
        match &self.data {
            Data::Struct(fields) => vec![fields],
            Data::Enum(variants) => variants.iter().map(|variant| &variant.fields).collect(),
        }
    }

    /// Every field.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        self.shapes().into_iter().flat_map(|fields| &fields.all)
    }
}

impl Fields<'_> {
    /// The fields that the file holds.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Field<'_>> {
        self.all.iter().filter(|field| !field.attrs.is_skip())
    }

    /// The fields with keys of their own.
    pub(crate) fn keyed(&self) -> impl Iterator<Item = &Field<'_>> {
        self.stored().filter(|field| !field.attrs.is_flatten())
    }

    /// The fields whose keys stand among those of the others.
    pub(crate) fn flattened(&self) -> impl Iterator<Item = &Field<'_>> {
        self.all.iter().filter(|field| field.attrs.is_flatten())
    }

    /// Whether the keys of another type stand among those of the fields.
    pub(crate) fn has_flatten(&self) -> bool {
        self.all.iter().any(|field| field.attrs.is_flatten())
    }
}

/// The text of a type without its lifetimes, and the lifetimes.
fn lifetimes(tokens: TokenStream) -> (String, Vec<String>) {
    let (mut rest, mut lifetimes) = (String::new(), Vec::new());
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                lifetimes.extend(tokens.next().map(|name| name.to_string()));
            }
            TokenTree::Group(group) => {
                let (inner, others) = self::lifetimes(group.stream());
                rest.push_str(&format!("({inner})"));
                lifetimes.extend(others);
            }
            other => rest.push_str(&format!("{other} ")),
        }
    }
    (rest, lifetimes)
}

/// What parsing needs to know about the container.
struct Owner<'a> {
    attrs: &'a ContainerAttrs,
    ident: &'a Ident,
    generics: &'a Generics,
    /// How many fields have been parsed.
    fields: Cell<usize>,
}

impl Owner<'_> {
    fn variant<'v>(&self, faults: &mut Faults, variant: &'v syn::Variant) -> Variant<'v> {
        self.attrs.leftovers(faults, &variant.attrs);
        let attrs = VariantAttrs::parse(faults, &variant.attrs);
        let name = Key::new(attrs.rename.as_ref(), &variant.ident, |name| {
            match self.attrs.rename_all {
                Some(case) => case.variant(name),
                None => name.to_owned(),
            }
        });
        let fields = self.fields(
            faults,
            &variant.fields,
            attrs.rename_all.or(self.attrs.rename_all_fields),
        );
        Variant {
            attrs,
            ident: &variant.ident,
            name,
            fields,
        }
    }

    fn fields<'f>(
        &self,
        faults: &mut Faults,
        fields: &'f syn::Fields,
        case: Option<Case>,
    ) -> Fields<'f> {
        let all: Vec<_> = fields
            .iter()
            .enumerate()
            .map(|(at, field)| self.field(faults, at, field, case))
            .collect();
        let stored = all.iter().filter(|field| !field.attrs.is_skip()).count();
        let style = match fields {
            syn::Fields::Named(_) => Style::Named,
            syn::Fields::Unnamed(_) if stored == 1 => Style::Newtype,
            syn::Fields::Unnamed(_) => Style::Tuple,
            syn::Fields::Unit => Style::Unit,
        };
        Fields { style, all }
    }

    fn field<'f>(
        &self,
        faults: &mut Faults,
        at: usize,
        field: &'f syn::Field,
        case: Option<Case>,
    ) -> Field<'f> {
        self.attrs.leftovers(faults, &field.attrs);
        let mut attrs = FieldAttrs::parse(faults, &field.attrs);
        if let Form::As(ty) = &mut attrs.form {
            let arguments = self.generics.split_for_impl().1.to_token_stream();
            let replaced = receiver::replace_in(ty.to_token_stream(), self.ident, &arguments);
            *ty = syn::parse2(replaced).unwrap_or_else(|_| ty.clone());
        }
        let (member, key) = match &field.ident {
            Some(ident) => {
                let key = Key::new(attrs.rename.as_ref(), ident, |name| match case {
                    Some(case) => case.field(name),
                    None => name.to_owned(),
                });
                (Member::Named(ident.clone()), key)
            }
            None => {
                let index = Index {
                    index: u32::try_from(at).unwrap_or(u32::MAX),
                    span: field.ty.span(),
                };
                (
                    Member::Unnamed(index),
                    Key {
                        text: at.to_string(),
                        span: field.ty.span(),
                    },
                )
            }
        };
        let id = self.fields.get();
        self.fields.set(id + 1);
        Field {
            id,
            attrs,
            member,
            ty: &field.ty,
            key,
            apart: false,
        }
    }
}
