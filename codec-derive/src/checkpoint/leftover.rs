//! A `#[serde(...)]` that was left on a checkpoint is ignored by nobody: it is a fault.

use syn::Attribute;
use syn::ext::IdentExt as _;

use super::meta;
use crate::faults::Faults;

/// Notes each entry of a `#[serde(...)]` among `attrs`.
pub(crate) fn check(faults: &mut Faults, attrs: &[Attribute]) {
    for entry in meta::raw(faults, attrs, "serde") {
        let name = entry.key.unraw().to_string();
        faults.at(
            entry.key.span(),
            format_args!(
                "`derive(Checkpoint)` does not read `#[serde({name})]`: {}",
                advice(&name)
            ),
        );
    }
}

fn advice(name: &str) -> String {
    let same = |form: &str| format!("write `#[checkpoint({form})]`");
    match name {
        "rename" | "alias" | "rename_all" | "rename_all_fields" => same(&format!("{name} = \"..\"")),
        "default" | "skip" | "flatten" => same(name),
        "with" => same("with = \"module::path\""),
        "skip_serializing_if" => same("skip_serializing_if = \"path\""),
        "crate" => same("crate = \"path\""),
        "skip_serializing" | "skip_deserializing" => "write `#[checkpoint(skip)]`, which does both".to_owned(),
        "serialize_with" | "deserialize_with" => "write `#[checkpoint(with = \"module::path\")]`, which does both".to_owned(),
        "deny_unknown_fields" => "this is the default, and `#[checkpoint(allow_unknown_fields)]` lifts it".to_owned(),
        "bound" => "not needed, bounds follow the types of the fields".to_owned(),
        "borrow" => "not needed, every field borrows what it can".to_owned(),
        "transparent" => "not needed, a struct of one unnamed field is transparent".to_owned(),
        "tag" | "content" | "untagged" => "enums are externally tagged".to_owned(),
        _ => "there is no such attribute here; to keep serde's own derives, add `#[checkpoint(no_serde)]` to the type".to_owned(),
    }
}
