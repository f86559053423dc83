//! Writes `Self` out, so that field types can also be named outside the impls of the container.

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::DeriveInput;

/// `input` with its own name in the place of each `Self`.
pub(crate) fn replace(input: DeriveInput) -> DeriveInput {
    let tokens = input.to_token_stream();
    if !names_self(tokens.clone()) {
        return input;
    }
    let (ident, generics) = (&input.ident, &input.generics);
    let replaced = replace_in(
        tokens,
        ident,
        &generics.split_for_impl().1.to_token_stream(),
    );
    syn::parse2(replaced).unwrap_or(input)
}

/// `tokens` with `ident` and its `arguments` in the place of each `Self`.
pub(crate) fn replace_in(
    tokens: TokenStream,
    ident: &Ident,
    arguments: &TokenStream,
) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(found) if found == "Self" => {
                let mut ident = ident.clone();
                ident.set_span(found.span());
                let qualified = matches!(
                    tokens.peek(),
                    Some(TokenTree::Punct(p)) if p.as_char() == ':' && p.spacing() == Spacing::Joint
                );
                out.extend(if qualified {
                    quote_spanned!(found.span()=> <#ident #arguments>)
                } else {
                    quote_spanned!(found.span()=> #ident #arguments)
                });
            }
            TokenTree::Group(group) => {
                let inner = replace_in(group.stream(), ident, arguments);
                let mut replaced = Group::new(group.delimiter(), inner);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

fn names_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => names_self(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens as _, quote};
    use syn::{DeriveInput, parse_quote};

    #[test]
    fn self_is_written_out_wherever_it_stands() {
        let input: DeriveInput = parse_quote! {
            struct Tree<'a, T: Copy = u8> where Self: Sized {
                kids: Vec<(Self, &'a T)>,
                sizes: [u8; Self::LEN],
            }
        };
        let expected = quote! {
            struct Tree<'a, T: Copy = u8> where Tree<'a, T>: Sized {
                kids: Vec<(Tree<'a, T>, &'a T)>,
                sizes: [u8; <Tree<'a, T> >::LEN],
            }
        };
        let replaced = super::replace(input).into_token_stream();
        assert_eq!(replaced.to_string(), expected.to_string());
    }
}
