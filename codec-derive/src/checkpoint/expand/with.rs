//! The adapters of `with` fields: a local type per field, which calls the caller's functions.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Path, PathArguments};

use super::form;
use crate::checkpoint::ast::{Container, Field};
use crate::checkpoint::attr::Form;
use crate::checkpoint::bound;

/// The adapters of all `with` fields.
pub(crate) fn adapters(item: &Container<'_>) -> TokenStream {
    let adapters = item.fields().filter_map(|field| match &field.attrs.form {
        Form::With(path) => Some(adapter(item, field, path)),
        _ => None,
    });
    quote!(#(#adapters)*)
}

fn adapter(item: &Container<'_>, field: &Field<'_>, path: &Path) -> TokenStream {
    let (name, container, ty) = (form::with(field), form::container(item), field.ty);
    let (save, restore) = (bound::save(item), bound::restore(item));
    let (save_parameters, _, save_clause) = save.split_for_impl();
    let (restore_parameters, _, restore_clause) = restore.split_for_impl();
    // `array` is a module; `As<Vec<f32>>` is a type, which needs the brackets.
    let is_type = path
        .segments
        .iter()
        .any(|segment| matches!(segment.arguments, PathArguments::AngleBracketed(_)));
    let prefix = if is_type {
        quote!(<#path>)
    } else {
        quote!(#path)
    };
    let span = Span::call_site().located_at(path.span());
    let serialize = form::call(
        &quote_spanned!(span=> #prefix::serialize),
        &quote!(__value, __serializer),
    );
    let deserialize = form::call(
        &quote_spanned!(span=> #prefix::deserialize),
        &quote!(__deserializer),
    );
    quote! {
        #[doc(hidden)]
        pub struct #name<__C: ?::core::marker::Sized>(::core::marker::PhantomData<__C>);

        #[automatically_derived]
        impl #save_parameters __p::SaveWith<#ty> for #name<#container> #save_clause {
            fn serialize<__S: __p::serde::Serializer>(
                __value: &#ty,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #serialize
            }
        }

        #[automatically_derived]
        impl #restore_parameters __p::RestoreWith<'__de, #ty> for #name<#container> #restore_clause {
            fn deserialize<__D: __p::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<#ty, __D::Error> {
                #deserialize
            }
        }
    }
}
