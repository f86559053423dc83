//! The faults that need more than one attribute to see.

use super::ast::{Container, Data, Field, Fields, Style, Variant};
use super::meta::Entry;
use crate::faults::Faults;

/// Attributes that each decide how a field is encoded.
const FORMS: &[&str] = &[
    "compress", "scalar", "integer", "array", "width", "as", "with", "serde", "skip", "flatten",
];

/// Attributes that mean nothing beside a form.
const PAIRS: &[(&str, &[&str], &str)] = &[
    (
        "skip",
        &[
            "rename",
            "alias",
            "cast",
            "fortran",
            "skip_serializing_if",
            "replace",
        ],
        "a skipped field is neither written nor read",
    ),
    (
        "flatten",
        &[
            "rename",
            "alias",
            "default",
            "cast",
            "fortran",
            "skip_serializing_if",
            "replace",
        ],
        "a flattened field has no key of its own",
    ),
    (
        "with",
        &["cast", "fortran"],
        "the adapter decides how the value is read",
    ),
    (
        "serde",
        &["cast", "fortran"],
        "serde decides how the value is read",
    ),
];

/// Attributes that need a key.
const KEYED: &[&str] = &["rename", "alias", "flatten", "skip_serializing_if"];

/// Notes what is wrong with `item` as a whole.
pub(crate) fn check(faults: &mut Faults, item: &Container<'_>) {
    container(faults, item);
    for fields in item.shapes() {
        for field in &fields.all {
            conflicts(faults, &field.attrs.entries);
        }
        match fields.style {
            Style::Named => named(faults, fields),
            Style::Tuple | Style::Newtype => positional(faults, fields),
            Style::Unit => {}
        }
    }
    if let Data::Enum(variants) = &item.data {
        names(faults, variants);
    }
}

/// Container attributes that mean nothing on the shape of the container.
fn container(faults: &mut Faults, item: &Container<'_>) {
    let (has_keys, has_fields, kind) = match &item.data {
        Data::Struct(fields) => match fields.style {
            Style::Named => (true, true, "struct"),
            Style::Tuple | Style::Newtype => (false, true, "tuple struct"),
            Style::Unit => (false, false, "unit struct"),
        },
        Data::Enum(_) => (true, true, "enum"),
    };
    let is_enum = matches!(item.data, Data::Enum(_));
    for (name, allowed) in [
        ("rename_all", has_keys),
        ("rename_all_fields", is_enum),
        ("default", has_keys && !is_enum),
        ("allow_unknown_fields", has_keys),
        ("array", has_fields),
    ] {
        if let Some(key) = item.attrs.key(name).filter(|_| !allowed) {
            let article = if is_enum { "an" } else { "a" };
            faults.at(
                key.span(),
                format_args!("`{name}` means nothing on {article} {kind}"),
            );
        }
    }
}

fn conflicts(faults: &mut Faults, entries: &[Entry]) {
    for (at, later) in entries.iter().enumerate() {
        let earlier = &entries[..at];
        let form = earlier.iter().find(|entry| FORMS.contains(&entry.name));
        if let Some(form) = form.filter(|_| FORMS.contains(&later.name)) {
            let message = format!(
                "`{}` and `{}` both say how the field is encoded",
                form.name, later.name
            );
            faults.at(later.key.span(), message);
            continue;
        }
        for (form, others, reason) in PAIRS {
            let clash = |a: &Entry, b: &Entry| a.name == *form && others.contains(&b.name);
            if let Some(other) = earlier
                .iter()
                .find(|entry| clash(entry, later) || clash(later, entry))
            {
                let message = format!(
                    "`{}` cannot stand beside `{}`: {reason}",
                    later.name, other.name
                );
                faults.at(later.key.span(), message);
            }
        }
    }
}

fn named(faults: &mut Faults, fields: &Fields<'_>) {
    let mut seen: Vec<String> = Vec::new();
    let keyed = || fields.stored().filter(|field| !field.attrs.is_flatten());
    for field in keyed() {
        distinct(faults, &mut seen, &field.key.text, field.key.span, "field");
    }
    for alias in keyed().flat_map(|field| &field.attrs.aliases) {
        distinct(faults, &mut seen, &alias.value(), alias.span(), "field");
    }
    mistakable(faults, keyed());
}

fn distinct(
    faults: &mut Faults,
    seen: &mut Vec<String>,
    text: &str,
    span: proc_macro2::Span,
    what: &str,
) {
    if seen.iter().any(|other| other == text) {
        faults.at(
            span,
            format_args!("there is already a {what} with the name or alias `{text}`"),
        );
    } else {
        seen.push(text.to_owned());
    }
}

/// Keys by which Python's decoder would take the map for an encoding.
fn mistakable<'f>(faults: &mut Faults, fields: impl Iterator<Item = &'f Field<'f>>) {
    let mut array = vec!["shape", "data", "dtype"];
    for field in fields {
        if field.key.text == "integer" {
            faults.at(
                field.key.span,
                "Python's decoder takes a map with the key `integer` for a big integer; rename the field",
            );
        }
        let before = array.len();
        array.retain(|key| *key != field.key.text);
        if array.is_empty() && before == 1 {
            faults.at(
                field.key.span,
                "Python's decoder takes a map with the keys `shape`, `data` and `dtype` for an array; rename a field",
            );
        }
    }
}

fn positional(faults: &mut Faults, fields: &Fields<'_>) {
    for entry in fields.stored().flat_map(|field| &field.attrs.entries) {
        if KEYED.contains(&entry.name) {
            faults.at(
                entry.key.span(),
                format_args!("`{}` needs a field with a name", entry.name),
            );
        }
        if entry.name == "default" {
            let message = "`default` needs a field with a name: a list holds all of its items";
            faults.at(entry.key.span(), message);
        }
    }
}

fn names(faults: &mut Faults, variants: &[Variant<'_>]) {
    let mut seen = Vec::new();
    for variant in variants {
        distinct(
            faults,
            &mut seen,
            &variant.name.text,
            variant.name.span,
            "variant",
        );
        if variant.name.text == "integer" && variant.fields.style != Style::Unit {
            faults.at(
                variant.name.span,
                "Python's decoder takes a map with the key `integer` for a big integer; rename the variant",
            );
        }
        let rename_all = variant
            .attrs
            .entries
            .iter()
            .find(|entry| entry.name == "rename_all");
        if let Some(entry) = rename_all.filter(|_| variant.fields.style != Style::Named) {
            faults.at(
                entry.key.span(),
                "`rename_all` needs a variant with named fields",
            );
        }
    }
    for alias in variants.iter().flat_map(|variant| &variant.attrs.aliases) {
        distinct(faults, &mut seen, &alias.value(), alias.span(), "variant");
    }
}
