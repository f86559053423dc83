//! Rows as parts of a state: each as a 0-d array, or several as one array.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

/// Returns the impls of `Save` and `Restore` in the forms `scalar`, where a list of rows stays a list as
/// one of numbers does, and `array`.
pub(super) fn impls(ident: &Ident, bound: &Generics) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = bound.split_for_impl();
    let mut restoring = bound.clone();
    restoring.params.insert(0, syn::parse_quote!('__de));
    let (restore_generics, _, _) = restoring.split_for_impl();
    let replaced = quote!(
        const REPLACED: ::core::primitive::bool = true;
    );
    let scalar = (quote!(Scalar), TokenStream::new(), replaced);
    let (save_block, restore_block) = blocks();
    let array = (quote!(Array), save_block, restore_block);
    let forms = [scalar, array]
        .into_iter()
        .map(|(form, save_block, restore_block)| {
            quote! {
                #[automatically_derived]
                impl #impl_generics __p::Save<__p::Deep<__p::form::#form>> for #ident #type_generics
                #where_clause
                {
                    fn save<'__a, __S: __p::Sink<'__a>>(
                        &'__a self,
                        __sink: __S,
                    ) -> ::core::result::Result<__S::Ok, __S::Error> {
                        __p::save_scalar(self, __sink)
                    }

                    #save_block
                }

                #[automatically_derived]
                impl #restore_generics __p::Restore<'__de, __p::Deep<__p::form::#form>>
                    for #ident #type_generics
                #where_clause
                {
                    fn restore<__D: __p::serde::Deserializer<'__de>>(
                        __deserializer: __D,
                        __cx: &__p::Context<'_>,
                    ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
                        __p::restore_scalar(__deserializer, __cx)
                    }

                    #restore_block
                }
            }
        });
    quote!(#(#forms)*)
}

/// Returns how several rows are written, and how they are read.
fn blocks() -> (TokenStream, TokenStream) {
    let save = quote! {
        fn save_block<'__a, __S: __p::Sink<'__a>>(
            __items: &'__a [Self],
            __extents: &[::core::primitive::usize],
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_rows(__items, __extents, ::core::option::Option::None, __sink)
        }

        fn save_split<'__a, __S: __p::Sink<'__a>>(
            __halves: [&'__a [Self]; 2],
            __extents: &[::core::primitive::usize],
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_split_rows(__halves, __extents, ::core::option::Option::None, __sink)
        }
    };
    let restore = quote! {
        fn restore_block<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __extents: &[::core::option::Option<::core::primitive::usize>],
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<__p::Vec<Self>>, __D::Error> {
            __p::restore_rows(__deserializer, __extents, __cx)
        }

        fn stage_block<'__s>(
            __items: &'__s mut [Self],
            __extents: &[::core::primitive::usize],
            __value: &__p::Value<'__de>,
            __cx: &__p::Context<'_>,
            __plan: &mut __p::Plan<'__s>,
        ) where
            '__de: '__s,
        {
            __p::stage_rows(__items, __extents, __value, __cx, __plan)
        }
    };
    (save, restore)
}
