//! What a faulty derive gives: the faults, and impls that keep every use of the type from adding more.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, GenericParam, Lifetime, LifetimeParam, Path, parse_quote};

use super::{bound, expand};

/// The faults and the stubs.
pub(crate) fn fallback(
    input: &DeriveInput,
    krate: &Path,
    no_serde: bool,
    error: &syn::Error,
) -> TokenStream {
    let errors = error.to_compile_error();
    let ident = &input.ident;
    let (parameters, arguments, clause) = input.generics.split_for_impl();
    let with_mode = bound::with_mode(input.generics.clone());
    let (mode_parameters, _, _) = with_mode.split_for_impl();
    let mut restore = input.generics.clone();
    let borrowed: Vec<Lifetime> = restore
        .lifetimes()
        .map(|param| param.lifetime.clone())
        .collect();
    let mut de = LifetimeParam::new(parse_quote!('__de));
    de.bounds.extend(borrowed);
    restore.params.insert(0, GenericParam::Lifetime(de));
    let restore_with_mode = bound::with_mode(restore.clone());
    let (restore_parameters, _, _) = restore.split_for_impl();
    let (restore_mode_parameters, _, _) = restore_with_mode.split_for_impl();
    let serde = (!no_serde).then(|| {
        quote! {
            #[automatically_derived]
            impl #parameters __p::serde::Serialize for #ident #arguments #clause {
                fn serialize<__S: __p::serde::Serializer>(
                    &self,
                    _: __S,
                ) -> ::core::result::Result<__S::Ok, __S::Error> {
                    ::core::unreachable!()
                }
            }

            #[automatically_derived]
            impl #restore_parameters __p::serde::Deserialize<'__de> for #ident #arguments #clause {
                fn deserialize<__D: __p::serde::Deserializer<'__de>>(
                    _: __D,
                ) -> ::core::result::Result<Self, __D::Error> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let stubs = quote! {
        #[automatically_derived]
        impl #mode_parameters __p::Save<__p::Deep<__M>> for #ident #arguments #clause {
            fn save<'__a, __S: __p::Sink<'__a>>(
                &'__a self,
                _: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #parameters __p::SaveFields for #ident #arguments #clause {
            fn count(&self) -> ::core::primitive::usize {
                ::core::unreachable!()
            }

            fn save_fields<'__a, __S: __p::MapSink<'__a>>(
                &'__a self,
                _: &mut __S,
            ) -> ::core::result::Result<(), __S::Error> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #restore_mode_parameters __p::Restore<'__de, __p::Deep<__M>> for #ident #arguments #clause {
            fn restore<__D: __p::serde::Deserializer<'__de>>(
                _: __D,
                _: &__p::Context<'_>,
            ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
                ::core::unreachable!()
            }
        }

        #[automatically_derived]
        impl #restore_parameters __p::RestoreFields<'__de> for #ident #arguments #clause {
            type Slots = ();

            fn slots() {}

            fn take<__A: __p::serde::de::MapAccess<'__de>>(
                _: &mut (),
                _: &__p::Key<'__de>,
                _: &mut __A,
                _: &__p::Context<'_>,
            ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
                ::core::unreachable!()
            }

            fn finish(_: (), _: &__p::Context<'_>) -> ::core::option::Option<Self> {
                ::core::unreachable!()
            }

            fn stage_fields<'__s>(
                &'__s mut self,
                _: &mut __p::Entries<'_, '__de>,
                _: &__p::Context<'_>,
                _: &mut __p::Plan<'__s>,
            )
            where
                '__de: '__s,
            {
                ::core::unreachable!()
            }
        }

        #serde
    };
    let stubs = expand::inside(krate, &stubs);
    quote!(#errors #stubs)
}
