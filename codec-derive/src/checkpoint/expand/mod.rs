//! Writes the impls. Nothing here can fail: what could has been checked.

mod enums;
pub(crate) mod form;
mod parts;
mod restore;
mod save;
mod stage;
mod with;

use proc_macro2::TokenStream;
use quote::quote;

use super::ast::{Container, Data};
use super::bound;

/// The impls for `item`.
pub(crate) fn expand(item: &Container<'_>) -> TokenStream {
    let assertions = save::assertions(item);
    let adapters = with::adapters(item);
    let (save, restore) = match &item.data {
        Data::Struct(fields) => (
            save::structure(item, fields),
            restore::structure(item, fields),
        ),
        Data::Enum(variants) => (enums::save(item, variants), enums::restore(item, variants)),
    };
    let serde = (!item.attrs.no_serde).then(|| serde(item));
    inside(
        &item.attrs.krate,
        &quote!(#adapters #save #restore #serde #assertions),
    )
}

/// `items` where their names meet no others, with the library's hidden door as `__p`.
pub(crate) fn inside(krate: &syn::Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, unused_qualifications, deprecated, clippy::absolute_paths)]
        const _: () = {
            use #krate::__private as __p;
            #[allow(unused_imports)]
            use __p::AbsentFallback as _;
            #items
        };
    }
}

fn serde(item: &Container<'_>) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let (save, restore) = (bound::save(item), bound::restore(item));
    let (save_parameters, _, save_clause) = save.split_for_impl();
    let (restore_parameters, _, restore_clause) = restore.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #save_parameters __p::serde::Serialize for #ident #arguments #save_clause {
            fn serialize<__S: __p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                __p::serialize::<Self, __S>(self, __serializer)
            }
        }

        #[automatically_derived]
        impl #restore_parameters __p::serde::Deserialize<'__de> for #ident #arguments #restore_clause {
            fn deserialize<__D: __p::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                __p::deserialize::<Self, __D>(__deserializer)
            }
        }
    }
}
