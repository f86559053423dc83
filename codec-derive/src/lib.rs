//! The derives of npcodec.

mod checkpoint;
mod faults;
mod krate;
mod structured;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a type part of a checkpoint: `npcodec::Checkpoint`, and serde's `Serialize` and
/// `Deserialize`.
///
/// A struct with named fields is a map of them, a tuple struct a list, a newtype its field, a unit
/// struct nil. A variant of an enum is its name, or a map of its name to its content. The type of
/// a field decides how it is encoded, unless an attribute does. Whatever an `Option` is encoded as,
/// a missing one is `None`.
///
/// # Fields
///
/// How a field is encoded, one of:
/// - `compress`: arrays as Snappy records, in all containers of the field.
/// - `scalar`: numbers and rows as 0-d arrays, which is what NumPy's scalars become.
/// - `integer`: integers as integers, which they are anyway.
/// - `array`: vectors of numbers, rows and texts, and of fixed arrays of them, as one array.
/// - `width = 16`: vectors of texts of at most so many characters as one array.
/// - `as = "Vec<Compressed>"`: a form of the type's own shape, see `npcodec::with`.
/// - `with = "module::path"`: by `serialize` and `deserialize` of the module or type, as in serde.
/// - `serde`: by the type's own `Serialize` and `Deserialize`.
/// - `flatten`: the fields of the struct, or the entries of the map, stand among the others.
/// - `skip`: not at all. It is restored from its default, and stays as it is in place.
///
/// The key of a field:
/// - `rename = "key"`: written and read under this key.
/// - `alias = "key"`: read under this key as well; may be repeated.
/// - `skip_serializing_if = "path"`: left out if the function says so.
/// - `default`, `default = "path"`: the value of a missing field.
///
/// How a field is read:
/// - `cast`: from an array of another dtype, if every value is kept; `cast = "lossy"`
///   rounds, and cuts off decimals where the field holds integers.
/// - `fortran = "row_major"`: the bytes of an array under the label `F` are in C order, as
///   Dopamine's own encoder writes them.
/// - `replace`: at any length when it is loaded in place.
///
/// # Containers
///
/// - `rename_all = "camelCase"`: the keys of the fields, or the names of the variants, in one of
///   serde's spellings; `rename_all_fields` for the fields of all variants.
/// - `default`, `default = "path"`: missing fields come from a default of the whole struct.
/// - `array`: every field that says nothing else has `array`.
/// - `allow_unknown_fields`: keys that no field has are passed over.
/// - `no_serde`: leaves out serde's traits, for types with their own.
/// - `crate = "path"`: where npcodec is, if not at `::npcodec`.
///
/// # Variants
///
/// `rename`, `alias`, and `rename_all` for the fields.
#[proc_macro_derive(Checkpoint, attributes(checkpoint, serde))]
pub fn checkpoint(input: TokenStream) -> TokenStream {
    checkpoint::derive(syn::parse_macro_input!(input)).into()
}

/// Makes a struct the row of a structured array.
///
/// Each field is a column of the same name: numbers, `Bytes<N>`, `Text<N>`, times, other rows, and arrays of
/// them, which are sub-arrays. Rows are written packed and little-endian; they are read by the
/// names of their columns, whatever the order, padding and byte order of the file. A column that the
/// row does not have is an unexpected key.
///
/// A row is no state by itself: it is a field with `#[checkpoint(scalar)]`, or one of a `Vec` with
/// `#[checkpoint(array)]`, and does not derive `Checkpoint`.
///
/// - `#[structured(align)]` on the struct writes rows with the padding of NumPy's `align=True`.
/// - `#[structured(rename = "name")]` on a field gives its column another name.
/// - `#[structured(crate = "path")]` on the struct says where npcodec is, if not at `::npcodec`.
#[proc_macro_derive(Structured, attributes(structured))]
pub fn structured(input: TokenStream) -> TokenStream {
    structured::derive(&syn::parse_macro_input!(input)).into()
}
