//! What stages a value into one that is already there.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::form;
use super::restore::Target;
use crate::checkpoint::ast::{Data, Field, Style};

/// An expression of type `&'__s mut Field` for each field.
type Access<'f> = &'f dyn Fn(&Field<'_>) -> TokenStream;

/// Stages `value` into `whole`, a struct or variant, whose fields `access` reaches.
pub(crate) fn content(
    target: &Target<'_>,
    whole: &TokenStream,
    value: &TokenStream,
    access: Access<'_>,
) -> TokenStream {
    let (item, name, unknown) = (
        target.item,
        &target.name,
        target.item.attrs.allow_unknown_fields,
    );
    match target.fields.style {
        Style::Named => {
            let marker = &target.marker;
            quote! {
                __p::stage_map(#value, #name, #unknown, __cx, __plan, move |__entries, __cx, __plan| {
                    <Self as __p::RestoreFields<'__de, #marker>>::stage_fields(#whole, __entries, __cx, __plan);
                });
            }
        }
        Style::Tuple => {
            let len = target.fields.stored().count();
            let staged = target.fields.stored().enumerate().map(|(at, field)| {
                let (ty, mode, place) = (field.ty, form::mode(item, field), access(field));
                let context = form::context(field, quote!(__cx.item(#at)));
                quote! {
                    <#ty as __p::RestoreField<'__de, #mode>>::stage_field(
                        #place,
                        __items.get(#at),
                        "",
                        __cx,
                        &#context,
                        __plan,
                        || ::core::option::Option::None,
                    );
                }
            });
            quote! {
                __p::stage_list(#value, #name, #len, __cx, __plan, move |__items, __cx, __plan| { #(#staged)* });
            }
        }
        Style::Newtype => {
            let staged = target.fields.stored().map(|field| {
                let (ty, mode, place) = (field.ty, form::mode(item, field), access(field));
                let context = form::context(field, quote!(__cx));
                quote!(<#ty as __p::RestoreField<'__de, #mode>>::stage_alone(#place, #value, &#context, __plan);)
            });
            quote!(#(#staged)*)
        }
        Style::Unit => TokenStream::new(),
    }
}

/// Stages the entries of a map into the fields; what takes any key comes last.
fn fields(target: &Target<'_>, access: Access<'_>) -> TokenStream {
    let keyed = target.fields.keyed().map(|field| {
        let (ty, mode, place) = (field.ty, form::mode(target.item, field), access(field));
        let (key, aliases) = (&field.key.text, &field.attrs.aliases);
        let context = form::context(field, quote!(__cx.field(__taken.name)));
        let whole = form::whole_default(target.item).map(|whole| {
            let (container, member) = (form::container(target.item), &field.member);
            quote! {{
                let __default: #container = #whole;
                ::core::option::Option::<#ty>::Some(__default.#member)
            }}
        });
        let fallback = form::fallback(target.item, field, whole.unwrap_or_default());
        quote! {
            let __taken = __p::Entries::take_named(__entries, &[#key #(, #aliases)*], __cx);
            <#ty as __p::RestoreField<'__de, #mode>>::stage_field(
                #place,
                __taken.value,
                #key,
                __cx,
                &#context,
                __plan,
                || if __taken.passed_over {
                    ::core::option::Option::None
                } else {
                    #fallback
                },
            );
        }
    });
    let places = target.fields.flattened().map(|field| {
        let (name, place) = (form::flat(field), access(field));
        quote!(let mut #name = ::core::option::Option::Some(#place);)
    });
    let staged = |field: &Field<'_>, taken: TokenStream| {
        let ty = field.ty;
        quote! {
            if let ::core::option::Option::Some(__place) = #taken {
                <#ty as __p::RestoreFields<'__de>>::stage_fields(__place, __entries, __cx, __plan);
            }
        }
    };
    let closed = target.fields.flattened().map(|field| {
        let (ty, name) = (field.ty, form::flat(field));
        let staged = staged(field, quote!(::core::option::Option::take(&mut #name)));
        quote!(if !<#ty as __p::RestoreFields<'__de>>::OPEN { #staged })
    });
    let open = target.fields.flattened().map(|field| {
        let name = form::flat(field);
        staged(field, quote!(#name))
    });
    quote!(#(#keyed)* #(#places)* #(#closed)* #(#open)*)
}

/// `RestoreFields::stage_fields` of a struct or variant.
pub(crate) fn fields_method(target: &Target<'_>) -> TokenStream {
    let body = match &target.item.data {
        Data::Struct(_) => fields(target, &|field| {
            let member = &field.member;
            quote!(&mut self.#member)
        }),
        Data::Enum(_) => {
            let (path, bindings) = (&target.path, form::bindings(target.fields));
            let staged = fields(target, &|field| form::binding(field).to_token_stream());
            quote! {
                #[allow(irrefutable_let_patterns)]
                if let #path { #bindings .. } = self {
                    #staged
                }
            }
        }
    };
    quote! {
        fn stage_fields<'__s>(
            &'__s mut self,
            __entries: &mut __p::Entries<'_, '__de>,
            __cx: &__p::Context<'_>,
            __plan: &mut __p::Plan<'__s>,
        )
        where
            '__de: '__s,
        {
            #body
        }
    }
}
