//! How fields come one by one and are put together: the slots, and the impl that fills and empties
//! them.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::restore::Target;
use super::{form, stage};
use crate::checkpoint::ast::{Field, Style};
use crate::checkpoint::attr::Form;
use crate::checkpoint::bound;

impl Target<'_> {
    /// The slots, and the impl that fills and empties them.
    pub(crate) fn parts(&self) -> TokenStream {
        let slots = self.slots();
        let implementation = match self.fields.style {
            Style::Named => self.map(),
            Style::Tuple => self.list(),
            Style::Newtype | Style::Unit => return TokenStream::new(),
        };
        quote!(#slots #implementation)
    }

    /// The type of the slots: public, so that it may stand in an impl for a public type.
    fn slots(&self) -> TokenStream {
        let generics = bound::restore(self.item);
        let (parameters, _, clause) = generics.split_for_impl();
        let (slots, container) = (&self.slots, form::container(self.item));
        let fields = self.fields.stored().map(|field| {
            let (ty, name) = (field.ty, form::binding(field));
            if field.attrs.is_flatten() {
                quote!(#name: <#ty as __p::RestoreFields<'__de>>::Slots)
            } else {
                quote!(#name: __p::Slot<#ty>)
            }
        });
        quote! {
            #[doc(hidden)]
            pub struct #slots #parameters #clause {
                #(#fields,)*
                __marker: ::core::marker::PhantomData<(&'__de (), #container)>,
            }
        }
    }

    fn slots_with_arguments(&self) -> TokenStream {
        let generics = bound::restore(self.item);
        let (slots, arguments) = (&self.slots, generics.split_for_impl().1);
        quote!(#slots #arguments)
    }

    /// `Self::Slots` and `slots()`, which both impls have.
    fn head(&self) -> TokenStream {
        let (slots, with_arguments) = (&self.slots, self.slots_with_arguments());
        let empty = self.fields.stored().map(|field| {
            let (ty, name) = (field.ty, form::binding(field));
            if field.attrs.is_flatten() {
                quote!(#name: <#ty as __p::RestoreFields<'__de>>::slots())
            } else {
                quote!(#name: __p::Slot::Empty)
            }
        });
        quote! {
            type Slots = #with_arguments;

            fn slots() -> #with_arguments {
                #slots { #(#empty,)* __marker: ::core::marker::PhantomData }
            }
        }
    }

    fn map(&self) -> TokenStream {
        let (item, marker, with_arguments) = (self.item, &self.marker, self.slots_with_arguments());
        let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
        let generics = bound::restore(item);
        let (parameters, _, clause) = generics.split_for_impl();
        let (head, finish) = (self.head(), self.finish());
        let arms = self.fields.keyed().map(|field| {
            let (ty, mode, name) = (field.ty, form::mode(item, field), form::binding(field));
            let (key, aliases) = (&field.key.text, &field.attrs.aliases);
            let context = form::context(field, quote!(__cx.field(__name)));
            quote! {
                ::core::option::Option::Some(__name @ (#key #(| #aliases)*)) => {
                    <#ty as __p::RestoreField<'__de, #mode>>::take_entry(&mut __slots.#name, __map, &#context)?;
                    return ::core::result::Result::Ok(true);
                }
            }
        });
        let take = |open: bool| {
            self.fields.flattened().map(move |field| {
                let (ty, name) = (field.ty, form::binding(field));
                quote! {
                    if <#ty as __p::RestoreFields<'__de>>::OPEN == #open
                        && <#ty as __p::RestoreFields<'__de>>::take(&mut __slots.#name, __key, __map, __cx)?
                    {
                        return ::core::result::Result::Ok(true);
                    }
                }
            })
        };
        let flattened: TokenStream = take(false).chain(take(true)).collect();
        let open = self.open();
        let one_open =
            one_open(self.fields.flattened(), &quote!('__de)).map(|one| quote!(const { #one };));
        let stage = stage::fields_method(self);
        quote! {
            #[automatically_derived]
            impl #parameters __p::RestoreFields<'__de, #marker> for #ident #arguments #clause {
                #open
                #head

                fn take<__A: __p::serde::de::MapAccess<'__de>>(
                    __slots: &mut #with_arguments,
                    __key: &__p::Key<'__de>,
                    __map: &mut __A,
                    __cx: &__p::Context<'_>,
                ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
                    match __p::Key::as_str(__key) {
                        #(#arms)*
                        _ => {}
                    }
                    #one_open
                    #flattened
                    ::core::result::Result::Ok(false)
                }

                #finish
                #stage
            }
        }
    }

    /// `OPEN`: whether a flattened type takes any key.
    fn open(&self) -> Option<TokenStream> {
        let open = self.fields.flattened().map(|field| {
            let ty = field.ty;
            quote!(<#ty as __p::RestoreFields<'__de>>::OPEN)
        });
        self.fields.has_flatten().then(|| {
            quote! {
                const OPEN: ::core::primitive::bool = false #(|| #open)*;
            }
        })
    }

    fn list(&self) -> TokenStream {
        let (item, marker, with_arguments) = (self.item, &self.marker, self.slots_with_arguments());
        let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
        let generics = bound::restore(item);
        let (parameters, _, clause) = generics.split_for_impl();
        let (head, finish) = (self.head(), self.finish());
        let len = self.fields.stored().count();
        let arms = self.fields.stored().enumerate().map(|(at, field)| {
            let (ty, mode, name) = (field.ty, form::mode(item, field), form::binding(field));
            let context = form::context(field, quote!(__cx.item(__index)));
            quote! {
                #at => <#ty as __p::RestoreField<'__de, #mode>>::take_item(&mut __slots.#name, __seq, &#context),
            }
        });
        quote! {
            #[automatically_derived]
            impl #parameters __p::RestoreItems<'__de, #marker> for #ident #arguments #clause {
                const LEN: ::core::primitive::usize = #len;

                #head

                fn take_item<__A: __p::serde::de::SeqAccess<'__de>>(
                    __slots: &mut #with_arguments,
                    __index: ::core::primitive::usize,
                    __seq: &mut __A,
                    __cx: &__p::Context<'_>,
                ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
                    match __index {
                        #(#arms)*
                        _ => ::core::result::Result::Ok(false),
                    }
                }

                #finish
            }
        }
    }

    /// `finish`: every missing field is reported before the first one gives up.
    fn finish(&self) -> TokenStream {
        let (item, path, with_arguments) = (self.item, &self.path, self.slots_with_arguments());
        let defaults = self.defaults();
        let finished = self.fields.all.iter().map(|field| {
            let (ty, name) = (field.ty, form::binding(field));
            let fallback = match self.fields.style {
                Style::Named => form::fallback(item, field, form::from_default(field).to_token_stream()),
                _ => form::skipped(field),
            };
            let key = &field.key.text;
            match field.attrs.form {
                Form::Skip => quote!(let #name = #fallback;),
                Form::Flatten => quote! {
                    let #name = <#ty as __p::RestoreFields<'__de>>::finish(__slots.#name, __cx);
                },
                _ => quote!(let #name = __p::finish_field::<#ty>(__slots.#name, #key, __cx, || #fallback);),
            }
        });
        let members = self.fields.all.iter().map(|field| {
            let (member, name) = (&field.member, form::binding(field));
            quote!(#member: #name?)
        });
        quote! {
            fn finish(__slots: #with_arguments, __cx: &__p::Context<'_>) -> ::core::option::Option<Self> {
                #defaults
                #(#finished)*
                ::core::option::Option::Some(#path { #(#members),* })
            }
        }
    }

    /// The fields of the container's default, made only if one of them is needed.
    fn defaults(&self) -> TokenStream {
        let container = form::container(self.item);
        let Some(value) = form::whole_default(self.item) else {
            return TokenStream::new();
        };
        let all: Vec<&Field<'_>> = self
            .fields
            .all
            .iter()
            .filter(|field| field.attrs.default.is_none() && !field.attrs.is_flatten())
            .collect();
        let names: Vec<_> = all.iter().map(|field| form::from_default(field)).collect();
        let members = all.iter().map(|field| &field.member);
        let none = all.iter().map(|_| quote!(::core::option::Option::None));
        let needed = all.iter().map(|field| {
            let name = form::binding(field);
            if field.attrs.is_skip() {
                quote!(true)
            } else {
                quote!(__p::Slot::falls_back(&__slots.#name, __cx))
            }
        });
        quote! {
            let (#(#names,)*) = if false #(|| #needed)* {
                let __default: #container = #value;
                (#(::core::option::Option::Some(__default.#members),)*)
            } else {
                (#(#none,)*)
            };
        }
    }
}

/// The assertion that one flattened type at most takes any key: two maps would both.
pub(crate) fn one_open<'f>(
    flattened: impl Iterator<Item = &'f Field<'f>>,
    lifetime: &TokenStream,
) -> Option<TokenStream> {
    let types: Vec<_> = flattened.map(|field| field.ty).collect();
    let last = types.last().filter(|_| types.len() > 1)?;
    let span = Span::call_site().located_at(last.span());
    Some(quote_spanned! {span=>
        ::core::assert!(
            2 > 0 #(+ (<#types as __p::RestoreFields<#lifetime>>::OPEN as ::core::primitive::usize))*,
            "two flattened maps: nothing says which of them takes a key"
        )
    })
}
