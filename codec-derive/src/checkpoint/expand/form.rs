//! The names that generated code uses: modes, defaults, contexts.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::checkpoint::ast::{Container, Field, Fields};
use crate::checkpoint::attr::{Cast, Default, Form};

/// The container with its parameters.
pub(crate) fn container(item: &Container<'_>) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    quote!(#ident #arguments)
}

/// The mode in which the field is saved and restored.
pub(crate) fn mode(item: &Container<'_>, field: &Field<'_>) -> TokenStream {
    let (id, mode) = (field.id, plain_mode(item, field));
    if field.apart {
        quote!(__p::Nth<#id, #mode>)
    } else {
        mode
    }
}

fn plain_mode(item: &Container<'_>, field: &Field<'_>) -> TokenStream {
    let deep = |mode: TokenStream| quote!(__p::mode::#mode);
    match &field.attrs.form {
        Form::Plain | Form::Skip | Form::Flatten if item.attrs.array => deep(quote!(Array)),
        Form::Plain | Form::Skip | Form::Flatten => deep(quote!(Native)),
        Form::Compressed => deep(quote!(Compressed)),
        Form::Scalar => deep(quote!(Scalar)),
        Form::Integer => deep(quote!(Integer)),
        Form::Array => deep(quote!(Array)),
        Form::Width(width) => deep(quote!(Width<#width>)),
        Form::As(mode) => quote!(#mode),
        Form::Serde => quote!(__p::SerdeForm),
        Form::With(_) => {
            let (with, container) = (with(field), container(item));
            quote!(__p::With<#with<#container>>)
        }
    }
}

/// The local type that stands for the adapter of a `with` field.
pub(crate) fn with(field: &Field<'_>) -> Ident {
    format_ident!("__With{}", field.id)
}

/// The binding and the slot of a field.
pub(crate) fn binding(field: &Field<'_>) -> Ident {
    format_ident!("__f{}", field.id)
}

/// The place of a flattened field until its turn comes.
pub(crate) fn flat(field: &Field<'_>) -> Ident {
    format_ident!("__o{}", field.id)
}

/// `field: __f0,` for each field that the file holds.
pub(crate) fn bindings(fields: &Fields<'_>) -> TokenStream {
    let bindings = fields.stored().map(|field| {
        let (member, binding) = (&field.member, binding(field));
        quote!(#member: #binding,)
    });
    quote!(#(#bindings)*)
}

/// The value of a field out of the container's default.
pub(crate) fn from_default(field: &Field<'_>) -> Ident {
    format_ident!("__d{}", field.id)
}

/// An `Option` of the value that the field has when the file has none.
///
/// Where the container has a default, `whole` is an `Option` of the field out of it.
pub(crate) fn fallback(item: &Container<'_>, field: &Field<'_>, whole: TokenStream) -> TokenStream {
    let ty = field.ty;
    match (&field.attrs.default, &field.attrs.form) {
        (Some(_), _) => skipped(field),
        (None, _) if item.attrs.default.is_some() => whole,
        (None, Form::Skip) => skipped(field),
        (None, Form::With(_) | Form::Serde) => quote!(__p::Absent::<#ty>::new().absent()),
        (None, _) => {
            let mode = mode(item, field);
            quote!(<#ty as __p::RestoreField<'__de, #mode>>::absent())
        }
    }
}

/// A call of the caller's function, so that what is wrong with it shows at its path.
///
/// The path may come from a macro, whose names are not ours: only the place is taken from it.
pub(crate) fn call(path: &impl ToTokens, arguments: &TokenStream) -> TokenStream {
    let tokens = path.to_token_stream();
    let first = tokens
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |token| token.span());
    let span = Span::call_site().located_at(first);
    let arguments: TokenStream = arguments
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect();
    quote_spanned!(span=> #path(#arguments))
}

/// The container's default.
pub(crate) fn whole_default(item: &Container<'_>) -> Option<TokenStream> {
    let container = container(item);
    Some(match item.attrs.default.as_ref()? {
        Default::Trait => quote!(<#container as ::core::default::Default>::default()),
        Default::Path(path) => call(path, &TokenStream::new()),
    })
}

/// The field's own default, which a skipped field always has.
pub(crate) fn own_default(field: &Field<'_>) -> Option<TokenStream> {
    let ty = field.ty;
    match &field.attrs.default {
        Some(Default::Path(path)) => Some(call(path, &TokenStream::new())),
        None if !field.attrs.is_skip() => None,
        _ => Some(quote!(<#ty as ::core::default::Default>::default())),
    }
}

/// An `Option` of the field's own default.
pub(crate) fn skipped(field: &Field<'_>) -> TokenStream {
    let ty = field.ty;
    match own_default(field) {
        Some(value) => quote!(::core::option::Option::<#ty>::Some(#value)),
        None => quote!(::core::option::Option::<#ty>::None),
    }
}

/// `context`, which is that of the field's place, with what the attributes of the field ask for.
pub(crate) fn context(field: &Field<'_>, mut context: TokenStream) -> TokenStream {
    match field.attrs.cast {
        Some(Cast::Safe) => context.extend(quote!(.with_cast(__p::Cast::Safe))),
        Some(Cast::Lossy) => context.extend(quote!(.with_cast(__p::Cast::Lossy))),
        None => {}
    }
    if field.attrs.row_major {
        context.extend(quote!(.with_row_major()));
    }
    if field.attrs.replace {
        context.extend(quote!(.with_replace()));
    }
    context
}
