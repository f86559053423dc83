//! The where clauses of the impls: what the types of the fields must be able to do.
//!
//! A predicate stands for each field whose type names a parameter of the container, and for no other,
//! so that phantom parameters stay free and a type that cannot be saved is a fault at its own field.
//! Types that name the container itself get none, because such a predicate would need itself; the
//! parameters that they name beside the container are bounded instead.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Lifetime, LifetimeParam, parse_quote};

use super::ast::{Container, Field};
use super::attr::{Default, Form};
use super::expand::form;

/// The generics of what saves: the container's, with a predicate per field.
pub(crate) fn save(item: &Container<'_>) -> Generics {
    let mut generics = item.generics.clone();
    for field in item.fields() {
        let mode = form::mode(item, field);
        let bound = match &field.attrs.form {
            Form::Skip | Form::With(_) => continue,
            Form::Serde if !field.apart => quote!(__p::serde::Serialize),
            Form::Flatten => quote!(__p::SaveFields),
            _ => quote!(__p::Save<#mode>),
        };
        push(item, &mut generics, field, &bound, When::Generic);
    }
    generics
}

/// The generics of what restores: `'__de` and the container's, with a predicate per field.
pub(crate) fn restore(item: &Container<'_>) -> Generics {
    let mut generics = item.generics.clone();
    for field in item.fields() {
        let mode = form::mode(item, field);
        let default: TokenStream = quote!(::core::default::Default);
        match &field.attrs.form {
            Form::Skip | Form::With(_) => {}
            Form::Serde if !field.apart => push(
                item,
                &mut generics,
                field,
                &quote!(__p::serde::Deserialize<'__de>),
                When::Borrowed,
            ),
            Form::Flatten => push(
                item,
                &mut generics,
                field,
                &quote!(__p::RestoreFields<'__de>),
                When::Always,
            ),
            _ => push(
                item,
                &mut generics,
                field,
                &quote!(__p::Restore<'__de, #mode>),
                When::Borrowed,
            ),
        }
        let defaulted = match &field.attrs.default {
            Some(Default::Trait) => true,
            Some(Default::Path(_)) => false,
            None => field.attrs.is_skip() && item.attrs.default.is_none(),
        };
        if defaulted {
            push(item, &mut generics, field, &default, When::Generic);
        }
    }
    if matches!(item.attrs.default, Some(Default::Trait)) && generics.type_params().next().is_some()
    {
        let ty = form::container(item);
        generics
            .make_where_clause()
            .predicates
            .push(parse_quote!(#ty: ::core::default::Default));
    }
    let borrowed: Vec<Lifetime> = generics
        .lifetimes()
        .map(|param| param.lifetime.clone())
        .collect();
    let mut de = LifetimeParam::new(parse_quote!('__de));
    de.bounds.extend(borrowed);
    generics.params.insert(0, GenericParam::Lifetime(de));
    generics
}

/// `generics` with a parameter `__M` for the mode that a container is asked for.
pub(crate) fn with_mode(mut generics: Generics) -> Generics {
    generics.params.push(parse_quote!(__M: __p::Ordinary));
    generics
}

/// Which types get a predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Those that name a type parameter.
    Generic,
    /// Those that name a lifetime too: what borrows may be savable only.
    Borrowed,
    /// All.
    Always,
}

fn push(
    item: &Container<'_>,
    generics: &mut Generics,
    field: &Field<'_>,
    bound: &TokenStream,
    when: When,
) {
    let named = Named::of(item, field);
    let predicates = &mut generics.make_where_clause().predicates;
    let ty = field.ty;
    if named.container {
        for param in named.types {
            predicates.push(parse_quote!(#param: #bound));
        }
    } else if !named.types.is_empty()
        || when == When::Always
        || (when == When::Borrowed && named.lifetime)
    {
        predicates.push(parse_quote!(#ty: #bound));
    }
}

/// What the type of a field and its mode name.
#[derive(Debug, Default)]
struct Named {
    /// Type parameters, outside the arguments of the container itself.
    types: Vec<syn::Ident>,
    /// A lifetime.
    lifetime: bool,
    /// The container.
    container: bool,
}

impl Named {
    fn of(item: &Container<'_>, field: &Field<'_>) -> Self {
        let mut named = Self::default();
        named.walk(item, field.ty.to_token_stream());
        if let Form::As(mode) = &field.attrs.form {
            named.walk(item, mode.to_token_stream());
        }
        named
    }

    fn walk(&mut self, item: &Container<'_>, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = &tokens[..];
        while let Some((token, after)) = rest.split_first() {
            rest = after;
            match token {
                TokenTree::Group(group) => self.walk(item, group.stream()),
                TokenTree::Punct(punct) => self.lifetime |= punct.as_char() == '\'',
                TokenTree::Ident(ident) if ident == item.ident => {
                    self.container = true;
                    rest = &after[arguments(after)..];
                }
                TokenTree::Ident(ident) => {
                    let param = item
                        .generics
                        .type_params()
                        .find(|param| param.ident == *ident);
                    self.types.extend(
                        param
                            .filter(|_| !self.types.contains(ident))
                            .map(|_| ident.clone()),
                    );
                }
                TokenTree::Literal(_) => {}
            }
        }
    }
}

/// How many of the `tokens` behind a path segment are its arguments.
fn arguments(tokens: &[TokenTree]) -> usize {
    let is = |at: usize, wanted| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == wanted);
    let start = if is(0, ':') && is(1, ':') { 2 } else { 0 };
    if !is(start, '<') {
        return start;
    }
    let mut depth = 0_usize;
    for at in start..tokens.len() {
        let arrow = at > 0 && is(at - 1, '-');
        if is(at, '<') {
            depth += 1;
        } else if is(at, '>') && !arrow {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// Whether the type of `field` names a parameter of the container.
pub(crate) fn names_parameter(item: &Container<'_>, field: &Field<'_>) -> bool {
    let named = Named::of(item, field);
    let constant = |tokens: TokenStream| {
        item.generics
            .const_params()
            .any(|param| names(tokens.clone(), &param.ident))
    };
    let generic = !item.generics.params.is_empty();
    !named.types.is_empty()
        || named.lifetime
        || (named.container && generic)
        || constant(field.ty.to_token_stream())
}

/// Whether the type of `field` names the container.
pub(crate) fn names_container(item: &Container<'_>, field: &Field<'_>) -> bool {
    Named::of(item, field).container
}

fn names(tokens: TokenStream, ident: &syn::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == *ident,
        TokenTree::Group(group) => names(group.stream(), ident),
        _ => false,
    })
}
