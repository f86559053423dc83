//! What restores a struct or variant as a whole.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{form, stage};
use crate::checkpoint::ast::{Container, Fields, Style};
use crate::checkpoint::bound;

/// A struct or variant that is put together from its fields.
pub(crate) struct Target<'t> {
    pub(crate) item: &'t Container<'t>,
    pub(crate) fields: &'t Fields<'t>,
    /// What stands before the braces of its literal.
    pub(crate) path: TokenStream,
    /// The type that tells the impls of variants apart: `()` for a struct.
    pub(crate) marker: TokenStream,
    /// The type of its slots.
    pub(crate) slots: Ident,
    /// What messages call it.
    pub(crate) name: String,
}

/// `impl Restore` of the container with the given bodies.
pub(crate) fn implementation(
    item: &Container<'_>,
    others: &TokenStream,
    restore: &TokenStream,
    stage: Option<TokenStream>,
) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let generics = bound::with_mode(bound::restore(item));
    let (parameters, _, clause) = generics.split_for_impl();
    let stage = stage.map(|stage| {
        quote! {
            fn stage<'__s>(
                &'__s mut self,
                __value: &__p::Value<'__de>,
                __cx: &__p::Context<'_>,
                __plan: &mut __p::Plan<'__s>,
            )
            where
                '__de: '__s,
            {
                #stage
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #parameters __p::Restore<'__de, __p::Deep<__M>> for #ident #arguments #clause {
            #others

            fn restore<__D: __p::serde::Deserializer<'__de>>(
                __deserializer: __D,
                __cx: &__p::Context<'_>,
            ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
                #restore
            }

            #stage
        }
    }
}

/// The impls of a struct.
pub(crate) fn structure(item: &Container<'_>, fields: &Fields<'_>) -> TokenStream {
    let target = Target {
        item,
        fields,
        path: quote!(Self),
        marker: quote!(()),
        slots: format_ident!("__Slots"),
        name: format!("struct {}", item.ident),
    };
    match fields.style {
        Style::Named | Style::Tuple => {
            let restore = target.restore();
            let stage = target.stage();
            let implementation = implementation(item, &TokenStream::new(), &restore, Some(stage));
            let parts = target.parts();
            quote!(#implementation #parts)
        }
        Style::Newtype => {
            let restore = target.restore();
            let stage = target.stage();
            let (replaced, absent) = (newtype_replaced(&target), newtype_absent(&target));
            implementation(item, &quote!(#replaced #absent), &restore, Some(stage))
        }
        Style::Unit => implementation(item, &replaced(), &target.restore(), None),
    }
}

/// A value without parts is assigned whole.
pub(crate) fn replaced() -> TokenStream {
    quote!(
        const REPLACED: ::core::primitive::bool = true;
    )
}

/// A newtype is assigned whole where its field is; one that holds itself would ask itself.
fn newtype_replaced(target: &Target<'_>) -> TokenStream {
    let replaced = target.fields.stored().filter(|field| !bound::names_container(target.item, field)).map(|field| {
        let (ty, mode) = (field.ty, form::mode(target.item, field));
        quote! {
            const REPLACED: ::core::primitive::bool = <#ty as __p::RestoreField<'__de, #mode>>::REPLACED;
        }
    });
    quote!(#(#replaced)*)
}

/// A newtype is absent where its field is.
fn newtype_absent(target: &Target<'_>) -> TokenStream {
    let absent = target
        .fields
        .stored()
        .map(|field| form::fallback(target.item, field, TokenStream::new()));
    let built = target.wrap(&quote!(#(#absent)*));
    quote! {
        fn absent() -> ::core::option::Option<Self> {
            #built
        }
    }
}

impl Target<'_> {
    /// Restores out of `__deserializer`: a `Result` of an `Option`.
    pub(crate) fn restore(&self) -> TokenStream {
        let (marker, name, unknown) = (
            &self.marker,
            &self.name,
            self.item.attrs.allow_unknown_fields,
        );
        match self.fields.style {
            Style::Named => quote! {
                __p::restore_map::<Self, #marker, __D>(__deserializer, #name, #unknown, __cx)
            },
            Style::Tuple => quote! {
                __p::restore_list::<Self, #marker, __D>(__deserializer, #name, __cx)
            },
            Style::Newtype => {
                let restored = self.fields.stored().map(|field| {
                    let (ty, mode) = (field.ty, form::mode(self.item, field));
                    let context = form::context(field, quote!(__cx));
                    quote!(<#ty as __p::RestoreField<'__de, #mode>>::restore_alone(__deserializer, &#context)?)
                });
                let built = self.wrap(&quote!(#(#restored)*));
                quote!(::core::result::Result::Ok(#built))
            }
            Style::Unit => {
                let path = &self.path;
                quote! {
                    ::core::result::Result::Ok(
                        match <() as __p::Restore<'__de>>::restore(__deserializer, __cx)? {
                            ::core::option::Option::Some(()) => ::core::option::Option::Some(#path {}),
                            ::core::option::Option::None => ::core::option::Option::None,
                        },
                    )
                }
            }
        }
    }

    /// Stages `__value` into `self`.
    fn stage(&self) -> TokenStream {
        stage::content(self, &quote!(self), &quote!(__value), &|field| {
            let member = &field.member;
            quote!(&mut self.#member)
        })
    }

    /// A newtype around the `Option` that `value` gives.
    fn wrap(&self, value: &TokenStream) -> TokenStream {
        let path = &self.path;
        let members = self.fields.all.iter().map(|field| {
            let member = &field.member;
            let skipped = form::own_default(field).filter(|_| field.attrs.is_skip());
            let value = skipped.unwrap_or_else(|| quote!(__value));
            quote!(#member: #value)
        });
        quote! {
            match #value {
                ::core::option::Option::Some(__value) => ::core::option::Option::Some(#path { #(#members),* }),
                ::core::option::Option::None => ::core::option::Option::None,
            }
        }
    }
}
