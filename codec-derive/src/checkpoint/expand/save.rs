//! What saves: the fields of a struct or variant.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::{form, parts};
use crate::checkpoint::ast::{Container, Field, Fields, Style};
use crate::checkpoint::attr::Form;
use crate::checkpoint::bound;

/// An expression of type `&'__a Field` for each field.
type Access<'f> = &'f dyn Fn(&Field<'_>) -> TokenStream;

/// Through `self`.
pub(crate) fn through_self(field: &Field<'_>) -> TokenStream {
    let member = &field.member;
    quote!(&self.#member)
}

/// Through the binding that a pattern made.
pub(crate) fn through_binding(field: &Field<'_>) -> TokenStream {
    let binding = form::binding(field);
    quote!(#binding)
}

/// `impl Save` of the container with the given `body` and constants.
pub(crate) fn implementation(
    item: &Container<'_>,
    constants: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let generics = bound::with_mode(bound::save(item));
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters __p::Save<__p::Deep<__M>> for #ident #arguments #clause {
            #constants

            fn save<'__a, __S: __p::Sink<'__a>>(
                &'__a self,
                __sink: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #body
            }
        }
    }
}

/// The impls of a struct.
pub(crate) fn structure(item: &Container<'_>, fields: &Fields<'_>) -> TokenStream {
    match fields.style {
        Style::Named => {
            let open = open(fields, &quote!(<Self as __p::SaveFields>::count(self)));
            let body = quote! {
                let mut __map = #open?;
                <Self as __p::SaveFields>::save_fields(self, &mut __map)?;
                __p::MapSink::end(__map)
            };
            let save = implementation(item, &TokenStream::new(), &body);
            let map = map_impl(item, fields);
            quote!(#save #map)
        }
        Style::Newtype => {
            let constants = fields.stored().map(|field| {
                let (ty, mode) = (field.ty, form::mode(item, field));
                quote! {
                    const NULLABLE: ::core::primitive::bool = <#ty as __p::SaveField<#mode>>::NULLABLE;
                }
            });
            let constants = quote!(#(#constants)*);
            implementation(item, &constants, &content(item, fields, &through_self))
        }
        Style::Tuple => implementation(
            item,
            &TokenStream::new(),
            &content(item, fields, &through_self),
        ),
        Style::Unit => {
            let nullable = quote!(
                const NULLABLE: ::core::primitive::bool = true;
            );
            implementation(item, &nullable, &quote!(__p::Sink::nil(__sink)))
        }
    }
}

/// A map sink for `count` entries.
fn open(fields: &Fields<'_>, count: &TokenStream) -> TokenStream {
    if fields.has_flatten() {
        quote!(__p::guarded(__sink, #count))
    } else {
        quote!(__p::Sink::map_of_different(__sink, #count))
    }
}

fn map_impl(item: &Container<'_>, fields: &Fields<'_>) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let generics = bound::save(item);
    let (parameters, _, clause) = generics.split_for_impl();
    let count = count(fields, &through_self);
    let entries = entries(item, fields, &through_self);
    quote! {
        #[automatically_derived]
        impl #parameters __p::SaveFields for #ident #arguments #clause {
            fn count(&self) -> ::core::primitive::usize {
                #count
            }

            fn save_fields<'__a, __S: __p::MapSink<'__a>>(
                &'__a self,
                __map: &mut __S,
            ) -> ::core::result::Result<(), __S::Error> {
                #(#entries)*
                ::core::result::Result::Ok(())
            }
        }
    }
}

/// Saves the fields of a struct or variant into `__sink`.
pub(crate) fn content(
    item: &Container<'_>,
    fields: &Fields<'_>,
    access: Access<'_>,
) -> TokenStream {
    match fields.style {
        Style::Named => {
            let entries = entries(item, fields, access);
            let open = open(fields, &count(fields, access));
            quote! {
                let mut __open = #open?;
                let __map = &mut __open;
                #(#entries)*
                __p::MapSink::end(__open)
            }
        }
        Style::Newtype => {
            let saved = fields.stored().map(|field| {
                let (ty, mode, value) = (field.ty, form::mode(item, field), access(field));
                let nested = nested_nil(item, field);
                let save = method(field, "save_alone");
                quote!(#nested <#ty as __p::SaveField<#mode>>::#save(#value, __sink))
            });
            quote!(#(#saved)*)
        }
        Style::Tuple => {
            let len = fields.stored().count();
            let items = fields.stored().map(|field| {
                let (ty, mode, value) = (field.ty, form::mode(item, field), access(field));
                let nested = nested_nil(item, field);
                let save = method(field, "save_item");
                quote!(#nested <#ty as __p::SaveField<#mode>>::#save(#value, &mut __list)?;)
            });
            quote! {
                let mut __list = __p::Sink::list(__sink, #len)?;
                #(#items)*
                __p::ListSink::end(__list)
            }
        }
        Style::Unit => quote!(__p::Sink::nil(__sink)),
    }
}

/// The method of `SaveField` of a name, or its sibling for a field that takes payloads for rows.
fn method(field: &Field<'_>, name: &str) -> Ident {
    let rows = if field.attrs.row_major {
        "_in_rows"
    } else {
        ""
    };
    format_ident!("{name}{rows}")
}

/// How many entries the fields make.
fn count(fields: &Fields<'_>, access: Access<'_>) -> TokenStream {
    let fixed = fields
        .stored()
        .filter(|field| !field.attrs.is_flatten() && field.attrs.skip_if.is_none())
        .count();
    let others = fields.stored().filter_map(|field| {
        let (ty, value) = (field.ty, access(field));
        match &field.attrs.skip_if {
            _ if field.attrs.is_flatten() => {
                Some(quote!(+ <#ty as __p::SaveFields>::count(#value)))
            }
            Some(skip) => {
                let skip = form::call(skip, &value);
                Some(quote!(+ (!#skip) as ::core::primitive::usize))
            }
            None => None,
        }
    });
    quote!(#fixed #(#others)*)
}

/// Writes each field into `__map`, a `&mut` of a map sink.
fn entries(item: &Container<'_>, fields: &Fields<'_>, access: Access<'_>) -> Vec<TokenStream> {
    let entry = |field: &Field<'_>| {
        let (ty, value) = (field.ty, access(field));
        if field.attrs.is_flatten() {
            return quote!(<#ty as __p::SaveFields>::save_fields(#value, &mut *__map)?;);
        }
        let (key, mode, nested) = (
            &field.key.text,
            form::mode(item, field),
            nested_nil(item, field),
        );
        let save = method(field, "save_entry");
        let entry = quote!(<#ty as __p::SaveField<#mode>>::#save(#value, #key, &mut *__map)?;);
        let reserve = |key: &dyn ToTokens| quote!(__p::MapSink::reserve(&mut *__map, #key)?;);
        let aliases = field.attrs.aliases.iter().map(|alias| reserve(alias));
        let entry = match &field.attrs.skip_if {
            Some(skip) => {
                let (skip, kept) = (form::call(skip, &value), reserve(key));
                quote!(if #skip { #kept } else { #entry })
            }
            None => entry,
        };
        quote!(#nested #entry #(#aliases)*)
    };
    fields.stored().map(entry).collect()
}

/// The assertion that nil means one thing only, for a type that names a parameter.
///
/// For the other types it stands outside of the impls, see [`assertions`].
fn nested_nil(item: &Container<'_>, field: &Field<'_>) -> TokenStream {
    let generic = bound::names_parameter(item, field);
    let assertion = assertion(item, field).filter(|_| generic);
    assertion
        .map(|assertion| quote!(const { #assertion };))
        .unwrap_or_default()
}

/// The assertions for the fields whose types name no parameter.
pub(crate) fn assertions(item: &Container<'_>) -> TokenStream {
    let nested = item
        .fields()
        .filter(|field| !bound::names_parameter(item, field))
        .filter_map(|field| assertion(item, field));
    let open = item.shapes().into_iter().filter_map(|fields| {
        let concrete = fields
            .flattened()
            .filter(|field| !bound::names_parameter(item, field));
        parts::one_open(concrete, &quote!('static))
    });
    quote!(#(const _: () = #nested;)* #(const _: () = #open;)*)
}

fn assertion(item: &Container<'_>, field: &Field<'_>) -> Option<TokenStream> {
    if matches!(
        field.attrs.form,
        Form::Skip | Form::Flatten | Form::With(_) | Form::Serde
    ) {
        return None;
    }
    let (ty, mode) = (field.ty, form::mode(item, field));
    let span = Span::call_site().located_at(ty.span());
    Some(quote_spanned! {span=>
        ::core::assert!(
            !<#ty as __p::SaveField<#mode>>::NESTED_NIL,
            "an Option of a value that can itself be nil cannot be told from None"
        )
    })
}
