//! What a faulty derive expands to: the faults, and an impl so that nothing else fails.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use super::expand::bound;

pub(super) fn fallback(input: &DeriveInput, library: &Path, faults: &syn::Error) -> TokenStream {
    let errors = faults.to_compile_error();
    let ident = &input.ident;
    let generics = bound(&input.generics, &[]);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let state = super::state::impls(ident, &generics);
    quote! {
        #errors

        const _: () = {
            use #library::__private as __p;

            #[automatically_derived]
            impl #impl_generics __p::Element for #ident #type_generics #where_clause {
                type Reader = ();

                const SIZE: ::core::primitive::usize = 0;

                fn dtype() -> __p::DType {
                    ::core::unreachable!()
                }

                fn reader(
                    _: &__p::DType,
                    _: __p::Cast,
                ) -> ::core::result::Result<(), __p::ReaderError> {
                    ::core::unreachable!()
                }

                fn read(
                    _: &(),
                    _: &[::core::primitive::u8],
                ) -> ::core::result::Result<Self, __p::InvalidItem> {
                    ::core::unreachable!()
                }

                fn write(&self, _: &mut [::core::primitive::u8]) {}
            }

            #state
        };
    }
}
