//! The path under which generated code finds the library.

use syn::Path;

/// Makes `path` start at the crate root, so that no local module can capture it.
///
/// `crate = "x"` would otherwise name a module `x` of the caller, if there is one.
pub(crate) fn absolute(mut path: Path) -> Path {
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    if !matches!(first.as_deref(), Some("crate" | "self" | "super")) {
        path.leading_colon = Some(Default::default());
    }
    path
}

/// Where the library is unless `crate = ".."` says otherwise.
pub(crate) fn default() -> Path {
    syn::parse_quote!(::npcodec)
}
