//! Where the generated code finds the library.

use syn::Path;

/// Returns the path of the library where nothing else is said.
pub(crate) fn default() -> Path {
    syn::parse_quote!(::npcodec)
}

/// Makes a path absolute, or else a local module of the same name would capture it.
pub(crate) fn absolute(mut path: Path) -> Path {
    let first = path
        .segments
        .first()
        .map(|segment| segment.ident.to_string());
    if !matches!(first.as_deref(), Some("crate" | "self" | "super")) {
        path.leading_colon = Some(Default::default());
    }
    path
}
