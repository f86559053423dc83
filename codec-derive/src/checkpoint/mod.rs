//! `#[derive(Checkpoint)]`: parse and check, which may fail; then expand, which cannot.

mod ast;
mod attr;
mod bound;
mod case;
mod check;
mod expand;
mod fallback;
mod leftover;
mod meta;
mod receiver;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::{faults::Faults, krate};

/// The expansion of the derive for `input`.
pub(crate) fn derive(input: DeriveInput) -> TokenStream {
    let input = receiver::replace(input);
    let mut attrs = None;
    let item = Faults::collect(|faults| {
        let attrs = attrs.insert(attr::ContainerAttrs::parse(faults, &input.attrs));
        let item = ast::Container::parse(faults, attrs, &input)?;
        check::check(faults, &item);
        Some(item)
    });
    match item {
        Ok(item) => expand::expand(&item),
        Err(error) => {
            let (krate, no_serde) = match attrs {
                Some(attrs) => (attrs.krate, attrs.no_serde),
                None => (krate::default(), false),
            };
            fallback::fallback(&input, &krate, no_serde, &error)
        }
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};
    use syn::{DeriveInput, parse_quote};

    /// The tokens in a row, groups opened, each as text.
    fn flat(tokens: TokenStream, out: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => flat(group.stream(), out),
                other => out.push(other.to_string()),
            }
        }
    }

    fn expansion(input: DeriveInput) -> Vec<String> {
        let mut out = Vec::new();
        flat(super::derive(input), &mut out);
        out
    }

    fn inputs() -> [DeriveInput; 3] {
        [
            parse_quote! {
                #[checkpoint(default)]
                struct Named<'a, T> {
                    a: &'a T,
                    #[checkpoint(with = "module")]
                    b: Vec<Self>,
                    #[checkpoint(skip)]
                    c: u8,
                    #[checkpoint(flatten)]
                    d: Inner,
                    #[checkpoint(serde, skip_serializing_if = "path")]
                    e: Foreign,
                }
            },
            parse_quote! {
                enum Kind {
                    Slots,
                    B(u8),
                    C(u8, u8),
                    D { x: u8 },
                }
            },
            parse_quote! {
                struct Faulty<T>(#[checkpoint(nonsense)] T);
            },
        ]
    }

    #[test]
    fn the_expansion_names_nothing_through_self() {
        for input in inputs() {
            let tokens = expansion(input);
            let ambiguous = tokens
                .windows(3)
                .any(|w| w[0] == "Self" && w[1] == ":" && w[2] == ":");
            assert!(!ambiguous, "{tokens:?}");
        }
    }

    #[test]
    fn the_expansion_leans_on_no_name_of_the_prelude() {
        let names = [
            "Some",
            "None",
            "Ok",
            "Err",
            "Option",
            "Result",
            "Default",
            "Vec",
            "String",
            "Sized",
            "bool",
            "usize",
            "str",
            "PhantomData",
            "Clone",
            "From",
            "matches",
            "assert",
            "unreachable",
        ];
        for input in inputs() {
            let tokens = expansion(input);
            for at in 0..tokens.len() {
                let qualified = at > 1 && tokens[at - 1] == ":" && tokens[at - 2] == ":";
                let ours = names.contains(&tokens[at].as_str()) && !qualified;
                // `b: Vec<Self>` is the caller's.
                let callers = tokens[at] == "Vec" && tokens[at + 1] == "<";
                assert!(
                    !ours || callers,
                    "{:?}",
                    &tokens[at.saturating_sub(9)..at + 3]
                );
            }
        }
    }
}
