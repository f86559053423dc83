//! The attributes of containers, variants and fields.

use syn::{Attribute, ExprPath, Ident, LitStr, Path, Type};

use super::case::Case;
use super::meta::{self, Entry, Known, Place, Takes, Value};
use crate::{faults::Faults, krate};

const fn known(name: &'static str, takes: Takes) -> Known {
    Known {
        name,
        takes,
        repeats: false,
    }
}

const CONTAINER: &Place = &Place {
    name: "container",
    known: &[
        known("rename_all", Takes::Text("camelCase")),
        known("rename_all_fields", Takes::Text("camelCase")),
        known("default", Takes::Maybe("path")),
        known("array", Takes::Nothing),
        known("allow_unknown_fields", Takes::Nothing),
        known("no_serde", Takes::Nothing),
        known("crate", Takes::Text("path")),
    ],
};

const VARIANT: &Place = &Place {
    name: "variant",
    known: &[
        known("rename", Takes::Text("name")),
        Known {
            name: "alias",
            takes: Takes::Text("name"),
            repeats: true,
        },
        known("rename_all", Takes::Text("camelCase")),
    ],
};

const FIELD: &Place = &Place {
    name: "field",
    known: &[
        known("compress", Takes::Nothing),
        known("scalar", Takes::Nothing),
        known("integer", Takes::Nothing),
        known("array", Takes::Nothing),
        known("as", Takes::Text("Vec<Compressed>")),
        known("with", Takes::Text("module::path")),
        known("serde", Takes::Nothing),
        known("skip", Takes::Nothing),
        known("default", Takes::Maybe("path")),
        known("rename", Takes::Text("name")),
        Known {
            name: "alias",
            takes: Takes::Text("name"),
            repeats: true,
        },
        known("flatten", Takes::Nothing),
        known("cast", Takes::Maybe("lossy")),
        known("width", Takes::Number("16")),
        known("fortran", Takes::Text("row_major")),
        known("skip_serializing_if", Takes::Text("path")),
        known("replace", Takes::Nothing),
    ],
};

const PLACES: &[&Place] = &[CONTAINER, VARIANT, FIELD];

/// Where the value of a missing field comes from.
#[derive(Debug, Clone)]
pub(crate) enum Default {
    /// `Default::default`.
    Trait,
    /// A function without arguments.
    Path(ExprPath),
}

/// What `cast` allows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cast {
    Safe,
    Lossy,
}

/// How a field is encoded.
#[derive(Debug)]
pub(crate) enum Form {
    /// As its type says, or as the container's `array` says.
    Plain,
    Compressed,
    Scalar,
    Integer,
    Array,
    Width(usize),
    As(Type),
    With(Path),
    Serde,
    Skip,
    Flatten,
}

/// The attributes of a container.
#[derive(Debug)]
pub(crate) struct ContainerAttrs {
    pub(crate) entries: Vec<Entry>,
    pub(crate) rename_all: Option<Case>,
    pub(crate) rename_all_fields: Option<Case>,
    pub(crate) default: Option<Default>,
    pub(crate) array: bool,
    pub(crate) allow_unknown_fields: bool,
    pub(crate) no_serde: bool,
    pub(crate) krate: Path,
}

impl ContainerAttrs {
    pub(crate) fn parse(faults: &mut Faults, attrs: &[Attribute]) -> Self {
        let entries = meta::entries(faults, attrs, CONTAINER, PLACES);
        let has = |name| entries.iter().any(|entry| entry.name == name);
        let krate = text(&entries, "crate")
            .and_then(|path| faults.ok(path.parse_with(Path::parse_mod_style)));
        let parsed = Self {
            rename_all: case(faults, &entries, "rename_all"),
            rename_all_fields: case(faults, &entries, "rename_all_fields"),
            default: default(faults, &entries),
            array: has("array"),
            allow_unknown_fields: has("allow_unknown_fields"),
            no_serde: has("no_serde"),
            krate: krate.map_or_else(krate::default, krate::absolute),
            entries,
        };
        parsed.leftovers(faults, attrs);
        parsed
    }

    /// Notes `#[serde(..)]` among `attrs`, unless serde's own derives read it.
    pub(crate) fn leftovers(&self, faults: &mut Faults, attrs: &[Attribute]) {
        if !self.no_serde {
            super::leftover::check(faults, attrs);
        }
    }

    /// The key of the entry called `name`.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        self.entries
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| &entry.key)
    }
}

