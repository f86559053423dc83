//! Reads `#[checkpoint(key, key = value)]`, one fault per bad entry.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Ident, Lit, LitStr, Token};

use crate::faults::Faults;

impl Faults {
    /// Adds a fault at `span`.
    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Returns the value of `result`, or adds its fault.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|fault| self.push(fault)).ok()
    }
}

/// What an attribute takes after its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// A string; the example stands in the message.
    Text(&'static str),
    /// Nothing, or a string.
    Maybe(&'static str),
    /// A number.
    Number(&'static str),
}

/// An attribute that a place knows.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) repeats: bool,
}

/// A place for attributes: containers, variants, fields.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) known: &'static [Known],
}

impl Place {
    fn find(&self, name: &str) -> Option<&'static Known> {
        self.known.iter().find(|known| known.name == name)
    }
}

/// The value of an entry.
#[derive(Debug)]
pub(crate) enum Value {
    Nothing,
    Text(LitStr),
    Number(usize),
}

/// A checked entry: known, not repeated, with a value of the right kind.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

impl Entry {
    /// The text of the value.
    pub(crate) fn text(&self) -> Option<&LitStr> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// An entry as it stands in the source.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) key: Ident,
    value: RawValue,
}

#[derive(Debug)]
enum RawValue {
    Nothing,
    Literal(Lit),
    Other(Span),
}

/// The entries of the attributes called `name`.
pub(crate) fn raw(faults: &mut Faults, attrs: &[Attribute], name: &str) -> Vec<Raw> {
    let mut entries = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let Some(list) = faults.ok(attr.meta.require_list()) else {
            continue;
        };
        let parsed = (|input: ParseStream<'_>| read(faults, input, &mut entries))
            .parse2(list.tokens.clone());
        faults.ok(parsed);
    }
    entries
}

fn read(faults: &mut Faults, input: ParseStream<'_>, entries: &mut Vec<Raw>) -> syn::Result<()> {
    while !input.is_empty() {
        let key = if input.peek(Ident::peek_any) {
            let key = input.call(Ident::parse_any)?;
            let equals = input.parse::<Option<Token![=]>>()?;
            let rest = until_comma(input)?;
            let value = match (&equals, literal(&rest)) {
                (None, _) if rest.is_empty() => RawValue::Nothing,
                (Some(_), Some(literal)) => RawValue::Literal(literal),
                (Some(equals), None) if rest.is_empty() => RawValue::Other(equals.span),
                _ => RawValue::Other(
                    rest.into_iter()
                        .next()
                        .map_or(key.span(), |token| token.span()),
                ),
            };
            Some(Raw { key, value })
        } else {
            let rest = until_comma(input)?;
            let span = rest
                .into_iter()
                .next()
                .map_or(input.span(), |token| token.span());
            faults.at(span, "expected the name of an attribute");
            None
        };
        entries.extend(key);
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(())
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut rest = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.extend([input.parse::<TokenTree>()?]);
    }
    Ok(rest)
}

/// A literal, also one that came through a macro's `$x:literal` or `$x:expr`.
fn literal(tokens: &TokenStream) -> Option<Lit> {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            literal(&group.stream())
        }
        _ => syn::parse2(tokens.clone()).ok(),
    }
}

/// The entries of `#[checkpoint(..)]` that `place` knows; `places` are all there are.
pub(crate) fn entries(
    faults: &mut Faults,
    attrs: &[Attribute],
    place: &'static Place,
    places: &[&Place],
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for Raw { key, value } in raw(faults, attrs, "checkpoint") {
        let name = key.unraw().to_string();
        let Some(known) = place.find(&name) else {
            faults.at(key.span(), unknown(&name, place, places));
            continue;
        };
        if !known.repeats && entries.iter().any(|entry| entry.name == known.name) {
            faults.at(key.span(), format_args!("`{name}` is given twice"));
            continue;
        }
        match checked(known, &key, value) {
            Ok(value) => entries.push(Entry {
                name: known.name,
                key,
                value,
            }),
            Err(fault) => faults.push(fault),
        }
    }
    entries
}

fn checked(known: &Known, key: &Ident, value: RawValue) -> syn::Result<Value> {
    let name = known.name;
    let wanted = match known.takes {
        Takes::Nothing => format!("`{name}` takes no value"),
        Takes::Text(example) => format!("`{name}` takes a string: `{name} = \"{example}\"`"),
        Takes::Maybe(example) => {
            format!("`{name}` stands alone or takes a string: `{name} = \"{example}\"`")
        }
        Takes::Number(example) => format!("`{name}` takes a number: `{name} = {example}`"),
    };
    let fault = |span| Err(syn::Error::new(span, wanted.clone()));
    match (known.takes, value) {
        (Takes::Nothing | Takes::Maybe(_), RawValue::Nothing) => Ok(Value::Nothing),
        (Takes::Text(_) | Takes::Maybe(_), RawValue::Literal(Lit::Str(text))) => {
            Ok(Value::Text(text))
        }
        (Takes::Number(_), RawValue::Literal(Lit::Int(number))) => match number.base10_parse() {
            Ok(value) if number.suffix().is_empty() => Ok(Value::Number(value)),
            _ => fault(number.span()),
        },
        (_, RawValue::Nothing) => fault(key.span()),
        (_, RawValue::Literal(literal)) => fault(literal.span()),
        (_, RawValue::Other(span)) => fault(span),
    }
}

fn unknown(name: &str, place: &Place, places: &[&Place]) -> String {
    let elsewhere: Vec<_> = places
        .iter()
        .filter(|other| other.find(name).is_some())
        .map(|other| other.name)
        .collect();
    let nearest = place
        .known
        .iter()
        .map(|known| (distance(name, known.name), known.name))
        .min()
        .filter(|(distance, known)| *distance <= known.len().div_ceil(3));
    let hint = match nearest {
        _ if !elsewhere.is_empty() => format!("it belongs to a {}", elsewhere.join(" or a ")),
        Some((_, nearest)) => format!("did you mean `{nearest}`?"),
        None => {
            let all: Vec<_> = place
                .known
                .iter()
                .map(|known| format!("`{}`", known.name))
                .collect();
            format!("{}s take {}", place.name, all.join(", "))
        }
    };
    format!("`{name}` is no {} attribute; {hint}", place.name)
}

/// How many letters must be added, dropped or changed to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let best = (corner + usize::from(x != y))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("compress", "compress"), 0);
        assert_eq!(distance("compres", "compress"), 1);
        assert_eq!(distance("skpi", "skip"), 2);
        assert_eq!(distance("", "as"), 2);
    }
}
