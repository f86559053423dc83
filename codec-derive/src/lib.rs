//! The derives of npcodec.

mod checkpoint;
mod faults;
mod krate;
mod structured;

use proc_macro::TokenStream;

/// Derives `npcodec::checkpoint::{Save, Restore}` and serde's `Serialize` and `Deserialize`.
///
/// The attributes are listed with `npcodec::Checkpoint`.
#[proc_macro_derive(Checkpoint, attributes(checkpoint, serde))]
pub fn checkpoint(input: TokenStream) -> TokenStream {
    checkpoint::derive(syn::parse_macro_input!(input)).into()
}

/// Makes a struct the row of a structured array.
///
/// Each field is a column of the same name: numbers, `Bytes<N>`, `Text<N>`, times, other rows, and arrays of
/// them, which are sub-arrays. Rows are written packed and little-endian; they are read by the
/// names of their columns, whatever the order, padding and byte order of the file.
///
/// - `#[structured(align)]` on the struct writes rows with the padding of NumPy's `align=True`.
/// - `#[structured(rename = "name")]` on a field gives its column another name.
/// - `#[structured(crate = "path")]` on the struct says where npcodec is, if not at `::npcodec`.
#[proc_macro_derive(Structured, attributes(structured))]
pub fn structured(input: TokenStream) -> TokenStream {
    structured::derive(&syn::parse_macro_input!(input)).into()
}