/// The attributes of a variant.
#[derive(Debug)]
pub(crate) struct VariantAttrs {
    pub(crate) entries: Vec<Entry>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) rename_all: Option<Case>,
}

impl VariantAttrs {
    pub(crate) fn parse(faults: &mut Faults, attrs: &[Attribute]) -> Self {
        let entries = meta::entries(faults, attrs, VARIANT, PLACES);
        Self {
            rename: text(&entries, "rename").cloned(),
            aliases: aliases(&entries),
            rename_all: case(faults, &entries, "rename_all"),
            entries,
        }
    }
}

/// The attributes of a field.
#[derive(Debug)]
pub(crate) struct FieldAttrs {
    pub(crate) entries: Vec<Entry>,
    pub(crate) form: Form,
    pub(crate) default: Option<Default>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) cast: Option<Cast>,
    pub(crate) row_major: bool,
    pub(crate) skip_if: Option<ExprPath>,
    pub(crate) replace: bool,
}

impl FieldAttrs {
    pub(crate) fn parse(faults: &mut Faults, attrs: &[Attribute]) -> Self {
        let entries = meta::entries(faults, attrs, FIELD, PLACES);
        let has = |name| entries.iter().any(|entry| entry.name == name);
        Self {
            form: form(faults, &entries),
            default: default(faults, &entries),
            rename: text(&entries, "rename").cloned(),
            aliases: aliases(&entries),
            cast: cast(faults, &entries),
            row_major: row_major(faults, &entries),
            skip_if: text(&entries, "skip_serializing_if").and_then(|path| faults.ok(path.parse())),
            replace: has("replace"),
            entries,
        }
    }

    /// Whether the file holds no value of its own for the field.
    pub(crate) fn is_skip(&self) -> bool {
        matches!(self.form, Form::Skip)
    }

    /// Whether the keys of the field's type stand among those of the container.
    pub(crate) fn is_flatten(&self) -> bool {
        matches!(self.form, Form::Flatten)
    }
}

fn form(faults: &mut Faults, entries: &[Entry]) -> Form {
    for entry in entries {
        return match (entry.name, &entry.value) {
            ("compress", _) => Form::Compressed,
            ("scalar", _) => Form::Scalar,
            ("integer", _) => Form::Integer,
            ("array", _) => Form::Array,
            ("width", Value::Number(width)) => Form::Width(*width),
            ("as", Value::Text(ty)) => faults.ok(ty.parse()).map_or(Form::Plain, Form::As),
            ("with", Value::Text(path)) => faults.ok(path.parse()).map_or(Form::Plain, Form::With),
            ("serde", _) => Form::Serde,
            ("skip", _) => Form::Skip,
            ("flatten", _) => Form::Flatten,
            _ => continue,
        };
    }
    Form::Plain
}

fn text<'e>(entries: &'e [Entry], name: &str) -> Option<&'e LitStr> {
    entries.iter().find(|entry| entry.name == name)?.text()
}

fn aliases(entries: &[Entry]) -> Vec<LitStr> {
    entries
        .iter()
        .filter(|entry| entry.name == "alias")
        .filter_map(|entry| entry.text().cloned())
        .collect()
}

fn case(faults: &mut Faults, entries: &[Entry], name: &str) -> Option<Case> {
    let text = text(entries, name)?;
    let case = Case::parse(&text.value());
    if case.is_none() {
        faults.at(
            text.span(),
            format_args!("`{name}` takes one of {}", Case::names()),
        );
    }
    case
}

fn default(faults: &mut Faults, entries: &[Entry]) -> Option<Default> {
    match &entries.iter().find(|entry| entry.name == "default")?.value {
        Value::Text(path) => faults.ok(path.parse()).map(Default::Path),
        _ => Some(Default::Trait),
    }
}

fn cast(faults: &mut Faults, entries: &[Entry]) -> Option<Cast> {
    match &entries.iter().find(|entry| entry.name == "cast")?.value {
        Value::Text(text) if text.value() == "lossy" => Some(Cast::Lossy),
        Value::Text(text) => {
            faults.at(
                text.span(),
                "`cast` stands alone (every value is kept) or is `cast = \"lossy\"`",
            );
            None
        }
        _ => Some(Cast::Safe),
    }
}

fn row_major(faults: &mut Faults, entries: &[Entry]) -> bool {
    let text = text(entries, "fortran");
    if let Some(text) = text.filter(|text| text.value() != "row_major") {
        faults.at(text.span(), "the only choice is `fortran = \"row_major\"`");
    }
    text.is_some()
}
