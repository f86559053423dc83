//! The derives of npcodec.

mod checkpoint;
mod faults;
mod krate;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `npcodec::checkpoint::{Save, Restore}` and serde's `Serialize` and `Deserialize`.
///
/// The attributes are listed with `npcodec::Checkpoint`.
#[proc_macro_derive(Checkpoint, attributes(checkpoint, serde))]
pub fn checkpoint(input: TokenStream) -> TokenStream {
    checkpoint::derive(parse_macro_input!(input as DeriveInput)).into()
}
