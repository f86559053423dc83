//! What a few structs expand to, as files that a reviewer can read.
//!
//! `NPCODEC_GOLDEN=overwrite cargo test -p npcodec-derive` writes them again; read the difference.

use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;

fn check(name: &str, expansion: &TokenStream) {
    let file = syn2::parse_file(&expansion.to_string()).unwrap();
    let expanded = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name);
    if std::env::var_os("NPCODEC_GOLDEN").is_some() {
        std::fs::write(&path, &expanded).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let line = expanded
        .lines()
        .zip(golden.lines())
        .position(|(new, old)| new != old);
    let place = line.map_or(String::new(), |line| format!(" from line {}", line + 1));
    assert!(
        expanded == golden,
        "{} is another expansion{place}",
        path.display()
    );
}

fn checkpoint(item: TokenStream) -> TokenStream {
    crate::checkpoint::derive(syn::parse2(item).unwrap())
}

#[test]
fn a_struct_with_named_fields() {
    let item = quote! {
        struct Train<'a, T> {
            weights: Array2<T>,
            #[checkpoint(compress, alias = "screens")]
            frames: Vec<Array3<u8>>,
            #[checkpoint(default, rename = "lr")]
            learning_rate: f64,
            #[checkpoint(skip)]
            scratch: Vec<f32>,
            name: Cow<'a, str>,
        }
    };
    check("named.rs", &checkpoint(item));
}

#[test]
fn an_enum() {
    let item = quote! {
        enum Schedule {
            Constant,
            Step(u64),
            Linear { from: f64, to: f64 },
        }
    };
    check("enum.rs", &checkpoint(item));
}

#[test]
fn a_fault() {
    let item = quote! {
        struct Faulty<T> {
            #[checkpoint(compres)]
            frames: Vec<T>,
        }
    };
    check("fault.rs", &checkpoint(item));
}

#[test]
fn a_row() {
    let item = quote! {
        struct Transition {
            action: i32,
            #[structured(rename = "xyz")]
            position: [f32; 3],
        }
    };
    check(
        "row.rs",
        &crate::structured::derive(&syn::parse2(item).unwrap()),
    );
}
