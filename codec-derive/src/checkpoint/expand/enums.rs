//! Enums: externally tagged, as `"A"` or `{"B": content}`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};

use super::restore::{self, Target};
use super::{form, save, stage};
use crate::checkpoint::ast::{Container, Field, Style, Variant};
use crate::checkpoint::bound;

/// The impls that save.
pub(crate) fn save(item: &Container<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let generics = bound::save(item);
    let (parameters, _, clause) = generics.split_for_impl();
    let whole = variants.iter().map(|variant| {
        let (path, name) = (path(item, variant), &variant.name.text);
        if variant.fields.style == Style::Unit {
            quote!(#path {} => __p::Sink::string(__sink, ::std::borrow::Cow::Borrowed(#name)),)
        } else {
            quote!(#path { .. } => __p::save_variant(self, #name, __sink),)
        }
    });
    let contents = variants.iter().map(|variant| {
        let (path, bindings) = (path(item, variant), form::bindings(&variant.fields));
        let content = save::content(item, &variant.fields, &save::through_binding);
        quote!(#path { #bindings .. } => { #content })
    });
    let scrutinee = scrutinee(variants);
    let body = quote!(match #scrutinee { #(#whole)* });
    let whole = save::implementation(item, &TokenStream::new(), &body);
    quote! {
        #whole

        #[automatically_derived]
        impl #parameters __p::SaveVariant for #ident #arguments #clause {
            fn save_content<'__a, __S: __p::Sink<'__a>>(
                &'__a self,
                __sink: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                match #scrutinee { #(#contents)* }
            }
        }
    }
}

/// The impls that restore.
pub(crate) fn restore(item: &Container<'_>, variants: &[Variant<'_>]) -> TokenStream {
    let (ident, arguments) = (item.ident, item.generics.split_for_impl().1);
    let generics = bound::restore(item);
    let (parameters, _, clause) = generics.split_for_impl();
    let targets: Vec<_> = variants
        .iter()
        .enumerate()
        .map(|(at, variant)| target(item, at, variant))
        .collect();
    let name = format!("enum {ident}");
    let body = quote!(__p::restore_variant::<Self, __D>(__deserializer, #name, __cx));
    let stage = staged(&targets, variants);
    let others = if stage.is_none() {
        restore::replaced()
    } else {
        TokenStream::new()
    };
    let whole = restore::implementation(item, &others, &body, stage);

    let names = variants.iter().map(|variant| &variant.name.text);
    let found = variants.iter().enumerate().map(|(at, variant)| {
        let (pattern, path) = (pattern(variant), path(item, variant));
        let found = if variant.fields.style == Style::Unit {
            quote!(__p::Found::Unit(#path {}))
        } else {
            quote!(__p::Found::Content(#at))
        };
        quote!(#pattern => ::core::option::Option::Some(#found),)
    });
    let contents = targets.iter().enumerate().filter_map(|(at, target)| {
        let restored = target.restore();
        (target.fields.style != Style::Unit).then(|| quote!(#at => #restored,))
    });
    let markers = targets
        .iter()
        .filter(|target| has_parts(target))
        .map(|target| {
            let (marker, parts) = (&target.marker, target.parts());
            quote! {
                #[doc(hidden)]
                pub enum #marker {}
                #parts
            }
        });
    quote! {
        #whole

        #[automatically_derived]
        impl #parameters __p::RestoreVariant<'__de> for #ident #arguments #clause {
            const NAMES: &'static [&'static ::core::primitive::str] = &[#(#names),*];

            fn find(__name: &::core::primitive::str) -> ::core::option::Option<__p::Found<Self>> {
                match __name {
                    #(#found)*
                    _ => ::core::option::Option::None,
                }
            }

            fn restore_content<__D: __p::serde::Deserializer<'__de>>(
                __index: ::core::primitive::usize,
                __deserializer: __D,
                __cx: &__p::Context<'_>,
            ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
                match __index {
                    #(#contents)*
                    _ => ::core::result::Result::Ok(::core::option::Option::None),
                }
            }
        }

        #(#markers)*
    }
}

/// Stages the content of the variant that both the value and `self` are; any other is assigned whole.
fn staged(targets: &[Target<'_>], variants: &[Variant<'_>]) -> Option<TokenStream> {
    let with_content: Vec<_> = targets
        .iter()
        .zip(variants)
        .filter(|(target, _)| target.fields.style != Style::Unit)
        .collect();
    if with_content.is_empty() {
        return None;
    }
    let arms = with_content.iter().map(|(target, variant)| {
        let (path, pattern) = (&target.path, pattern(variant));
        let (bindings, whole) = match target.fields.style {
            Style::Named => (TokenStream::new(), quote!(__whole @)),
            _ => (form::bindings(target.fields), TokenStream::new()),
        };
        let access = |field: &Field<'_>| form::binding(field).to_token_stream();
        let staged = stage::content(target, &quote!(__whole), &quote!(__content), &access);
        quote! {
            (#whole #path { #bindings .. }, ::core::option::Option::Some((__name @ (#pattern), __content))) => {
                let __cx = &__cx.field(__name);
                #staged
            }
        }
    });
    Some(quote! {
        match (self, __p::variant(__value)) {
            #(#arms)*
            (__whole, _) => __p::replace::<Self, __p::Deep<__M>>(__whole, __value, __cx, __plan),
        }
    })
}

fn has_parts(target: &Target<'_>) -> bool {
    matches!(target.fields.style, Style::Named | Style::Tuple)
}

fn target<'t>(item: &'t Container<'t>, at: usize, variant: &'t Variant<'t>) -> Target<'t> {
    let marker: Ident = format_ident!("__Variant{at}");
    Target {
        item,
        fields: &variant.fields,
        path: path(item, variant),
        marker: quote!(#marker),
        slots: format_ident!("__Slots{at}"),
        name: format!("variant {}::{}", item.ident, variant.ident),
    }
}

/// `Enum::Variant`; `Self::Variant` could also be an associated type.
fn path(item: &Container<'_>, variant: &Variant<'_>) -> TokenStream {
    let (ident, variant) = (item.ident, variant.ident);
    quote!(#ident::#variant)
}

/// The texts that name the variant.
fn pattern(variant: &Variant<'_>) -> TokenStream {
    let (name, aliases) = (&variant.name.text, &variant.attrs.aliases);
    quote!(#name #(| #aliases)*)
}

/// What a match on `self` looks at: a reference to an enum without variants needs one arm.
fn scrutinee(variants: &[Variant<'_>]) -> TokenStream {
    if variants.is_empty() {
        quote!(*self)
    } else {
        quote!(self)
    }
}
